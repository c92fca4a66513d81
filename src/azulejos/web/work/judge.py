"""Judging positions for people who study: one position for each visitor, a newer one instead of an older.

Processor time is a budget of visitors and of addresses (`pool`); whoever has used it waits until it comes
back.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

import msgspec

from azulejos.bots import Bot, Limit, open as open_bot
from azulejos.bots.words import programs
from azulejos.bots.workspaces import Workspaces
from azulejos.core.position import Position
from azulejos.insight.judge import Findings
from azulejos.insight.results import PositionValue
from azulejos.insight.study import outlooks
from azulejos.web.work.bots import hurried
from azulejos.web.work.pool import Crowded, JobFailed, Lane, Pool, PoolJob, Spent, Unanswered
from azulejos.web.work.thinker import BaseThinker, JobLimits

LONGEST: Final = 10.0
"""Seconds for one position; less while others wait."""
RANK: Final = 1
"""After hints that somebody waits for."""
PAUSE: Final = 0.2
"""Seconds between two answers to a page; better ones in between are left out."""

log = logging.getLogger("azulejos.web")


class Rest(Enum):
    """Why nothing is judged."""

    AWAY = "away"
    """No worker can be used."""
    SPENT = "spent"
    """The visitor or the address has used its time."""
    CROWDED = "crowded"


class Viewed(msgspec.Struct, frozen=True):
    """A position that somebody looks at."""

    position: str
    engine: str = ""
    """The name of one of the operator's programs; empty: our own judge."""
    found: Findings | None = None
    """What the visitor's page has found about all turns: only the rest is looked for."""


@dataclass(eq=False, kw_only=True)
class Request:
    """Somebody looks at a position, and hears what is found."""

    visitor: str
    address: str
    position: str
    engine: str
    hear: Callable[[PositionValue], None]
    rest: Callable[[Rest], None]
    found: Findings | None = None


@dataclass(eq=False)
class Analyst:
    """The positions that are judged, by visitor."""

    pool: Pool
    asked: dict[str, tuple[Request, asyncio.Task[None]]] = field(default_factory=dict)

    def ask(self, request: Request) -> None:
        """Judge a position for a visitor, instead of the one that they looked at before."""
        self.withdraw(request.visitor)
        task = asyncio.get_running_loop().create_task(self._judge(request))
        self.asked[request.visitor] = request, task

    async def prepare(self) -> None:
        """Whoever opens a study asks in a moment."""
        await self.pool.prepare(Lane.PAGES)

    def withdraw(self, visitor: str, request: Request | None = None) -> None:
        """The visitor looks at something else, or has left; with `request`, only if that is still asked."""
        asked = self.asked.get(visitor)
        if asked is not None and request in (None, asked[0]):
            del self.asked[visitor]
            asked[1].cancel()

    async def _judge(self, request: Request) -> None:
        heard = 0.0

        def hear(answer: bytes) -> None:
            nonlocal heard
            outlook = msgspec.json.decode(answer, type=PositionValue)
            if outlook.finished or time.monotonic() - heard > PAUSE:
                heard = time.monotonic()
                request.hear(outlook)

        job = PoolJob(
            kind=__name__, lane=Lane.PAGES, rank=RANK, owner=request.visitor, address=request.address,
            seconds=LONGEST, metered=True, hear=hear,
            asked=Viewed(position=request.position, engine=request.engine, found=request.found),
        )
        try:
            await self.pool.do(job)
        except Spent:
            request.rest(Rest.SPENT)
        except Crowded:
            request.rest(Rest.CROWDED)
        except (Unanswered, JobFailed) as error:
            log.warning("a position was not judged: %s", error)
            request.rest(Rest.AWAY)
        finally:
            if self.asked.get(request.visitor, (None,))[0] is request:
                del self.asked[request.visitor]

    async def close(self) -> None:
        tasks = [task for _, task in self.asked.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Thinker(BaseThinker):
    question = Viewed

    def __init__(self) -> None:
        self._engines: dict[str, Bot] = {}
        self._workspaces = Workspaces()

    def close(self) -> None:
        for bot in list(self._engines.values()):
            bot.close()

    def answers(self, question: Viewed, limits: JobLimits) -> Iterator[Any]:
        position = Position.from_text(question.position)
        limit = Limit(seconds=limits.seconds, stop=limits.stop)
        return outlooks(position, limit, workspaces=self._workspaces, bot=self._engine(question.engine),
                        found=question.found)

    def _engine(self, name: str) -> Bot | None:
        if not name:
            return None
        if name not in programs():
            raise ValueError(f"there is no engine {name!r}")
        if name not in self._engines:
            self._engines[name] = hurried(open_bot(name))
        return self._engines[name]
