"""The searching bot: solves the rest of the round, or searches a tree with a value for every seat."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace

from azulejos.bots.deadline import deadline, growing, helped
from azulejos.bots.deals import decide_by_deals
from azulejos.bots.ratings import ratings
from azulejos.bots.workspaces import Workspaces, is_solvable
from azulejos.core.late import np
from azulejos.core.position import Position
from azulejos.engine import solver, tree, tree_memory
from azulejos.engine.value import points_of
from azulejos.engine.workspace import DEPTH, NODES, PROVED, VALUE, Workspace
from azulejos.protocol.bot import Analysis, Bot, Limit, PlayResult, Report, choices_of, only_choice

ROUND = "round"
"""``search:round`` and ``search:hand,round`` never look beyond the end of the round."""


@dataclass
class SearchBot(Workspaces, Bot):
    """Plays by search, with the named weights."""

    ahead: bool = True
    """Whether to search beyond the deal once the round is solved."""

    @property
    def word(self) -> str:
        parts = (self.weights, "" if self.ahead else ROUND)
        return ":".join(part for part in ("search", ",".join(part for part in parts if part)) if part)

    def play(
        self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
    ) -> PlayResult:
        began, limit = time.perf_counter(), limit or Limit()
        actions = choices_of(position)
        if len(actions) == 1:
            return only_choice(position, actions)
        if is_solvable(position):
            return self._solve(position, limit, rng, began)
        return self._grow(position, limit, rng, began)

    def rate(self, position: Position, limit: Limit, report: Report | None = None) -> Analysis:
        """Rate every legal move by a search that values each exactly: slower than `play`."""
        for found in ratings(self, position, limit, every=report is not None):
            if report is not None:
                report(found)
        return found

    def _solve(
        self, position: Position, limit: Limit, rng: random.Random | None, began: float
    ) -> PlayResult:
        binding = position.game.engine
        workspace, outlook = self.workspace(position, limit, binding), self.outlook(position, rng)
        helpers = self.helpers(position, limit, workspace, binding)
        deepen = binding.bind(solver.deepen)
        deals = 0
        with deadline(limit, workspace.flag, workspace.clock, began=began):
            with helped(lambda i, helper: deepen(deeper(helper, i)), helpers):
                deepen(workspace)
            if self.ahead and workspace.counters[PROVED]:
                deals = decide_by_deals(binding, workspace, outlook, helpers)
        line = [int(action) for action in workspace.lines[0]]
        played = tuple(position.game.moves[action] for action in line[: line.index(-1)])
        return PlayResult(
            move=played[0], line=played, value=int(workspace.counters[VALUE]) / 100,
            nodes=sum(int(each.counters[NODES]) for each in (workspace, *helpers)),
            depth=int(workspace.counters[DEPTH]), proved=bool(workspace.counters[PROVED]), deals=deals,
            seconds=time.perf_counter() - began,
        )

    def _grow(
        self, position: Position, limit: Limit, rng: random.Random | None, began: float
    ) -> PlayResult:
        limit = rest_of_turn(limit) if position.in_turn else limit
        binding = position.game.engine
        t = self.tree(position, limit, binding, rng=rng)
        grow, edges = binding.bind(tree.grow), np.zeros(tree_memory.MAX_PATH, np.int64)
        helpers = self.tree_helpers(position, limit, binding, t)
        with deadline(limit, t.flag), growing(grow, t, helpers):
            grow(t)
        length = binding.bind(tree.best_line)(t, edges)
        line = tuple(
            position.game.moves[int(action)] for edge in t.edges[edges[:length]]
            for action in edge["actions"][: edge["length"]]
        )
        best = t.edges[edges[0]]
        value = points_of(best["total"] / best["visits"], int(t.counters[tree_memory.SWING]))
        return PlayResult(
            move=line[0], line=line, value=value,
            nodes=int(t.counters[tree_memory.SIMULATIONS]), depth=int(t.counters[tree_memory.LONGEST]),
            seconds=time.perf_counter() - began,
        )


def rest_of_turn(limit: Limit) -> Limit:
    """The first action of a turn already considered the whole turn: later ones get a quarter of the
    limit."""
    seconds = None if limit.time_limit is None else limit.time_limit / 4
    nodes = None if limit.nodes is None else limit.nodes // 4
    return replace(limit, seconds=seconds, nodes=nodes)


def deeper(helper: Workspace, plies: int) -> Workspace:
    """Let a helper begin `plies` deeper, so that it does not repeat the work of the others."""
    helper.counters[DEPTH] = plies
    return helper


def make_search(argument: str) -> SearchBot:
    """Parse what follows ``search:``, separated by commas: a set of weights, and how far to search."""
    parts = [part for part in argument.split(",") if part]
    weights = [part for part in parts if part != ROUND]
    if len(weights) > 1:
        raise ValueError(f"a search takes one set of weights, not {', '.join(weights)}")
    return SearchBot("".join(weights), ahead=ROUND not in parts)
