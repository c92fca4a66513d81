"""A process in which bots think, so that neither thinking nor compiling blocks a table.

It reads questions from its standard input and writes answers, one JSON object per line. The line `stop`
ends the search that is running. When the server ends, even by `kill -9`, the input is closed and the worker
ends, after the programs that it started.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import traceback
from dataclasses import replace

import msgspec

from azulejos.bots import Bot, Limit
from azulejos.bots import open as open_bot
from azulejos.bots.compiled import fill_cache, is_warm, warm
from azulejos.bots.words import programs
from azulejos.core.position import Position
from azulejos.protocol.external import ExternalBot
from azulejos.web.work.many_questions import STOP, Questions

PREPARING = 30.0
"""Seconds that an external program has to start: other bots queue behind it."""



class Effort(msgspec.Struct, frozen=True):
    """A search that gives the same answer on every machine."""

    nodes: int
    seed: str
    """Of the random numbers that the bot may use."""


class Question(msgspec.Struct):
    word: str
    position: str
    seconds: float
    compiling: bool
    """Whether compiled code may be used."""
    effort: Effort | None = None
    """How much to search whatever time that takes; None: `seconds`."""


class Thought(msgspec.Struct):
    action: int = -1
    nodes: int = 0
    failed: str = ""
    """The traceback, if the bot failed."""


class Lost(Exception):
    """A worker ended before it answered."""


class Worker:
    """A worker, seen from the server."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> Worker:
        return cls(await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # to find us
        ))

    @property
    def pid(self) -> int:
        return self._process.pid

    async def ask(self, question: Question) -> Thought:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(msgspec.json.encode(question) + b"\n")
            line = await self._process.stdout.readline()
            return msgspec.json.decode(line, type=Thought)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            await self.close()
            raise Lost(f"exit code {self._process.returncode}") from error

    def stop(self) -> None:
        """End the search; the answer is what it has found."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(STOP)

    async def close(self) -> None:
        """End the process, and the programs that it started."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(1):
                await self._process.wait()
        except TimeoutError:  # it is in the middle of something that cannot be interrupted
            self._process.kill()
            await self._process.wait()


# --- in the worker -----------------------------------------------------------------------------------


class Thinker:
    """The bots of one worker."""

    def __init__(self) -> None:
        self._bots: dict[str, Bot] = {}
        self.questions = Questions(at_end=self._close)

    def _close(self) -> None:
        for bot in list(self._bots.values()):
            bot.close()

    def answer(self, line: bytes) -> Thought:
        try:
            return self._think(msgspec.json.decode(line, type=Question))
        except Exception:
            return Thought(failed=traceback.format_exc()[-2000:])

    def _think(self, asked: Question) -> Thought:
        """Choose a move, with compiled code once all code of the game is compiled."""
        position = Position.from_text(asked.position)
        if asked.effort is not None:
            return self._think_alike(asked.word, position, asked.effort, compiling=asked.compiling)
        own = asked.word not in programs()  # external programs decide for themselves whether to compile
        ready = is_warm(position.game)
        if asked.compiling and own and not ready:
            fill_cache(position.game)  # compile the game being played first
        os.environ["AZULEJOS_JIT"] = str(int(asked.compiling and (ready or not own)))
        limit = Limit(seconds=asked.seconds, stop=self.questions.stop)
        result = self._bot(asked.word).play(position, limit, rng=random.Random())
        return Thought(position.game.moves.number(result.move), result.nodes)

    def _think_alike(self, word: str, position: Position, effort: Effort, *, compiling: bool) -> Thought:
        """Wait until the game is compiled, then search: interpreted bots play differently."""
        os.environ["AZULEJOS_JIT"] = str(int(compiling))
        if compiling:
            warm(position.game)
        return same_choice(self._bot(word), position, effort)

    def _bot(self, word: str) -> Bot:
        if word not in self._bots:
            self._bots[word] = hurried(open_bot(word))
        return self._bots[word]


def same_choice(bot: Bot, position: Position, effort: Effort) -> Thought:
    """The choice of a bot, alike on every machine."""
    result = bot.play(position, Limit(nodes=effort.nodes), rng=random.Random(effort.seed))
    return Thought(position.game.moves.number(result.move), result.nodes)


def hurried(bot: Bot) -> Bot:
    if isinstance(bot, ExternalBot):
        bot.limits = replace(bot.limits, preparing=PREPARING)
    return bot


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to everybody; the server ends its workers
    if hasattr(os, "nice"):
        os.nice(5)  # tables come first
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", 0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing that a bot prints is taken for an answer
    thinker = Thinker()
    thinker.questions.listen()
    while True:
        answers.write(msgspec.json.encode(thinker.answer(thinker.questions.next())) + b"\n")


if __name__ == "__main__":
    main()
