"""Nobody waits for a compiler: code runs interpreted until its compiled form is ready.

What is compiled for a purpose is a list of calls, in groups that become one library each, first things
first. One process compiles a game at a time, whatever number of processes asks for it.
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
"""Optimising and emitting a library, as a share of the time that its functions took before."""
SECONDS = 0.12
"""Typing and lowering one function on a slow core: a guess for as long as nothing was measured."""

Group = tuple[str, list[jit.Call]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Purpose:
    """Something to compile a game for. `folders` of the package hold what it depends on beside the game."""

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
    """Whether everything is on disk: one look at a file."""
    return _ready_file(game, purpose).exists()


def make_ready(game: Game, purpose: Purpose, *, wait: bool = True) -> None:
    """Load all that a purpose needs, compiling what is missing.

    Another process that compiles the same game is waited for, and its work is used; unless we do not wait:
    then nothing happens.
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
"""What this process has in memory."""


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
    """How long it takes until a game is ready: as the process that compiles it reports, or a guess."""
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
"""Seconds after which a report is no longer believed: its writer may have been killed."""


def _progress_file(game: Game, purpose: Purpose) -> Path:
    return code_cache.cache_root() / f"{game.name}-{purpose.name}.progress"


class _Report:
    """Writes down, now and then, how many seconds are left."""

    def __init__(self, file: Path, *, total: int) -> None:
        self._file = file
        self._total = total * (1 + LINKING)
        self._done = 0.0
        self._began = self._written = time.monotonic()

    def note(self) -> None:
        """One function more."""
        self._done += 1
        self._write()

    def linked(self, functions: int) -> None:
        """A library more; so many functions are done altogether."""
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
    """See to it that some process compiles; the thread ends with it."""
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
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # however we were found
            ) as process:
                _helpers[game, purpose].failed = process.wait() != 0
        else:
            with code_cache.alone(game.name):
                pass
    except OSError:  # no place for what is compiled
        _helpers[game, purpose].failed = True


def step_back() -> None:
    """For a process that compiles in the background: yield to others, end with the one that started us."""
    if hasattr(os, "nice"):
        os.nice(10)
    threading.Thread(target=_end_with_input, daemon=True).start()


def _end_with_input() -> None:
    """Our input is a pipe that nobody writes to: it ends when the other process does."""
    sys.stdin.buffer.read()
    os._exit(1)


# --- positions ------------------------------------------------------------------------------------------


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


def _look_again(game: Game) -> None:
    if not jit.enabled() or _held.is_set():
        return
    if is_ready(game, RULES):
        use_compiled(game)
    else:
        fill_cache(game, RULES)


def use_compiled(game: Game) -> jit.Binding:
    """Switch to compiled code for good, compiling now whatever is missing."""
    if jit.enabled():
        make_ready(game, RULES)
        current(game).verbs = Compiled(game)
    return game.compiled
