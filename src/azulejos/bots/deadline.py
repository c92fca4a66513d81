"""Keeping to a limit, on one core or several: compiled loops read the clock and check a flag."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import TypeVar

from azulejos.core.layout import Cells
from azulejos.engine import clock as clocks
from azulejos.engine.clock import is_late
from azulejos.engine.tree_memory import THREADS, Tree
from azulejos.engine.workspace import STOP, Workspace
from azulejos.protocol.bot import Limit

WATCHES = sys.platform != "emscripten"
"""Whether anything can watch a body that reads no clock: otherwise it is short, or looks itself."""
POLL = 0.004
"""Seconds between two checks of `stop`."""


@contextmanager
def deadline(
    limit: Limit, flag: Cells, clock: Cells | None = None, *, began: float | None = None
) -> Iterator[None]:
    """While the body runs, flag[0] becomes 1 as soon as the limit's time is used up.

    A body that reads its `clock` itself needs no thread, unless the limit has a `stop`. The time is
    counted from `began` (of `perf_counter`), but at least half of it is left, however long loading took.
    """
    flag[0] = 0
    seconds = limit.time_limit
    if seconds is not None and began is not None and not limit.cpu:
        seconds = max(seconds / 2, seconds - (time.perf_counter() - began))
    if clock is not None:
        clock[clocks.BUDGET] = 0
    if clock is not None and seconds is not None and clocks.set_budget(clock, seconds, cpu=limit.cpu):
        seconds = None
    if not WATCHES or (seconds is None and limit.stop is None):
        yield
        return
    watch = _Watch(limit, flag, seconds)
    watch.start()
    try:
        yield
    finally:
        watch.end()


class _Watch(threading.Thread):
    """Sets the flag when the limit is reached; never after `end`, which does not wait for the thread."""

    def __init__(self, limit: Limit, flag: Cells, seconds: float | None) -> None:
        super().__init__(daemon=True)
        self._stop_wish, self._flag = limit.stop, flag
        self._clock = _own_clock(cpu=limit.cpu)
        self._deadline = None if seconds is None else self._clock() + seconds
        self._lock, self._done = threading.Lock(), threading.Event()

    def run(self) -> None:
        with contextlib.suppress(OSError):  # the thread that is measured has ended with its clock
            self._watch()

    def _watch(self) -> None:
        while not self._done.is_set():
            left = POLL if self._deadline is None else self._deadline - self._clock()
            if left <= 0 or (self._stop_wish is not None and self._stop_wish.is_set()):
                self._set()
                return
            self._done.wait(left if self._stop_wish is None else min(left, POLL))

    def _set(self) -> None:
        with self._lock:
            if not self._done.is_set():
                self._flag[0] = 1

    def end(self) -> None:
        with self._lock:
            self._done.set()


def _own_clock(*, cpu: bool) -> Callable[[], float]:
    """The wall clock, or the processor time of the calling thread, readable from any thread."""
    if not cpu or not hasattr(time, "pthread_getcpuclockid"):
        return time.perf_counter
    clock = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(clock)


# --- several cores for one search ---------------------------------------------------------------------


Helper = TypeVar("Helper", Workspace, Tree)

LOOK = 0.002
"""Seconds between two checks of the limit while waiting for other threads."""


@contextmanager
def helped(
    work: Callable[[int, Workspace], object], workspaces: Sequence[Workspace]
) -> Iterator[list[Thread]]:
    """While the body runs, a thread searches in each workspace; all stop when the body ends."""
    for workspace in workspaces:
        workspace.counters[STOP] = 0
    with _threads(work, workspaces) as threads:
        yield threads


@contextmanager
def growing(grow: Callable[[Tree], object], tree: Tree, helpers: Sequence[Tree]) -> Iterator[None]:
    """While the body runs, a thread for each helper grows the tree as well; all stop when the body ends."""
    tree.counters[THREADS] = 1 + len(helpers)
    with _threads(lambda _, helper: grow(helper), helpers):
        yield
    tree.counters[THREADS] = 1


@contextmanager
def _threads(work: Callable[[int, Helper], object], helpers: Sequence[Helper]) -> Iterator[list[Thread]]:
    for helper in helpers:
        helper.flag[0] = 0
    threads = [Thread(target=work, args=pair, daemon=True) for pair in enumerate(helpers, 1)]
    for thread in threads:
        thread.start()
    try:
        yield threads
    finally:
        for helper in helpers:
            helper.flag[0] = 1
        for thread in threads:
            thread.join()


def wait_for(threads: Sequence[Thread], workspace: Workspace) -> None:
    """Wait until the threads are done, or the limit of this workspace is reached."""
    for thread in threads:
        while thread.is_alive() and workspace.flag[0] == 0 and not is_late(workspace.clock):
            thread.join(LOOK)
