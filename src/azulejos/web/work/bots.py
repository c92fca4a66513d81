"""The bots at the tables: which can sit down, and how they get to think.

Until a game is compiled (once per machine, by ``azulejos warm`` in the background), its bots run the same
functions interpreted: weaker, but available at once.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from azulejos.bots import Level, levels
from azulejos.bots.random import RandomBot
from azulejos.bots.timed import split_time
from azulejos.bots.words import in_times, program_levels
from azulejos.core import jit
from azulejos.core.game import Game
from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.web.work.bot_worker import Effort, Lost, Question, Thought, Worker, same_choice
from azulejos.web.work.thought_queue import ThoughtQueue, Turn

log = logging.getLogger("azulejos.web")

DUST = Level(name=msg("Dust"), word="random", strength=msg("Plays any legal move at random."))
"""Needs no search, so it runs in the server's process."""

TIMES = (1, 3, 10)
"""Seconds per move that can be chosen for the strongest level."""

LONGEST = float(max(TIMES))
"""Seconds that any bot may think about a move."""

FIRST_OPPONENT = "level:2"
"""The bot that a first visitor meets: families should win some of their first games, and level 3 already
wins nine of ten against this one."""

ATTEMPTS = 3
"""How often a turn is asked whose worker ended before it answered."""


def offered(game: Game, players: int = 2, options: Mapping[str, str] | None = None) -> tuple[Level, ...]:
    """The bots that can sit down at a table, weakest first."""
    *others, strongest = levels(game, players, options)
    return (DUST, *others, *in_times(strongest, *TIMES), *program_levels())


class Paused(Exception):
    """Nobody looks at the table any more, so its bot does not think."""


class Unanswered(Exception):
    """No worker could answer."""


Started = Callable[[float], None]
"""Called with the seconds that a bot gets when it begins to think."""


@dataclass(frozen=True, kw_only=True)
class Asker:
    """Where a turn is to be played, and who pays for the thought."""

    owner: str = ""
    table: str = ""
    watched: Callable[[], bool] = lambda: True
    queued: Callable[[], None] = lambda: None
    """Called if the bot has to wait."""
    started: Started = lambda seconds: None


@dataclass(frozen=True, kw_only=True, eq=False)
class Asked:
    """A question for a worker, and the future answer."""

    word: str
    position: str
    answered: asyncio.Future[Thought]
    started: Started
    effort: Effort | None = None


class Thinkers:
    """The workers, and the turns that wait for them."""

    def __init__(self, workers: int | None = None) -> None:
        self.queue: ThoughtQueue[Asked] = ThoughtQueue(workers or max(2, os.cpu_count() or 2))
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        self._thinking: set[asyncio.Task[None]] = set()
        self._stopping: dict[Turn[Asked], asyncio.TimerHandle] = {}
        self._begun: dict[Turn[Asked], tuple[float, Worker]] = {}
        self._warming: asyncio.Task[None] | None = None
        self._closed = False

    async def choose(
        self, word: str, position: Position, seconds: float, asker: Asker | None = None, *,
        effort: Effort | None = None,
    ) -> Thought:
        """A bot's choice, within `seconds` unless the word brings its own time or there is an `effort`.

        A worker that dies is replaced and its turn asked again. If the bot itself fails, a legal move is
        played, so that the table goes on.
        """
        name, own_seconds = split_time(word)
        if name == DUST.word:
            return _any_move(position, effort)
        asker = asker or Asker()
        loop = asyncio.get_running_loop()
        asked = Asked(
            word=name, position=position.text(), answered=loop.create_future(), started=asker.started,
            effort=effort,
        )
        turn = Turn(
            owner=asker.owner, table=asker.table, watched=asker.watched, asked=asked,
            seconds=min(LONGEST, own_seconds or seconds),
        )
        self.queue.put(turn)
        self.look_again()
        if turn in self.queue.waiting:
            asker.queued()
        try:
            thought = await asked.answered
        finally:
            self.queue.drop(turn)
        if thought.failed:
            log.error("the bot %s failed at %s, so it played any legal move: %s", word, position,
                      thought.failed)
            return _any_move(position, effort)
        return thought

    def look_again(self) -> None:
        """Start what can be started, and pause what nobody waits for."""
        for turn in self.queue.unwatched():
            self.queue.drop(turn)
            if not turn.asked.answered.done():
                turn.asked.answered.set_exception(Paused())
        while not self._closed and (turn_or_none := self.queue.next()) is not None:
            task = asyncio.get_running_loop().create_task(self._think(turn_or_none))
            self._thinking.add(task)
            task.add_done_callback(self._thinking.discard)
        self._shorten()

    async def _think(self, turn: Turn[Asked]) -> None:
        asked, answered = turn.asked, turn.asked.answered
        try:
            for _ in range(ATTEMPTS):
                try:
                    thought = await self._ask(turn)
                except Lost as lost:
                    log.warning("a bot's process ended (%s); its turn is asked again", lost)
                    continue
                if not answered.done():
                    answered.set_result(thought)
                return
            if not answered.done():
                answered.set_exception(Unanswered(f"{ATTEMPTS} processes ended while {asked.word} thought"))
        except Exception as error:  # whatever it is, the table does not wait for ever
            if not answered.done():
                answered.set_exception(Unanswered(repr(error)))
        finally:
            self.queue.finish(turn)
            self.look_again()

    async def _ask(self, turn: Turn[Asked]) -> Thought:
        worker = self._idle.pop() if self._idle else await self._start_worker()
        seconds = self.queue.budget(turn)
        turn.asked.started(seconds)
        self._begun[turn] = asyncio.get_running_loop().time(), worker
        try:
            thought = await worker.ask(Question(
                word=turn.asked.word, position=turn.asked.position, seconds=seconds,
                compiling=jit.enabled(), effort=turn.asked.effort,
            ))
        except Lost:
            self._workers.discard(worker)
            raise
        finally:
            del self._begun[turn]
            if turn in self._stopping:
                self._stopping.pop(turn).cancel()
        self._idle.append(worker)
        return thought

    async def _start_worker(self) -> Worker:
        worker = await Worker.start()
        self._workers.add(worker)
        return worker

    def _shorten(self) -> None:
        """While others wait, end searches that had as much time as they would get if they began now."""
        if not self.queue.overload() or len(self.queue.running) < self.queue.workers:
            return
        loop = asyncio.get_running_loop()
        for turn, (began, worker) in self._begun.items():
            if turn not in self._stopping:
                when = began + self.queue.budget(turn)
                self._stopping[turn] = loop.call_at(when, worker.stop)

    # --- compiling in the background -----------------------------------------------------------------

    def warm_up(self) -> None:
        if jit.enabled():
            self._warming = asyncio.get_running_loop().create_task(self._compile())

    async def _compile(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "azulejos", "warm", "--background", stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            await process.wait()
        except asyncio.CancelledError:
            process.terminate()
            await process.wait()
            raise

    async def close(self) -> None:
        self._closed = True
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        for task in self._thinking:
            task.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._workers))


def _any_move(position: Position, effort: Effort | None) -> Thought:
    if effort is not None:
        return same_choice(RandomBot(), position, effort)
    return Thought(random.choice(position.legal_actions()), 1)
