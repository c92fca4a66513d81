"""The simplest bots: any legal move, the best turn at first sight, the best by a function of one's own."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from azulejos.bots.deadline import deadline
from azulejos.bots.evaluation import weights_of
from azulejos.core.game import Game
from azulejos.core.jit import Binding
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.notation import Move
from azulejos.core.position import Position
from azulejos.engine.turns import Turns, list_turns, make_turns
from azulejos.protocol.bot import Bot, Limit, PlayResult, choices_of, own_rng


@dataclass(frozen=True)
class RandomBot(Bot):
    word: str = "random"

    def play(
        self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
    ) -> PlayResult:
        actions = choices_of(position)
        move = position.game.moves[(rng or own_rng(position)).choice(actions)]
        return PlayResult(move=move, line=(move,), nodes=1)


# --- greedy -------------------------------------------------------------------------------------------


Kept = dict[Binding, Turns]


@dataclass
class GreedyBot(Bot):
    weights: str = ""
    _turns: Kept = field(default_factory=dict, repr=False)

    @property
    def word(self) -> str:
        return f"greedy:{self.weights}" if self.weights else "greedy"

    def play(
        self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
    ) -> PlayResult:
        began, limit = time.perf_counter(), limit or Limit()
        choices_of(position)
        binding = position.game.engine
        turns = turns_at(position, binding, self._turns, lambda game: weights_of(game, self.weights))
        with deadline(limit, turns.flag):
            listed = int(binding.bind(list_turns)(turns, True))
        best = turns.order[0]
        length, *actions = (int(number) for number in turns.found[best])
        line = tuple(position.game.moves[action] for action in actions[:length])
        return PlayResult(
            move=line[0], line=line,
            value=int(turns.values[best, position.to_move]) / 100, nodes=listed, depth=1,
            seconds=time.perf_counter() - began,
        )

    def close(self) -> None:
        self._turns.clear()


def turns_at(
    position: Position, binding: Binding, kept: Kept, weights: Callable[[Game], Cells]
) -> Turns:
    """Memory to list the turns of a position, evaluated by these weights; reused for the same game."""
    if binding not in kept:
        kept[binding] = make_turns(binding, weights(position.game))
    turns = kept[binding]
    turns.words[0].view(np.uint8)[: position.game.size] = position.row
    return turns


# --- a function of one's own ---------------------------------------------------------------------------

MOST_TURNS = 5000
"""Turns that are compared at most, the first ones; in Queen's Garden one may have more."""


@dataclass(frozen=True)
class HeuristicBot(Bot):
    """Plays the turn after which `value(position, seat)` is largest; ignores replies.

        def value(position, seat):
            return azulejos.bots.evaluate(position)[seat].margin + 0.1 * position.scores[seat]

        bot = azulejos.bots.HeuristicBot("mine", value)

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
