"""The searching bot: solves the rest of the round, or searches a tree with a value for every seat."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from azulejos.bots.deadline import deadline, growing, helped, wait_for
from azulejos.bots.evaluation import evaluation_of
from azulejos.bots.workspaces import Workspaces, is_solvable, node_limit
from azulejos.core.game import Game
from azulejos.core.jit import Binding
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine import ahead, solver, tree, tree_memory
from azulejos.engine.ahead import Outlook
from azulejos.engine.value import points_of, win_chance
from azulejos.engine.workspace import DEPTH, MAX_PLIES, NODES, PROVED, STOP, VALUE, Workspace
from azulejos.protocol.bot import (
    Analysis, Bot, Limit, PlayResult, RatedMove, Report, choices_of, only_choice,
)

# --- what searches say --------------------------------------------------------------------------------


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


# --- search -------------------------------------------------------------------------------------------


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


# --- choosing by deals: the stages of a search beyond the round, divided among the workspaces -----------


def decide_by_deals(
    binding: Binding, workspace: Workspace, outlook: Outlook, helpers: Sequence[Workspace]
) -> int:
    """After `deepen`: choose among nearly equal actions; returns the number of deals used."""
    if not helpers:
        return int(binding.bind(ahead.decide)(workspace, outlook))
    candidates = binding.bind(ahead.candidates)
    with helped(lambda _, helper: candidates(helper, ahead.copied(outlook)), helpers):
        count = candidates(workspace, outlook)
    if count == 0:
        return 0
    deals = weight = 0
    for stage in range(ahead.STAGES):
        sampled = _sample(binding, (workspace, *helpers), outlook, count, stage)
        deals, weight = deals + sampled, weight + sampled * (1 + stage)
        if workspace.counters[STOP] != 0:
            break
        count = binding.bind(ahead.kept)(outlook, count)
        if ahead.is_clear(outlook, weight):
            break
    if deals > 0:
        binding.bind(ahead.choose)(workspace, outlook, count, weight)
    return deals


def _sample(
    binding: Binding, workspaces: Sequence[Workspace], outlook: Outlook, count: int, stage: int
) -> int:
    """Play the deals of one stage, each in the first free workspace; returns their number."""
    compare = binding.bind(ahead.compare)
    views = [outlook, *(ahead.copied(outlook) for _ in workspaces[1:])]
    sampled, waiting = [0] * len(workspaces), iter(range(ahead.STAGE))

    def work(i: int, workspace: Workspace) -> None:
        for deal in waiting:
            sampled[i] += compare(workspace, views[i], count, stage, deal, ahead.STAGE)

    with helped(work, workspaces[1:]) as threads:
        work(0, workspaces[0])
        wait_for(threads, workspaces[0])
    for view in views[1:]:
        outlook.picks[:, ahead.TOTAL] += view.picks[:, ahead.TOTAL]
    return sum(sampled)
