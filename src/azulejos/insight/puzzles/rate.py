"""The difficulty of known puzzles, measured again: other networks or weights find other answers."""

from __future__ import annotations

import functools
from dataclasses import replace

from azulejos.insight.puzzles.difficulty import (
    HALF,
    SKILLS,
    STRICT,
    USUAL_HARDEST,
    Trials,
    is_monotone,
    skill_of,
)
from azulejos.insight.puzzles.exact import effort_of
from azulejos.insight.puzzles.puzzle import Goal, Puzzle
from azulejos.insight.puzzles.tree import tree_of


def rated_again(puzzle: Puzzle, trials: Trials) -> Puzzle | None:
    """The puzzle with its difficulty for today's search; None if success no longer grows with skill.

    Questions whether a turn is safe stay as they are: a pack does not keep the turns that were compared.
    """
    if puzzle.goal is Goal.SAFE:
        return puzzle
    start, before = puzzle.start(), skill_of(puzzle.curve)
    right = {start.after(answer.actions).key for answer in tree_of(puzzle).answers if answer.right}
    hardest = SKILLS[len(puzzle.curve) - 1]
    effort = effort_of(start, puzzle.goal) if hardest > USUAL_HARDEST else None
    curve = trials.curve(start, right, seed=puzzle.id, hardest=hardest, counted_out=effort)
    skill = skill_of(curve, HALF)
    if before is None or skill is None or not is_monotone(curve, STRICT):
        return None
    difficulty = round(max(0.0, puzzle.difficulty + skill - before), 2)
    return replace(puzzle, curve=curve, difficulty=difficulty)


def rate_one(puzzle: Puzzle) -> Puzzle | None:
    return rated_again(puzzle, _trials())


@functools.cache
def _trials() -> Trials:
    """One for each process: their memory is large."""
    return Trials()
