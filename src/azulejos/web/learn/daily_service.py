"""What a server does for the daily deal: it keeps the deal of the day, checks finished games and finds par.

Several servers may do this at once: the database decides which deal and which verdict is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import TypeVar

import msgspec

from azulejos.core import jit
from azulejos.web.learn import daily_check
from azulejos.web.learn.daily import FOREIGN, FORGED, GRACE, SEAT, Attempt, DailyDeal, day_of, new_deal
from azulejos.web.learn.daily_check import Check, Finding
from azulejos.web.learn.daily_store import DailyStore
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import SavedTable, Unreplayable, now
from azulejos.web.store.store import Store
from azulejos.web.tables.table_record import record_of
from azulejos.web.work.pool import Failed, Lane, Pool, PoolJob, Unanswered

T = TypeVar("T")

EVERY = 60.0
"""Seconds until finished games are looked for again, if nothing ended here meanwhile."""

USUAL = 60.0
"""Seconds of a core for one check, or for par."""
LONGEST = 3600.0
"""Seconds that may pass meanwhile: others may use the core."""
RANK = 1
"""After reviews and cards, for which somebody waits."""
MOST_FAILURES = 3

log = logging.getLogger("azulejos.web")


class Daily:
    def __init__(
        self, store: Store, pool: Pool, *, clock: Callable[[], float] = lambda: now() / 1000
    ) -> None:
        self._tables, self._pool = store, pool
        self.store = DailyStore(store)
        self.clock = clock
        """Seconds since 1970."""
        self._today: DailyDeal | None = None
        self._awake = asyncio.Event()
        self._failures: Counter[str] = Counter()
        """By game: how often its check has failed."""

    # --- the deal of the day -----------------------------------------------------------------------

    async def today(self) -> DailyDeal:
        day = day_of(self.clock())
        if self._today is None or self._today.day != day:
            self._today = await self.store.deal(day) or await self.store.keep(new_deal(day))
        return self._today

    def is_closed(self, deal: DailyDeal) -> bool:
        return self.clock() >= deal.closes.timestamp()

    # --- in the background -------------------------------------------------------------------------

    def wake(self) -> None:
        """A ranked game has ended, or a first one was begun."""
        self._awake.set()

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Check games and find par while the context lasts."""
        task = asyncio.create_task(self._work_again_and_again())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _work_again_and_again(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._awake.wait()
            self._awake.clear()
            try:
                await self.check_games()
                await self.find_par()
            except (DatabaseFault, Unanswered, Failed) as error:
                log.warning("the daily deal: %s", error)

    async def check_games(self) -> None:
        """Give all finished games their verdicts. One that cannot be checked does not hold the others up:
        it comes after them, some times, and then not before the next start."""
        waiting = await self.store.unchecked()
        for attempt in sorted(waiting, key=lambda attempt: self._failures[attempt.game]):
            if self._failures[attempt.game] < MOST_FAILURES:
                await self._check(attempt)

    async def _check(self, attempt: Attempt) -> None:
        async with self._tables.claim(f"daily game {attempt.game}") as ours:
            if not ours:
                return
            try:
                await self.store.settle(await self._judged(attempt))
            except (Unanswered, Failed) as error:
                self._failures[attempt.game] += 1
                log.error("the game %s of the daily deal was not checked: %r", attempt.game, error)

    async def _judged(self, attempt: Attempt) -> Attempt:
        table, deal = await self._tables.load(attempt.game), await self.store.deal(attempt.day)
        holders = await self._tables.holders(attempt.game)
        if table is None or deal is None or (SEAT, attempt.visitor) not in holders:
            return replace(attempt, verdict=FOREIGN)
        if table.contest != deal.contest:
            return replace(attempt, verdict=FOREIGN)
        found = await self._examined(table, deal)
        if found.verdict == FORGED:
            log.warning("table %s does not follow from the deal of %s", table.id, deal.day)
        return replace(attempt, verdict=found.verdict, margin=found.margin, points=found.points)

    async def _examined(self, table: SavedTable, deal: DailyDeal) -> Finding:
        try:
            record = await asyncio.to_thread(lambda: record_of(table, with_secrets=True).write_json())
        except Unreplayable:
            return Finding(FORGED)
        return await self._ask(Check(deal=deal, record=record), Finding)

    async def find_par(self) -> None:
        """Find par of a deal that somebody plays. Interpreted, it would take hours."""
        since = day_of(self.clock() - GRACE.total_seconds())
        deal = await self.store.without_par(since=since) if jit.enabled() else None
        if deal is None:
            return
        async with self._tables.claim(f"par {deal.day}") as ours:
            if ours:
                await self.store.set_par(deal.day, await self._ask(Check(deal=deal), int))

    async def _ask(self, check: Check, kind: type[T]) -> T:
        answer = await self._pool.do(PoolJob(
            kind=daily_check.__name__, lane=Lane.LATER, rank=RANK, seconds=USUAL, patience=LONGEST,
            asked=check,
        ))
        return msgspec.json.decode(answer, type=kind)
