"""A process that thinks about hints and for the coach, at a low priority: tables in play come first.

It reads questions from its standard input and writes answers, one JSON object per line: several for a hint,
ever better ones. The line `stop` ends the question that is being answered, after the search that runs. When
the server ends, the input is closed and the process ends.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Iterator

import msgspec

from azulejos.bots.compiled import warm
from azulejos.core import jit
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.insight.hint import Adviser, advisers
from azulejos.insight.judge import Judge, judge_for
from azulejos.insight.results import Coaching, Hint
from azulejos.insight.stretches import Effort
from azulejos.web.work.many_questions import Questions

INTERPRETED = (Effort(nodes=200, deals=1, deal_nodes=20),)
"""Without compiled code a search is five hundred times as slow."""


class Question(msgspec.Struct, frozen=True):
    """About the turn that begins where a record ends."""

    record: str
    turn: tuple[int, ...] = ()
    """The turn that was played; empty: a hint is wanted."""
    efforts: tuple[Effort, ...] = ()
    """How much the judge searches; empty: as much as it thinks right."""


class Answer(msgspec.Struct, frozen=True):
    hint: Hint | None = None
    coaching: Coaching | None = None
    last: bool = False
    failed: str = ""
    """The traceback, if something went wrong."""


class Thinker:
    def __init__(self) -> None:
        self.questions = Questions()
        self._judges: dict[tuple[str, int], Judge] = {}
        self._latest: tuple[bytes, Adviser] | None = None
        """The adviser about the last position, for the coach, if it was thorough."""

    def answers(self, line: bytes) -> Iterator[Answer]:
        try:
            question = msgspec.json.decode(line, type=Question)
            before = Record.read(question.record).replay()
            if jit.enabled():
                warm(before.game)
            elif not question.efforts:
                question = msgspec.structs.replace(question, efforts=INTERPRETED)
            if question.turn:
                coaching = self._adviser(before, question).coaching(question.turn)
                yield Answer(coaching=coaching, last=True)
            else:
                yield from self._hints(before, question)
        except Exception:
            yield Answer(failed=traceback.format_exc()[-2000:], last=True)

    def _hints(self, before: Position, question: Question) -> Iterator[Answer]:
        for adviser, last in advisers(self._judge(before), before, question.efforts):
            if self.questions.stop.is_set():
                break
            self._latest = (before.key, adviser) if last else None
            yield Answer(hint=adviser.hint(finished=last), last=last)
            if last:
                return
        yield Answer(last=True)

    def _adviser(self, before: Position, question: Question) -> Adviser:
        if self._latest is None or self._latest[0] != before.key:
            *_, (adviser, _) = advisers(self._judge(before), before, question.efforts)
            self._latest = before.key, adviser
        return self._latest[1]

    def _judge(self, position: Position) -> Judge:
        """One for each box and number of seats; what it keeps is forgotten with every position."""
        kind = position.preset.name, position.players
        if kind not in self._judges:
            self._judges[kind] = judge_for(position)
        return self._judges[kind]


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers
    if hasattr(os, "nice"):
        os.nice(12)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", 0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    thinker = Thinker()
    thinker.questions.listen()
    while True:
        for answer in thinker.answers(thinker.questions.next()):
            answers.write(msgspec.json.encode(answer) + b"\n")


if __name__ == "__main__":
    main()
