"""Looks for turns at tables over days whose time is up, or that a bot has to play, on any server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import select, update

from azulejos.web.circle.notices import Notices
from azulejos.web.refused import Refused
from azulejos.web.store import schema
from azulejos.web.store.database import OVER_SEAT
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import REMIND, Unreplayable, now
from azulejos.web.store.store import Store
from azulejos.web.tables.lobby import Lobby

EVERY = 5.0
"""Seconds between two looks; a day more or less of them does not matter."""
AT_ONCE = 50
BREATH = 0.1
"""Seconds between two turns: 500 that are due in one minute are dealt with in less than one."""
RETRY = 60_000
"""Milliseconds until a turn is looked at again that could not be dealt with, or that a bot plays."""
NEVER = 2**53

log = logging.getLogger("azulejos.web")


class Deadlines:
    def __init__(self, store: Store, lobby: Lobby, notices: Notices) -> None:
        self._store, self._lobby, self._notices = store, lobby, notices
        self._bots: dict[str, None] = {}
        """Tables where a bot is to move, in the order in which they are played: one at a time."""
        self._bots_wait = asyncio.Event()

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(self._work()), asyncio.create_task(self._play_bots())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self) -> None:
        while True:
            try:
                while await self.look() == AT_ONCE:
                    pass
            except DatabaseFault as error:
                log.warning("the turns that are due could not be read: %s", error)
            await asyncio.sleep(EVERY)

    async def look(self) -> int:
        """Deal with some turns that are due; how many there were."""
        turns = schema.turns.c
        due = await self._store.rows(
            select(schema.turns).where(turns.due <= now(), turns.seat != OVER_SEAT).order_by(turns.due)
            .limit(AT_ONCE)
        )
        for row in due:
            try:
                await self._pass(row)
            except (Refused, Unreplayable, DatabaseFault) as error:
                log.warning("table %s: its clock could not act: %s", row.table_id, error)
                await self._again(row, now() + RETRY)
            await asyncio.sleep(BREATH)  # moves at other tables come first
        return len(due)

    async def _pass(self, row: Any) -> None:
        table = await self._lobby.table(row.table_id)
        if table is None or not table.playing:
            await self._again(row, NEVER)
            return
        left = table.seconds_left()
        if left is not None and left > 0:
            await self._again(row, now() + round(1000 * left))
            return
        if left is not None:
            await table.check_clock()
            if table.playing:
                await self._notices.lapsed(table.id, row.seat, row.entries)
        reminded = left is not None and table.saved.at_zero == REMIND
        await self._again(row, NEVER if reminded else now() + RETRY)
        if not reminded:
            self._bots[table.id] = None
            self._bots_wait.set()

    async def _play_bots(self) -> None:
        """One table after the other: 500 at once would keep all others from the bots, and nobody waits."""
        while True:
            await self._bots_wait.wait()
            name = next(iter(self._bots), None)
            if name is None:
                self._bots_wait.clear()
                continue
            del self._bots[name]
            try:
                table = await self._lobby.table(name)
                if table is not None:
                    await self._lobby.play_unwatched(table)
            except (Refused, Unreplayable, DatabaseFault) as error:
                log.warning("table %s: its bot could not play: %s", name, error)

    async def _again(self, row: Any, due: int) -> None:
        """When to look at this turn again, unless the table has gone on."""
        turns = schema.turns.c
        change = (
            update(schema.turns).where(turns.table_id == row.table_id, turns.entries == row.entries)
            .values(due=due)
        )
        await self._store.database.write(lambda connection: connection.execute(change))
