"""Pictures for pages, drawn in this process. Saving comes before showing."""

from __future__ import annotations

import asyncio
import gc
import itertools
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from azulejos.web.drawing import drawing_of
from azulejos.web.picture import LOG_LINES, Viewer
from azulejos.web.sheet import Sheet
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.store import Store

Send = Callable[[bytes], Awaitable[None]]

_pages = itertools.count(1)


@dataclass(kw_only=True, eq=False)
class Page:
    """A page that looks at a table, and what it shows: wherever it is drawn next, it goes on from there."""

    room: LiveTable
    viewer: Viewer
    id: int = field(default_factory=lambda: next(_pages))
    ply: int | None = None
    logged: int | None = None
    """Lines of the log."""
    sheet: Sheet | None = None

    def own_sheet(self) -> Sheet:
        if self.sheet is None:
            self.sheet = Sheet(self.room, self.viewer, ply=self.ply, logged=self.logged)
        return self.sheet


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
        """Seconds since something was shown."""
        return time.monotonic() - self._last

    async def show(self, page: Page, looking: int | None, send: Send) -> None:
        """Send every moment that the page has not shown yet, or one that it looks back at."""
        if page.logged is None:
            await drawing_of(page.room).prepare(LOG_LINES)
        last = False
        while not last:
            async with self._turn:
                await self._store.at_rest()
                self._last = time.monotonic()
                sheet = page.own_sheet()
                made, last = sheet.next(page.room, looking)
                page.ply, page.logged = sheet.ply, sheet.logged
                await asyncio.sleep(0)
            await send(made)

    def tidy(self) -> None:
        """Nobody waits: a good moment to collect rubbish."""
        gc.collect()

    def leave(self, page: Page) -> None:
        """Nobody looks at this page any more."""

    async def close(self) -> None:
        """Nothing is drawn any more."""
