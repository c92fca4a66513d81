"""Cards and losses from finished reviews: one game after the other, in a process of its own."""

from __future__ import annotations

import asyncio
import logging

import msgspec

from azulejos.core.record import Record
from azulejos.insight.progress import JudgedGame, Progress, read
from azulejos.insight.results import Review
from azulejos.insight.stretches import Effort
from azulejos.web.store.personal import Personal
from azulejos.web.store.saved import now
from azulejos.web.work.one_question import answer_of
from azulejos.web.work.practice_worker import Task
from azulejos.web.work.review_worker import encoded

MOST_WAITING = 20
MOST_OF_ONE = 3
"""Games of one visitor; the page of another one asks again when it is opened."""
LONGEST = 600.0
"""Seconds for one game; the longest took a minute on one core."""

log = logging.getLogger("azulejos.web")


class PracticeJobs:
    """Makes cards of games, and adds them to what a visitor has practised."""

    def __init__(self, personal: Personal) -> None:
        self._personal = personal
        self.effort: Effort | None = None
        """How much the judge searches; None: as much as it thinks right."""
        self._tasks: dict[tuple[str, str, int], asyncio.Task[None]] = {}
        self._failed: set[tuple[str, str, int]] = set()
        self._one = asyncio.Lock()

    def is_running(self, key: str, table: str, seat: int) -> bool:
        return (key, table, seat) in self._tasks

    def start(self, key: str, table: str, seat: int, review: Review) -> None:
        """Make the cards of a game for a visitor, unless that is being done or too many wait."""
        job = (key, table, seat)
        if job in self._tasks or job in self._failed or len(self._tasks) >= MOST_WAITING:
            return
        if sum(visitor == key for visitor, _, _ in self._tasks) >= MOST_OF_ONE:
            return
        task = asyncio.get_running_loop().create_task(self._make(key, table, seat, review))
        self._tasks[job] = task
        task.add_done_callback(lambda _: self._tasks.pop(job, None))

    async def _make(self, key: str, table: str, seat: int, review: Review) -> None:
        try:
            async with self._one:
                found = await self._asked(table, seat, review)
            await self._personal.add(key, found)
        except Exception as error:  # it is not tried again, and the review is there without cards
            log.error("the cards of %s failed: %r", table, error)
            if len(self._failed) < MOST_WAITING * 50:
                self._failed.add((key, table, seat))

    async def _asked(self, table: str, seat: int, review: Review) -> Progress:
        task = await asyncio.to_thread(self._task, table, seat, review)
        return read(await answer_of("azulejos.web.work.practice_worker", task, seconds=LONGEST))

    def _task(self, table: str, seat: int, review: Review) -> bytes:
        record: Record = review.record
        return msgspec.json.encode(Task(
            record=record.write_json(), review=encoded(review).decode(), seat=seat, table=table, at=now(),
            effort=self.effort,
        ))

    async def settled(self) -> None:
        """Returns when nothing is being made."""
        await asyncio.gather(*self._tasks.values())

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def game_of(progress: Progress, table: str, seat: int) -> JudgedGame | None:
    return next((game for game in progress.games if (game.table, game.seat) == (table, seat)), None)
