"""Reviews of finished tables: judged once, addresses in turn, and kept with the table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, get_type_hints

import msgspec
from sqlalchemy import Connection, delete, insert, select

from azulejos.core.message import msg
from azulejos.core.record import Record
from azulejos.insight.judge import VERSION, Effort
from azulejos.insight.results import Review
from azulejos.insight.review import reviews, weights_version
from azulejos.web.refused import Refused
from azulejos.web.store import schema
from azulejos.web.store.personal import Apart
from azulejos.web.store.store import Store
from azulejos.web.work.pool import Lane, Pool, PoolJob
from azulejos.web.work.thinker import BaseThinker, JobLimits

MOST_WAITING = 20
MOST_OF_ONE = 3
"""Reviews that one visitor can have waiting: others have their turn soon."""
MOST_OF_ADDRESS = 9
KEPT_FREE = 7
"""Places for addresses that have none waiting: cookies cost nothing."""
USUAL = 60.0
"""Seconds of a core for one review."""
LONGEST = 3600.0
CORES = 2
"""Rounds that are judged at the same time."""
RECORD = "record"

log = logging.getLogger("azulejos.web")


@dataclass(eq=False)
class ReviewJob:
    """A review that is being made."""

    record: Record
    text: str
    owner: str = ""
    """Who has asked for it."""
    address: str = ""
    review: Review | None = None
    failed: bool = False
    waiting: bool = True

    def begin(self, seconds: float) -> None:
        self.waiting = False


class FinishedGame(msgspec.Struct):
    """A finished game, and how much the judge searches; empty: as much as it thinks right."""

    record: str
    efforts: tuple[Effort, ...] = ()


class Reviews:
    """The reviews that are being made, and those that were kept."""

    def __init__(self, store: Store, pool: Pool) -> None:
        self._store, self._pool = store, pool
        self.efforts: tuple[Effort, ...] = ()
        """How much the judge searches; empty: as much as it thinks right."""
        self._jobs: dict[str, ReviewJob] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def job(self, table: str) -> ReviewJob | None:
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

    async def start(self, table: str, record: Record, *, owner: str = "", address: str = "") -> None:
        """Review a table, unless that is being done already."""
        if self._is_begun(table):
            return
        text = await asyncio.to_thread(record.write_json)
        if self._is_begun(table):  # meanwhile
            return
        self._check_room(owner, address)
        job = self._jobs[table] = ReviewJob(record, text, owner, address)
        task = asyncio.get_running_loop().create_task(self._make(table, job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _is_begun(self, table: str) -> bool:
        known = self._jobs.get(table)
        return known is not None and not known.failed

    def _check_room(self, owner: str, address: str) -> None:
        waiting = [job for job in self._jobs.values() if not job.failed]
        own = sum(job.address == address for job in waiting)
        if sum(job.owner == owner for job in waiting) >= MOST_OF_ONE or own >= MOST_OF_ADDRESS:
            raise Refused(msg("Your other games are reviewed first. Try again when they are finished."))
        if len(waiting) >= MOST_WAITING - (KEPT_FREE if own else 0):
            raise Refused(msg("Many games are being reviewed at the moment. Try again in a few minutes."))
        failed = [table for table, job in self._jobs.items() if job.failed]
        for table in failed[: max(0, len(failed) - MOST_WAITING)]:
            del self._jobs[table]

    async def _make(self, table: str, job: ReviewJob) -> None:
        reading: asyncio.Task[None] | None = None

        async def note(answer: bytes) -> None:
            job.review = await asyncio.to_thread(decoded, answer, job.record)

        def hear(answer: bytes) -> None:
            nonlocal reading
            if reading is None or reading.done():  # the last one is read in any case
                reading = asyncio.get_running_loop().create_task(note(answer))

        try:
            last = await self._pool.do(PoolJob(
                kind=__name__, lane=Lane.LATER, owner=job.owner, address=job.address, seconds=USUAL,
                patience=LONGEST, started=job.begin, hear=hear,
                asked=FinishedGame(record=job.text, efforts=self.efforts),
            ))
            if reading is not None:
                await reading
            await note(last)
            if job.review is None or not job.review.finished:
                raise RuntimeError("the worker ended before the review was finished")
            await self._keep(table, job.review)
            del self._jobs[table]
        except Exception as error:  # whatever it is, the page says so, and nothing half is kept
            log.error("the review of %s failed: %r", table, error)
            job.failed = True

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


# --- reviews in writing, and the worker ----------------------------------------------------------------


def encoded(review: Review) -> bytes:
    """A review without its record, in one line."""
    return msgspec.json.encode(_without_record(review))


def _without_record(review: Review) -> dict[str, Any]:
    return {field.name: getattr(review, field.name) for field in fields(review) if field.name != RECORD}


def decoded(found: bytes | str, record: Record) -> Review:
    """Read the output of `encoded`. A ValueError says that it is something else."""
    given: dict[str, Any] = msgspec.json.decode(found)
    hints = get_type_hints(Review)
    return Review(record=record, **{
        name: msgspec.convert(value, hints[name]) for name, value in given.items()
    })


class Thinker(BaseThinker):
    question = FinishedGame

    def answers(self, question: FinishedGame, limits: JobLimits) -> Iterator[Any]:
        record = Record.read(question.record)
        return map(_without_record, reviews(record, efforts=question.efforts, cores=CORES))
