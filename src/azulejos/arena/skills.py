"""From skills to levels: each is moved until the one above wins as often as desired. What levels lose."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean
from typing import Final

from azulejos.arena.statistics import Interval, mean, wilson
from azulejos.bots import Analysis, open as open_bot
from azulejos.core.notation import Move
from azulejos.core.position import Position
from azulejos.protocol.bot import Bot, Limit

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


# --- how many points a level gives away, judging its turns with the strongest search --------------------

BLUNDER = 5.0
"""A turn that gives away more points than this is a blunder."""
STRIDE = 3
"""Judge one turn in STRIDE on average, chosen at random: neighbouring turns are correlated."""


@dataclass(frozen=True, kw_only=True)
class Price:
    """Points given away per turn, and the share of turns that give away more than BLUNDER."""

    turns: int
    points: Interval
    blunders: Interval


def prices(
    start: Position, bots: Sequence[Bot], *, turns: int, limit: Limit, judge: Limit, seed: int,
    after: Callable[[], None] = lambda: None,
) -> list[Price]:
    """The price of each bot, all on the same positions; `judge` is the limit of the judging search."""
    losses: list[list[float]] = [[] for _ in bots]
    analyst, rng = open_bot("search"), random.Random(seed)
    found = turns_of_games(start, bots, limit, rng)
    for _ in range(turns):
        for _ in range(rng.randrange(STRIDE)):
            next(found)
        assessor = Assessor(analyst, judge)
        position = next(found)
        for bot, lost in zip(bots, losses, strict=True):
            lost.append(assessor.given_away(bot, position.copy(), limit))
        after()
    return [_price(lost) for lost in losses]


def turns_of_games(
    start: Position, bots: Sequence[Bot], limit: Limit, rng: random.Random
) -> Iterator[Position]:
    """Positions at the start of turns with a choice, from consecutive games.

    A randomly chosen bot plays each action, so that the positions are not typical of any one bot.
    """
    while True:
        position = start.copy()
        position.deal(rng)
        while not position.is_over:
            if len(position.legal_actions()) > 1 and not position.in_turn:
                yield position.copy()
            position.play(rng.choice(bots).play(position, limit).move)
            position.deal(rng)


@dataclass
class Assessor:
    """Judges how different bots play the same turn."""

    analyst: Bot
    judge: Limit
    _known: dict[bytes, Analysis] = field(default_factory=dict)

    def given_away(self, bot: Bot, position: Position, limit: Limit) -> float:
        """Points that a bot loses compared with the best play, over all actions of one turn."""
        seat, lost = position.to_move, 0.0
        while True:
            move = bot.play(position, limit).move
            if len(position.legal_actions()) > 1:
                rated = self._rated(position)
                lost += value_of(rated, rated.best.move) - value_of(rated, move)
            position.play(move)
            if not position.in_turn_of(seat):
                return lost

    def _rated(self, position: Position) -> Analysis:
        key = position.row.tobytes()
        if key not in self._known:
            self._known[key] = self.analyst.analyse(position, self.judge)
        return self._known[key]


def value_of(analysis: Analysis, move: Move) -> float:
    """The points that an analysis expects for a move; raises ValueError if it does not include the move."""
    for rated in analysis.moves:
        if rated.move == move and rated.value is not None:
            return rated.value
    raise ValueError(f"{move.text} was not rated")


def _price(lost: Sequence[float]) -> Price:
    blunders = sum(points > BLUNDER for points in lost)
    return Price(turns=len(lost), points=mean(lost), blunders=wilson(blunders, len(lost)))
