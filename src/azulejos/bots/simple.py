"""The simplest bots: any legal move, and the best turn at first sight."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from azulejos.bots.deadline import deadline
from azulejos.bots.evaluation import weights_of
from azulejos.core.game import Game
from azulejos.core.jit import Binding
from azulejos.core.late import np
from azulejos.core.layout import Cells
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
