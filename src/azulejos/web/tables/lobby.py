"""All tables in memory, and the bots that play at them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from azulejos.bots.timed import split_time
from azulejos.web.metrics import Histogram
from azulejos.web.tables.bots import DUST, LONGEST, Asker, Paused, Thinkers, Unanswered
from azulejos.web.tables.faults import DatabaseFault
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
    def __init__(
        self, store: Store, *, seconds: float = THINKING_SECONDS, bots: Histogram | None = None
    ) -> None:
        self.store = store
        self.seconds = seconds
        self._recent: dict[str, LiveTable] = {}
        """Tables kept in memory, the one seen last at the end."""
        self._tables: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """All tables in memory: one that somebody still uses is found here, so there is never a second."""
        self._loading: dict[str, bool] = {}
        """Tables that are being read, and whether other servers have changed them meanwhile."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._closed = False
        self._thinkers = Thinkers()
        self._bot_times = bots or Histogram("")
        self._changed = time.monotonic()

    # --- tables ------------------------------------------------------------------------------------

    async def table(self, name: str) -> LiveTable | None:
        """The table with an id, from memory or from the store. Raises Unreplayable if it is set aside."""
        table = self._tables.get(name) or await self._load(name)
        if table is None:
            return None
        self._keep(table)
        if table.stale:
            await table.refresh()
        if table.ready:  # a new table, or a server stopped before the first draws
            await table.start()
        return table

    async def _load(self, name: str) -> LiveTable | None:
        """Read a table. Notices about it that arrive meanwhile are not lost: it is stale then."""
        self._loading[name] = False
        try:
            saved = await self.store.load(name)
        finally:
            changed = self._loading.pop(name, False)
        if saved is None:
            return None
        table = self._tables.get(name) or self._new(saved)  # it may have been opened meanwhile
        table.stale |= changed
        return table

    async def create(
        self, saved: SavedTable, holders: Iterable[tuple[int, str]], *, rematch_of: str | None = None
    ) -> LiveTable:
        """Create a table; `holders` are the keys of the seats that are taken from the start. The rematch of
        a game is created once; whoever comes second gets that table."""
        name = await self.store.create(saved, holders, rematch_of=rematch_of)
        table = await self.table(name)
        assert table is not None
        return table

    def _new(self, saved: SavedTable) -> LiveTable:
        table = self._tables[saved.id] = LiveTable(self.store, saved)
        table.watchers.add(lambda: self.kick(table))
        return table

    def _keep(self, table: LiveTable) -> None:
        self._recent.pop(table.id, None)
        self._recent[table.id] = table
        unseen = [kept for kept in self._recent.values() if not _in_use(kept)]
        for kept in unseen[: max(0, len(self._recent) - MAX_TABLES)]:
            del self._recent[kept.id]

    def heard(self, name: str) -> None:
        """Another server has changed a table."""
        if name in self._loading:
            self._loading[name] = True
        table = self._tables.get(name)
        if table is not None:
            self._in_background(self._refresh([table]))

    def missed(self) -> None:
        """Other servers may have changed any table: read those that somebody looks at, the others when they
        are needed."""
        tables = list(self._tables.values())
        for table in tables:
            table.stale = True
        self._in_background(self._refresh([table for table in tables if _in_use(table)]))

    async def _refresh(self, tables: Sequence[LiveTable]) -> None:
        for table in tables:
            while not await self._is_fresh(table):
                await asyncio.sleep(RETRY_SECONDS)

    async def _is_fresh(self, table: LiveTable) -> bool:
        """Read a table again; False if it has to be tried later."""
        try:
            await table.refresh()
        except DatabaseFault:
            table.stale = True
            return False
        except (Refused, Unreplayable) as error:
            log.warning("table %s: %s", table.id, error)
        return True

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
            except (Unreplayable, DatabaseFault, Refused) as error:
                log.warning("table %s: %s", name, error)
                continue
            if table is not None:
                self.kick(table)
            await asyncio.sleep(0)

    def kick(self, table: LiveTable) -> None:
        """Check whether a bot is to move at this table; one task plays for all bots of a table."""
        self._changed = time.monotonic()
        if self._closed:
            return
        if table.stale:
            self._in_background(self._refresh([table]))
        elif _bot_word(table) and table.id not in self._tasks:
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
        except (Refused, DatabaseFault) as error:
            log.warning("table %s: the bot's move was not saved: %s", table.id, error)
        finally:
            if _bot_word(table):  # not saved, or another server is thinking: check again later
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self.kick, table)
            table.thinking = None
            self._tasks.pop(table.id, None)

    async def _play_bot(self, table: LiveTable, seat: int, word: str) -> None:
        ply, seconds = table.ply, min(LONGEST, split_time(word)[1] or self.seconds)
        thinking = Thinking(seat=seat, since=now(), seconds=seconds)
        _note(table, thinking)
        asker = Asker(
            owner=await self._owner(table), table=table.id, watched=lambda: table.watched,
            queued=lambda: _note(table, replace(thinking, waiting=True)),
            started=lambda given: _note(
                table, replace(thinking, since=now(), seconds=given, shortened=given < seconds)
            ),
        )
        with self._bot_times.time():
            thought = await self._thinkers.choose(word, table.position.copy(), self.seconds, asker)
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

    def counts(self) -> dict[str, tuple[str, float]]:
        """What there is at the moment, by name: what it is, and how many."""
        pages = sum(len(table.watchers) - 1 for table in self._tables.values())
        queue = self._thinkers.queue
        return {
            "tables": ("Tables in memory.", len(self._tables)),
            "pages": ("Pages that are connected to a table.", pages),
            "bots_waiting": ("Turns of bots that wait for a process.", len(queue.waiting)),
            "bots_thinking": ("Turns of bots that are being thought about.", len(queue.running)),
        }

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


def _in_use(table: LiveTable) -> bool:
    """Whether somebody looks at a table (besides the lobby) or a bot is at it."""
    return len(table.watchers) > 1 or table.thinking is not None


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
