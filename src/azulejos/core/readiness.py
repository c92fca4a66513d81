"""Which functions of a game are used: compiled for this machine, from its module, or interpreted.

Nobody waits for a compiler to play: what thinks asks for `engine`, which is native code if that was made
before (`azulejos warm`), otherwise the game's WebAssembly module (`core.portable`). Simulations, training
and environments ask for native code (`Game.compiled`), which is compiled when it is first called.
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from azulejos.core import code_cache, doors, jit
from azulejos.core.game import Game
from azulejos.core.late import np
from azulejos.core.state import Compiled, Interpreted, Verbs

if TYPE_CHECKING:
    from azulejos.core.portable import Portable

_log = logging.getLogger(__name__)

Group = tuple[str, list[jit.Call]]
"""Functions that become one library of native code, by name."""


def rules(game: Game) -> Group:
    """Single calls from Python, as positions make them."""
    rows, buffers = game.start(2, {})[None].copy(), np.empty((2, game.max_legal), np.int32)
    return "doors", [
        (doors.legal_at, (rows, 0, buffers[0])), (doors.is_legal_at, (rows, 0, 0)),
        (doors.odds_at, (rows, 0, buffers[0])), (doors.apply_at, (rows, 0, 0)),
        (doors.play_at, (rows, 0, 0)), (doors.draw_at, (rows, 0, 0, buffers)),
        (doors.standing_at, (rows, 0, 0)), (doors.in_turn_at, (rows, 0)), (doors.census_at, (rows, 0)),
    ]


# --- what thinks with ------------------------------------------------------------------------------------


def engine(game: Game) -> jit.Binding:
    """The functions with which bots, hints, reviews and puzzles think, without waiting for anything."""
    if not jit.enabled():
        return game.interpreted
    if game not in _engines:
        _engines[game] = _best(game)
    return _engines[game]


_engines: dict[Game, jit.Binding] = {}


def _best(game: Game) -> jit.Binding:
    from azulejos.core import portable  # with NumPy, which needs a tenth of a second

    compiles = jit.has_compiler()
    if compiles and (jit.checks_bounds() or is_compiled(game)):
        return game.compiled
    try:
        return module_of(game)
    except portable.Unusable as error:
        instead = "compiled when first called" if compiles else "interpreted, some 500 times slower"
        _log.warning("%s. Its searches are %s.", error, instead)
    return game.compiled if compiles else game.interpreted


@functools.cache
def module_of(game: Game) -> Portable:
    """The functions from a game's module; raises `portable.Unusable`."""
    from azulejos.core import portable

    return portable.load(game)


# --- native code -----------------------------------------------------------------------------------------


def is_compiled(game: Game) -> bool:
    """Whether everything is on disk as native code, for the functions of the game's module."""
    file = _ready_file(game)
    return file is not None and file.exists()


def compile_all(game: Game, groups: Iterable[Group]) -> None:
    """Load native code for a game, compiling what is missing; one process at a time compiles a game."""
    if not jit.enabled():
        return
    with code_cache.alone(game.name):
        for name, calls in groups:
            game.compiled.compile(calls, name=name)
        if (file := _ready_file(game)) is not None:
            code_cache.mark_ready(file)
    _engines.pop(game, None)


def _ready_file(game: Game) -> Path | None:
    """The file that exists once a game is compiled; None: that cannot be known without a module."""
    from azulejos.core import portable

    try:
        description = portable.described(game)
    except portable.Unusable:
        return None
    sources = description.values, description.code, jit.checks_bounds()
    return code_cache.ready_file(game.name, sources)


# --- positions -------------------------------------------------------------------------------------------


class Current:
    """The verbs that all positions of a game call now."""

    __slots__ = ("verbs",)

    def __init__(self, verbs: Verbs) -> None:
        self.verbs = verbs


@functools.cache
def current(game: Game) -> Current:
    """Interpreted verbs, until `use_compiled`; where many are called, native code if that is at hand."""
    return Current(Interpreted(game, lambda: _look_again(game)))


_held = threading.Event()


def hold() -> None:
    """Keep to interpreted verbs in this process: for a server, which must not pause for half a second."""
    _held.set()


def _look_again(game: Game) -> None:
    if jit.enabled() and not _held.is_set() and jit.has_compiler() and is_compiled(game):
        use_compiled(game)


def use_compiled(game: Game) -> jit.Binding:
    """Switch positions to native code, compiling it if that was not done before."""
    if jit.enabled():
        name, calls = rules(game)
        with code_cache.alone(game.name):
            game.compiled.compile(calls, name=name)
        current(game).verbs = Compiled(game)
    return game.compiled
