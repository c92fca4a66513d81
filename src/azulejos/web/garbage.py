"""Run full garbage collections while the tables are idle.

Scanning all objects of 200 tables took 0.1 to 0.3 s, several times a minute. It blocked every table
meanwhile and cost a sixth of the server's time. So only young objects are collected during play, and all of
them when the server is idle. A young generation of 45,000 objects still blocked everybody for 30 ms three
times in ten seconds; of 3,000 objects it takes 3 to 4 ms.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

YOUNG = (1_000, 2, 1_000_000)
"""Allocations before the youngest generation is collected, such collections before the middle one is, and a
threshold so high that the oldest is never collected automatically."""

EVERY = 60.0
QUIET = 0.5
PATIENCE = 60
"""How often a full collection is postponed before it runs although the tables are busy."""


@asynccontextmanager
async def collecting_when_quiet(idle: Callable[[], float]) -> AsyncIterator[None]:
    """`idle()` returns the number of seconds since something last happened at any table."""
    before = gc.get_threshold()
    gc.freeze()  # exclude the objects loaded at startup
    gc.set_threshold(*YOUNG)
    collecting = asyncio.get_running_loop().create_task(_collect(idle))
    try:
        yield
    finally:
        collecting.cancel()
        gc.set_threshold(*before)
        gc.unfreeze()


async def _collect(idle: Callable[[], float]) -> None:
    while True:
        for _ in range(PATIENCE):
            await asyncio.sleep(EVERY)
            if idle() > QUIET:
                break
        gc.collect()
