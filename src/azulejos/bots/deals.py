"""Choosing by deals: the stages of a search beyond the round, divided among the workspaces."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.bots.deadline import helped, wait_for
from azulejos.core.jit import Binding
from azulejos.engine import ahead
from azulejos.engine.ahead import Outlook
from azulejos.engine.workspace import STOP, Workspace


def decide_by_deals(
    binding: Binding, workspace: Workspace, outlook: Outlook, helpers: Sequence[Workspace]
) -> int:
    """After `deepen`: choose among nearly equal actions; returns the number of deals used."""
    if not helpers:
        return int(binding.bind(ahead.decide)(workspace, outlook))
    candidates = binding.bind(ahead.candidates)
    with helped(lambda _, helper: candidates(helper, ahead.copied(outlook)), helpers):
        count = candidates(workspace, outlook)
    if count == 0:
        return 0
    deals = weight = 0
    for stage in range(ahead.STAGES):
        sampled = _sample(binding, (workspace, *helpers), outlook, count, stage)
        deals, weight = deals + sampled, weight + sampled * (1 + stage)
        if workspace.counters[STOP] != 0:
            break
        count = binding.bind(ahead.kept)(outlook, count)
        if ahead.is_clear(outlook, weight):
            break
    if deals > 0:
        binding.bind(ahead.choose)(workspace, outlook, count, weight)
    return deals


def _sample(
    binding: Binding, workspaces: Sequence[Workspace], outlook: Outlook, count: int, stage: int
) -> int:
    """Play the deals of one stage, each in the first free workspace; returns their number."""
    compare = binding.bind(ahead.compare)
    views = [outlook, *(ahead.copied(outlook) for _ in workspaces[1:])]
    sampled, waiting = [0] * len(workspaces), iter(range(ahead.STAGE))

    def work(i: int, workspace: Workspace) -> None:
        for deal in waiting:
            sampled[i] += compare(workspace, views[i], count, stage, deal, ahead.STAGE)

    with helped(work, workspaces[1:]) as threads:
        work(0, workspaces[0])
        wait_for(threads, workspaces[0])
    for view in views[1:]:
        outlook.picks[:, ahead.TOTAL] += view.picks[:, ahead.TOTAL]
    return sum(sampled)
