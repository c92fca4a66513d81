"""Rubbish is collected when nobody waits.

Looking through all objects of 200 tables took 0.1 to 0.3 s, several times a minute, while every table
stood still, and cost a sixth of the server's time. So only young objects are looked through in passing,
and all of them when the tables are quiet.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable

YOUNG = (5_000, 8, 1_000_000)
"""After so many new objects the youngest are looked at, the next after so many such looks, all never."""

EVERY = 60.0
QUIET = 0.5
PATIENCE = 60
"""So often a full collection is put off; then the tables have to wait for it."""


def spare_the_old() -> None:
    """What was loaded to start with stays, and is not looked at again."""
    gc.freeze()
    gc.set_threshold(*YOUNG)


async def collect_when_quiet(idle: Callable[[], float], collect: Callable[[], object] = gc.collect) -> None:
    """Until cancelled. `idle()` tells for how many seconds nothing has happened at any table."""
    before = gc.get_threshold()
    spare_the_old()
    try:
        while True:
            for _ in range(PATIENCE):
                await asyncio.sleep(EVERY)
                if idle() > QUIET:
                    break
            collect()
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
