"""Who draws when: saving comes before showing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from azulejos.web.store import Store


class Easel:
    """One moment is drawn at a time, and none while moves are saved; what arrives is heard in between.

    Drawing takes a millisecond of the interpreter, which whoever saves needs too. Under load pictures come
    later, but whoever played hears soon that the move counts. It cannot last: a player waits for a picture
    to play on.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turn = asyncio.Lock()
        self._last = time.monotonic()

    def idle(self) -> float:
        """Seconds since something was drawn."""
        return time.monotonic() - self._last

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        async with self._turn:
            await self._store.at_rest()
            self._last = time.monotonic()
            yield
            await asyncio.sleep(0)
