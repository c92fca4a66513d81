"""What a review consists of. Everything is frozen; plies count the actions of the record from 0."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import StrEnum

from azulejos.core.game import Seat
from azulejos.core.record import Record
from azulejos.core.tell import Brought, Fact
from azulejos.insight.verdicts import Chance, Grade, Kind, Points, Verdict


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
class Said:
    """A fact, and how it is known."""

    mood: Mood
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why the better turn is better: something that holds after one turn and not after the other."""

    share: float
    """The part of the loss that it carries."""
    played: Said
    better: Said
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
    effect: tuple[Points, ...]
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
class Moment:
    """A point of the graph: the outlook of every seat before the action of a ply, or at the end."""

    ply: int
    round: int
    seat: Seat | None
    """The seat to move; None: before a deal, or at the end."""
    kind: Kind
    margin: tuple[Points, ...]
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
    luck: tuple[Points, ...]
    correction: tuple[float, ...]
    """[seat]: how far the judge changed its mind about the position that was dealt."""
    stories: tuple[Story | None, ...] = ()
    """[seat]: what it brought; None where the luck is uncertain or nothing that can be counted fits it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Where the result of a seat came from, in points: start + luck + received - given + unforeseen."""

    seat: Seat
    start: Points
    luck: Points
    received: Points
    """What the other seats gave away, as far as this seat profited."""
    given: Points
    """What this seat gave away."""
    unforeseen: float
    """What the judge could not foresee: the rest, so that the sum is exact."""
    result: float

    @property
    def adjusted(self) -> Points:
        """The result with average deals."""
        return Points(self.result - self.luck.value, self.result - self.luck.high,
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
    moments: tuple[Moment, ...]
    ledgers: tuple[Ledger, ...]
    """[seat]; empty until every stretch is judged."""

    def helped(self, seat: int) -> tuple[int, ...]:
        """The plies of a seat's turns for which it had a hint or the coach's word (`Step.helped`)."""
        steps = self.record.steps
        return tuple(turn.ply for turn in self.turns if turn.seat == seat and steps[turn.ply].helped)

    def mattered(self, seat: int | None = None, count: int = 3) -> tuple[JudgedTurn, ...]:
        """The turns (of a seat) that lost most of the chance to win, worst first, if they are graded."""
        graded = [turn for turn in self.turns if turn.grade != Grade.EQUAL and seat in (None, turn.seat)]
        graded.sort(key=lambda turn: (-turn.verdict.win.value, -turn.verdict.points.value))
        return tuple(graded[:count])
