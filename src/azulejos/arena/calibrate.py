"""From skills to levels: measure the strength of each skill, and choose skills at the desired distances."""

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
"""Desired win share of each level against the one below: large only between the lowest three."""


@dataclass(frozen=True)
class Rung:
    """A skill, its win share against the skill below, and its Elo above the lowest skill."""

    skill: float
    won: Interval | None
    elo: float


def elo_of(share: float) -> float:
    """The Elo difference for a win share, limited to shares between 1/200 and 199/200."""
    bounded = min(max(share, 0.005), 0.995)
    return 400 * math.log10(bounded / (1 - bounded))


def as_with_two(share: float, seats: int) -> float:
    """Convert a win share at a table with several equal opponents to a share against one of them (Luce's
    rule).

    Wins are divided in proportion to strength: a fair share (1/3 with three seats) becomes one half.
    """
    others = (1 - share) / (seats - 1)
    return share / (share + others)


def curve(skills: Sequence[float], won: Sequence[Interval], seats: int = 2) -> list[Rung]:
    """Strength by skill, from matches between neighbouring skills; a negative step counts as zero."""
    rungs = [Rung(skills[0], None, 0.0)]
    for skill, share in zip(skills[1:], won, strict=True):
        step = max(0.0, elo_of(as_with_two(share.middle, seats)))
        rungs.append(Rung(skill, share, rungs[-1].elo + step))
    return rungs


def skill_at(rungs: Sequence[Rung], elo: float) -> float:
    """The skill for an Elo strength, interpolated between rungs and limited to the ends of the curve."""
    for low, high in pairwise(rungs):
        if low.elo <= elo < high.elo:
            part = (elo - low.elo) / (high.elo - low.elo)
            return round(low.skill + part * (high.skill - low.skill), 2)
    return rungs[0].skill if elo < rungs[0].elo else rungs[-1].skill


def proposed(rungs: Sequence[Rung], top: float, steps: Sequence[float] = STEPS) -> list[float]:
    """Skills at which each level wins its step, from the Elo of the strongest level downwards."""
    skills, elo = [math.inf], top
    for step in reversed(steps):
        elo -= elo_of(step)
        skills.append(skill_at(rungs, elo))
    return skills[::-1]


def falling(values: Sequence[float]) -> list[float]:
    """Replace rising neighbours by their mean: no level may seem to give away more than a weaker one."""
    pools: list[list[float]] = []
    for value in values:
        pools.append([value])
        while len(pools) > 1 and fmean(pools[-2]) < fmean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    return [fmean(pool) for pool in pools for _ in pool]
