"""Several cores for one search: helpers work at desks of their own and share what they remember."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from azulejos.engine.desk import STOP, Desk


@contextmanager
def helped(work: Callable[[int, Desk], object], desks: Sequence[Desk]) -> Iterator[None]:
    """While the body runs, each desk has a thread that works at it; all stop when the body ends."""
    for desk in desks:
        desk.flag[0] = desk.counters[STOP] = 0
    threads = [threading.Thread(target=work, args=pair, daemon=True) for pair in enumerate(desks, 1)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for desk in desks:
            desk.flag[0] = 1
        for thread in threads:
            thread.join()
