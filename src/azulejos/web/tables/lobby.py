"""All tables in memory, and the bots that play at them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from azulejos.bots.words import split_time
from azulejos.web.metrics import Histogram
from azulejos.web.refused import Refused
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import BOT, REMIND, SavedTable, Unreplayable, now
from azulejos.web.store.store import Store
from azulejos.web.tables.advice import Advice
from azulejos.web.tables.fair_deal import bot_seed
from azulejos.web.tables.live_table import NUMBERS_SECONDS, LiveTable, Thinking, new_table
from azulejos.web.tables.people import AWAY_AFTER, BEATS
from azulejos.web.tables.thinking_pages import Away, level_of, page_for
from azulejos.web.work.bots import DUST, LONGEST, Asker, FixedEffort, Thought, choose
from azulejos.web.work.pool import Crowded, Lane, Paused, Pool, Unanswered

THINKING_SECONDS = 2.0
RETRY_SECONDS = 2.0
CLOCK_MARGIN = 0.005
"""Seconds after 0:00 at which a clock is looked at: then it has run out for certain."""
MAX_TABLES = 2000
"""Tables kept in memory; those not seen for longest are dropped first and read again when needed."""

log = logging.getLogger("azulejos.web")


class Lobby:
    def __init__(
        self, store: Store, *, seconds: float = THINKING_SECONDS, away_after: float = AWAY_AFTER,
        bots: Histogram | None = None, thinks_ahead: bool = False, pool: Pool | None = None,
    ) -> None:
        self.store = store
        self.seconds = seconds
        self.away_after = away_after
        self._clocks: dict[str, asyncio.TimerHandle] = {}
        """Tables whose running clock is waited for."""
        self._beginning: dict[str, asyncio.TimerHandle] = {}
        """Tables whose players are given time to add numbers to the draws."""
        self._recent: dict[str, LiveTable] = {}
        """Tables kept in memory, the one seen last at the end."""
        self._tables: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """All tables in memory: one that somebody still uses is found here, so there is never a second."""
        self._loading: dict[str, bool] = {}
        """Tables that are being read, and whether other servers have changed them meanwhile."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._unwatched: set[str] = set()
        """Tables over days whose bots play although nobody looks."""
        self._closed = False
        self.ranked_over: Callable[[], None] = lambda: None
        """Called when a ranked game has ended."""
        self.over: Callable[[], None] = lambda: None
        """Called when any game has ended."""
        self.turned: Callable[[], None] = lambda: None
        """Called when something has happened at a table over days."""
        self.pool = pool or Pool()
        """Closed with the lobby."""
        self.advice = Advice(self.pool, ahead=thinks_ahead)
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
        if name in self._tables:  # it was opened meanwhile
            return self._tables[name]
        table = self._new(saved)
        table.stale |= changed
        await table.people.catch_up()
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
        table = self._tables[saved.id] = LiveTable(self.store, saved, away_after=self.away_after)
        table.watchers.add(lambda: self.kick(table))
        table.opens_rematch = lambda: self._open_rematch(table)
        return table

    async def _open_rematch(self, table: LiveTable) -> None:
        """The next game of a finished table, with the same players, each one seat further."""
        old, count = table.saved, table.saved.players
        turned = [table.seats[(i + 1) % count] for i in range(count)]
        seats = tuple(
            replace(seat, seat=i, bot=seat.bot if seat.kind == BOT else "", guest="", number="")
            for i, seat in enumerate(turned)
        )
        saved = new_table(
            old.box, seats, old.options, listed=old.listed, minutes=old.minutes, at_zero=old.at_zero,
            replace_after=old.replace_after, chat=old.chat, mixed=old.mixed, days=old.days,
            takes_back=old.takes_back, helps=old.helps, rated=old.rated, programs=old.programs,
            circle=old.circle,
        )
        holders = [((seat - 1) % count, key) for seat, key in await self.store.holders(table.id)]
        new = await self.create(saved, holders, rematch_of=table.id)
        async with table.lock:  # what is being read of the table at this moment may be older
            table.saved = replace(table.saved, rematch=new.id)
        table.changed()

    def _keep(self, table: LiveTable) -> None:
        self._recent.pop(table.id, None)
        self._recent[table.id] = table
        unseen = [
            kept for kept in self._recent.values() if not _in_use(kept) and kept.id not in self._clocks
        ]
        for kept in unseen[: max(0, len(self._recent) - MAX_TABLES)]:
            del self._recent[kept.id]

    def heard(self, name: str) -> None:
        """Another server has changed a table."""
        if name in self._loading:
            self._loading[name] = True
        table = self._tables.get(name)
        if table is not None and _is_followed(table):
            self._in_background(self._refresh([table]))
        elif table is not None:
            table.stale = True

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
        """After a restart, bots go on where they were. Tables where they would pause, because nobody looks,
        and all others are read when somebody opens them: the start does not depend on their number."""
        self._in_background(self._wake_all())
        if self.away_after:
            self._in_background(self._keep_in_touch())

    async def _wake_all(self) -> None:
        try:
            bots = await self.store.waiting_for_bots(DUST.word)
            await self._wake([*bots, *await self.store.with_running_clocks()])
        except DatabaseFault as error:
            log.warning("the tables that wait for bots could not be read: %s", error)

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
        self._wind(table)
        if table.over and table.ranked:
            self.ranked_over()
        if table.over:
            self.over()
        if table.saved.days:
            self.turned()
        self.advice.look(table)
        if table.stale:
            self._in_background(self._refresh([table]))
        elif self._bot_word(table) and table.id not in self._tasks:
            self._tasks[table.id] = asyncio.get_running_loop().create_task(self._play_bots(table))

    async def play_unwatched(self, table: LiveTable) -> None:
        """Play for the bots of a table over days, although nobody looks: its people come back tomorrow.
        Whoever calls this lets few tables do so at the same time, as nobody waits."""
        if not table.saved.days or table.id in self._tasks or self._closed:
            return
        self._unwatched.add(table.id)
        task = self._tasks[table.id] = asyncio.get_running_loop().create_task(self._play_bots(table))
        try:
            await asyncio.wait([task])
        finally:
            self._unwatched.discard(table.id)

    def _bot_word(self, table: LiveTable) -> str:
        """The name of the bot that is to move at a table, or an empty text. A bot that has to think pauses
        while nobody looks at the table, unless that is allowed for."""
        seat = table.position.to_move
        word = table.seats[seat].bot if table.playing and seat >= 0 else ""
        return word if word == DUST.word or self._goes_on(table) else ""

    def _goes_on(self, table: LiveTable) -> bool:
        return table.watched or table.id in self._unwatched

    async def _play_bots(self, table: LiveTable) -> None:
        try:
            async with self.store.claim(table.id) as ours:
                while ours and (word := self._bot_word(table)):
                    await self._play_bot(table, table.position.to_move, word)
        except Paused:
            pass
        except (Unanswered, Crowded) as error:
            log.error("table %s: a bot did not answer and is asked again: %s", table.id, error)
        except (Refused, DatabaseFault) as error:
            log.warning("table %s: the bot's move was not saved: %s", table.id, error)
        finally:
            # not saved, or another server is thinking: check again later
            if self._bot_word(table) and table.id not in self._unwatched:
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self.kick, table)
            table.thinking = None
            self._tasks.pop(table.id, None)

    async def _play_bot(self, table: LiveTable, seat: int, word: str) -> None:
        entries = table.log.course
        ply, seconds = table.ply, min(LONGEST, split_time(word)[1] or self.seconds)
        thinking = Thinking(seat=seat, since=now(), seconds=seconds)
        _note(table, thinking)
        asker = Asker(
            owner=await self._owner(table), table=table.id,
            watched=lambda: self._goes_on(table),
            queued=lambda: _note(table, replace(thinking, waiting=True)),
            started=lambda given: _note(
                table, replace(thinking, since=now(), seconds=given, shortened=given < seconds)
            ),
        )
        with self._bot_times.time():
            thought = in_page = await self._thought_in_page(table, word, seconds)
            if thought is None:
                thought = await choose(
                    self.pool, word, table.position.copy(), self.seconds, asker,
                    effort=effort_of(table.saved, ply), unhurried=not table.watched,
                )
        table.thinking = None
        await self.advice.let_speak(table)
        table.last_search = (ply, thought.nodes)
        if table.seats[seat].bot == word:
            await table.bot_plays(entries, thought.action, in_page=in_page is not None)

    async def _thought_in_page(self, table: LiveTable, word: str, seconds: float) -> Thought | None:
        """What the page of the only person at a table finds; None if none answers."""
        page, level = page_for(table, word), level_of(word)
        if page is None or level is None:
            return None
        try:
            return await page.choose(table.position.copy(), level.word, seconds)
        except Away as away:
            log.info("table %s: the server thinks instead of a page: %s", table.id, away)
            return None

    async def _owner(self, table: LiveTable) -> str:
        """The visitor who pays for the bots of a table: one of its players; nobody's tables share."""
        if table.owner is None:
            table.owner = min((key for _, key in await self.store.holders(table.id)), default="")
        return table.owner

    def watched(self, table: LiveTable) -> None:
        """Somebody has opened a table: its bots go on."""
        self.pool.look_again()
        self.kick(table)

    # --- clocks and people ---------------------------------------------------------------------------

    def _wind(self, table: LiveTable) -> None:
        """Look at the table again when its running clock reaches 0:00, even if nobody is connected."""
        self._begin_late(table)
        running = self._clocks.pop(table.id, None)
        if running is not None:
            running.cancel()
        left = None if table.saved.days else table.seconds_left()  # days: circle/deadlines.py
        waits = left is not None and (left > 0 or table.saved.at_zero != REMIND)
        if waits and not self._closed:
            self._clocks[table.id] = asyncio.get_running_loop().call_later(
                max(0.0, left or 0.0) + CLOCK_MARGIN, self._in_background_check, table
            )

    def _begin_late(self, table: LiveTable) -> None:
        """Begin a game although players who could have added a number to its draws are silent."""
        if table.ready_since is not None and table.awaited and table.id not in self._beginning:
            self._beginning[table.id] = asyncio.get_running_loop().call_later(
                NUMBERS_SECONDS + CLOCK_MARGIN, self._begin_now, table
            )

    def _begin_now(self, table: LiveTable) -> None:
        del self._beginning[table.id]
        self._in_background(self._try_to_begin(table))

    async def _try_to_begin(self, table: LiveTable) -> None:
        try:
            await table.start()
        except (Refused, DatabaseFault) as refused:  # somebody else has begun it, or the store is away
            log.warning("table %s: its game could not begin: %s", table.id, refused)
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.kick, table)

    def _in_background_check(self, table: LiveTable) -> None:
        self._clocks.pop(table.id, None)
        self._in_background(self._check_clock(table))

    async def _check_clock(self, table: LiveTable) -> None:
        try:
            await table.check_clock()
        except (Refused, DatabaseFault) as refused:  # somebody has moved, or the store is away
            log.warning("table %s: its clock could not act: %s", table.id, refused)
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.kick, table)

    async def _keep_in_touch(self) -> None:
        """Tell the other servers again and again who is connected here, and hear from them."""
        while True:
            await asyncio.sleep(self.away_after / BEATS)
            try:
                await self.beat()
            except DatabaseFault as error:
                log.warning("who is connected was not noted: %s", error)

    async def beat(self) -> None:
        tables = self._tables.values()
        here = [(table.id, seat) for table in tables for seat in table.people.attendance.connected()]
        await self.store.company.see(here)
        lately = now() - round(self.away_after * 1000)
        for name, seat, at in await self.store.company.seen_since(lately):
            table = self._tables.get(name)
            if table is not None and table.people.seen(seat, at):
                table.changed()
        clocks = await self.store.with_running_clocks()
        await self._wake([name for name in clocks if name not in self._tables])

    # --- opening and closing ------------------------------------------------------------------------

    def counts(self) -> dict[str, tuple[str, float]]:
        """What there is at the moment, by name: what it is, and how many."""
        pages = sum(len(table.watchers) - 1 for table in self._tables.values())
        queue = self.pool.queue(Lane.TABLES)
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
        for clock in (*self._clocks.values(), *self._beginning.values()):
            clock.cancel()
        for work in list(self._background):
            work.cancel()
        await self.advice.close()
        await self.pool.close()


def effort_of(saved: SavedTable, ply: int) -> FixedEffort | None:
    """How much the bots of a table search at a ply, if their answers have to be repeatable."""
    return FixedEffort(saved.nodes, bot_seed(saved.seed, ply)) if saved.nodes else None


def _in_use(table: LiveTable) -> bool:
    """Whether somebody looks at a table (besides the lobby) or a bot is at it."""
    return len(table.watchers) > 1 or table.thinking is not None


def _is_followed(table: LiveTable) -> bool:
    """Whether something may happen at a table without anybody opening it: otherwise it is read again only
    when somebody does."""
    return _in_use(table) or table.saved.minutes > 0 or any(seat.bot == DUST.word for seat in table.seats)


def _note(table: LiveTable, thinking: Thinking) -> None:
    """Show what the bot does, if that is not shown yet."""
    shown = table.thinking
    if shown is None or replace(thinking, since=shown.since) != shown:
        table.thinking = thinking
        table.changed()
