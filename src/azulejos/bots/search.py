"""The searching bot: solves what is left of the round, or looks ahead with a value for every seat."""

from __future__ import annotations

import math
import random
import time
import zlib
from dataclasses import dataclass, field

import numpy as np

from azulejos.bots.bot import Budget, Choice, choices_of
from azulejos.bots.watch import watched
from azulejos.bots.weights import has_chance_free_rounds, weights_of
from azulejos.core.chance import seeded
from azulejos.core.game import Action, Game
from azulejos.core.position import Position
from azulejos.engine import solver, tree

UNBOUNDED = 1 << 60


@dataclass
class SearchBot:
    """Plays by search. `weights` names a set of the game's evaluation; empty: its first."""

    weights: str = ""
    _desks: dict[str, solver.Desk] = field(default_factory=dict, repr=False)
    _trees: dict[str, tree.Tree] = field(default_factory=dict, repr=False)

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
            return Choice(action=only, line=(only,), seconds=time.perf_counter() - began)
        if position.players == 2 and has_chance_free_rounds(position.game):
            return self._solve(position, budget, began)
        seed = zlib.crc32(position.row.tobytes()) if rng is None else rng.getrandbits(32)
        return self._grow(position, budget, began, seed)

    # --- two seats, no chance in a round ----------------------------------------------------------------

    def _solve(self, position: Position, budget: Budget, began: float) -> Choice:
        game = position.game
        desk = self._desk(game)
        solver.put(desk, position.row, limit=UNBOUNDED if budget.nodes is None else budget.nodes)
        if budget.nodes is not None and budget.time_limit is None:
            desk = solver.for_nodes(desk, budget.nodes)
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

    # --- any number of seats, any chance ----------------------------------------------------------------

    def _grow(self, position: Position, budget: Budget, began: float, seed: int) -> Choice:
        game = position.game
        t = self._tree(game)
        if (budget.nodes is not None and budget.time_limit is None) or tree.is_crowded(t):
            tree.clear(t)
        tree.put(t, position.row, limit=UNBOUNDED if budget.nodes is None else max(2, budget.nodes))
        t.counters[tree.THROUGH_CHANCE] = not has_chance_free_rounds(game)
        t.rng[:] = seeded(seed)
        with np.errstate(over="ignore"), watched(budget, t.flag):
            game.compiled.bind(tree.grow)(t)
        edges = np.zeros(tree.MAX_PATH, np.int64)
        length = game.compiled.bind(tree.best_line)(t, edges)
        line = [Action(int(t.edges[edge]["action"])) for edge in edges[:length]]
        best = t.edges[edges[0]]
        return Choice(
            action=line[0], line=tuple(line), value=_points(best["total"] / best["visits"]),
            nodes=int(t.counters[tree.SIMULATIONS]), depth=int(t.counters[tree.LONGEST]),
            seconds=time.perf_counter() - began,
        )

    def _tree(self, game: Game) -> tree.Tree:
        if game.name not in self._trees:
            self._trees[game.name] = tree.make_tree(game, weights_of(game, self.weights))
        return self._trees[game.name]


def _points(utility: float) -> float:
    """The points that a utility of the tree stands for."""
    bounded = min(max(utility, 1e-6), 1 - 1e-6)
    return round(tree.POINTS_SCALE / 100 * math.log(bounded / (1 - bounded)), 2)
