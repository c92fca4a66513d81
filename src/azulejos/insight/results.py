"""What the judge says, as data: verdicts and how sure they are, reviews, advice about a turn, outlooks.

Everything is frozen, and nothing here needs an engine. Plies count the actions of a record from 0.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from azulejos.core.game import Seat
from azulejos.core.record import Record
from azulejos.core.tell import Brought, Fact

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
FAR_AHEAD: Final = 0.9
"""From this chance to win on, a coach judges by the chance to win alone."""


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


class Margin(Estimate):
    """Points of the margin over the best other seat at the end of the game."""

    __slots__ = ()


class Chance(Estimate):
    """A chance to win, or a part of one, from 0 to 1; a shared win counts as a fraction."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a turn lost compared with the better one, for the seat that played it."""

    kind: Kind
    points: Margin
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
    return Verdict(kind, Margin.exactly(0.0), Chance.exactly(0.0))


# --- a finished game --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A turn and the best play after it, as actions from the ply where the turn begins."""

    turn: tuple[int, ...]
    rest: tuple[int, ...]
    """To the end of the round if that is solved, otherwise as far as the search expects anything."""

    @property
    def actions(self) -> tuple[int, ...]:
        return self.turn + self.rest


class Mood(StrEnum):
    """How a fact after a turn is known."""

    HAPPENED = "happened"
    """It was so at the end of the round that was played."""
    FORCED = "forced"
    """It is certain after the turn, whatever is played then."""
    BEST_PLAY = "best play"
    """It is so after best play of all, which is proved."""
    EXPECTED = "expected"
    """It is so after the play that the search expects."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact, and how it is known."""

    mood: Mood
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why the better turn is better: something that holds after one turn and not after the other."""

    share: float
    """The part of the loss that it carries."""
    played: Statement
    better: Statement
    gift: Fact | None = None
    """What the turn left to another seat; without it the loss would nearly vanish."""
    lines: tuple[tuple[int, ...], tuple[int, ...]]
    """The two lines after which the facts hold, played and better, as actions from the turn on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTurn:
    """A turn of the game, and what it lost compared with the better one."""

    ply: int
    round: int
    seat: Seat
    choices: int
    """How many actions were legal at its beginning."""
    played: Line
    better: Line | None
    """None: nothing better was found."""
    verdict: Verdict
    effect: tuple[Margin, ...]
    """[seat]: by how much the turn changed each seat's expected margin compared with the better one."""
    reasons: tuple[Reason, ...] = ()
    """Why the better turn is better, if these together carry most of the loss."""

    @property
    def grade(self) -> Grade:
        return self.verdict.grade

    @property
    def common(self) -> int:
        """With how many equal actions both turns begin. Where a turn is several actions, 0 means another
        turn altogether, more a different end, such as another payment for the same piece."""
        pairs = zip(self.played.turn, self.better.turn, strict=False) if self.better else ()
        return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPoint:
    """A point of the graph: the outlook of every seat before the action of a ply, or at the end."""

    ply: int
    round: int
    seat: Seat | None
    """The seat to move; None: before a deal, or at the end."""
    kind: Kind
    margin: tuple[Margin, ...]
    win: tuple[Chance, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What a deal brought that fits a seat's luck: the kind of piece that favoured it or another seat."""

    brought: Brought
    other: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """A deal, and what it brought each seat compared with other deals from the same bag."""

    ply: int
    end: int
    """The ply after its last draw."""
    round: int
    luck: tuple[Margin, ...]
    correction: tuple[float, ...]
    """[seat]: how far the judge changed its mind about the position that was dealt."""
    stories: tuple[Story | None, ...] = ()
    """[seat]: what it brought; None where the luck is uncertain or nothing that can be counted fits it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Where the result of a seat came from, in points: start + luck + received - given + unforeseen."""

    seat: Seat
    start: Margin
    luck: Margin
    received: Margin
    """What the other seats gave away, as far as this seat profited."""
    given: Margin
    """What this seat gave away."""
    unforeseen: float
    """What the judge could not foresee: the rest, so that the sum is exact."""
    result: float

    @property
    def adjusted(self) -> Margin:
        """The result with average deals."""
        return Margin(self.result - self.luck.value, self.result - self.luck.high,
                      self.result - self.luck.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A finished game, judged. While it is being made, earlier versions of it hold what is known so far."""

    record: Record
    judge: int
    """The version of the judge's method."""
    weights: str
    """Identifies the weights, networks and tables that the judge used."""
    calibrated: bool
    """Whether points and chances were checked against results of games of this kind."""
    judged: int
    """How many stretches of the game (rounds, or what lies between two draws) are judged, ..."""
    stretches: int
    """... and how many there are."""
    finished: bool
    """Whether the judge will not improve on this any more."""
    turns: tuple[JudgedTurn, ...]
    deals: tuple[Deal, ...]
    moments: tuple[GraphPoint, ...]
    ledgers: tuple[Balance, ...]
    """[seat]; empty until every stretch is judged."""

    def helped(self, seat: int) -> tuple[int, ...]:
        """The plies of a seat's turns for which it had a hint or the coach's word (`GameNode.helped`)."""
        line = self.record.line
        return tuple(turn.ply for turn in self.turns if turn.seat == seat and line[turn.ply].helped)

    def mattered(self, seat: int | None = None, count: int = 3) -> tuple[JudgedTurn, ...]:
        """The turns (of a seat) that lost most of the chance to win, worst first, if they are graded."""
        graded = [turn for turn in self.turns if turn.grade != Grade.EQUAL and seat in (None, turn.seat)]
        graded.sort(key=lambda turn: (-turn.verdict.win.value, -turn.verdict.points.value))
        return tuple(graded[:count])


# --- advice about a turn ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """The best turn of a seat, and what makes it better than another that looks good."""

    ply: int
    seat: Seat
    best: Line
    kind: Kind
    runner_up: JudgedTurn | None
    """The second best turn, as if it had been played; None if there is no other."""
    contrast: JudgedTurn | None
    """A turn that looks good and loses something, with the reasons; otherwise the second best."""
    places: tuple[str, ...]
    """The part of the table to look at: a group of places with those of the turn among them."""
    finished: bool
    """Whether the judge will not improve on this."""

    @property
    def unsure(self) -> bool:
        """Whether another turn is as good for all that the judge can tell."""
        return self.runner_up is not None and self.runner_up.grade is Grade.EQUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Coaching:
    """What a coach knows about a turn that was played."""

    turn: JudgedTurn
    win: float
    """The chance to win before it, with the best turn."""

    @property
    def speaks(self) -> bool:
        """Whether the turn was a mistake for certain. Somebody who is far ahead may give away points, but
        not the win."""
        if self.win >= FAR_AHEAD:
            return self.turn.verdict.win.low > MISTAKE_WIN
        return self.turn.grade.is_mistake


# --- a position -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Threat:
    """A turn of the next player, if the seat to move did nothing."""

    seat: Seat
    actions: tuple[int, ...]
    points: float
    """How much worse the margin of the seat to move becomes, compared with its best turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedTurn:
    """A turn compared with the best one, for the seat to move."""

    actions: tuple[int, ...]
    line: tuple[int, ...]
    """The expected play, beginning with the turn."""
    kind: Kind
    points: Margin
    """At most 0: how much worse than the best turn."""
    win: Chance
    proved: bool = False

    @property
    def is_equal(self) -> bool:
        """Whether the judge cannot tell it from the best turn."""
        worse, rarer = self.points, self.win
        lost = Verdict(self.kind, Margin(-worse.value, -worse.high, -worse.low),
                       Chance(-rarer.value, -rarer.high, -rarer.low))
        return lost.grade is Grade.EQUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionValue:
    """What is known about a position so far."""

    seat: Seat | None
    """The seat to move; None: something is drawn, or the game is over."""
    points: tuple[Margin, ...]
    """[seat]: the expected margin at the end of the game."""
    win: tuple[Chance, ...]
    kind: Kind
    turns: tuple[RankedTurn, ...] = ()
    """The best ones, best first."""
    threat: Threat | None = None
    nodes: int = 0
    deals: int = 0
    seconds: float = 0.0
    finished: bool = False

    @property
    def equals(self) -> int:
        """How many of the first turns are equal for the judge; 0 if the best one stands alone."""
        equal = next((i for i, turn in enumerate(self.turns) if not turn.is_equal), len(self.turns))
        return equal if equal > 1 else 0
