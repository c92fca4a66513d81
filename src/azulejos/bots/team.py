"""Several cores for one search: helpers work at desks of their own and share what they remember."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from azulejos.engine.clock import is_late
from azulejos.engine.desk import STOP, Desk

POLL = 0.002
"""Seconds between two looks at the budget of somebody who waits for the others."""


@contextmanager
def helped(work: Callable[[int, Desk], object], desks: Sequence[Desk]) -> Iterator[list[threading.Thread]]:
    """While the body runs, each desk has a thread that works at it; all stop when the body ends."""
    for desk in desks:
        desk.flag[0] = desk.counters[STOP] = 0
    threads = [threading.Thread(target=work, args=pair, daemon=True) for pair in enumerate(desks, 1)]
    for thread in threads:
        thread.start()
    try:
        yield threads
    finally:
        for desk in desks:
            desk.flag[0] = 1
        for thread in threads:
            thread.join()


def wait_for(threads: Sequence[threading.Thread], desk: Desk) -> None:
    """Until they have done their work, or the budget of this desk is used up."""
    for thread in threads:
        while thread.is_alive() and desk.flag[0] == 0 and not is_late(desk.clock):
            thread.join(POLL)
