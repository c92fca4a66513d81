"""Help for somebody who plays alone against bots: hints, and a coach who warns after a mistake.

A job (`work/hints.py`) begins when a turn begins, so that an answer is there when it is wanted, and ends
when the turn is played. Whoever waits for a hint comes first, then the coach, then turns for which nobody
has asked yet.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

import msgspec

from azulejos.core import jit
from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.insight.judge import Effort
from azulejos.insight.results import Coaching, Hint
from azulejos.insight.words import STEPS, WHERE
from azulejos.web.edition import ALONE
from azulejos.web.refused import Refused
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.tables.live_table import LiveTable, Warned
from azulejos.web.tables.thinking_pages import looked_up, page_of
from azulejos.web.work import hints
from azulejos.web.work.hints import Advised, BeginningTurn
from azulejos.web.work.pool import Crowded, JobFailed, Lane, Pool, PoolJob, Unanswered

THOROUGH_SECONDS = 0.15
"""How long somebody who asks waits for a better answer than the first one, ..."""
LONGEST = 90.0 if ALONE else 15.0
"""... and for any answer: the worker starts, which takes a browser long, and others may come first."""
USUAL = 3.0
"""Seconds of a core for one turn."""
BEFORE_BOTS = 4.0
"""Seconds that a bot waits for the coach's word about the turn before its own, ..."""
ANSWERED = 45.0
"""... and for the player's answer to it."""
MOST_AHEAD = 8
"""Turns that wait although nobody has asked for them; more are dropped until somebody asks."""
MOST_KEPT = 1000
"""Turns whose hints are kept."""
ASKED, PLAYED, UNASKED = range(3)
"""The order in which turns are thought about."""

log = logging.getLogger("azulejos.web")


@dataclass(eq=False)
class AdvisedTurn:
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
    """The best so far; its turn stays the same once a step has been shown."""
    steps: int = 0
    """How many steps have been shown."""
    branches: int = 0
    """How often something had been taken back when it was begun."""
    job: PoolJob | None = None
    """In the pool, from the moment at which it was put there."""
    thinking: asyncio.Task[None] | None = None
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
        """Who shares the workers with the others: a visitor, or nobody in particular."""
        return self.visitor or self.table.owner or self.table.id

    def ask(self, *, asked: bool) -> None:
        """Whether a visitor waits for it now."""
        self.asked = asked
        if self.job is not None:
            self.job.rank = self.rank

    def hear(self, answer: bytes) -> Coaching | None:
        advised = msgspec.json.decode(answer, type=Advised)
        if advised.hint is not None and (not self.steps or self._completes(advised.hint)):
            self.hint = advised.hint
        self.news.set()
        return advised.coaching

    def _completes(self, found: Hint) -> bool:
        """Whether an answer says more about the turn of which a step has been shown."""
        return self.hint is None or (found.best.turn == self.hint.best.turn and self.hint.runner_up is None)

    def answers(self, step: int) -> bool:
        """Whether what is known is enough for a step; the first one needs no reasons."""
        return self.hint is not None and (
            step == WHERE or self.hint.runner_up is not None or self.hint.finished)

    def end(self) -> None:
        self.over = True
        self.news.set()


