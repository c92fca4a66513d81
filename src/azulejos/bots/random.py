"""Any legal move."""

from __future__ import annotations

import random
from dataclasses import dataclass

from azulejos.core.position import Position
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
