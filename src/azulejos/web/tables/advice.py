"""Help for somebody who plays alone against bots: hints, and a coach who warns after a mistake.

One process thinks (`advice_worker.py`). It begins when a turn begins, so that an answer is there when it is
wanted, and ends when the turn is played. Whoever waits for a hint comes first, then the coach, then turns
for which nobody has asked yet.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import sys
from dataclasses import dataclass, field

import msgspec

from azulejos.core import jit
from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.insight.results import Hint
from azulejos.insight.stretches import Effort
from azulejos.insight.words import STEPS
from azulejos.web.refused import Refused
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.tables.live_table import LiveTable, Warned
from azulejos.web.work.advice_worker import Answer, Question
from azulejos.web.work.many_questions import STOP

THOROUGH_SECONDS = 0.8
"""How long somebody who asks waits for a better answer than the first one, ..."""
LONGEST = 15.0
"""... and for any answer: the process starts, and others may come first."""
MOST_AHEAD = 8
"""Turns that wait although nobody has asked for them; more are dropped until somebody asks."""
MOST_KEPT = 1000
"""Turns whose hints are kept, and owners who are remembered."""
LONGEST_LINE = 1 << 22
ASKED, PLAYED, UNASKED = range(3)
"""The order in which turns are thought about."""

log = logging.getLogger("azulejos.web")


@dataclass(eq=False)
class Job:
    """A turn to think about."""

    table: LiveTable
    before: Position
    course: int
    """The moment of the table at which it was begun."""
    turn: tuple[int, ...] = ()
    """For the coach: the turn that was played."""
    asked: bool = False
    visitor: str = ""
    """Who has asked."""
    hint: Hint | None = None
    """The best so far; it stays the same once a step has been shown."""
    steps: int = 0
    """How many steps have been shown."""
    branches: int = 0
    """How often something had been taken back when it was begun."""
    begun: bool = False
    """Whether it waits for the process, or has got there."""
    over: bool = False
    """Nothing more will come."""
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.branches = len(self.table.log.branches)

    @property
    def rank(self) -> int:
        """Lower ones come first."""
        return ASKED if self.asked else PLAYED if self.turn else UNASKED

    @property
    def owner(self) -> str:
        """Who shares the process with the others: a visitor, or nobody in particular."""
        return self.visitor or self.table.owner or self.table.id

    def note(self, answer: Answer) -> None:
        if answer.hint is not None and not self.steps:
            self.hint = answer.hint
        self.over |= answer.last
        self.news.set()


class Advice:
    """All turns that are being thought about, and the process that thinks."""

    def __init__(self, *, ahead: bool = False) -> None:
        self._ahead = ahead and jit.enabled()
        """Whether to think about turns for which nobody has asked yet."""
        self.efforts: tuple[Effort, ...] = ()
        """How much the judge searches; empty: as much as it thinks right."""
        self._jobs: dict[str, Job] = {}
        """By table: the turn to be played."""
        self._waiting: list[Job] = []
        self._served: dict[str, int] = {}
        """By owner of tables: when one of their turns was thought about last."""
        self._turns = itertools.count(1)
        self._running: Job | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    # --- the turns of a table ------------------------------------------------------------------------

    def look(self, table: LiveTable) -> None:
        """A table has changed, or somebody has opened it."""
        job, seat, course = self._jobs.get(table.id), table.helped_seat, table.log.course
        if job is not None and job.course == course:
            return
        if job is not None:
            self._drop(job)
        if seat is None or not table.playing:
            return
        if job is not None and table.coached and _was_played(job, table, seat):
            self._put(Job(table, job.before, course, turn=_played_turn(job, table)))
        if table.position.to_move == seat and table.watched:
            self._jobs[table.id] = new = Job(table, table.position.copy(), course)
            self._forget_abandoned()
            if table.coached or (self._ahead and self._unasked() < MOST_AHEAD):
                self._put(new)

    async def hint(
        self, table: LiveTable, seats: frozenset[int], step: int, ply: int, *, visitor: str = ""
    ) -> Hint:
        """A step of the hint for the turn that is to be played. It is noted before it is given. A visitor
        waits for one hint at a time: the newest."""
        job = self._asked(table, seats, step, ply)
        for other in self._waiting:
            if other.visitor == visitor and other is not job:
                other.asked = False
        job.visitor = visitor
        hint = await self._answered(job)
        if table.log.course != job.course:
            raise Refused(msg("Someone has moved in the meantime; please look again."))
        if step > job.steps:
            job.hint, job.steps = hint, step
            await table.take_hint(step)
        return hint

    def _asked(self, table: LiveTable, seats: frozenset[int], step: int, ply: int) -> Job:
        seat = table.helped_seat
        if seat is None:
            raise Refused(msg("There are hints only for somebody who plays alone against bots."))
        if seat not in seats or not table.turn_of(seats) or ply != table.ply:
            raise Refused(msg("A hint is for the beginning of your turn."))
        job = self._jobs.get(table.id)
        if job is None or job.course != table.log.course or (job.over and not job.hint):
            self._jobs[table.id] = job = Job(table, table.position.copy(), table.log.course)
        if step not in STEPS or step > job.steps + 1:
            raise Refused(msg("This message cannot be read."))
        job.asked = True
        if not job.begun:
            self._put(job)
        return job

    async def _answered(self, job: Job) -> Hint:
        """The best hint that is known in time."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while not job.over and not job.steps:
            wait = THOROUGH_SECONDS if job.hint is not None else LONGEST
            job.news.clear()
            try:
                async with asyncio.timeout_at(began + wait):
                    await job.news.wait()
            except TimeoutError:
                break
        if job.hint is None:
            raise Refused(msg("The hint is not ready yet. Try again in a moment."))
        return job.hint

    def _forget_abandoned(self) -> None:
        """Tables that nobody looks at any more must not stay in memory because of their hints."""
        abandoned = [job for job in self._jobs.values() if not job.table.watched]
        for job in abandoned[: max(0, len(self._jobs) - MOST_KEPT)]:
            self._drop(job)

    # --- one after the other -------------------------------------------------------------------------

    def _unasked(self) -> int:
        return sum(job.rank == UNASKED for job in self._waiting)

    def _put(self, job: Job) -> None:
        if self._closed:
            return
        job.begun = True
        self._waiting.append(job)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    def _drop(self, job: Job) -> None:
        """The turn was played: nobody needs its hint any more."""
        job.over = True
        job.news.set()
        if self._jobs.get(job.table.id) is job:
            del self._jobs[job.table.id]
        if job in self._waiting:
            self._waiting.remove(job)
        if job is self._running and self._process is not None and self._process.stdin:
            self._process.stdin.write(STOP)

    async def _work(self) -> None:
        while self._waiting:
            job = min(self._waiting, key=lambda job: (job.rank, self._served.get(job.owner, 0)))
            self._waiting.remove(job)
            self._serve(job.owner)
            self._running = job
            try:
                await self._think(job)
            except (OSError, ValueError, msgspec.MsgspecError) as error:
                log.error("table %s: no advice: %r", job.table.id, error)
                await self._end_process()
                job.note(Answer(last=True))
            finally:
                self._running = None

    def _serve(self, owner: str) -> None:
        """Note that it was the turn of an owner, who comes after all others then."""
        self._served.pop(owner, None)
        self._served[owner] = next(self._turns)
        while len(self._served) > MOST_KEPT:
            del self._served[next(iter(self._served))]

    async def _think(self, job: Job) -> None:
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        question = Question(Record.from_position(job.before).write_json(), job.turn, self.efforts)
        process.stdin.write(msgspec.json.encode(question) + b"\n")
        last = False
        while not last:
            answer = msgspec.json.decode(await process.stdout.readline(), type=Answer)
            last = answer.last
            if answer.failed:
                log.error("table %s: no advice: %s", job.table.id, answer.failed)
            if answer.coaching is not None and answer.coaching.speaks:
                await self._warn(job, Warned(
                    coaching=answer.coaching, before=job.before, branches=len(job.table.log.branches)
                ))
            job.note(answer)

    async def _warn(self, job: Job, warned: Warned) -> None:
        try:
            await job.table.warn(warned)
        except (Refused, DatabaseFault) as error:
            log.warning("table %s: the coach's word was not saved: %s", job.table.id, error)

    # --- the process ---------------------------------------------------------------------------------

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "azulejos.web.work.advice_worker",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL, limit=LONGEST_LINE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # to find us
            )
        return self._process

    async def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def close(self) -> None:
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._end_process()


def _played_turn(job: Job, table: LiveTable) -> tuple[int, ...]:
    return job.before.first_turn(table.position.history.actions[job.before.ply :])


def _was_played(job: Job, table: LiveTable, seat: int) -> bool:
    """Whether the turn of a job was played and stands."""
    same = len(table.log.branches) == job.branches
    entries = table.log.entries
    return same and len(entries) > job.before.ply and entries[job.before.ply].seat == seat
