"""Why an answer is right and another wrong, in words that the points of the rules carry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from azulejos.core.message import Message
from azulejos.core.tell import Fact
from azulejos.insight.puzzles.exact import Exact
from azulejos.insight.puzzles.puzzle import Puzzle
from azulejos.insight.puzzles.themes import Contrast, contrast, gift_in
from azulejos.insight.puzzles.tree import Question, SolverTurn
from azulejos.insight.results import Mood, Reason, Statement
from azulejos.insight.words import reason_sentences, tell_of

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
