"""The searching bot: solves what is left of the round, or looks ahead with a value for every seat."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace

import numpy as np

from azulejos.bots.bot import Budget, Choice, choices_of
from azulejos.bots.memory import Memory, is_solvable
from azulejos.bots.warmth import functions
from azulejos.bots.watch import watched
from azulejos.core.game import Action
from azulejos.core.position import Position
from azulejos.engine import solver, tree
from azulejos.engine.desk import DEPTH, NODES, PROVED, VALUE
from azulejos.engine.value import points_of


@dataclass
class SearchBot(Memory):
    """Plays by search, with the named weights."""

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
        if is_solvable(position):
            return self._solve(position, budget, began)
        return self._grow(position, budget, rng, began)

    def _solve(self, position: Position, budget: Budget, began: float) -> Choice:
        binding = functions(position.game, budget)
        desk = self.desk(position, budget, binding)
        with np.errstate(over="ignore"), watched(budget, desk.flag):
            binding.bind(solver.deepen)(desk)
        line = [int(action) for action in desk.lines[0]]
        played = tuple(Action(action) for action in line[: line.index(-1)])
        return Choice(
            action=played[0], line=played, value=int(desk.counters[VALUE]) / 100,
            nodes=int(desk.counters[NODES]), depth=int(desk.counters[DEPTH]),
            proved=bool(desk.counters[PROVED]), seconds=time.perf_counter() - began,
        )

    def _grow(
        self, position: Position, budget: Budget, rng: random.Random | None, began: float
    ) -> Choice:
        budget = rest_of_turn(budget) if position.in_turn else budget
        binding = functions(position.game, budget)
        t = self.tree(position, budget, binding, rng=rng)
        edges = np.zeros(tree.MAX_PATH, np.int64)
        with np.errstate(over="ignore"), watched(budget, t.flag):
            binding.bind(tree.grow)(t)
            length = binding.bind(tree.best_line)(t, edges)
        line = tuple(
            Action(int(action)) for edge in t.edges[edges[:length]]
            for action in edge["actions"][: edge["length"]]
        )
        best = t.edges[edges[0]]
        value = points_of(best["total"] / best["visits"], int(t.counters[tree.SWING]))
        return Choice(
            action=line[0], line=line, value=value,
            nodes=int(t.counters[tree.SIMULATIONS]), depth=int(t.counters[tree.LONGEST]),
            seconds=time.perf_counter() - began,
        )


def rest_of_turn(budget: Budget) -> Budget:
    """A turn was thought through before it began: its further actions get a quarter of the budget."""
    seconds = None if budget.time_limit is None else budget.time_limit / 4
    nodes = None if budget.nodes is None else budget.nodes // 4
    return replace(budget, seconds=seconds, nodes=nodes)
