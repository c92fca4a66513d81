"""How long the event loop was kept by one step: processor time of the longest callback that it ran."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

HARD = 20.0
"""Milliseconds that one step may take."""


class LoopTime:
    def __init__(self) -> None:
        self.longest = 0.0
        self.what = ""

    def forget(self) -> None:
        self.longest, self.what = 0.0, ""

    def least(self, act: Callable[[], object], *, times: int = 4) -> float:
        """Milliseconds of the longest step of something, the first time (caches) and noise left out."""
        found = []
        for _ in range(times):
            self.forget()
            act()
            found.append(self.longest)
            if len(found) > 1 and found[-1] <= HARD:
                break
        return min(found[1:], default=0.0)


@contextmanager
def watched_loop() -> Iterator[LoopTime]:
    """While this lasts, every callback of every loop of this process is timed. Garbage is collected between
    callbacks, as a server does it (web/garbage.py)."""
    times, run = LoopTime(), asyncio.Handle._run

    def timed(self: asyncio.Handle) -> None:
        began = time.thread_time()
        run(self)
        used = (time.thread_time() - began) * 1e3
        if used > times.longest:
            times.longest, times.what = used, repr(self)[:300]

    asyncio.Handle._run = timed  # type: ignore[method-assign]
    gc.disable()
    try:
        yield times
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]
        gc.enable()
