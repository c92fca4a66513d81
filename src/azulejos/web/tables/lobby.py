"""All tables in memory, and the bots that play at them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any

from azulejos.bots.timed import split_time
from azulejos.web.tables.bots import DUST, LONGEST, Asker, Paused, Thinkers, Unanswered
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.refused import Refused
from azulejos.web.tables.saved import SavedTable, Unreplayable, now
from azulejos.web.tables.store import Store
from azulejos.web.tables.table_state import Thinking

THINKING_SECONDS = 2.0
RETRY_SECONDS = 2.0
MAX_TABLES = 2000
"""Tables kept in memory; those not seen for longest are dropped first and read again when needed."""

log = logging.getLogger("azulejos.web")


class Lobby:
    def __init__(self, store: Store, *, seconds: float = THINKING_SECONDS) -> None:
        self.store = store
        self.seconds = seconds
        self._tables: dict[str, LiveTable] = {}
        self._opening = asyncio.Lock()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._closed = False
        self._thinkers = Thinkers()
        self._changed = time.monotonic()

    # --- tables ------------------------------------------------------------------------------------

    async def table(self, name: str) -> LiveTable | None:
        """The table with an id, from memory or from the store. Raises Unreplayable if it is set aside."""
        async with self._opening:
            if name in self._tables:
                self._tables[name] = self._tables.pop(name)
                return self._tables[name]
            saved = await self.store.load(name)
            return None if saved is None else self._keep(saved)

    async def create(self, saved: SavedTable, holder: dict[int, str]) -> LiveTable:
        """Create a table; `holder` gives the key of each seat that is taken from the start."""
        await self.store.create(saved)
        for seat, key in holder.items():
            await self.store.give_key(saved.id, seat, key)
        table = self._keep(saved)
        await table.start()
        self.kick(table)
        return table

    def _keep(self, saved: SavedTable) -> LiveTable:
        table = self._tables[saved.id] = LiveTable(self.store, saved)
        table.watchers.add(lambda: self.kick(table))
        unseen = [kept for kept in self._tables.values() if len(kept.watchers) == 1 and not kept.thinking]
        for kept in unseen[: max(0, len(self._tables) - MAX_TABLES)]:
            del self._tables[kept.id]
        return table

    def heard(self, name: str) -> None:
        """Another server has changed a table."""
        table = self._tables.get(name)
        if table is not None:
            self._in_background(table.refresh())

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    # --- bots --------------------------------------------------------------------------------------

    async def wake_up(self) -> None:
        """After a restart, bots go on where they were. Other tables are read when somebody opens them."""
        waiting = await self.store.waiting_for_bots()
        self._in_background(self._wake(waiting))

    async def _wake(self, names: Sequence[str]) -> None:
        for name in names:
            try:
                table = await self.table(name)
            except Unreplayable as error:
                log.warning("set aside: %s", error)
                continue
            if table is not None:
                self.kick(table)
            await asyncio.sleep(0)

    def kick(self, table: LiveTable) -> None:
        """Check whether a bot is to move at this table; one task plays for all bots of a table."""
        self._changed = time.monotonic()
        if _bot_word(table) and table.id not in self._tasks and not self._closed:
            task = asyncio.get_running_loop().create_task(self._play_bots(table))
            self._tasks[table.id] = task

    async def _play_bots(self, table: LiveTable) -> None:
        try:
            async with self.store.claim(table.id) as ours:
                while ours and (word := _bot_word(table)):
                    await self._play_bot(table, table.position.to_move, word)
        except Paused:
            pass
        except Unanswered as error:
            log.error("table %s: a bot did not answer and is asked again: %s", table.id, error)
        except Refused as refused:
            log.warning("table %s: the bot's move was not saved: %s", table.id, refused)
        finally:
            if _bot_word(table):  # not saved, or another server is thinking: check again later
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self.kick, table)
            table.thinking = None
            self._tasks.pop(table.id, None)

    async def _play_bot(self, table: LiveTable, seat: int, word: str) -> None:
        ply, seconds = table.ply, min(LONGEST, split_time(word)[1] or self.seconds)
        thinking = Thinking(seat=seat, since=now(), seconds=seconds)
        _note(table, thinking)
        thought = await self._thinkers.choose(word, table.position.copy(), self.seconds, Asker(
            owner=await self._owner(table), table=table.id, watched=lambda: table.watched,
            queued=lambda: _note(table, replace(thinking, waiting=True)),
            started=lambda given: _note(
                table, replace(thinking, since=now(), seconds=given, shortened=given < seconds)
            ),
        ))
        table.thinking = None
        table.last_search = (ply, thought.nodes)
        if table.seats[seat].bot == word:
            await table.bot_plays(ply, thought.action)

    async def _owner(self, table: LiveTable) -> str:
        """The visitor who pays for the bots of a table: one of its players; nobody's tables share."""
        if table.owner is None:
            table.owner = min((key for _, key in await self.store.holders(table.id)), default="")
        return table.owner

    def watched(self, table: LiveTable) -> None:
        """Somebody has opened a table: its bots go on."""
        self._thinkers.look_again()
        self.kick(table)

    # --- opening and closing ------------------------------------------------------------------------

    def warm_up(self) -> None:
        """Compile the bots' code in a separate process."""
        self._thinkers.warm_up()

    def idle(self) -> float:
        """Seconds since something last happened at any table."""
        return time.monotonic() - self._changed

    async def close(self) -> None:
        self._closed = True
        for task in list(self._tasks.values()):
            task.cancel()
        for work in list(self._background):
            work.cancel()
        await self._thinkers.close()


def _bot_word(table: LiveTable) -> str:
    """The name of the bot that is to move at a table, or an empty text. A bot that has to think pauses
    while nobody looks at the table."""
    seat = table.position.to_move
    word = table.seats[seat].bot if table.playing and seat >= 0 else ""
    return word if word == DUST.word or table.watched else ""


def _note(table: LiveTable, thinking: Thinking) -> None:
    """Show what the bot does, if that is not shown yet."""
    shown = table.thinking
    if shown is None or replace(thinking, since=shown.since) != shown:
        table.thinking = thinking
        table.changed()
