"""How sure a number is: points and chances with their 90 % intervals, kinds of proof, grades."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

SLIP_POINTS: Final = 0.5
MISTAKE_POINTS: Final = 2.0
BLUNDER_POINTS: Final = 5.0
MISTAKE_WIN: Final = 0.06
BLUNDER_WIN: Final = 0.15
AT_STAKE: Final = 0.005
"""Of the chance to win. If a turn changes less, the game is decided, and points make a mistake only if they
are exact, or as many as a blunder's: the only mistake of 12 that a judge with thirty times the nodes
refuted was such a one (4.6 points, then 0.4). Whoever loses by fifty points still wants to know where they
went."""


class Kind(StrEnum):
    """How a verdict was found."""

    EXACT = "exact"
    """The game ends with this round, and the rest of it is solved."""
    PROVED = "proved round"
    """The rest of the round is solved after both turns; what follows is averaged over the same deals."""
    ESTIMATE = "estimate"
    """A search that ended before the round did."""


class Grade(StrEnum):
    """What a turn lost for certain; EQUAL also if nothing is certain."""

    EQUAL = "equal"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def is_mistake(self) -> bool:
        return self in (Grade.MISTAKE, Grade.BLUNDER)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its 90 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def exactly(cls, value: float) -> Self:
        return cls(value, value, value)

    @classmethod
    def within(cls, value: float, error: float) -> Self:
        """A value that is wrong by more than `error` once in ten times."""
        return cls(value, value - error, value + error)

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class Points(Estimate):
    """Points of the margin over the best other seat at the end of the game."""

    __slots__ = ()


class Chance(Estimate):
    """A chance to win, or a part of one, from 0 to 1; a shared win counts as a fraction."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a turn lost compared with the better one, for the seat that played it."""

    kind: Kind
    points: Points
    win: Chance

    @property
    def grade(self) -> Grade:
        """By the lower ends of the intervals: what lies within the error of the judge is no mistake."""
        points, win = self.points.low, self.win.low
        if self.matters and (points > BLUNDER_POINTS or win > BLUNDER_WIN):
            return Grade.BLUNDER
        if points > BLUNDER_POINTS or (self.matters and (points > MISTAKE_POINTS or win > MISTAKE_WIN)):
            return Grade.MISTAKE
        return Grade.SLIP if points > SLIP_POINTS else Grade.EQUAL

    @property
    def matters(self) -> bool:
        """Whether what was lost is a fact, or could still have decided the game."""
        return self.kind is Kind.EXACT or self.win.value >= AT_STAKE


def nothing_lost(kind: Kind) -> Verdict:
    """Of the only legal turn, or the best one."""
    return Verdict(kind, Points.exactly(0.0), Chance.exactly(0.0))
