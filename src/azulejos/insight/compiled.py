"""Every function that is compiled by `azulejos warm` and built into a game's module by `azulejos build`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from azulejos.bots.evaluation import evaluation_of, seen_weights, weights_of
from azulejos.core import readiness
from azulejos.core.chance import seeded
from azulejos.core.doors import census_at
from azulejos.core.game import MIN_SEATS, Game
from azulejos.core.jit import Call
from azulejos.core.late import np
from azulejos.core.module import Description
from azulejos.core.readiness import Group
from azulejos.core.verbs import MAX_SEATS, MAX_TERMS
from azulejos.engine import ahead, choice, endings, solver, tree, tree_memory
from azulejos.engine.network import UNITS, no_network
from azulejos.engine.outlook import expect
from azulejos.engine.perft import count_leaves
from azulejos.engine.playout import Games, play_games
from azulejos.engine.turns import ROOM, list_promising, list_turns, make_turns
from azulejos.engine.workspace import MAX_PLIES, make_workspace
from azulejos.insight.attribution import values_of

# --- searches -----------------------------------------------------------------------------------------


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


# --- what is compiled ---------------------------------------------------------------------------------


# --- games --------------------------------------------------------------------------------------------


def games(game: Game) -> Group:
    """Random games, and counting positions."""
    row, played = game.start(MIN_SEATS, {}), Games.empty(1, MIN_SEATS)
    buffers = np.empty((2, game.max_legal), np.int32)
    results = (played.scores, played.standings, played.lengths, played.rounds, played.starters)
    return "games", [
        (play_games, (row, row, buffers, seeded(0), *results)),
        (count_leaves, (row[None].copy(), buffers, np.zeros((2, 1), np.int64), 1)),
    ]


def exact_endings(game: Game) -> Group:
    """The rest of a round, solved; for puzzles."""
    memory = endings.make_ending(game.compiled, transposition_bits=4)
    line = np.zeros(endings.MAX_PLIES + 1, np.int64)
    return "endings", [
        (endings.solve, (memory, 0, 0, 0)), (endings.best_line, (memory, line)),
        (endings.plain_reaches, (memory, 0, 0)),
    ]


# --- what is compiled ---------------------------------------------------------------------------------


def groups(game: Game) -> Iterator[readiness.Group]:
    """The most urgent first."""
    yield readiness.rules(game)
    yield from searches(game)
    yield games(game)
    yield exact_endings(game)
    yield judgements(game)


def judgements(game: Game) -> readiness.Group:
    """For reasons: the ends of lines, evaluated."""
    workspace = make_workspace(game.compiled, weights_of(game, ""), transposition_bits=4)
    rows = np.zeros((1, workspace.words.shape[1]), np.uint64)
    return "judgements", [(values_of, (workspace, rows, 0, np.zeros(1, np.int64)))]


def calls(game: Game) -> Sequence[Call]:
    """What a module exports: everything but the census, a check for tests that may make arrays."""
    return [call for _, group in groups(game) for call in group if call[0] is not census_at]


def compile_all(game: Game) -> None:
    """Compile everything for this machine, unless that was done before."""
    readiness.compile_all(game, groups(game))


def build(game: Game, folder: Path | None = None) -> Description:
    """Write the module of a game and its description into a folder (its own)."""
    from azulejos.core.module_builder import build as build_module  # half a second, and another extra

    return build_module(game, calls(game), folder)
