"""Puzzles that are proved: found in games, solved exactly, shipped in packs (docs/puzzles.md).

    puzzle = pack("azul")[0]
    tree = tree_of(puzzle)              # every turn: right or wrong, and what follows
    puzzle = daily("azul", date.today())
"""

from azulejos.insight.puzzles.difficulty import level_of
from azulejos.insight.puzzles.explain import explanation, refuted
from azulejos.insight.puzzles.packs import daily, find, pack, packs
from azulejos.insight.puzzles.prove import Defence, Question, SolverTurn, tree_of
from azulejos.insight.puzzles.puzzle import Goal, Proof, Puzzle, PuzzleEnd, PuzzleTheme, Value

__all__ = [
    "Defence",
    "Goal",
    "Proof",
    "Puzzle",
    "PuzzleEnd",
    "PuzzleTheme",
    "Question",
    "SolverTurn",
    "Value",
    "daily",
    "explanation",
    "find",
    "level_of",
    "pack",
    "packs",
    "refuted",
    "tree_of",
]
