"""The pool: whoever wants something thought about gives it a job, and hears ever better answers.

A job has an owner, a rank and a limit; it ends when nobody listens any more (its task is cancelled).
Workers that die are replaced and their jobs asked again. There are three lanes, by how soon somebody waits:
the operating system prefers bots at tables to hints and studies, and these to reviews, cards and daily
checks.

What a job is about, its `kind` knows: a module with a `Thinker` (`work/thinker.py`). Nothing else in here
depends on it. The workers are processes now; whatever starts, answers, stops and ends can be one.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Protocol

from azulejos.web.guard.budgets import Buckets, Clock, Pace
from azulejos.web.work.fair_queue import FairQueue, Job
from azulejos.web.work.thinker import Answer, Lost, Task
from azulejos.web.work.worker import Process

ATTEMPTS = 3
"""How often a job is asked whose worker ended before it answered."""
MOST_WAITING = 200
"""Jobs of a lane; more are refused."""
STARTING = 180.0
"""Seconds besides its own that a job may take: its worker starts, and loads what it needs."""
GRACE = 10.0
"""Seconds until a worker is ended that does not stop although nobody listens."""
LEAST = 0.5
"""Seconds that any metered job costs, however soon it is replaced; and that must be left to begin one."""
VISITOR_SECONDS = Pace(90, 0.2)
"""Seconds of a processor at once, and per second: ten positions in full, then one in fifty seconds."""
ADDRESS_SECONDS = Pace(240, 0.5)

log = logging.getLogger("azulejos.web")


class Lane(IntEnum):
    """Where a job waits; the value is the niceness of its workers."""

    TABLES = 5
    """Bots: others at the table wait."""
    PAGES = 10
    """Hints, the coach, studies: one visitor waits."""
    LATER = 15
    """Reviews, cards, daily checks."""


class Unanswered(Exception):
    """No worker could answer."""


class JobFailed(Exception):
    """The job itself failed; the text is its traceback."""


class Crowded(Exception):
    """Too many jobs are waiting."""


class Spent(Exception):
    """The owner of a metered job, or the address, has used its time."""


class Paused(Exception):
    """Nobody waits for the answer any more, so the job is not begun."""


class Worker(Protocol):
    """Somebody who answers one job after the other."""

    def ask(self, task: Task) -> AsyncIterator[Answer]:
        """Its answers, the last of them marked; Lost if the worker ends before."""

    def stop(self) -> None:
        """End the search that runs; its last answer follows."""

    def reply(self, said: bytes) -> None:
        """To an answer that asks for something."""

    async def close(self) -> None: ...


@dataclass(eq=False, kw_only=True)
class PoolJob(Job):
    """A job with everything that a worker and the pool need to know."""

    kind: str
    """The module of its Thinker."""
    lane: Lane
    metered: bool = False
    """Whether its owner and address pay for it in processor time; it is refused if that is spent."""
    elsewhere: Callable[[bytes], Awaitable[bytes]] | None = None
    """Answers what the worker asks for (`JobLimits.ask`), with nothing if it cannot."""
    patience: float = STARTING
    """Seconds besides its own after which its worker counts as stuck."""
    answered: asyncio.Future[bytes] = field(init=False)


@dataclass(eq=False)
class _Lane:
    queue: FairQueue[PoolJob]
    idle: list[Worker] = field(default_factory=list)
    begun: dict[PoolJob, tuple[float, Worker]] = field(default_factory=dict)
    stopping: dict[PoolJob, asyncio.TimerHandle] = field(default_factory=dict)
    served: dict[Worker, str] = field(default_factory=dict)
    """The group of the last job of each worker."""

    def free(self, group: str) -> Worker | None:
        """An idle worker, rather one that remembers the last job of the same group."""
        known = [worker for worker in self.idle if self.served.get(worker) == group]
        worker = next(iter(known or self.idle), None)
        if worker is not None:
            self.idle.remove(worker)
        return worker


def usual_sizes() -> dict[Lane, int]:
    cores = os.cpu_count() or 2
    return {Lane.TABLES: max(2, cores), Lane.PAGES: max(2, cores // 2 + 1), Lane.LATER: max(1, cores // 4)}


@dataclass(eq=False)
class Pool:
    sizes: Mapping[Lane, int] = field(default_factory=usual_sizes)
    start: Callable[[int], Awaitable[Worker]] = Process.start
    """Makes a worker of some niceness."""
    attempts: int = ATTEMPTS
    grace: float = GRACE
    visitor_pace: Pace = VISITOR_SECONDS
    address_pace: Pace = ADDRESS_SECONDS
    clock: Clock = time.monotonic

    def __post_init__(self) -> None:
        self._lanes = {lane: _Lane(FairQueue(workers)) for lane, workers in self.sizes.items()}
        self._visitors = Buckets(self.visitor_pace, clock=self.clock)
        self._addresses = Buckets(self.address_pace, clock=self.clock)
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = self._preparing = False
        self.workers: set[Worker] = set()
        self.seconds = 0.0
        """Seconds of processor time that metered jobs have cost."""

    def queue(self, lane: Lane) -> FairQueue[PoolJob]:
        return self._lanes[lane].queue

    # --- for whoever has a job -----------------------------------------------------------------------

    async def do(self, job: PoolJob) -> bytes:
        """The last answer (empty if there was none); the others are heard before. Whoever cancels this
        ends the job. Raises Unanswered, Failed, Crowded, Spent or Paused."""
        lane = self._lanes[job.lane]
        if job.metered and self._left(job) < LEAST:
            raise Spent
        if len(lane.queue.waiting) >= MOST_WAITING:
            raise Crowded
        job.answered = asyncio.get_running_loop().create_future()
        lane.queue.put(job)
        self.look_again()
        if job in lane.queue.waiting:
            job.queued()
        try:
            return await job.answered
        finally:
            lane.queue.drop(job)
            if job in lane.begun:
                self._end(lane, job)

    async def prepare(self, lane: Lane) -> None:
        """Start a worker if there is none: somebody asks in a moment, and a process needs a second to
        begin."""
        known = self._lanes[lane]
        if self._closed or self._preparing or known.idle or known.queue.running:
            return
        self._preparing = True
        try:
            known.idle.append(await self._started(lane))
        finally:
            self._preparing = False

    def look_again(self) -> None:
        """Start what can be started, and pause what nobody waits for."""
        for lane in self._lanes.values():
            for job in lane.queue.unwatched():
                lane.queue.drop(job)
                _fail(job, Paused())
            while not self._closed and (next_job := lane.queue.next()) is not None:
                task = asyncio.get_running_loop().create_task(self._serve(lane, next_job))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            self._shorten(lane)

    async def close(self) -> None:
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self.workers))
        self.workers.clear()

    # --- one job -------------------------------------------------------------------------------------

    async def _serve(self, lane: _Lane, job: PoolJob) -> None:
        try:
            for _ in range(self.attempts):
                try:
                    answer = await self._ask(lane, job)
                except Lost as lost:
                    if job.answered.done():
                        return
                    log.warning("a worker ended (%s); its job is asked again", lost)
                    continue
                if not job.answered.done():
                    job.answered.set_result(answer)
                return
            _fail(job, Unanswered(f"{self.attempts} workers ended while they thought about {job.asked}"))
        except (JobFailed, Unanswered) as error:
            _fail(job, error)
        except Exception as error:  # whatever it is, nobody waits for ever
            _fail(job, Unanswered(repr(error)))
        finally:
            self._charge(job)
            lane.queue.finish(job)
            self.look_again()

    async def _ask(self, lane: _Lane, job: PoolJob) -> bytes:
        worker = lane.free(job.group) or await self._started(job.lane)
        last, loop = b"", asyncio.get_running_loop()
        if job.answered.done():  # meanwhile
            lane.idle.append(worker)
            return last
        seconds = lane.queue.budget(job)
        if job.metered:
            seconds = max(LEAST, min(seconds, self._left(job)))
        job.started(seconds)
        lane.begun[job] = loop.time(), worker
        lane.served[worker] = job.group
        try:
            async with asyncio.timeout(seconds + job.patience):
                async for answer in worker.ask(Task.about(job.kind, job.asked, seconds)):
                    if answer.asks:
                        worker.reply(await _reply(job, bytes(answer.asks)))
                        continue
                    job.used = answer.used
                    if answer.found:
                        last = bytes(answer.found)
                        if not job.answered.done():
                            job.hear(last)
            failed = answer.failed
        except BaseException as error:
            self.workers.discard(worker)
            lane.served.pop(worker, None)
            await worker.close()
            if isinstance(error, TimeoutError):
                raise Unanswered(f"{job.asked} was not answered in time") from None
            raise
        finally:
            del lane.begun[job]
            if job in lane.stopping:
                lane.stopping.pop(job).cancel()
        lane.idle.append(worker)
        if failed:
            raise JobFailed(failed)
        return last

    async def _started(self, lane: Lane) -> Worker:
        worker = await self.start(lane)
        if self._closed:
            await worker.close()
            raise Lost("the server ends")
        self.workers.add(worker)
        return worker

    def _end(self, lane: _Lane, job: PoolJob) -> None:
        """Nobody listens any more: stop the search, and its worker if it does not stop."""
        _, worker = lane.begun[job]
        worker.stop()
        if job in lane.stopping:
            lane.stopping.pop(job).cancel()
        if not self._closed:
            lane.stopping[job] = asyncio.get_running_loop().call_later(self.grace, self._kill, worker)

    def _kill(self, worker: Worker) -> None:
        task = asyncio.get_running_loop().create_task(worker.close())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _shorten(self, lane: _Lane) -> None:
        """While others wait, end searches that had as much time as they would get if they began now."""
        if not lane.queue.overload() or len(lane.queue.running) < lane.queue.workers:
            return
        loop = asyncio.get_running_loop()
        for job, (began, worker) in lane.begun.items():
            if job not in lane.stopping:
                lane.stopping[job] = loop.call_at(began + lane.queue.budget(job), worker.stop)

    # --- what it costs -------------------------------------------------------------------------------

    def _left(self, job: Job) -> float:
        return min(self._visitors.of(job.owner).left(), self._addresses.of(job.address).left())

    def _charge(self, job: PoolJob) -> None:
        if not job.metered:
            return
        used = max(LEAST, job.used)
        self.seconds += used
        for bucket in (self._visitors.of(job.owner), self._addresses.of(job.address)):
            bucket.pay(used)


async def _reply(job: PoolJob, asked: bytes) -> bytes:
    """What a worker has asked for, while somebody listens to the job."""
    if job.elsewhere is None or job.answered.done():
        return b""
    asking = asyncio.ensure_future(job.elsewhere(asked))
    try:
        await asyncio.wait((asking, job.answered), return_when=asyncio.FIRST_COMPLETED)
        return asking.result() if asking.done() else b""
    except Exception:
        log.exception("a question of a worker was not answered")
        return b""
    finally:
        asking.cancel()


def _fail(job: Any, error: Exception) -> None:
    if not job.answered.done():
        job.answered.set_exception(error)
