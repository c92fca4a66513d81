"""Why one turn is better than another: what a game brings so that the difference can be put into words.

Two lines of play begin in the same position, one with each turn. An *aspect* is something in which their
ends may differ (a line of a board, a penalty, who starts). A *fact* is what holds for an aspect after a
line. Facts are data that the rules produced, so they can be checked without the code that found them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from azulejos.core import plain
from azulejos.core.position import Position, Scored

NameOf = Callable[[int], str]
"""The name of a seat; empty: the seat of the reader."""

Place = tuple[str, tuple[int, ...]]
"""A part of the state: a field, and the leading indices into it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspect:
    """Something in which two positions may differ, and the points that belong to it."""

    name: str
    seat: int = -1
    """Whose board it is on; -1: it concerns the whole table."""
    place: int = -1
    """Where on the board."""
    parts: tuple[Place, ...] = ()
    codes: frozenset[int] = frozenset()
    """Reasons for points of the seat that belong to it, ..."""
    places: frozenset[int] | None = None
    """... at these places only; None: wherever."""

    def holds(self, scored: Scored) -> bool:
        return (scored.seat == self.seat and scored.code in self.codes
                and (self.places is None or scored.place in self.places))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What holds after a line. The game says what its name and numbers mean (`Tell.say`)."""

    name: str
    seat: int = -1
    place: int = -1
    numbers: tuple[int, ...] = ()


class Cause(StrEnum):
    """What kind of thing a loss came from."""

    GIFT = "gift"
    """Something left to another seat, which needed it."""
    THEIRS = "theirs"
    """What another seat could do."""
    OWN = "own"
    """What the seat itself could have built."""
    PENALTY = "penalty"
    START = "start"
    """Who starts the next round."""
    END = "end"
    """Whether the game goes on, and what its end brings."""
    SUPPLIES = "supplies"
    """What is kept for later, and giving up too early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What holds after a turn beside what holds after the better one: the matter of a headline."""

    played: Fact
    happened: bool
    """Whether it was so at the end of the round that was played."""
    better: Fact
    gift: Fact | None = None
    """What the turn left to another seat, ..."""
    taken: bool = False
    """... and whether that seat took it in the next turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """How many pieces of one kind a deal brought, and what each seat could do with them."""

    kind: int
    pieces: int
    average: float
    """How many would come on average from the same bag, rounded to a tenth."""
    room: tuple[int, ...]
    """[seat]: how many pieces of this kind the seat had a use for; the game says what that means."""

    def gain(self, seat: int) -> float:
        """How many more pieces than on average the seat could use; less than 0: fewer."""
        return min(self.pieces, self.room[seat]) - min(self.average, self.room[seat])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Future:
    """A line of play: a turn, what follows it, and what was scored on the way."""

    turn: Position
    """After the turn."""
    end: Position
    scored: tuple[Scored, ...]

    def points(self, aspect: Aspect) -> int:
        return sum(scored.points for scored in self.scored if aspect.holds(scored))


def future(before: Position, turn: Sequence[int], rest: Sequence[int]) -> Future:
    """Play a line and note what it scores."""
    after = before.after(turn)
    end = after.after(rest)
    scored = [each for ply in range(before.ply, end.ply) for each in end.explain(ply)]
    return Future(turn=after, end=end, scored=tuple(scored))


def changed(position: Position, change: Callable[[Any], None]) -> Position:
    """The position with a state that was changed without any rule, and without history."""
    twin, row = position.at(0), bytearray(position.packed)
    change(plain.record_of(position.game.state)(row))
    twin._here.set(bytes(row))
    return twin
