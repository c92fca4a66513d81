"""The searching bot: solves what is left of the round, or looks ahead with a value for every seat."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

import numpy as np

from azulejos.bots.bot import Budget, Choice, choices_of
from azulejos.bots.watch import watched
from azulejos.core.game import Action, Game
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine import solver

UNBOUNDED = 1 << 60


@dataclass
class SearchBot:
    """Plays by search. `weights` names a set of the game's evaluation; empty: its first."""

    weights: str = ""
    _desks: dict[str, solver.Desk] = field(default_factory=dict, repr=False)

    @property
    def word(self) -> str:
        return f"search:{self.weights}" if self.weights else "search"

    def choose(
        self, position: Position, budget: Budget, *, rng: random.Random | None = None
    ) -> Choice:
        began = time.perf_counter()
        actions = choices_of(position)
        if len(actions) == 1:
            only = Action(actions[0])
            return Choice(action=only, line=(only,), nodes=0, seconds=time.perf_counter() - began)
        return self._solve(position, budget, began)

    def _solve(self, position: Position, budget: Budget, began: float) -> Choice:
        game = position.game
        desk = self._desk(game)
        desk.words[0] = 0
        desk.words[0].view(np.uint8)[: game.size] = position.row
        desk.counters[:] = 0
        desk.counters[solver.LIMIT] = UNBOUNDED if budget.nodes is None else budget.nodes
        if budget.time_limit is None:
            game.compiled.bind(solver.forget)(desk)
        with np.errstate(over="ignore"), watched(budget, desk.flag):
            game.compiled.bind(solver.deepen)(desk)
        line = [Action(int(action)) for action in desk.lines[0]]
        return Choice(
            action=line[0], line=tuple(line[: line.index(Action(-1))]),
            value=int(desk.counters[solver.VALUE]) / 100, nodes=int(desk.counters[solver.NODES]),
            depth=int(desk.counters[solver.DEPTH]), proved=bool(desk.counters[solver.PROVED]),
            seconds=time.perf_counter() - began,
        )

    def _desk(self, game: Game) -> solver.Desk:
        if game.name not in self._desks:
            self._desks[game.name] = solver.make_desk(game, weights_of(game, self.weights))
        return self._desks[game.name]


def weights_of(game: Game, name: str) -> Cells:
    """A named set of weights of the game's evaluation."""
    try:
        sets: dict[str, Cells] = game.module("evaluate").WEIGHTS
    except ModuleNotFoundError:
        return np.zeros((1, 1), np.int32)
    if not name:
        return next(iter(sets.values()))
    if name not in sets:
        raise ValueError(f"{game.name} has no weights {name!r}; it has {', '.join(sets)}")
    return sets[name]
