"""What separates two turns, by the points of the aspects that a game's tell.py lists.

Both turns are played on to the end of the round with best play. Every point scored there belongs to one
aspect of one board, so the differences add up exactly to the difference of the margins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.core.game import CHANCE, OVER
from azulejos.core.position import Position
from azulejos.core.tell import Aspect, Fact, Future, changed, future
from azulejos.insight.puzzles.exact import Exact, NotProved
from azulejos.insight.puzzles.puzzle import PuzzleTheme
from azulejos.insight.words import tell_of

MUCH: Final = 0.4
"""The part of a difference from which on it makes a theme."""
CAUSE: Final = 0.6
"""The part of a loss that must vanish without its cause."""
SACRIFICED: Final = 2.0
"""Points by which the answer looks worse at first."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Contrast:
    """Two futures of a position, and the points by which the first is better for the seat to move."""

    seat: int
    better: Future
    worse: Future
    parts: dict[Aspect, int]
    """Aspects that carry a difference; the sum is the difference of the margins."""

    @property
    def whole(self) -> int:
        return sum(self.parts.values())


def contrast(before: Position, better: Sequence[int], worse: Sequence[int], *, turn: int = 1,
             other: int = 1) -> Contrast:
    """Compare two lines from a position; the first `turn` and `other` actions of them are the turns."""
    seat, tell = before.to_move, tell_of(before.game)
    first = future(before, better[:turn], better[turn:])
    second = future(before, worse[:other], worse[other:])
    parts = {}
    for aspect in tell.aspects(before):
        if aspect.seat >= 0:
            difference = first.points(aspect) - second.points(aspect)
            if difference:
                parts[aspect] = difference if aspect.seat == seat else -difference
    return Contrast(seat=seat, better=first, worse=second, parts=parts)


def themes_of(found: Contrast, *, gift: bool, behind: float, deep: bool) -> Iterator[PuzzleTheme]:
    """`behind`: points by which the answer looks worse at first; `deep`: whether more is asked later."""
    whole = max(1, found.whole)
    own = sum(part for aspect, part in found.parts.items() if aspect.seat == found.seat)
    if own >= MUCH * whole:
        yield PuzzleTheme.OWN_POINTS
    if found.whole - own >= MUCH * whole:
        yield PuzzleTheme.THEIR_POINTS
    if penalties(found) >= MUCH * whole:
        yield PuzzleTheme.PENALTY
    if behind >= SACRIFICED:
        yield PuzzleTheme.SACRIFICE
    if gift:
        yield PuzzleTheme.GIFT
    if found.better.end.is_over != found.worse.end.is_over:
        yield PuzzleTheme.TIMING
    if found.better.end.is_over and len(set(found.better.end.scores)) == 1:
        yield PuzzleTheme.TIE_BREAK
    if deep:
        yield PuzzleTheme.DEEP


def penalties(found: Contrast) -> int:
    """Points of the difference that are penalties of either seat."""
    def lost(line: Future) -> int:
        return sum(
            each.points if each.seat == found.seat else -each.points
            for each in line.scored if each.points < 0
        )
    return lost(found.better) - lost(found.worse)


def gift_in(found: Contrast, exact: Exact) -> Fact | None:
    """What the worse turn leaves to the other seat, if the loss nearly vanishes without it."""
    after, end = found.worse.turn, found.worse.end
    if after.to_move in (found.seat, CHANCE, OVER) or end.ply == after.ply:
        return None
    reply = end.history.actions[after.ply]
    better = found.better.turn
    if better.to_move >= 0 and reply in better.legal_actions():
        return None
    for aspect, part in sorted(found.parts.items(), key=lambda pair: -pair[1]):
        if aspect.seat == after.to_move and part > 0:
            fact = tell_of(after.game).gift(after, reply, aspect)
            if fact is not None and _is_cause(found, reply, exact):
                return fact
    return None


def _is_cause(found: Contrast, reply: int, exact: Exact) -> bool:
    """Whether the loss nearly vanishes if what the reply takes is not there."""
    after = found.worse.turn
    without = changed(after, lambda s: tell_of(after.game).remove(s, reply))
    if not without.legal_actions():
        return False
    try:
        saved = exact.worth(without, found.seat) - exact.worth(after, found.seat)
    except NotProved:
        return False
    return saved >= CAUSE * found.whole
