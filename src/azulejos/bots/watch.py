"""Keeping to a budget: compiled loops look at a flag, a thread sets it when the time is up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from azulejos.bots.bot import Budget
from azulejos.core.layout import Cells

POLL = 0.01
"""Seconds between two looks at somebody's `stop`."""


@contextmanager
def watched(budget: Budget, flag: Cells) -> Iterator[None]:
    """While the body runs, flag[0] becomes 1 as soon as the budget's time is used up."""
    flag[0] = 0
    limit = budget.time_limit
    if limit is None and budget.stop is None:
        yield
        return
    done = threading.Event()
    clock = _own_clock(cpu=budget.cpu)
    end = None if limit is None else clock() + limit
    thread = threading.Thread(target=_watch, args=(budget, flag, done, clock, end), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _watch(
    budget: Budget, flag: Cells, done: threading.Event, clock: Callable[[], float], end: float | None
) -> None:
    while not done.is_set():
        left = POLL if end is None else end - clock()
        if left <= 0 or (budget.stop is not None and budget.stop.is_set()):
            flag[0] = 1
            return
        done.wait(left if budget.stop is None else min(left, POLL))


def _own_clock(*, cpu: bool) -> Callable[[], float]:
    """The wall clock, or the processor time of the calling thread, readable from any thread."""
    if not cpu or not hasattr(time, "pthread_getcpuclockid"):
        return time.perf_counter
    clock = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(clock)
