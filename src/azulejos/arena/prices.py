"""What a level gives away: its turns, judged by the strongest search, in points."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from azulejos.arena.statistics import Interval, mean, wilson
from azulejos.bots.analysis import Analysis, Analyst
from azulejos.core.position import Position
from azulejos.protocol.bot import Bot, Budget

BLUNDER = 5.0
"""A turn that gives away more points is a blunder."""
STRIDE = 3
"""Of so many turns one is judged, by lot: neighbours tell the same story twice."""


@dataclass(frozen=True, kw_only=True)
class Price:
    """Points given away in a turn, and the share of turns that give away more than BLUNDER."""

    turns: int
    points: Interval
    blunders: Interval


def prices(
    start: Position, bots: Sequence[Bot], *, turns: int, budget: Budget, judge: Budget, seed: int,
    after: Callable[[], None] = lambda: None,
) -> list[Price]:
    """The price of each bot, all on the same positions; `judge` is what the strongest may search."""
    losses: list[list[float]] = [[] for _ in bots]
    analyst, rng = Analyst(), random.Random(seed)
    found = turns_of_games(start, bots, budget, rng)
    for _ in range(turns):
        for _ in range(rng.randrange(STRIDE)):
            next(found)
        assessor = Assessor(analyst, judge)
        position = next(found)
        for bot, lost in zip(bots, losses, strict=True):
            lost.append(assessor.given_away(bot, position.copy(), budget))
        after()
    return [_price(lost) for lost in losses]


def turns_of_games(
    start: Position, bots: Sequence[Bot], budget: Budget, rng: random.Random
) -> Iterator[Position]:
    """Beginnings of turns with a choice, of one game after the other.

    Each action is played by one of the bots, by lot: so the positions are those of no bot in particular.
    """
    while True:
        position = start.copy()
        position.deal(rng)
        while not position.is_over:
            if len(position.legal_actions()) > 1 and not position.in_turn:
                yield position.copy()
            position.play(int(rng.choice(bots).choose(position, budget).action))
            position.deal(rng)


@dataclass
class Assessor:
    """Judges how different bots play the same turn."""

    analyst: Analyst
    judge: Budget
    _known: dict[bytes, Analysis] = field(default_factory=dict)

    def given_away(self, bot: Bot, position: Position, budget: Budget) -> float:
        """What a bot loses against the best play, in all actions of one turn."""
        seat, lost = position.to_move, 0.0
        while True:
            action = bot.choose(position, budget).action
            if len(position.legal_actions()) > 1:
                rated = self._rated(position)
                lost += rated.best.value - next(m.value for m in rated.moves if m.action == action)
            position.play(int(action))
            if position.to_move != seat or not position.in_turn:
                return lost

    def _rated(self, position: Position) -> Analysis:
        key = position.row.tobytes()
        if key not in self._known:
            self._known[key] = self.analyst.rate(position, self.judge)
        return self._known[key]


def _price(lost: Sequence[float]) -> Price:
    blunders = sum(points > BLUNDER for points in lost)
    return Price(turns=len(lost), points=mean(lost), blunders=wilson(blunders, len(lost)))
