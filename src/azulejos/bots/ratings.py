"""The search's rating of every move of a position, improving over time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from azulejos.bots.deadline import deadline, growing, helped
from azulejos.bots.evaluation import evaluation_of
from azulejos.bots.workspaces import Workspaces, is_solvable, node_limit
from azulejos.core.game import Game
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine import solver, tree, tree_memory
from azulejos.engine.value import points_of, win_chance
from azulejos.engine.workspace import MAX_PLIES, NODES, Workspace
from azulejos.protocol.bot import Analysis, Limit, RatedMove, choices_of

FIRST_GROWTH = 64
"""Simulations of a tree before its first answer; every further answer comes after twice as many."""
LEAST_DOUBT = 1e-6
"""No chance is so large that less than this is left for the other seats."""

Found = tuple[list[RatedMove], int]
"""Every legal move, in the order of the actions, and the nodes searched."""


def ratings(
    workspaces: Workspaces, position: Position, limit: Limit, *, every: bool
) -> Iterator[Analysis]:
    """Rate every move of the seat to move: an answer at once and after each depth, or whenever the tree
    has doubled. Without `every` only the last answer: making one takes about a millisecond."""
    began = time.perf_counter()
    choices_of(position)
    if is_solvable(position):
        answers = _solved(workspaces, position, limit, began, every)
    else:
        answers = _grown(workspaces, position, limit, every)
    for moves, nodes in answers:
        yield Analysis(
            moves=tuple(sorted(moves, key=lambda rated: -(rated.value or 0.0))), nodes=nodes,
            proved=all(rated.proved for rated in moves), seconds=time.perf_counter() - began,
        )


def _solved(
    workspaces: Workspaces, position: Position, limit: Limit, began: float, every: bool
) -> Iterator[Found]:
    game = position.game
    binding = game.engine
    begin, rate = binding.bind(solver.begin_ratings), binding.bind(solver.rate_to_depth)
    workspace = workspaces.workspace(position, limit, binding)
    helpers = workspaces.helpers(position, limit, workspace, binding)
    table, lines = _room(game, workspace)

    def help_out(i: int, helper: Workspace) -> None:
        own, percent = _room(game, helper), 100 * i // limit.cores
        count = begin(helper, *own)
        for depth in range(1, MAX_PLIES + 1):
            if not rate(helper, count, depth, percent, *own):
                return

    def found() -> Found:
        moves = [_rated(game, table[i], lines[i]) for i in range(count)]
        return moves, sum(int(each.counters[NODES]) for each in (workspace, *helpers))

    stopping = deadline(limit, workspace.flag, workspace.clock, began=began)
    with stopping, helped(help_out, helpers):
        count = begin(workspace, table, lines)
        for depth in range(1, MAX_PLIES + 1):
            if every:
                yield found()
            if not rate(workspace, count, depth, 0, table, lines):
                break
    yield found()


def _grown(
    workspaces: Workspaces, position: Position, limit: Limit, every: bool
) -> Iterator[Found]:
    binding, most = position.game.engine, node_limit(limit)
    t = workspaces.tree(position, limit, binding, fresh=True)
    helpers, grow = workspaces.tree_helpers(position, limit, binding, t), binding.bind(tree.grow)

    def found() -> Found:
        return _tree_ratings(position, t), int(t.counters[tree_memory.SIMULATIONS])

    simulations = min(FIRST_GROWTH, most) if every else most
    with deadline(limit, t.flag):
        while True:
            t.counters[tree_memory.LIMIT] = simulations
            with growing(grow, t, helpers):
                grow(t)
            if simulations == most or t.flag[0] != 0:
                break
            yield found()
            simulations = min(2 * simulations, most)
    yield found()


def _tree_ratings(position: Position, t: tree_memory.Tree) -> list[RatedMove]:
    """The values of the tree; an action that was not tried gets the worst value of those that were."""
    root = t.nodes[0]
    tried = [edge for edge in t.edges[root["first"] : root["first"] + root["count"]] if edge["visits"] > 0]
    best: dict[int, Any] = {}
    for edge in sorted(tried, key=lambda edge: int(edge["visits"])):
        best[int(edge["actions"][0])] = edge
    worst = min(edge["total"] / edge["visits"] for edge in tried)
    weight = _weight_of_others(position, t)
    legal = position.legal_actions()
    return [_tried(position.game, action, best.get(action), worst, weight) for action in legal]


def _weight_of_others(position: Position, t: tree_memory.Tree) -> float:
    """How much the utilities of the other seats exceed what the own one leaves: 1 with two seats.

    A utility is the chance against the best other seat. With more than two seats, those of all seats add up
    to more than 1.
    """
    mean = t.worth[: position.players] / int(t.counters[tree_memory.SIMULATIONS])
    own = float(mean[position.to_move])
    return (float(mean.sum()) - own) / max(1 - own, LEAST_DOUBT)


def _room(game: Game, workspace: Workspace) -> tuple[Cells, Cells]:
    """Arrays for ratings and lines."""
    table = np.zeros((game.max_legal, solver.COLUMNS), np.int64)
    return table, np.full((game.max_legal, workspace.lines.shape[1]), -1, np.int32)


def _rated(game: Game, row: Cells, line: Cells) -> RatedMove:
    action, value, depth, proved = (int(number) for number in row[: solver.NEXT])
    played = line.tolist()
    return RatedMove(
        move=game.moves[action], value=value / 100, win=win_chance(value, evaluation_of(game).swing),
        line=tuple(game.moves[each] for each in played[: played.index(-1)]), depth=depth,
        proved=bool(proved),
    )


def _tried(game: Game, action: int, edge: Any, worst: float, weight: float) -> RatedMove:
    """Rate an action by the most tried turn that begins with it; None if no such turn was tried.

    `weight`: that of the other seats in the chance to win.
    """
    utility = worst if edge is None else float(edge["total"] / edge["visits"])
    line = [action] if edge is None else edge["actions"][: edge["length"]]
    return RatedMove(
        move=game.moves[action], value=points_of(utility, evaluation_of(game).swing),
        win=utility / (utility + weight * (1 - utility)),
        line=tuple(game.moves[int(each)] for each in line), depth=int(edge is not None), proved=False,
    )
