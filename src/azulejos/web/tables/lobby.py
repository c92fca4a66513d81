"""All tables in memory, and the bots that play at them."""

from __future__ import annotations

import asyncio
import logging

from azulejos.bots.timed import split_time
from azulejos.web.easel import Easel
from azulejos.web.garbage import collect_when_quiet
from azulejos.web.studio import Studio, spare_core
from azulejos.web.tables.bots import Thinkers
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.refused import Refused
from azulejos.web.tables.saved import SavedTable, now
from azulejos.web.tables.store import Store
from azulejos.web.tables.table_state import Thinking

THINKING_SECONDS = 2.0
RETRY_SECONDS = 2.0
MAX_ROOMS = 2000
"""Tables kept in memory; the longest unseen ones are forgotten first and read again when needed."""

log = logging.getLogger("azulejos.web")


class Lobby:
    def __init__(self, store: Store, *, seconds: float = THINKING_SECONDS) -> None:
        self.store = store
        self.seconds = seconds
        self.easel = Easel(store)
        self._rooms: dict[str, LiveTable] = {}
        self._opening = asyncio.Lock()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._refreshing: set[asyncio.Task[None]] = set()
        self._closed = False
        self._thinkers = Thinkers()
        self._upkeep: asyncio.Task[None] | None = None

    # --- rooms -------------------------------------------------------------------------------------

    async def room(self, table: str) -> LiveTable | None:
        """The table of an id, from memory or from the store."""
        async with self._opening:
            if table in self._rooms:
                self._rooms[table] = self._rooms.pop(table)
                return self._rooms[table]
            saved = await self.store.load(table)
            return None if saved is None else self._keep(saved)

    async def create(self, saved: SavedTable, holder: dict[int, str]) -> LiveTable:
        """A new table; `holder` gives the key of each seat that is taken from the beginning."""
        await self.store.create(saved)
        for seat, key in holder.items():
            await self.store.give_key(saved.id, seat, key)
        room = self._keep(saved)
        await room.start()
        self.kick(room)
        return room

    def _keep(self, saved: SavedTable) -> LiveTable:
        room = self._rooms[saved.id] = LiveTable(self.store, saved)
        room.watchers.add(lambda: self.kick(room))
        unseen = [kept for kept in self._rooms.values() if len(kept.watchers) == 1 and not kept.thinking]
        for kept in unseen[: max(0, len(self._rooms) - MAX_ROOMS)]:
            del self._rooms[kept.id]
        return room

    def heard(self, table: str) -> None:
        """Another server has changed a table."""
        room = self._rooms.get(table)
        if room is not None:
            task = asyncio.get_running_loop().create_task(room.refresh())
            self._refreshing.add(task)
            task.add_done_callback(self._refreshing.discard)

    # --- bots --------------------------------------------------------------------------------------

    async def wake_up(self) -> None:
        """After a restart every table goes on where it was."""
        for table in await self.store.running():
            room = await self.room(table)
            if room is not None:
                self.kick(room)

    def kick(self, room: LiveTable) -> None:
        """See whether a bot is to move at this table; one task plays for all bots of a table."""
        if _bot_word(room) and room.id not in self._tasks and not self._closed:
            task = asyncio.get_running_loop().create_task(self._play_bots(room))
            self._tasks[room.id] = task

    async def _play_bots(self, room: LiveTable) -> None:
        try:
            async with self.store.claim(room.id) as ours:
                while ours and (word := _bot_word(room)):
                    await self._play_bot(room, room.position.to_move, word)
        except Refused as refused:
            log.warning("table %s: the bot's move was not saved: %s", room.id, refused)
        finally:
            if _bot_word(room):  # not saved, or another server thinks: see again whether it still does
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self.kick, room)
            room.thinking = None
            self._tasks.pop(room.id, None)

    async def _play_bot(self, room: LiveTable, seat: int, word: str) -> None:
        ply, own_time = room.ply, split_time(word)[1]
        room.thinking = Thinking(seat=seat, since=now(), seconds=own_time or self.seconds)
        room.changed()
        thought = await self._thinkers.choose(word, room.position.copy(), self.seconds)
        room.thinking = None
        room.last_search = (ply, thought.nodes)
        if room.seats[seat].bot == word:
            await room.bot_plays(ply, thought.action)

    # --- opening and closing ------------------------------------------------------------------------

    def settle_in(self) -> None:
        """For a server with a process of its own: what it does beside serving."""
        self._thinkers.warm_up()
        if spare_core():
            self.easel = studio = Studio(self.store)
            studio.start()
        quiet = collect_when_quiet(self.easel.idle, self.easel.tidy)
        self._upkeep = asyncio.get_running_loop().create_task(quiet)

    async def close(self) -> None:
        self._closed = True
        if self._upkeep is not None:
            self._upkeep.cancel()
        for task in list(self._tasks.values()):
            task.cancel()
        for refreshing in list(self._refreshing):
            refreshing.cancel()
        await self.easel.close()
        await self._thinkers.close()


def _bot_word(room: LiveTable) -> str:
    """The bot that is to move at a table, or nothing."""
    seat = room.position.to_move
    return room.seats[seat].bot if room.playing and seat >= 0 else ""
