"""The functions that bots call: what is compiled together, and built into modules."""

from __future__ import annotations

from collections.abc import Iterator

from azulejos.bots.evaluation import evaluation_of, seen_weights, weights_of
from azulejos.core.game import MIN_SEATS, Game
from azulejos.core.late import np
from azulejos.core.readiness import Group
from azulejos.core.verbs import MAX_SEATS, MAX_TERMS
from azulejos.engine import ahead, choice, solver, tree, tree_memory
from azulejos.engine.network import UNITS, no_network
from azulejos.engine.outlook import expect
from azulejos.engine.turns import ROOM, list_promising, list_turns, make_turns
from azulejos.engine.workspace import MAX_PLIES, make_workspace


def searches(game: Game) -> Iterator[Group]:
    """First the solver, which most games of two seats need; then the tree and the rest."""
    binding, weights = game.compiled, weights_of(game, "")
    if evaluation_of(game).chance_free_rounds:
        workspace = make_workspace(binding, weights, transposition_bits=4)
        outlook = ahead.make_outlook(game)
        ratings = np.zeros((game.max_legal, solver.COLUMNS), np.int64)
        lines = np.full((game.max_legal, workspace.lines.shape[1]), -1, np.int32)
        line = np.full(MAX_PLIES + 2, -1, np.int32)
        yield "solver", [
            (solver.forget, (workspace,)), (solver.deepen, (workspace,)),
            (ahead.candidates, (workspace, outlook)), (ahead.compare, (workspace, outlook, 0, 0, 0, 1)),
            (ahead.kept, (outlook, 0)), (ahead.choose, (workspace, outlook, 0, 1)),
            (ahead.decide, (workspace, outlook)), (choice.winning_line, (workspace, line, 0)),
            (solver.begin_ratings, (workspace, ratings, lines)),
            (solver.rate_to_depth, (workspace, 0, 0, 0, ratings, lines)),
        ]
    turns = make_turns(binding, weights)
    seen, promises = make_turns(binding, seen_weights(game, choice.SEARCHES)), np.zeros(ROOM, np.int64)
    grown = tree_memory.make_tree(binding, weights, node_bits=4)
    scratch = np.zeros((MAX_SEATS, MAX_TERMS), np.int64), np.zeros(MAX_SEATS, np.int64), np.zeros(UNITS)
    outlooks = np.zeros((1, MIN_SEATS)), np.zeros((1, MIN_SEATS))
    yield "tree", [
        (expect, (game.start(MIN_SEATS, {})[None].copy(), no_network(), weights, 1, *scratch, *outlooks)),
        (list_turns, (turns, True)), (list_promising, (seen, promises)),
        (choice.choose_turn, (seen, promises, np.ones(1, np.uint64), 0, 0)),
        (choice.is_nonsense, (seen, 0, 0)), (choice.first_sensible, (seen, promises, 0)),
        (tree.grow, (grown,)), (tree.best_line, (grown, np.zeros(tree_memory.MAX_PATH, np.int64))),
    ]
