"""Cards and losses from finished reviews, as jobs of the lowest rank."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import msgspec

from azulejos.core.record import Record
from azulejos.insight.judge import Effort
from azulejos.insight.practice import practice_of
from azulejos.insight.progress import JudgedGame, Progress, read, written
from azulejos.insight.results import Review
from azulejos.web.store.personal import Personal
from azulejos.web.store.saved import now
from azulejos.web.work.pool import Lane, Pool, PoolJob
from azulejos.web.work.reviews import decoded, encoded
from azulejos.web.work.thinker import BaseThinker, JobLimits

MOST_WAITING = 20
MOST_OF_ONE = 3
"""Games of one visitor; the page of another one asks again when it is opened."""
USUAL = 30.0
"""Seconds of a core for one game."""
LONGEST = 600.0
"""Seconds for one game; the longest took a minute on one core."""

log = logging.getLogger("azulejos.web")


class ReviewedGame(msgspec.Struct, kw_only=True):
    """A finished review, and whose turns of it are practised."""

    record: str
    review: str
    seat: int
    table: str
    at: int
    """Milliseconds since 1970."""
    effort: Effort | None = None


class Cards:
    """Makes cards of games, and adds them to what a visitor has practised."""

    def __init__(self, personal: Personal, pool: Pool) -> None:
        self._personal, self._pool = personal, pool
        self.effort: Effort | None = None
        """How much the judge searches; None: as much as it thinks right."""
        self._tasks: dict[tuple[str, str, int], asyncio.Task[None]] = {}
        self._failed: set[tuple[str, str, int]] = set()

    def is_running(self, key: str, table: str, seat: int) -> bool:
        return (key, table, seat) in self._tasks

    def start(self, key: str, table: str, seat: int, review: Review, *, address: str = "") -> None:
        """Make the cards of a game for a visitor, unless that is being done or too many wait."""
        job = (key, table, seat)
        if job in self._tasks or job in self._failed or len(self._tasks) >= MOST_WAITING:
            return
        if sum(visitor == key for visitor, _, _ in self._tasks) >= MOST_OF_ONE:
            return
        task = asyncio.get_running_loop().create_task(self._make(key, table, seat, review, address))
        self._tasks[job] = task
        task.add_done_callback(lambda _: self._tasks.pop(job, None))

    async def _make(self, key: str, table: str, seat: int, review: Review, address: str) -> None:
        try:
            asked = await asyncio.to_thread(self._question, table, seat, review)
            found = await self._pool.do(PoolJob(
                kind=__name__, lane=Lane.LATER, owner=key, address=address, seconds=USUAL, patience=LONGEST,
                asked=asked,
            ))
            await self._personal.add(key, read(msgspec.json.decode(found, type=str)))
        except Exception as error:  # it is not tried again, and the review is there without cards
            log.error("the cards of %s failed: %r", table, error)
            if len(self._failed) < MOST_WAITING * 50:
                self._failed.add((key, table, seat))

    def _question(self, table: str, seat: int, review: Review) -> ReviewedGame:
        return ReviewedGame(
            record=review.record.write_json(), review=encoded(review).decode(), seat=seat, table=table,
            at=now(), effort=self.effort,
        )

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


class Thinker(BaseThinker):
    question = ReviewedGame

    def answers(self, question: ReviewedGame, limits: JobLimits) -> Iterator[Any]:
        review = decoded(question.review, Record.read(question.record))
        found = practice_of(
            review, question.seat, table=question.table, at=question.at, effort=question.effort
        )
        yield written(found).decode()