class Advice:
    """All turns that are being thought about."""

    def __init__(self, pool: Pool, *, ahead: bool = False, most_kept: int = MOST_KEPT) -> None:
        self._pool, self._most_kept = pool, most_kept
        self._ahead = ahead and jit.enabled()
        """Whether to think about turns for which nobody has asked yet."""
        self.efforts: tuple[Effort, ...] = ()
        """How much the judge searches; empty: as much as it thinks right."""
        self.patience = LONGEST
        self.before_bots = BEFORE_BOTS
        self.turns: dict[str, AdvisedTurn] = {}
        """By table: the turn to be played."""
        self._thinking: dict[asyncio.Task[None], AdvisedTurn] = {}
        self._held: dict[str, tuple[int, asyncio.Event]] = {}
        """By table where a bot waits for the answer to the coach: the moment at which it began to wait."""
        self._closed = False

    # --- the turns of a table ------------------------------------------------------------------------

    def look(self, table: LiveTable) -> None:
        """A table has changed, or somebody has opened it."""
        job, seat, course = self.turns.get(table.id), table.helped_seat, table.log.course
        if table.id in self._held and self._held[table.id][0] != course:
            self.play_on(table)
        if job is not None and job.course == course:
            return
        if job is not None:
            self._drop(job)
        if seat is None or not table.playing:
            return
        if job is not None and table.coached and _was_played(job, table, seat):
            self._put(AdvisedTurn(table, job.before, course, turn=_played_turn(job, table)))
        if table.position.to_move == seat and table.watched:
            self.turns[table.id] = new = AdvisedTurn(table, table.position.copy(), course)
            self._forget_abandoned()
            if table.coached or (self._ahead and self._unasked() < MOST_AHEAD):
                self._put(new)

    # --- before the bots answer ----------------------------------------------------------------------

    async def let_speak(self, table: LiveTable) -> None:
        """Wait until the coach has judged the turn before a bot's, and if it says something, until the
        player has answered: takes the turn back, or plays on."""
        judging = [task for task, turn in self._thinking.items() if turn.table is table and turn.turn]
        if judging:
            await asyncio.wait(judging, timeout=self.before_bots)
        seat = table.helped_seat
        warned = None if seat is None else table.warned(frozenset({seat}))
        if warned is None or warned is table.answered or not table.watched:
            return
        table.answered, event = warned, asyncio.Event()
        self._held[table.id] = table.log.course, event
        table.changed()
        try:
            await asyncio.wait_for(event.wait(), ANSWERED)
        except TimeoutError:
            pass
        finally:
            self._held.pop(table.id, None)

    def play_on(self, table: LiveTable) -> None:
        """The player has answered the coach."""
        if table.id in self._held:
            self._held[table.id][1].set()

    # --- asking --------------------------------------------------------------------------------------

    async def hint(
        self, table: LiveTable, seats: frozenset[int], step: int, ply: int, *, visitor: str = ""
    ) -> Hint:
        """A step of the hint for the turn that is to be played. It is noted before it is given. A visitor
        waits for one hint at a time: the newest."""
        job = self._asked(table, seats, step, ply, visitor)
        for other in self._thinking.values():
            if other.visitor == visitor and other is not job:
                other.ask(asked=False)
        hint = await self._answered(job, step)
        if table.log.course != job.course:
            raise Refused(msg("Someone has moved in the meantime; please look again."))
        if step > job.steps:
            job.hint, job.steps = hint, step
            await table.take_hint(step)
        return hint

    def _asked(
        self, table: LiveTable, seats: frozenset[int], step: int, ply: int, visitor: str
    ) -> AdvisedTurn:
        seat = table.helped_seat
        if seat is None:
            raise Refused(msg("There are hints only for somebody who plays alone against bots."))
        if seat not in seats or not table.turn_of(seats) or ply != table.ply:
            raise Refused(msg("A hint is for the beginning of your turn."))
        job = self.turns.get(table.id)
        if job is None or job.course != table.log.course or (job.over and not job.hint):
            self.turns[table.id] = job = AdvisedTurn(table, table.position.copy(), table.log.course)
        if step not in STEPS or step > job.steps + 1:
            raise Refused(msg("This message cannot be read."))
        job.visitor = visitor
        job.ask(asked=True)
        if job.thinking is None:
            self._put(job)
        return job

    async def _answered(self, job: AdvisedTurn, step: int) -> Hint:
        """The best hint that is known in time."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while not job.over and not (job.steps and job.answers(step)):
            wait = THOROUGH_SECONDS if job.answers(step) else self.patience
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
        abandoned = [job for job in self.turns.values() if not job.table.watched]
        for job in abandoned[: max(0, len(self.turns) - self._most_kept)]:
            self._drop(job)

    # --- in the pool -----------------------------------------------------------------------------------

    def _unasked(self) -> int:
        return sum(turn.rank == UNASKED for turn in self._thinking.values())

    def _put(self, turn: AdvisedTurn) -> None:
        if self._closed:
            return
        task = turn.thinking = asyncio.get_running_loop().create_task(self._think(turn))
        self._thinking[task] = turn
        task.add_done_callback(self._thinking.pop)

    def _drop(self, turn: AdvisedTurn) -> None:
        """The turn was played: nobody needs its hint any more."""
        turn.end()
        if self.turns.get(turn.table.id) is turn:
            del self.turns[turn.table.id]
        if turn.thinking is not None:
            turn.thinking.cancel()

    async def _think(self, turn: AdvisedTurn) -> None:
        coached: list[Coaching] = []

        def hear(answer: bytes) -> None:
            coaching = turn.hear(answer)
            if coaching is not None and coaching.speaks:
                coached.append(coaching)

        record = Record.from_position(turn.before).write_json()
        turn.job = PoolJob(
            kind=hints.__name__, lane=Lane.PAGES, rank=turn.rank, owner=turn.owner, group=turn.table.id,
            seconds=USUAL, hear=hear, asked=BeginningTurn(record, turn.turn, self.efforts),
            elsewhere=lambda asked: looked_up(page_of(turn.table), asked),
        )
        try:
            await self._pool.do(turn.job)
            for coaching in coached:
                await self._warn(turn, Warned(
                    coaching=coaching, before=turn.before, branches=len(turn.table.log.branches)
                ))
        except (Unanswered, JobFailed, Crowded) as error:
            log.error("table %s: no advice: %s", turn.table.id, error)
        finally:
            turn.end()

    async def _warn(self, turn: AdvisedTurn, warned: Warned) -> None:
        try:
            await turn.table.warn(warned)
        except (Refused, DatabaseFault) as error:
            log.warning("table %s: the coach's word was not saved: %s", turn.table.id, error)

    async def close(self) -> None:
        self._closed = True
        tasks = list(self._thinking)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _played_turn(job: AdvisedTurn, table: LiveTable) -> tuple[int, ...]:
    return job.before.first_turn(table.position.history.actions[job.before.ply :])


def _was_played(job: AdvisedTurn, table: LiveTable, seat: int) -> bool:
    """Whether the turn of a job was played and stands."""
    same = len(table.log.branches) == job.branches
    entries = table.log.entries
    return same and len(entries) > job.before.ply and entries[job.before.ply].seat == seat
