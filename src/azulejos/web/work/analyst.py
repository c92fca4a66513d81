"""Judging positions for people who study: who is served when, for how long, and by which process.

One position for each visitor: a newer question replaces an older one. Processor time is a budget of
visitors and of addresses; whoever has used it waits until it comes back. While others wait, everybody gets
a short turn. The processes have the lowest priority, so tables never wait for them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import msgspec

from azulejos.core import jit
from azulejos.insight.results import Outlook
from azulejos.web.guard.buckets import Buckets, Clock, Pace
from azulejos.web.work.judge_worker import Answer, Question
from azulejos.web.work.many_questions import STOP

LONGEST: Final = 10.0
"""Seconds for one position."""
SHORT: Final = 3.0
"""Seconds for one position while others wait."""
LEAST: Final = 0.5
"""Seconds that any search costs, however soon it is replaced; and that must be left to begin one."""
VISITOR_SECONDS: Final = Pace(90, 0.2)
"""Seconds of a processor at once, and per second: ten positions in full, then one in fifty seconds."""
ADDRESS_SECONDS: Final = Pace(240, 0.5)
MOST_WAITING: Final = 200
STARTING: Final = 180.0
"""Seconds besides, in which a process may compile what it needs."""
PAUSE: Final = 0.2
"""Seconds between two answers to a page; better ones in between are left out."""
LONGEST_LINE: Final = 1 << 20

log = logging.getLogger("azulejos.web")


class Rest(Enum):
    """Why nothing is judged."""

    AWAY = "away"
    """The process cannot be used."""
    SPENT = "spent"
    """The visitor or the address has used its time."""
    CROWDED = "crowded"


@dataclass(eq=False)
class Request:
    """A position that somebody looks at."""

    visitor: str
    address: str
    position: str
    engine: str
    hear: Callable[[Outlook], None]
    rest: Callable[[Rest], None]
    withdrawn: bool = False
    began: float = 0.0
    used: float = 0.0
    """Seconds of processor time."""


@dataclass(eq=False)
class Analyst:
    """The processes, and the positions that wait for them."""

    workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) // 2))
    visitor_pace: Pace = VISITOR_SECONDS
    address_pace: Pace = ADDRESS_SECONDS
    clock: Clock = time.monotonic

    def __post_init__(self) -> None:
        self._visitors = Buckets(self.visitor_pace, clock=self.clock)
        self._addresses = Buckets(self.address_pace, clock=self.clock)
        self.waiting: dict[str, Request] = {}
        """By visitor, in the order of their questions."""
        self.running: dict[str, Request] = {}
        self._idle: list[_Worker] = []
        self._busy: dict[Request, _Worker] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = self._preparing = False
        self.seconds = 0.0
        """Seconds of processor time used so far."""

    def ask(self, request: Request) -> None:
        """Judge a position for a visitor, instead of the one that they looked at before."""
        self.withdraw(request.visitor)
        if self._left(request) < LEAST:
            request.rest(Rest.SPENT)
        elif len(self.waiting) >= MOST_WAITING:
            request.rest(Rest.CROWDED)
        else:
            self.waiting[request.visitor] = request
            self._look_again()

    async def prepare(self) -> None:
        """Start a process if there is none: whoever opens a study asks in a moment, and a process needs a
        second to begin."""
        if self._closed or self._preparing or self._idle or self.running:
            return
        self._preparing = True
        worker = await _Worker.start()
        self._preparing = False
        if self._closed:
            await worker.close()
        else:
            self._idle.append(worker)

    def withdraw(self, visitor: str, request: Request | None = None) -> None:
        """The visitor looks at something else, or has left; with `request`, only if that is still asked."""
        for asked in (self.waiting, self.running):
            if visitor in asked and request in (None, asked[visitor]):
                asked[visitor].withdrawn = True
        if visitor in self.waiting and self.waiting[visitor].withdrawn:
            del self.waiting[visitor]
        running = self.running.get(visitor)
        if running is not None and running.withdrawn and running in self._busy:
            self._busy[running].stop()

    def _left(self, request: Request) -> float:
        return min(self._visitors.of(request.visitor).left(), self._addresses.of(request.address).left())

    def _look_again(self) -> None:
        """Start what can be started. A visitor whose last search is still ending keeps their place."""
        while not self._closed and len(self.running) < self.workers:
            free = [name for name in self.waiting if name not in self.running]
            if not free:
                break
            request = self.waiting.pop(free[0])
            self.running[request.visitor] = request
            task = asyncio.get_running_loop().create_task(self._judge(request))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if self.waiting:
            for request, worker in self._busy.items():
                asyncio.get_running_loop().call_later(
                    max(0.0, request.began + SHORT - self.clock()), self._cut_short, request, worker
                )

    def _cut_short(self, request: Request, worker: _Worker) -> None:
        if self._busy.get(request) is worker and self.waiting:
            worker.stop()

    async def _judge(self, request: Request) -> None:
        request.began = self.clock()
        try:
            await self._search(request)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            log.warning("a judge's process ended: %r", error)
            if not request.withdrawn:
                request.rest(Rest.AWAY)
        finally:
            self._charge(request)
            self.running.pop(request.visitor, None)
            self._look_again()

    def _charge(self, request: Request) -> None:
        used = max(LEAST, request.used)
        self.seconds += used
        for bucket in (self._visitors.of(request.visitor), self._addresses.of(request.address)):
            bucket.give(-used)

    async def _search(self, request: Request) -> None:
        worker = self._idle.pop() if self._idle else await _Worker.start()
        if request.withdrawn:  # meanwhile
            self._idle.append(worker)
            return
        self._busy[request] = worker
        most = SHORT if self.waiting else LONGEST
        question = Question(position=request.position, engine=request.engine, compiling=jit.enabled(),
                            seconds=max(LEAST, min(most, self._left(request))))
        try:
            await worker.ask(question, request)
        except BaseException:
            await worker.close()
            raise
        finally:
            del self._busy[request]
        self._idle.append(worker)

    async def close(self) -> None:
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._idle))


class _Worker:
    """A process, seen from the server."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> _Worker:
        return cls(await asyncio.create_subprocess_exec(
            sys.executable, "-m", "azulejos.web.work.judge_worker",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL, limit=LONGEST_LINE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        ))

    async def ask(self, question: Question, request: Request) -> None:
        """Pass on what is found: the first answer at once, later ones not too often, the last one."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(question) + b"\n")
        heard = 0.0
        while True:
            async with asyncio.timeout(question.seconds + STARTING):  # it, or a program, may stand still
                line = await self._process.stdout.readline()
            answer = msgspec.json.decode(line, type=Answer)
            if answer.failed:
                raise ValueError(answer.failed)
            assert answer.outlook is not None
            request.used = answer.processor
            if not request.withdrawn and (answer.last or time.monotonic() - heard > PAUSE):
                heard = time.monotonic()
                request.hear(answer.outlook)
            if answer.last:
                return

    def stop(self) -> None:
        """End the search; its last answer follows."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(STOP)

    async def close(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.communicate()  # closes its pipes, too
