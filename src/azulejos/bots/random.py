"""Any legal move."""

from __future__ import annotations

import random
from dataclasses import dataclass

from azulejos.core.game import Action
from azulejos.core.position import Position
from azulejos.protocol.bot import Budget, Choice, choices_of, own_rng


@dataclass(frozen=True)
class RandomBot:
    word: str = "random"

    def choose(
        self, position: Position, budget: Budget, *, rng: random.Random | None = None
    ) -> Choice:
        actions = choices_of(position)
        action = Action((rng or own_rng(position)).choice(actions))
        return Choice(action=action, line=(action,), nodes=1)
