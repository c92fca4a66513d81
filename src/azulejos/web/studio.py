"""Pictures for pages, drawn by a process of its own: this one has its hands free for those who play.

Whenever that process is not there (not yet, or not any more) this one draws.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass, field

import msgspec

from azulejos.web.drawer import HEAD, Forget, Leave, Show, Shown, Task, Tidy, packed
from azulejos.web.easel import Easel, Page, Send
from azulejos.web.tables.store import Store

KEPT_TABLES = 2000
"""The drawing process forgets the longest unseen ones first; they are told again when they are shown."""

PATIENCE = 10.0
"""Seconds without any answer to a question, after which the process is taken for lost."""

PAUSE = 1.0
"""Seconds before another process is started in place of one that ended."""

log = logging.getLogger("azulejos.web")


class Gone(Exception):
    """The drawing process has ended before it answered."""


@dataclass(slots=True)
class Told:
    """What the drawing process knows of a table: so many actions, and what these pages show."""

    ply: int = 0
    pages: set[int] = field(default_factory=set)


def spare_core() -> bool:
    """Whether a second process has a core to draw on."""
    mine = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    return len(mine) > 1


class Studio(Easel):
    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._process: Process | None = None
        self._ready = False
        self._told: dict[str, Told] = {}
        self._asked: dict[int, asyncio.Future[Shown]] = {}
        self._heard = 0.0
        self._keeping: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._keeping = asyncio.get_running_loop().create_task(self._keep())

    @property
    def pid(self) -> int | None:
        """Of the process that draws, while it does."""
        return self._process.pid if self._ready and self._process is not None else None

    # --- showing -----------------------------------------------------------------------------------

    async def show(self, page: Page, looking: int | None, send: Send) -> None:
        self._last = time.monotonic()
        try:
            shown = await self._ask(page, looking)
        except Gone:
            await super().show(page, looking, send)
            return
        page.ply, page.logged, page.sheet = shown.ply, shown.logged, None
        for made in shown.frames:
            await send(made)

    async def _ask(self, page: Page, looking: int | None) -> Shown:
        if not self._ready:
            raise Gone
        known = self._told[page.room.id] = self._told.pop(page.room.id, Told())
        self._tell(Show(
            page=page.id, viewer=page.viewer, looking=looking, ply=page.ply, logged=page.logged,
            news=page.room.news(known.ply),
        ))
        known.ply = page.room.ply
        known.pages.add(page.id)
        self._forget_the_oldest()
        if not self._asked:
            self._heard = time.monotonic()
        answer: asyncio.Future[Shown] = asyncio.get_running_loop().create_future()
        self._asked[page.id] = answer
        try:
            shown = await answer
        finally:
            self._asked.pop(page.id, None)
        if not shown.frames:
            raise RuntimeError(f"table {page.room.id} could not be drawn")
        return shown

    def leave(self, page: Page) -> None:
        known = self._told.get(page.room.id)
        if known is None or page.id not in known.pages:
            return
        known.pages.discard(page.id)
        if known.pages:
            self._tell(Leave(page=page.id, table=page.room.id))
        else:
            self._forget(page.room.id)

    def _forget_the_oldest(self) -> None:
        while len(self._told) > KEPT_TABLES:
            self._forget(next(iter(self._told)))

    def _forget(self, table: str) -> None:
        del self._told[table]
        self._tell(Forget(table=table))

    def tidy(self) -> None:
        super().tidy()
        self._tell(Tidy())

    # --- the process -------------------------------------------------------------------------------

    def _tell(self, task: Task) -> None:
        if self._ready and self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(packed(task))

    async def _keep(self) -> None:
        """Have a process that draws, one after the other."""
        while True:
            try:
                await self._run()
            except Exception:
                log.exception("there is no process to draw with")
            await asyncio.sleep(PAUSE)

    async def _run(self) -> None:
        """One process, from its beginning to its end."""
        process = self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "azulejos.web.drawer", stdin=PIPE, stdout=PIPE, limit=2**20
        )
        watching = asyncio.get_running_loop().create_task(self._watch(process))
        try:
            await self._listen(process)
            log.warning("the drawing process ended; another one follows")
        finally:
            watching.cancel()
            self._lose()
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        decode = msgspec.msgpack.Decoder(Shown).decode
        try:
            while True:
                size = int.from_bytes(await process.stdout.readexactly(HEAD), "big")
                shown = decode(await process.stdout.readexactly(size))
                self._heard = time.monotonic()
                self._ready = True
                answer = self._asked.get(shown.page)
                if answer is not None and not answer.done():
                    answer.set_result(shown)
        except asyncio.IncompleteReadError:
            return

    async def _watch(self, process: Process) -> None:
        """End a process that does not answer."""
        while True:
            await asyncio.sleep(PATIENCE / 4)
            if self._asked and time.monotonic() - self._heard > PATIENCE:
                log.error("the drawing process does not answer")
                process.kill()
                return

    def _lose(self) -> None:
        """Whoever waits for a picture gets it from here."""
        self._ready = False
        self._told.clear()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(Gone())

    async def close(self) -> None:
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
