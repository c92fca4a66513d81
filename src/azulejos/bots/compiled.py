"""The compiled code that bots call, and which calls wait until it is ready.

Calls with a time limit never wait: bots search interpreted, some five hundred times slower, until the
compiled search is ready. Calls with a limit of nodes or processor time wait, and so does `warm`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import numpy as np

from azulejos.bots.evaluation import evaluation_of, seen_weights, weights_of
from azulejos.core import jit, registry, warmth
from azulejos.core.game import MIN_SEATS, Game
from azulejos.core.verbs import MAX_SEATS, MAX_TERMS
from azulejos.engine import ahead, solver, tree, tree_memory
from azulejos.engine.compiled import GAMES
from azulejos.engine.network import UNITS, no_network
from azulejos.engine.outlook import expect
from azulejos.engine.turns import ROOM, list_promising, list_turns, make_turns
from azulejos.engine.workspace import make_workspace
from azulejos.protocol.bot import Limit

_log = logging.getLogger(__name__)


def _calls(game: Game) -> Iterator[warmth.Group]:
    """First the solver, which most games of two seats need; then the tree and the rest."""
    binding, weights = game.compiled, weights_of(game, "")
    if evaluation_of(game).chance_free_rounds:
        workspace = make_workspace(binding, weights, transposition_bits=4)
        outlook = ahead.make_outlook(game)
        ratings = np.zeros((game.max_legal, solver.COLUMNS), np.int64)
        lines = np.full((game.max_legal, workspace.lines.shape[1]), -1, np.int32)
        yield "solver", [
            (solver.forget, (workspace,)), (solver.deepen, (workspace,)),
            (ahead.candidates, (workspace, outlook)), (ahead.compare, (workspace, outlook, 0, 0, 0, 1)),
            (ahead.kept, (outlook, 0)), (ahead.choose, (workspace, outlook, 0, 1)),
            (solver.begin_ratings, (workspace, ratings, lines)),
            (solver.rate_to_depth, (workspace, 0, 0, 0, ratings, lines)),
        ]
    turns = make_turns(binding, weights)
    seen = make_turns(binding, seen_weights(game, 1.0))
    grown = tree_memory.make_tree(binding, weights, node_bits=4)
    scratch = np.zeros((MAX_SEATS, MAX_TERMS), np.int64), np.zeros(MAX_SEATS, np.int64), np.zeros(UNITS)
    outlooks = np.zeros((1, MIN_SEATS)), np.zeros((1, MIN_SEATS))
    yield "tree", [
        (expect, (game.start(MIN_SEATS, {})[None].copy(), no_network(), weights, 1, *scratch, *outlooks)),
        (list_turns, (turns, True)), (list_promising, (seen, np.zeros(ROOM, np.int64))),
        (tree.grow, (grown,)), (tree.best_line, (grown, np.zeros(tree_memory.MAX_PATH, np.int64))),
    ]


BOTS = warmth.Purpose(name="bots", folders=("core", "parts", "engine", "bots"), groups=_calls)


def functions(game: Game, limit: Limit) -> jit.Binding:
    """The functions of the search: compiled, unless the limit requires an answer before that is done."""
    if not is_hasty(limit) or not jit.enabled() or is_warm(game):
        return game.compiled
    if limit.cpu:  # processor time is measured: it must not include compilation
        warm(game)
        return game.compiled
    if game not in _warned:
        _warned.add(game)
        _log.warning(
            "The search of %s is not compiled yet, and some 500 times slower until it is, in about %d s. "
            "azulejos.bots.warm(%r) waits for that; so does `azulejos warm` in a shell.",
            game.name, warmth.seconds_left(game, BOTS), game.presets[0].name,
        )
    fill_cache(game)
    return game.interpreted


_warned: set[Game] = set()


def is_hasty(limit: Limit) -> bool:
    """Whether a time limit, or `stop` alone, ends the search; a limit of nodes can wait."""
    return limit.time_limit is not None or limit.nodes is None


def is_warm(game: Game) -> bool:
    """Whether everything that bots need for this game is compiled and on disk."""
    return warmth.is_ready(game, BOTS)


def warm(game: Game | str) -> None:
    """Prepare the bots of a game (or of a box, by its name): returns when they search at full speed.

    Compiling takes half a minute, once on a machine; from then on the code is loaded in a second.
    With ``AZULEJOS_JIT=0`` there is nothing to wait for.
    """
    warmth.make_ready(registry.find(game)[0] if isinstance(game, str) else game, BOTS)


def compile_all(game: Game, *, rules_only: bool = False, wait: bool = True) -> None:
    """Compile the rules, random games and the bots; see `warmth.make_ready` for `wait`."""
    for purpose in (warmth.RULES, GAMES) if rules_only else (BOTS, warmth.RULES, GAMES):
        warmth.make_ready(game, purpose, wait=wait)


def fill_cache(game: Game) -> threading.Thread:
    """Compile in a separate process, unless one is already running; the thread ends with it."""
    return warmth.fill_cache(game, BOTS)
