"""How many points a level gives away, judging its turns with the strongest search."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from azulejos.arena.statistics import Interval, mean, wilson
from azulejos.bots import Analysis, open as open_bot
from azulejos.core.notation import Move
from azulejos.core.position import Position
from azulejos.protocol.bot import Bot, Limit

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
