"""A bot from a function of one's own that says what a position is worth to a seat.

    def value(position, seat):
        return azulejos.bots.evaluate(position)[seat].margin + 0.1 * position.scores[seat]

    bot = azulejos.bots.HeuristicBot("mine", value)
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from azulejos.core.notation import Move
from azulejos.core.position import Position
from azulejos.protocol.bot import Bot, Limit, PlayResult, choices_of

MOST_TURNS = 5000
"""Turns that are compared at most, the first ones; in Queen's Garden one may have more."""


@dataclass(frozen=True)
class HeuristicBot(Bot):
    """Plays the turn after which `value(position, seat)` is largest; ignores replies.

    The position is the one at the end of the turn, before anything is drawn. A limit of nodes is the number
    of turns to compare. Processes get the bot by pickle: for them `value` must be a function of a module.
    """

    name: str
    value: Callable[[Position, int], float]

    @property
    def word(self) -> str:
        return self.name

    def play(
        self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
    ) -> PlayResult:
        began, limit = time.perf_counter(), limit or Limit(nodes=MOST_TURNS)
        choices_of(position)
        seat, begun = position.to_move, limit.now()
        best: tuple[float, tuple[Move, ...]] | None = None
        compared = 0
        for line, end in turns_of(position):
            worth = float(self.value(end, seat))
            compared += 1
            if best is None or worth > best[0]:
                best = worth, line
            if compared >= (limit.nodes or MOST_TURNS) or _is_over(limit, begun):
                break
        assert best is not None
        return PlayResult(move=best[1][0], line=best[1], value=best[0], nodes=compared, depth=1,
                          seconds=time.perf_counter() - began)


def _is_over(limit: Limit, begun: float) -> bool:
    if limit.stop is not None and limit.stop.is_set():
        return True
    return limit.time_limit is not None and limit.now() - begun >= limit.time_limit


def turns_of(position: Position) -> Iterator[tuple[tuple[Move, ...], Position]]:
    """Every turn of the seat to move, with the position after it."""
    seat = position.to_move
    waiting: list[tuple[tuple[Move, ...], Position]] = [((), position)]
    while waiting:
        line, here = waiting.pop()
        for move in here.legal_moves:
            after = here.after([move])
            if after.in_turn_of(seat):
                waiting.append(((*line, move), after))
            else:
                yield (*line, move), after
