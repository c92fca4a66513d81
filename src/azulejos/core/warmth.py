"""Nobody waits for a compiler: single calls run interpreted until compiled code lies ready."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import dataclass

from azulejos.core import doors, jit
from azulejos.core.game import Game

PATIENCE = 300
"""Interpreted calls (about 0.1 ms each) before loading the compiler (0.5 s) pays."""


@dataclass(slots=True)
class _Warmth:
    calls: int = 0
    compiled: bool = False
    helper: threading.Thread | None = None


_warmth: dict[str, _Warmth] = {}
_held = threading.Event()


def hold() -> None:
    """Stay with interpreted code in this process: for a server, whose thread must not pause for 0.5 s."""
    _held.set()


def functions(game: Game) -> jit.Binding:
    """The game's functions for a single call: compiled if that costs nobody a wait."""
    state = _warmth.get(game.name) or _warmth.setdefault(game.name, _Warmth())
    if not state.compiled:
        state.calls += 1
        if state.calls % PATIENCE == 0 and jit.enabled() and not _held.is_set():
            _look_again(game, state)
    return game.compiled if state.compiled else game.interpreted


def use_compiled(game: Game) -> jit.Binding:
    """Switch to compiled code for good, compiling now whatever is missing."""
    if jit.enabled():
        warm_doors(game)
        _warmth.setdefault(game.name, _Warmth()).compiled = True
    return game.compiled


def warm_doors(game: Game) -> None:
    """Compile (or load) every door of the game."""
    import numpy as np

    bind = game.compiled.bind
    rows = game.start(2, {})[None].copy()
    buffer = np.empty(game.max_legal, np.int32)
    count = bind(doors.legal_at)(rows, 0, buffer)
    bind(doors.is_legal_at)(rows, 0, int(buffer[0]))
    bind(doors.in_turn_at)(rows, 0)
    bind(doors.census_at)(rows, 0)
    bind(doors.standing_at)(rows, 0, 0)
    bind(doors.odds_at)(rows, 0, np.empty(max(count, game.max_legal), np.int32))
    bind(doors.apply_at)(rows, 0, int(buffer[0]))
    if jit.enabled():
        jit.mark_warm(game.package, doors.__name__)


def start_helper(game: Game) -> threading.Thread:
    """A process in the background that fills the cache; a thread waits for it."""
    return apart("from azulejos.core import registry, warmth; "
                 f"warmth.warm_doors(registry.find({game.presets[0].name!r})[0])")


def apart(code: str) -> threading.Thread:
    """Run code in a process of its own that nobody hears; the thread ends with it."""
    path = os.pathsep.join(sys.path)  # however we were found
    thread = threading.Thread(
        target=subprocess.run, args=([sys.executable, "-c", code],), daemon=True,
        kwargs={**dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL),
                "env": {**os.environ, "PYTHONPATH": path}},
    )
    thread.start()
    return thread


def _look_again(game: Game, state: _Warmth) -> None:
    if jit.is_warm(game.package, doors.__name__):
        warm_doors(game)
        state.compiled = True
    elif state.helper is None:
        state.helper = start_helper(game)
