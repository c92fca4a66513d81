"""Nobody waits for a compiler: single calls run interpreted until compiled code lies ready."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading

from azulejos.core import doors, jit
from azulejos.core.game import Game
from azulejos.core.single import Compiled, Interpreted, Verbs

_held = threading.Event()


def hold() -> None:
    """Stay with interpreted code in this process: for a server, whose thread must not pause for 0.5 s."""
    _held.set()


class Current:
    """The verbs that all positions of a game call now."""

    __slots__ = ("verbs",)

    def __init__(self, verbs: Verbs) -> None:
        self.verbs = verbs


@functools.cache
def current(game: Game) -> Current:
    """Interpreted until compiled code costs nobody a wait."""
    return Current(Interpreted(game, lambda: _look_again(game)))


def use_compiled(game: Game) -> jit.Binding:
    """Switch to compiled code for good, compiling now whatever is missing."""
    if jit.enabled():
        warm_doors(game)
        current(game).verbs = Compiled(game)
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
    bind(doors.play_at)(rows, 0, int(buffer[0]))
    bind(doors.draw_at)(game.start(2, {})[None].copy(), 0, 0)
    if jit.enabled():
        jit.mark_warm(game.rules, doors.__name__)


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


_helpers: dict[Game, threading.Thread] = {}


def _look_again(game: Game) -> None:
    if not jit.enabled() or _held.is_set():
        return
    if jit.is_warm(game.rules, doors.__name__):
        use_compiled(game)
    elif game not in _helpers:
        _helpers[game] = start_helper(game)
