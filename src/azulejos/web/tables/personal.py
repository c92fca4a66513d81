"""What visitors have practised (`insight.progress`), one document for the key of each."""

from __future__ import annotations

import asyncio

from sqlalchemy import Connection, delete, select, text, update

from azulejos.insight.progress import Progress, merged, read, written
from azulejos.web.tables import schema
from azulejos.web.tables.saved import now
from azulejos.web.tables.store import Store

_BEGIN = text(
    "INSERT INTO progress (key, changed, document) VALUES (:key, :changed, :document) "
    "ON CONFLICT DO NOTHING"
)

KEPT = 100
"""Documents in memory."""


class Personal:
    """Reads and merges the documents of visitors."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[str, tuple[float, Progress]] = {}

    async def of(self, key: str) -> Progress:
        """Everything of a visitor. Reading a full document takes 50 ms, so it is done away from the event
        loop, and once for several pages."""
        columns = schema.progress.c
        changed = await self._store.rows(select(columns.changed).where(columns.key == key))
        if not changed:
            return Progress()
        known = self._kept.get(key)
        return known[1] if known and known[0] == changed[0].changed else await self._read(key)

    async def _read(self, key: str) -> Progress:
        columns = schema.progress.c
        rows = await self._store.rows(select(columns.changed, columns.document).where(columns.key == key))
        if not rows:
            return Progress()
        found = await asyncio.to_thread(read, rows[0].document)
        self._kept[key] = float(rows[0].changed), found
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return found

    async def add(self, key: str, entries: Progress) -> Progress:
        """Merge entries into the document of a visitor; return all of it.

        The row is locked from reading to writing, so that entries from two tabs or servers are both kept.
        """
        columns = schema.progress.c

        def act(connection: Connection) -> Progress:
            first = {"key": key, "changed": now() / 1000, "document": written(Progress()).decode()}
            connection.execute(_BEGIN, first)
            known = connection.execute(
                select(columns.document).where(columns.key == key).with_for_update()
            ).scalar_one()
            found = merged(read(known), entries)
            connection.execute(
                update(schema.progress).where(columns.key == key)
                .values(document=written(found).decode(), changed=now() / 1000)
            )
            return found

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
