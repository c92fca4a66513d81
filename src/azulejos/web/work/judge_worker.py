"""A process that judges positions for people who study them, at the lowest priority: tables come first.

It reads questions from its standard input, one JSON object per line, and answers each with any number of
lines: ever better outlooks, the last of them `finished`. The line `stop` ends the search that is running.
When the server ends, the input is closed and the worker ends.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator

import msgspec

from azulejos.bots import Bot, Limit
from azulejos.bots import open as open_bot
from azulejos.bots.compiled import fill_cache, is_warm
from azulejos.bots.words import programs
from azulejos.bots.workspaces import Workspaces
from azulejos.core.position import Position
from azulejos.insight.outlooks import outlooks
from azulejos.insight.results import Outlook
from azulejos.web.work.bot_worker import hurried
from azulejos.web.work.many_questions import Questions

NICENESS = 10


class Question(msgspec.Struct):
    position: str
    seconds: float
    engine: str = ""
    """The name of one of the operator's programs; empty: our own judge."""
    compiling: bool = True


class Answer(msgspec.Struct, omit_defaults=True):
    outlook: Outlook | None = None
    processor: float = 0.0
    """Seconds of processor time used for this question so far."""
    failed: str = ""
    """The traceback, if something failed; nothing follows."""

    @property
    def last(self) -> bool:
        return self.outlook is None or self.outlook.finished


class Judging:
    def __init__(self) -> None:
        self.questions = Questions(at_end=self._close)
        self._engines: dict[str, Bot] = {}
        self._workspaces = Workspaces()

    def _close(self) -> None:
        for bot in list(self._engines.values()):
            bot.close()

    def answers(self, line: bytes) -> Iterator[bytes]:
        began = time.process_time()
        try:
            for outlook in self._outlooks(msgspec.json.decode(line, type=Question)):
                used = time.process_time() - began
                yield msgspec.json.encode(Answer(outlook=outlook, processor=used))
        except Exception:
            yield msgspec.json.encode(Answer(failed=traceback.format_exc()[-2000:]))

    def _outlooks(self, asked: Question) -> Iterator[Outlook]:
        position = Position.from_text(asked.position)
        if asked.compiling and not is_warm(position.game):
            fill_cache(position.game)
        ready = is_warm(position.game) or bool(asked.engine)  # programs compile for themselves
        os.environ["AZULEJOS_JIT"] = str(int(asked.compiling and ready))
        limit = Limit(seconds=asked.seconds, stop=self.questions.stop)
        return outlooks(position, limit, workspaces=self._workspaces, bot=self._engine(asked.engine))

    def _engine(self, name: str) -> Bot | None:
        if not name:
            return None
        if name not in programs():
            raise ValueError(f"there is no engine {name!r}")
        if name not in self._engines:
            self._engines[name] = hurried(open_bot(name))
        return self._engines[name]


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", 0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what an engine prints is no answer
    judging = Judging()
    judging.questions.listen()
    while True:
        for line in judging.answers(judging.questions.next()):
            answers.write(line + b"\n")


if __name__ == "__main__":
    main()
