"""What the players of a table ask each other: to take back a turn, to play again.

A request is valid for one moment: as long as nothing more is written to the log. Whoever plays on has
answered it. It is granted when everybody who plays a seat at the table has agreed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from azulejos.web.store.company import Answer
from azulejos.web.store.saved import HUMAN, SavedSeat

TAKE_BACK: Final = "back"
AGAIN: Final = "again"

ASKED: Final = "asked"
YES: Final = "yes"
NO: Final = "no"


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request that is waiting for answers."""

    what: str
    by: frozenset[int]
    """The seats that asked."""
    agreed: frozenset[int]
    """The seats that agree, including those that asked."""

    def open_to(self, people: frozenset[int]) -> frozenset[int]:
        """The seats whose answer is missing."""
        return people - self.agreed


def people(seats: Iterable[SavedSeat]) -> frozenset[int]:
    """The seats that a person plays now."""
    return frozenset(seat.seat for seat in seats if seat.kind == HUMAN and not seat.bot)


def current(answers: Iterable[Answer], what: str, entries: int) -> Request | None:
    """The request of this kind after so many entries of the log, unless somebody has declined it."""
    given = {one.seat: one.answer for one in answers if (one.request, one.entries) == (what, entries)}
    by = frozenset(seat for seat, answer in given.items() if answer == ASKED)
    if not by or NO in given.values():
        return None
    return Request(what=what, by=by, agreed=frozenset(given))


def declined(answers: Iterable[Answer], what: str, entries: int) -> bool:
    return any((one.request, one.entries, one.answer) == (what, entries, NO) for one in answers)
