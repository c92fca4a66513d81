"""Who draws when: saving comes before showing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from azulejos.web.store import Store


class Easel:
    """One moment is drawn at a time, and none while moves are being saved.

    Drawing takes some milliseconds of the only thread. Under load the pictures come later, but whoever
    played hears at once that the move counts. It cannot last: a player waits for a picture to play on.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        async with self._turn:
            await self._store.at_rest()
            yield
            await asyncio.sleep(0)
