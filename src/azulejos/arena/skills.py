"""From skills to levels: each level is moved until the one above wins as often as desired."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Final

GOAL: Final = 0.7
"""Desired share of a level against the one below, as with two seats."""
ACCEPTED: Final = (0.65, 0.755)
"""A match with a share between these settles a level."""
TRIES: Final = 2
"""Matches to find a level: a third would follow chance rather than strength."""
PRIOR_GAMES: Final = 30
"""The first guess counts as much as this number of games when a level is moved."""
LEAST_SLOPE: Final = 100.0
"""Elo for ten times the positions, at least: a few unlucky games must not move a level far away."""
WIDE: Final = 2
"""The lowest levels, which are not moved: their steps are wide, so that the first level is a beginner."""
APART: Final = 0.1
"""Skills of neighbouring levels differ by at least this much."""


@dataclass(frozen=True, kw_only=True)
class SkillStep:
    """A match of a skill against a lower one; `share` is what the upper one won, as with two seats."""

    upper: float
    lower: float
    share: float
    games: int


Play = Callable[[float, float], SkillStep]


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


def calibrated(skills: Sequence[float], top: float, play: Play) -> list[float]:
    """New skills for levels, weakest first; `skills` are guesses, and `top` is the level above them all."""
    found, upper = [top], top
    for above, below in pairwise([top, *reversed(skills[WIDE:])]):
        guess = round(upper - (above - below), 1)
        upper = step_down(upper, guess, play, floor=skills[WIDE - 1] + APART).lower
        found.append(upper)
    return [*skills[:WIDE], *reversed(found[1:])]


def step_down(upper: float, guess: float, play: Play, *, floor: float) -> SkillStep:
    """The match against a lower skill that comes nearest to the goal."""
    tried = [play(upper, max(floor, guess))]
    while len(tried) < TRIES and not ACCEPTED[0] <= tried[-1].share <= ACCEPTED[1]:
        skill = max(floor, moved(upper, guess, tried))
        if any(math.isclose(skill, step.lower) for step in tried):
            break
        tried.append(play(upper, skill))
    return min(tried, key=lambda step: abs(step.share - GOAL))


def moved(upper: float, guess: float, tried: Sequence[SkillStep]) -> float:
    """The skill that should reach the goal if Elo grows evenly with skill, judging by these matches."""
    assumed = PRIOR_GAMES * elo_of(GOAL) / (upper - guess)
    seen = sum(step.games * elo_of(step.share) / (upper - step.lower) for step in tried)
    slope = (assumed + seen) / (PRIOR_GAMES + sum(step.games for step in tried))
    return round(upper - elo_of(GOAL) / max(LEAST_SLOPE, slope), 1)


def falling(values: Sequence[float]) -> list[float]:
    """Replace rising neighbours by their mean: no level may seem to give away more than a weaker one."""
    pools: list[list[float]] = []
    for value in values:
        pools.append([value])
        while len(pools) > 1 and fmean(pools[-2]) < fmean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    return [fmean(pool) for pool in pools for _ in pool]
