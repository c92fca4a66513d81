"""Deciding by deals: the stages of a look beyond the round, divided among the desks."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.bots.team import helped
from azulejos.core.jit import Binding
from azulejos.engine import ahead
from azulejos.engine.ahead import Outlook
from azulejos.engine.desk import STOP, Desk

CLEAR = 800
"""Hundredths by which a candidate has to lead on average to end the comparison early."""


def decide_by_deals(binding: Binding, desk: Desk, outlook: Outlook, helpers: Sequence[Desk]) -> int:
    """After `deepen`: choose among actions that look nearly equal; how many deals chose."""
    count = binding.bind(ahead.candidates)(desk, outlook)
    if count == 0:
        return 0
    deals = weight = 0
    for stage in range(ahead.STAGES):
        sampled = _sample(binding, (desk, *helpers), outlook, count, stage)
        deals, weight = deals + sampled, weight + sampled * (1 + stage)
        if desk.counters[STOP] != 0:
            break
        count = binding.bind(ahead.kept)(outlook, count)
        first, second = outlook.picks[:2, ahead.TOTAL]
        if first - second > CLEAR * weight:
            break
    if deals > 0:
        binding.bind(ahead.choose)(desk, outlook, count)
    return deals


def _sample(binding: Binding, desks: Sequence[Desk], outlook: Outlook, count: int, stage: int) -> int:
    """The deals of one stage; each desk has its share of them."""
    compare = binding.bind(ahead.compare)
    views = [outlook, *(ahead.copied(outlook) for _ in desks[1:])]
    sampled = [0] * len(desks)

    def work(i: int, desk: Desk) -> None:
        sampled[i] = compare(desk, views[i], count, stage, i, len(desks))

    with helped(work, desks[1:]):
        sampled[0] = compare(desks[0], outlook, count, stage, 0, len(desks))
    for view in views[1:]:
        outlook.picks[:, ahead.TOTAL] += view.picks[:, ahead.TOTAL]
    return sum(sampled)
