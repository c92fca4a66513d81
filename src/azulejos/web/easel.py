"""Who draws when: one moment at a time, and everybody else between two of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Easel:
    """One moment is drawn at a time; before the next, whatever has arrived meanwhile is heard and answered.

    Drawing takes a millisecond of the only thread. Under load the pictures come later, but whoever played
    hears at once that the move counts. It cannot last: a player waits for a picture to play on.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._last = time.monotonic()

    def idle(self) -> float:
        """Seconds since something was drawn."""
        return time.monotonic() - self._last

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        async with self._turn:
            self._last = time.monotonic()
            yield
            await asyncio.sleep(0)
