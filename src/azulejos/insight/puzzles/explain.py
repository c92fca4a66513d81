"""Why an answer is right and another wrong, in words that the points of the rules carry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.bots.levels import NAMES
from azulejos.core.game import CHANCE, OVER
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.tell import Aspect, Fact, Future, changed, future
from azulejos.insight.puzzles.difficulty import level_of
from azulejos.insight.puzzles.exact import Exact, NotProved
from azulejos.insight.puzzles.prove import Question, SolverTurn
from azulejos.insight.puzzles.puzzle import Goal, Puzzle, PuzzleEnd, PuzzleTheme
from azulejos.insight.results import Mood, Reason, Statement
from azulejos.insight.words import reason_sentences, tell_of

# --- themes -------------------------------------------------------------------------------------------
# Both turns are played on to the end of the round with best play. Every point scored there belongs to one
# aspect of one board, so the differences add up exactly to the difference of the margins.


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


# --- reasons ------------------------------------------------------------------------------------------


MOST_REASONS: Final = 2
SMALL: Final = 0.15
"""Reasons that carry a smaller part are not worth a sentence."""


def refuted(puzzle: Puzzle, question: Question, answer: SolverTurn, names: Sequence[str]) -> list[Message]:
    """Why an answer is worse than the best: facts that hold at the end of both lines, with best play."""
    best, position = question.answers[0], question.position
    found = contrast(position, (*best.actions, *best.line), (*answer.actions, *answer.line),
                     turn=len(best.actions), other=len(answer.actions))
    exact = Exact(position.game, puzzle.goal)
    exact.begin(position)
    seat, reasons = position.to_move, reasons_of(found, gift_in(found, exact))
    return [text for reason in reasons for text in reason_sentences(position, names, seat, reason)]


def explanation(puzzle: Puzzle, question: Question, names: Sequence[str]) -> list[Message]:
    """Why the best answer is right: compared with the best of the others."""
    other = next((answer for answer in question.answers if not answer.right), None)
    return [] if other is None else refuted(puzzle, question, other, names)


def reasons_of(found: Contrast, gift: Fact | None) -> list[Reason]:
    """The aspects that carry most of the difference, each with what holds after both turns."""
    tell, whole, reasons = tell_of(found.better.turn.game), max(1, found.whole), list[Reason]()
    for aspect, part in sorted(found.parts.items(), key=lambda pair: -pair[1]):
        better, worse = tell.fact(aspect, found.better), tell.fact(aspect, found.worse)
        if part < SMALL * whole or better is None or worse is None or better == worse:
            continue
        left = gift if gift is not None and (gift.seat, gift.place) == (aspect.seat, aspect.place) else None
        reasons.append(Reason(share=part / whole, played=Statement(Mood.BEST_PLAY, worse),
                              better=Statement(Mood.BEST_PLAY, better), gift=left, lines=((), ())))
    return reasons[:MOST_REASONS]


# --- words --------------------------------------------------------------------------------------------


OTHER_NAME: Final = "Ben"
"""Who sits opposite in a puzzle."""
TASKS: Final = {
    Goal.WIN: msg("Find the only turn that wins."),
    Goal.POINTS: msg("Score the most points this round."),
    Goal.SAFE: msg("Is this turn safe?"),
}
ABOUT: Final = {
    Goal.WIN: msg("The game ends with this round. Every other turn loses or shares the win."),
    Goal.POINTS: msg("Points ahead at the end of the round count, whatever {name} replies.",
                     name=OTHER_NAME),
    Goal.SAFE: msg("A safe turn gives nothing away: no other turn is better at the end of the round."),
}
SHORT: Final = {
    Goal.WIN: msg("Win it"), Goal.POINTS: msg("Most points this round"), Goal.SAFE: msg("Is it safe?"),
}
SOLVED: Final = {
    Goal.WIN: msg("Solved: the only turn that wins"), Goal.POINTS: msg("Solved: the best turn"),
    Goal.SAFE: msg("Right"),
}
PROVED: Final = {
    Goal.WIN: msg("Proved: one turn wins, all others do not."),
    Goal.POINTS: msg("Proved: one turn is best, whatever is replied."),
    Goal.SAFE: msg("Proved by playing out every reply."),
}
THEMES: Final = {
    PuzzleTheme.OWN_POINTS: msg("Your own points"),
    PuzzleTheme.THEIR_POINTS: msg("Take what they need"),
    PuzzleTheme.PENALTY: msg("Mind the penalty"),
    PuzzleTheme.SACRIFICE: msg("Lose a little first"),
    PuzzleTheme.GIFT: msg("Leave no gift"),
    PuzzleTheme.TIMING: msg("End it in time"),
    PuzzleTheme.TIE_BREAK: msg("The tie-break decides"),
    PuzzleTheme.DEEP: msg("More than one turn ahead"),
}


def difficulty_told(puzzle: Puzzle) -> Message:
    level = level_of(puzzle)
    return msg("Difficulty {level} of {last}: {name} finds it in half of its tries.", level=level,
               last=len(NAMES), name=NAMES[level - 1])


def outcome_told(question: Question, answer: SolverTurn) -> Message:
    """What a turn leads to with best play, and what that costs."""
    end, seat = question.position.after((*answer.actions, *answer.line)), question.position.to_move
    own, other = end.scores[seat], end.scores[1 - seat]
    if answer.lost:
        return nmsg("It costs you {n} point: with best play the round ends {own} : {other}.",
                    "It costs you {n} points: with best play the round ends {own} : {other}.",
                    n=answer.lost, own=own, other=other)
    if answer.value.result is not None:
        return _RESULTS[answer.value.result](own, other)
    return msg("With best play the round ends {own} : {other}.", own=own, other=other)


def _won(own: int, other: int) -> Message:
    return msg("You win {own} : {other}, whatever is played.", own=own, other=other)


def _shared(own: int, other: int) -> Message:
    return msg("With best play the win is shared, {own} : {other}.", own=own, other=other)


def _lost(own: int, other: int) -> Message:
    return msg("With best play you lose {own} : {other}.", own=own, other=other)


_RESULTS: Final[dict[PuzzleEnd, Callable[[int, int], Message]]] = {
    PuzzleEnd.WON: _won, PuzzleEnd.SHARED: _shared, PuzzleEnd.LOST: _lost,
}
