"""Plays the turn that looks best when it is over; never thinks of a reply."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

import numpy as np

from azulejos.bots.bot import Budget, Choice, choices_of
from azulejos.bots.warmth import functions
from azulejos.bots.weights import weights_of
from azulejos.core.game import Action
from azulejos.core.position import Position
from azulejos.engine import desk as desks
from azulejos.engine import greedy


@dataclass
class GreedyBot:
    weights: str = ""
    _desks: dict[tuple[str, bool], desks.Desk] = field(default_factory=dict, repr=False)

    @property
    def word(self) -> str:
        return f"greedy:{self.weights}" if self.weights else "greedy"

    def choose(
        self, position: Position, budget: Budget, *, rng: random.Random | None = None
    ) -> Choice:
        began = time.perf_counter()
        choices_of(position)
        game = position.game
        binding = functions(game, budget)
        key = game.name, binding.compiled
        if key not in self._desks:
            weights = weights_of(game, self.weights)
            self._desks[key] = desks.make_desk(game, weights, compiled=binding.compiled, table_bits=0)
        desk = self._desks[key]
        desks.put(desk, position.row, limit=greedy.TURN_NODES)
        with np.errstate(over="ignore"):
            action = Action(int(binding.bind(greedy.best_turn)(desk)))
        return Choice(
            action=action, line=(action,), value=int(desk.counters[desks.VALUE]) / 100,
            nodes=int(desk.counters[desks.NODES]), depth=1, seconds=time.perf_counter() - began,
        )
