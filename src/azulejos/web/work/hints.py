"""Hints and the coach's word, as jobs: which turns they are about is decided in `tables/advice.py`.

A job words and weighs what is found; its searches are done by the visitor's page, if that can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.insight.hint import Adviser, advisers
from azulejos.insight.judge import Effort, FoundBest, Judge, NobodySearches, WantedSearches, judge_for
from azulejos.insight.results import Coaching, Hint
from azulejos.web.work.thinker import BaseThinker, JobLimits


class BeginningTurn(msgspec.Struct, frozen=True):
    """The turn that begins where a record ends."""

    record: str
    turn: tuple[int, ...] = ()
    """What was played, for the coach; empty: a hint is wanted."""
    efforts: tuple[Effort, ...] = ()
    """How much the judge searches; empty: as much as it thinks right."""


class Advised(msgspec.Struct, frozen=True):
    hint: Hint | None = None
    coaching: Coaching | None = None


def elsewhere(limits: JobLimits, wanted: WantedSearches) -> Sequence[FoundBest]:
    """Asks the page of the visitor, through whoever gave the job."""
    reply = b"" if limits.stop.is_set() else limits.ask(wanted)
    try:
        return msgspec.json.decode(reply, type=list[FoundBest])
    except msgspec.MsgspecError as error:
        raise NobodySearches from error


class Thinker(BaseThinker):
    question = BeginningTurn

    def __init__(self) -> None:
        self._judges: dict[tuple[str, int], Judge] = {}
        self._latest: tuple[bytes, Adviser] | None = None
        """The adviser about the last position, for the coach, if it was thorough."""

    def answers(self, question: BeginningTurn, limits: JobLimits) -> Iterator[Any]:
        before = Record.read(question.record).replay()
        self._judge(before).elsewhere = partial(elsewhere, limits)
        if question.turn:
            yield Advised(coaching=self._adviser(before, question).coaching(question.turn))
            return
        self._latest = None  # its judge looks at another position now
        for number, (adviser, last) in enumerate(advisers(self._judge(before), before, question.efforts)):
            if limits.stop.is_set():
                return
            if not number:
                yield Advised(hint=adviser.where())
            self._latest = (before.key, adviser) if last else None
            yield Advised(hint=adviser.hint(finished=last))

    def _adviser(self, before: Position, question: BeginningTurn) -> Adviser:
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
