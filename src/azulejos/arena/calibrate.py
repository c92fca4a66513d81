"""From skills to levels: how strong each skill is, and which skills lie the wished steps apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from azulejos.arena.statistics import Interval

SKILLS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0)
"""Each is played against the next."""
STEPS = (0.85, 0.85, 0.71, 0.7, 0.7, 0.7)
"""What each level should win against the one below: wide steps only among the lowest three."""


@dataclass(frozen=True)
class Rung:
    """A skill, what it won against the skill below, and the Elo that makes above the lowest."""

    skill: float
    won: Interval | None
    elo: float


def elo_of(share: float) -> float:
    """The Elo difference that a share of the wins stands for; all or nothing counts as 1 of 200."""
    bounded = min(max(share, 0.005), 0.995)
    return 400 * math.log10(bounded / (1 - bounded))


def as_with_two(share: float, seats: int) -> float:
    """What somebody would win against one who wins `share` against a table of such: Luce's rule.

    Strengths divide the win in their proportion: a fair share (1/3 with three seats) becomes one half.
    """
    others = (1 - share) / (seats - 1)
    return share / (share + others)


def curve(skills: Sequence[float], won: Sequence[Interval], seats: int = 2) -> list[Rung]:
    """Strength by skill, from the matches of neighbours; a step back counts as none."""
    rungs = [Rung(skills[0], None, 0.0)]
    for skill, share in zip(skills[1:], won, strict=True):
        step = max(0.0, elo_of(as_with_two(share.middle, seats)))
        rungs.append(Rung(skill, share, rungs[-1].elo + step))
    return rungs


def skill_at(rungs: Sequence[Rung], elo: float) -> float:
    """The skill of a strength, between two rungs; beyond the ends of the curve: the end."""
    for low, high in pairwise(rungs):
        if low.elo <= elo < high.elo:
            part = (elo - low.elo) / (high.elo - low.elo)
            return round(low.skill + part * (high.skill - low.skill), 2)
    return rungs[0].skill if elo < rungs[0].elo else rungs[-1].skill


def proposed(rungs: Sequence[Rung], top: float, steps: Sequence[float] = STEPS) -> list[float]:
    """Skills so far apart that each level wins its step, from the Elo of the strongest downwards."""
    skills, elo = [math.inf], top
    for step in reversed(steps):
        elo -= elo_of(step)
        skills.append(skill_at(rungs, elo))
    return skills[::-1]


def falling(values: Sequence[float]) -> list[float]:
    """Never rising: neighbours that rise take their mean. A better level is not shown as the dearer one."""
    pools: list[list[float]] = []
    for value in values:
        pools.append([value])
        while len(pools) > 1 and fmean(pools[-2]) < fmean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    return [fmean(pool) for pool in pools for _ in pool]
