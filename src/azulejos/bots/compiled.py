"""What bots call of compiled code, and who waits for it.

A limit of time never waits: bots search interpreted, some five hundred times slower, until the compiled
search is ready. A limit of nodes or of processor time waits, and so does `warm`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import numpy as np

from azulejos.bots.evaluation import evaluation_of, network_of, seen_weights, weights_of
from azulejos.core import jit, registry, warmth
from azulejos.core.game import Game
from azulejos.engine import ahead, solver, tree
from azulejos.engine.compiled import GAMES
from azulejos.engine.turns import ROOM, list_promising, list_turns, make_turns
from azulejos.engine.workspace import make_workspace
from azulejos.protocol.bot import Limit

_log = logging.getLogger(__name__)


def _calls(game: Game) -> Iterator[warmth.Group]:
    """With two seats most rounds are solved, and those bots come first; then trees and all others."""
    binding, weights = game.compiled, weights_of(game, "")
    if evaluation_of(game).chance_free_rounds:
        network = network_of(game, "")
        workspace = make_workspace(binding, weights, transposition_bits=4, network=network)
        outlook = ahead.make_outlook(game)
        ratings = np.zeros((game.max_legal, solver.COLUMNS), np.int64)
        lines = np.full((game.max_legal, workspace.lines.shape[1]), -1, np.int32)
        yield "solver", [
            (solver.forget, (workspace,)), (solver.deepen, (workspace,)),
            (ahead.candidates, (workspace, outlook)), (ahead.compare, (workspace, outlook, 0, 0, 0, 1)),
            (ahead.kept, (outlook, 0)), (ahead.choose, (workspace, outlook, 0)),
            (solver.begin_ratings, (workspace, ratings, lines)),
            (solver.rate_to_depth, (workspace, 0, 0, 0, ratings, lines)),
        ]
    turns = make_turns(binding, weights)
    seen = make_turns(binding, seen_weights(game, 1.0))
    grown = tree.make_tree(binding, weights, node_bits=4)
    yield "tree", [
        (list_turns, (turns, True)), (list_promising, (seen, np.zeros(ROOM, np.int64))),
        (tree.grow, (grown,)), (tree.best_line, (grown, np.zeros(tree.MAX_PATH, np.int64))),
    ]


BOTS = warmth.Purpose(name="bots", folders=("core", "parts", "engine", "bots"), groups=_calls)


def functions(game: Game, limit: Limit) -> jit.Binding:
    """The search's functions: compiled, unless somebody wants an answer before that can be done."""
    if not is_hasty(limit) or not jit.enabled() or is_warm(game):
        return game.compiled
    if limit.cpu:  # somebody measures: nothing counts before all is ready
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
    """Whether a clock, or somebody's `stop` alone, ends the thinking: who counts nodes can wait."""
    return limit.time_limit is not None or limit.nodes is None


def is_warm(game: Game) -> bool:
    """Whether all that bots need for this game is compiled, on disk."""
    return warmth.is_ready(game, BOTS)


def warm(game: Game | str) -> None:
    """Make the bots of a game (or of a box, by its name) ready: returns when they think at full speed.

    Compiling takes half a minute, once on a machine; from then on the code is loaded in a second.
    With ``AZULEJOS_JIT=0`` there is nothing to wait for.
    """
    warmth.make_ready(registry.find(game)[0] if isinstance(game, str) else game, BOTS)


def compile_all(game: Game, *, rules_only: bool = False, wait: bool = True) -> None:
    """Compile the rules, random games and the bots; see `warmth.make_ready` for `wait`."""
    for purpose in (warmth.RULES, GAMES) if rules_only else (BOTS, warmth.RULES, GAMES):
        warmth.make_ready(game, purpose, wait=wait)


def fill_cache(game: Game) -> threading.Thread:
    """Compile in a process of its own, unless one does so already; the thread ends with it."""
    return warmth.fill_cache(game, BOTS)
