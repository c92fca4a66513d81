"""The searching bot: solves what is left of the round, or looks ahead with a value for every seat."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace

import numpy as np

from azulejos.bots.deadline import deadline
from azulejos.bots.deals import decide_by_deals
from azulejos.bots.threads import helped
from azulejos.bots.warmth import functions
from azulejos.bots.workspaces import Workspaces, is_solvable
from azulejos.core.game import Action
from azulejos.core.position import Position
from azulejos.engine import solver, tree
from azulejos.engine.value import points_of
from azulejos.engine.workspace import DEPTH, NODES, PROVED, VALUE, Workspace
from azulejos.protocol.bot import Budget, Choice, choices_of

ROUND = "round"
"""``search:round`` and ``search:hand,round`` never look beyond the end of the round."""


@dataclass
class SearchBot(Workspaces):
    """Plays by search, with the named weights."""

    ahead: bool = True
    """Whether to look beyond the deal, once the round is solved."""

    @property
    def word(self) -> str:
        parts = (self.weights, "" if self.ahead else ROUND)
        return ":".join(part for part in ("search", ",".join(part for part in parts if part)) if part)

    def choose(
        self, position: Position, budget: Budget, *, rng: random.Random | None = None
    ) -> Choice:
        began = time.perf_counter()
        actions = choices_of(position)
        if len(actions) == 1:
            only = Action(actions[0])
            return Choice(action=only, line=(only,), seconds=time.perf_counter() - began)
        if is_solvable(position):
            return self._solve(position, budget, rng, began)
        return self._grow(position, budget, rng, began)

    def _solve(
        self, position: Position, budget: Budget, rng: random.Random | None, began: float
    ) -> Choice:
        binding = functions(position.game, budget)
        workspace, outlook = self.workspace(position, budget, binding), self.outlook(position, rng)
        helpers = self.helpers(position, budget, workspace, binding)
        deepen = binding.bind(solver.deepen)
        deals = 0
        with np.errstate(over="ignore"), deadline(budget, workspace.flag, workspace.clock, began=began):
            with helped(lambda i, helper: deepen(deeper(helper, i)), helpers):
                deepen(workspace)
            if self.ahead and workspace.counters[PROVED]:
                deals = decide_by_deals(binding, workspace, outlook, helpers)
        line = [int(action) for action in workspace.lines[0]]
        played = tuple(Action(action) for action in line[: line.index(-1)])
        return Choice(
            action=played[0], line=played, value=int(workspace.counters[VALUE]) / 100,
            nodes=sum(int(each.counters[NODES]) for each in (workspace, *helpers)),
            depth=int(workspace.counters[DEPTH]), proved=bool(workspace.counters[PROVED]), deals=deals,
            seconds=time.perf_counter() - began,
        )

    def _grow(
        self, position: Position, budget: Budget, rng: random.Random | None, began: float
    ) -> Choice:
        budget = rest_of_turn(budget) if position.in_turn else budget
        binding = functions(position.game, budget)
        t = self.tree(position, budget, binding, rng=rng)
        edges = np.zeros(tree.MAX_PATH, np.int64)
        with np.errstate(over="ignore"), deadline(budget, t.flag):
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


def deeper(helper: Workspace, plies: int) -> Workspace:
    """Set a helper to begin so much deeper: it should not do what others do."""
    helper.counters[DEPTH] = plies
    return helper


def make_search(argument: str) -> SearchBot:
    """From what follows ``search:``, with commas: a set of weights, and how far to look."""
    parts = [part for part in argument.split(",") if part]
    weights = [part for part in parts if part != ROUND]
    if len(weights) > 1:
        raise ValueError(f"a search takes one set of weights, not {', '.join(weights)}")
    return SearchBot("".join(weights), ahead=ROUND not in parts)
