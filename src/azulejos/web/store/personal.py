"""What visitors have practised (`insight.progress`), one document for the key of each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection, delete, select, text, update

from azulejos.insight.progress import Progress, merged, read, written
from azulejos.web.refused import FULL, Refused
from azulejos.web.store import schema
from azulejos.web.store.saved import now
from azulejos.web.store.store import Store

P = ParamSpec("P")
T = TypeVar("T")

_BEGIN = text(
    "INSERT INTO progress (key, changed, document) VALUES (:key, :changed, :document) "
    "ON CONFLICT DO NOTHING"
)

KEPT = 100
"""Documents in memory."""


class Apart(Protocol):
    """Runs a function away from the event loop."""

    async def __call__(self, work: Callable[P, T], /, *args: P.args, **names: P.kwargs) -> T: ...


class Personal:
    """Reads and merges the documents of visitors."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[str, tuple[float, Progress]] = {}

    async def of(self, key: str, *, apart: Apart = asyncio.to_thread) -> Progress:
        """Everything of a visitor. Reading a full document takes 50 ms, so it is done away from the event
        loop, and once for several pages."""
        columns = schema.progress.c
        changed = await self._store.rows(select(columns.changed).where(columns.key == key))
        if not changed:
            return Progress()
        known = self._kept.get(key)
        return known[1] if known and known[0] == changed[0].changed else await self._read(key, apart)

    async def _read(self, key: str, apart: Apart) -> Progress:
        columns = schema.progress.c
        rows = await self._store.rows(select(columns.changed, columns.document).where(columns.key == key))
        if not rows:
            return Progress()
        found = await apart(read, rows[0].document)
        self._kept[key] = float(rows[0].changed), found
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return found

    async def add(self, key: str, entries: Progress, *, apart: Apart = asyncio.to_thread,
                  may_grow: Callable[[int], bool] = lambda size: True) -> Progress:
        """Merge entries into the document of a visitor; return all of it. Refused if it may not grow.

        Merging a full document takes 80 ms, for which no transaction is held up: it is done in between, and
        done again if another tab or server was faster, so that entries of both are kept.
        """
        columns = schema.progress.c
        while True:
            rows = await self._store.rows(select(columns.document).where(columns.key == key))
            known = str(rows[0].document) if rows else None
            found, text = await apart(_merged_text, known, entries)
            if not may_grow(len(text) - len(known or "")):
                raise Refused(FULL)
            if await self._replace(key, known, text):
                return found

    async def _replace(self, key: str, known: str | None, text: str) -> bool:
        """Write a document, unless it is no longer the one that was read."""
        columns, when = schema.progress.c, now() / 1000

        def act(connection: Connection) -> bool:
            given = {"key": key, "changed": when, "document": text}
            if known is None:
                return connection.execute(_BEGIN, given).rowcount == 1
            return connection.execute(
                update(schema.progress).where(columns.key == key, columns.document == known)
                .values(document=text, changed=when)
            ).rowcount == 1

        self._kept.pop(key, None)
        return await self._store.database.write(act)

    async def forget(self, key: str) -> None:
        """Remove everything."""
        self._kept.pop(key, None)
        await self._store.database.write(
            lambda connection: connection.execute(
                delete(schema.progress).where(schema.progress.c.key == key)
            )
        )


def _merged_text(known: str | None, entries: Progress) -> tuple[Progress, str]:
    found = merged(Progress() if known is None else read(known), entries)
    return found, written(found).decode()
