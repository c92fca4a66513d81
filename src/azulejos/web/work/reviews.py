"""Reviews of finished tables: judged once, one after the other, and kept with the table."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, delete, insert, select

from azulejos.core.message import msg
from azulejos.core.record import Record
from azulejos.insight.judge import VERSION
from azulejos.insight.results import Review
from azulejos.insight.review import weights_version
from azulejos.insight.stretches import Effort
from azulejos.web.refused import Refused
from azulejos.web.store import schema
from azulejos.web.store.personal import Apart
from azulejos.web.store.store import Store
from azulejos.web.work.one_question import asked
from azulejos.web.work.review_worker import Asked, decoded, encoded

MOST_WAITING = 20
MOST_OF_ONE = 3
"""Reviews that one visitor can have waiting: others have their turn soon."""
LONGEST_LINE = 1 << 24
"""Bytes of a review; those of the longest games have about a megabyte."""

log = logging.getLogger("azulejos.web")


@dataclass(eq=False)
class Job:
    """A review that is being made."""

    record: Record
    text: str
    owner: str = ""
    """Who has asked for it."""
    review: Review | None = None
    failed: bool = False
    waiting: bool = True


class Reviews:
    """Makes reviews in a process of their own, one at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.efforts: tuple[Effort, ...] = ()
        """How much the judge searches; empty: as much as it thinks right."""
        self._jobs: dict[str, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._one = asyncio.Lock()

    def job(self, table: str) -> Job | None:
        """The review of a table that is being made, or that failed."""
        return self._jobs.get(table)

    async def kept(
        self, table: str, record: Record, *, apart: Apart = asyncio.to_thread
    ) -> Review | None:
        """The review that was kept, if today's judge made it."""
        columns = schema.reviews.c
        rows = await self._store.rows(select(schema.reviews).where(columns.table_id == table))
        current = VERSION, weights_version(record.start.game)
        found = [row.found for row in rows if (row.judge, row.weights) == current]
        return await apart(decoded, found[0], record) if found else None

    async def start(self, table: str, record: Record, *, owner: str = "") -> None:
        """Review a table, unless that is being done already."""
        if self._is_begun(table):
            return
        text = await asyncio.to_thread(record.write_json)
        if self._is_begun(table):  # meanwhile
            return
        self._check_room(owner)
        job = self._jobs[table] = Job(record, text, owner)
        task = asyncio.get_running_loop().create_task(self._make(table, job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _is_begun(self, table: str) -> bool:
        known = self._jobs.get(table)
        return known is not None and not known.failed

    def _check_room(self, owner: str) -> None:
        waiting = [job.owner for job in self._jobs.values() if not job.failed]
        if waiting.count(owner) >= MOST_OF_ONE:
            raise Refused(msg("Your other games are reviewed first. Try again when they are finished."))
        if len(waiting) >= MOST_WAITING:
            raise Refused(msg("Many games are being reviewed at the moment. Try again in a few minutes."))
        failed = [table for table, job in self._jobs.items() if job.failed]
        for table in failed[: max(0, len(failed) - MOST_WAITING)]:
            del self._jobs[table]

    async def _make(self, table: str, job: Job) -> None:
        try:
            async with self._one:
                job.waiting = False
                await self._judge(job)
            if job.review is None or not job.review.finished:
                raise RuntimeError("the process ended before the review was finished")
            await self._keep(table, job.review)
            del self._jobs[table]
        except Exception as error:  # whatever it is, the page says so, and nothing half is kept
            log.error("the review of %s failed: %r", table, error)
            job.failed = True

    async def _judge(self, job: Job) -> None:
        question = msgspec.json.encode(Asked(record=job.text, efforts=self.efforts))
        async with asked("azulejos.web.work.review_worker", question, limit=LONGEST_LINE) as answers:
            async for line in answers:
                job.review = await asyncio.to_thread(decoded, line, job.record)

    async def _keep(self, table: str, review: Review) -> None:
        found = (await asyncio.to_thread(encoded, review)).decode()

        def act(connection: Connection) -> None:
            connection.execute(delete(schema.reviews).where(schema.reviews.c.table_id == table))
            connection.execute(insert(schema.reviews).values(
                table_id=table, judge=review.judge, weights=review.weights, found=found
            ))

        await self._store.database.write(act)

    async def settled(self) -> None:
        """Returns when no review is being made."""
        await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
