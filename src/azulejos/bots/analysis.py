"""What every action of a position is worth: for people who study, and for bots that may overlook."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from azulejos.bots.deadline import deadline
from azulejos.bots.evaluation import evaluation_of
from azulejos.bots.threads import helped
from azulejos.bots.warmth import functions
from azulejos.bots.workspaces import Workspaces, is_solvable
from azulejos.core.game import Action, Game
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine import solver, tree
from azulejos.engine.value import points_of, win_chance
from azulejos.engine.workspace import MAX_PLIES, NODES, Workspace
from azulejos.protocol.bot import Budget, choices_of


@dataclass(frozen=True, kw_only=True)
class Rated:
    """An action: points (as in `Choice.value`), chance to win, expected play, and how sure that is."""

    action: Action
    value: float
    win: float
    line: tuple[Action, ...]
    depth: int
    proved: bool


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """The actions, best first, and the work behind them. `proved`: all of them were."""

    moves: tuple[Rated, ...]
    nodes: int
    proved: bool
    seconds: float

    @property
    def best(self) -> Rated:
        return self.moves[0]


def analyse(
    position: Position, budget: Budget | None = None, *, weights: str = "", deepest: int = MAX_PLIES
) -> Analysis:
    """Value every action of the seat to move; a ValueError if no seat is."""
    return Analyst(weights).rate(position, budget or Budget(), deepest=deepest)


@dataclass
class Analyst(Workspaces):
    """Values actions; keeps its memory for the next position of the same game."""

    def rate(self, position: Position, budget: Budget, *, deepest: int = MAX_PLIES) -> Analysis:
        """Value every action, looking `deepest` decisions ahead (where the round can be solved)."""
        began = time.perf_counter()
        choices_of(position)
        if is_solvable(position):
            moves, nodes = self._solved(position, budget, deepest, began)
        else:
            moves, nodes = self._grown(position, budget)
        moves.sort(key=lambda move: (-move.value, move.action))
        return Analysis(
            moves=tuple(moves), nodes=nodes, proved=all(move.proved for move in moves),
            seconds=time.perf_counter() - began,
        )

    def _solved(
        self, position: Position, budget: Budget, deepest: int, began: float
    ) -> tuple[list[Rated], int]:
        game = position.game
        binding = functions(game, budget)
        workspace = self.workspace(position, budget, binding)
        helpers = self.helpers(position, budget, workspace, binding)
        ratings, lines = _room(game, workspace)
        rate = binding.bind(solver.rate)

        def help_out(i: int, helper: Workspace) -> None:
            rate(helper, deepest, 100 * i // budget.cores, *_room(game, helper))

        watch = deadline(budget, workspace.flag, workspace.clock, began=began)
        with np.errstate(over="ignore"), watch, helped(help_out, helpers):
            count = rate(workspace, deepest, 0, ratings, lines)
        moves = [
            _rated(*(int(x) for x in ratings[i, : solver.NEXT]), line=[int(action) for action in lines[i]],
                   swing=evaluation_of(game).swing)
            for i in range(count)
        ]
        return moves, sum(int(each.counters[NODES]) for each in (workspace, *helpers))

    def _grown(self, position: Position, budget: Budget) -> tuple[list[Rated], int]:
        """The tree's values; an action that was not tried is thought as bad as the worst that was."""
        binding = functions(position.game, budget)
        t = self.tree(position, budget, binding, fresh=True)
        with np.errstate(over="ignore"), deadline(budget, t.flag):
            binding.bind(tree.grow)(t)
        root = t.nodes[0]
        tried = [
            edge for edge in t.edges[root["first"] : root["first"] + root["count"]] if edge["visits"] > 0
        ]
        best: dict[int, Any] = {}
        for edge in sorted(tried, key=lambda edge: int(edge["visits"])):
            best[int(edge["actions"][0])] = edge
        worst = min(edge["total"] / edge["visits"] for edge in tried)
        swing = evaluation_of(position.game).swing
        moves = [_tried(action, best.get(action), worst, swing) for action in position.legal_actions()]
        return moves, int(t.counters[tree.SIMULATIONS])


def _room(game: Game, workspace: Workspace) -> tuple[Cells, Cells]:
    """Where ratings and lines go."""
    ratings = np.zeros((game.max_legal, solver.COLUMNS), np.int64)
    return ratings, np.full((game.max_legal, workspace.lines.shape[1]), -1, np.int32)


def _rated(action: int, value: int, depth: int, proved: int, *, line: list[int], swing: int) -> Rated:
    return Rated(
        action=Action(action), value=value / 100, win=win_chance(value, swing),
        line=tuple(Action(a) for a in line[: line.index(-1)]), depth=depth, proved=bool(proved),
    )


def _tried(action: int, edge: Any, worst: float, swing: int) -> Rated:
    """An action by the turn that was tried most of those that begin with it; None: none was."""
    utility = worst if edge is None else float(edge["total"] / edge["visits"])
    line = [action] if edge is None else edge["actions"][: edge["length"]]
    return Rated(
        action=Action(action), value=points_of(utility, swing), win=utility,
        line=tuple(Action(int(a)) for a in line), depth=int(edge is not None), proved=False,
    )
