"""Goals, themes and answers of puzzles in words, for the page and the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from azulejos.bots.levels import NAMES
from azulejos.core.message import Message, msg, nmsg
from azulejos.insight.puzzles.difficulty import level_of
from azulejos.insight.puzzles.puzzle import Goal, Puzzle, PuzzleEnd, PuzzleTheme
from azulejos.insight.puzzles.tree import Question, SolverTurn

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
