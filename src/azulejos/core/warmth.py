"""Code runs interpreted until its compiled form is ready, so that nothing has to wait for the compiler.

For each purpose there is a list of calls to compile, in groups that become one library each, most urgent
first. Only one process at a time compiles a game, however many processes need it.
"""

from __future__ import annotations

import contextlib
import functools
import json
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from azulejos.core import code_cache, doors, jit
from azulejos.core.game import Game
from azulejos.core.single import Compiled, Interpreted, Verbs

LINKING = 0.6
"""Time to optimise and emit a library, as a share of the time for typing and lowering its functions."""
SECONDS = 0.12
"""Time to type and lower one function on a slow core: an estimate until it is measured."""

Group = tuple[str, list[jit.Call]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Purpose:
    """A purpose for which a game is compiled. It depends on the game and on `folders` of the package."""

    name: str
    folders: tuple[str, ...]
    groups: Callable[[Game], Iterator[Group]]


def _doors(game: Game) -> Iterator[Group]:
    rows, buffer = game.start(2, {})[None].copy(), np.empty(game.max_legal, np.int32)
    yield "doors", [
        (doors.legal_at, (rows, 0, buffer)), (doors.is_legal_at, (rows, 0, 0)),
        (doors.odds_at, (rows, 0, buffer)), (doors.apply_at, (rows, 0, 0)),
        (doors.play_at, (rows, 0, 0)), (doors.draw_at, (rows, 0, 0)),
        (doors.standing_at, (rows, 0, 0)), (doors.in_turn_at, (rows, 0)), (doors.census_at, (rows, 0)),
    ]


RULES = Purpose(name="rules", folders=("core", "parts"), groups=_doors)
"""Single calls from Python, as positions make them."""


# --- making a game ready --------------------------------------------------------------------------------


def is_ready(game: Game, purpose: Purpose) -> bool:
    """Whether everything is on disk; this checks a single file."""
    return _ready_file(game, purpose).exists()


def make_ready(game: Game, purpose: Purpose, *, wait: bool = True) -> None:
    """Load everything that a purpose needs, compiling what is missing.

    If another process is compiling the same game, wait for it and use its work; with `wait=False` return
    at once.
    """
    if not jit.enabled() or (game, purpose) in _loaded:
        return
    if is_ready(game, purpose):
        _compile(game, purpose, Path(os.devnull))
    else:
        with code_cache.alone(game.name, wait=wait) as first:
            if not first:
                return
            _compile(game, purpose, _progress_file(game, purpose))
            code_cache.mark_ready(_ready_file(game, purpose))
    _loaded.add((game, purpose))


_loaded: set[tuple[Game, Purpose]] = set()
"""What this process has loaded."""


def _compile(game: Game, purpose: Purpose, report: Path) -> None:
    groups, binding = list(purpose.groups(game)), game.compiled
    targets, called = [], []
    for _, calls in groups:
        called += [function for function, _ in calls]
        targets.append(binding.count_parts(called))
    progress = _Report(report, total=targets[-1])
    for (name, calls), target in zip(groups, targets, strict=True):
        binding.compile(calls, name=name, notice=progress.note)
        progress.linked(target)
    progress.end()


def _ready_file(game: Game, purpose: Purpose) -> Path:
    folders = [code_cache.PACKAGE / name for name in purpose.folders]
    bounds = "-bounds" * jit.checks_bounds()
    return code_cache.ready_file(game.name, (*folders, game.folder), purpose.name + bounds)


# --- how long it takes ----------------------------------------------------------------------------------


def seconds_left(game: Game, purpose: Purpose) -> int:
    """Seconds until a game is ready: as reported by the process that compiles it, or an estimate."""
    if is_ready(game, purpose) or not jit.enabled():
        return 0
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        report = json.loads(_progress_file(game, purpose).read_text(encoding="utf-8"))
        age = time.time() - float(report["at"])
        if age < STALE:
            return max(1, math.ceil(float(report["left"]) - age))
    functions = [function for _, calls in purpose.groups(game) for function, _ in calls]
    return max(1, math.ceil(game.interpreted.count_parts(functions) * SECONDS * (1 + LINKING)))


STALE = 30.0
"""Seconds after which a report is ignored: its writer may have been killed."""


def _progress_file(game: Game, purpose: Purpose) -> Path:
    return code_cache.cache_root() / f"{game.name}-{purpose.name}.progress"


class _Report:
    """Writes from time to time how many seconds are left."""

    def __init__(self, file: Path, *, total: int) -> None:
        self._file = file
        self._total = total * (1 + LINKING)
        self._done = 0.0
        self._began = self._written = time.monotonic()

    def note(self) -> None:
        """Count one more function."""
        self._done += 1
        self._write()

    def linked(self, functions: int) -> None:
        """Count one more library; `functions` functions are done in total."""
        self._done = functions * (1 + LINKING)
        self._write()

    def _write(self) -> None:
        now = time.monotonic()
        if now - self._written > 0.5 and self._done > 10:
            left = (now - self._began) / self._done * max(0.0, self._total - self._done)
            with contextlib.suppress(OSError):
                self._file.write_text(json.dumps({"at": time.time(), "left": round(left, 1)}))
            self._written = now

    def end(self) -> None:
        if self._file != Path(os.devnull):
            self._file.unlink(missing_ok=True)


# --- in the background ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Helper:
    thread: threading.Thread
    failed: bool = False


_helpers: dict[tuple[Game, Purpose], _Helper] = {}


def fill_cache(game: Game, purpose: Purpose) -> threading.Thread:
    """Make sure that a background process compiles; the thread ends when that process does."""
    known = _helpers.get((game, purpose))
    if known is None or not (known.failed or known.thread.is_alive()):
        thread = threading.Thread(target=_fill, args=(game, purpose), daemon=True)
        known = _helpers[game, purpose] = _Helper(thread)
        thread.start()
    return known.thread


def _fill(game: Game, purpose: Purpose) -> None:
    try:
        with code_cache.alone(game.name, wait=False) as free:
            pass
        if free:
            command = [sys.executable, "-m", "azulejos", "warm", game.presets[0].name, "--background"]
            only = ["--rules-only"] if purpose is RULES else []
            with subprocess.Popen(
                [*command, *only],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # to find us
            ) as process:
                _helpers[game, purpose].failed = process.wait() != 0
        else:
            with code_cache.alone(game.name):
                pass
    except OSError:  # no place for compiled code
        _helpers[game, purpose].failed = True


def step_back() -> None:
    """For a background compiler: lower the priority, and end when the parent process ends."""
    if hasattr(os, "nice"):
        os.nice(10)
    threading.Thread(target=_end_with_input, daemon=True).start()


def _end_with_input() -> None:
    """Standard input is a pipe without data: it is closed when the parent process ends."""
    sys.stdin.buffer.read()
    os._exit(1)


# --- positions ------------------------------------------------------------------------------------------


_held = threading.Event()


def hold() -> None:
    """Keep to interpreted code in this process: for a server, which must not pause for 0.5 s."""
    _held.set()


class Current:
    """The verbs that all positions of a game call now."""

    __slots__ = ("verbs",)

    def __init__(self, verbs: Verbs) -> None:
        self.verbs = verbs


@functools.cache
def current(game: Game) -> Current:
    """Interpreted verbs, until compiled code is available without waiting."""
    return Current(Interpreted(game, lambda: _look_again(game)))


def _look_again(game: Game) -> None:
    if not jit.enabled() or _held.is_set():
        return
    if is_ready(game, RULES):
        use_compiled(game)
    else:
        fill_cache(game, RULES)


def use_compiled(game: Game) -> jit.Binding:
    """Switch to compiled code permanently, compiling whatever is missing now."""
    if jit.enabled():
        make_ready(game, RULES)
        current(game).verbs = Compiled(game)
    return game.compiled
