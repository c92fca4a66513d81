"""A full garbage collection waits until the tables are quiet.

Looking through all objects of 200 tables took 0.1 to 0.3 s, several times a minute, while every table
stood still, and cost a sixth of the server's time. So only young objects are looked through in passing,
and all of them when nothing happens.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

YOUNG = (5_000, 8, 1_000_000)
"""Objects after which the youngest are looked at, such looks before the next generation, all: never."""

EVERY = 60.0
QUIET = 0.5
PATIENCE = 60
"""How often a full collection is put off; then the tables have to wait for it."""


@asynccontextmanager
async def collecting_when_quiet(idle: Callable[[], float]) -> AsyncIterator[None]:
    """`idle()` tells for how many seconds nothing has happened at any table."""
    before = gc.get_threshold()
    gc.freeze()  # what was loaded to start with stays
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
