"""The second proof of a puzzle: no table, no order of moves, no reductions, and only yes or no questions.

It checks what a puzzle claims: that its answer reaches exactly what is written, that no other answer comes
close, and the same for every later decision that is asked.
"""

from __future__ import annotations

from typing import Final

from azulejos.core.game import Game
from azulejos.core.position import Position
from azulejos.engine import endings
from azulejos.insight.puzzles.exact import SOUGHT, NotProved, answer_key, turns_of
from azulejos.insight.puzzles.puzzle import Goal, Puzzle, PuzzleEnd, Value
from azulejos.insight.puzzles.tree import GAP, UNSAFE, Question, tree_of

NODES: Final = 4_000_000
"""Most nodes for one question of yes or no."""


class Plain:
    """Answers whether a seat can reach a value, by a plain search."""

    def __init__(self, game: Game, goal: Goal, round_: int, *, nodes: int = NODES) -> None:
        self._memory = endings.make_ending(game.engine, transposition_bits=1)
        self._reaches = game.engine.bind(endings.plain_reaches)
        self._nodes = nodes
        endings.begin(self._memory, sought=SOUGHT[goal], round_=round_)

    def reaches(self, position: Position, seat: int, worth: int) -> bool:
        endings.put(self._memory, position.row, limit=self._nodes)
        reached = bool(self._reaches(self._memory, seat, worth))
        if self._memory.counters[endings.GIVEN_UP]:
            raise NotProved("the plain search is too large")
        return reached

    def is_worth(self, position: Position, seat: int, worth: int) -> bool:
        """Whether best play leads to exactly this value."""
        return self.reaches(position, seat, worth) and not self.reaches(position, seat, worth + 1)


def fault_of(puzzle: Puzzle, *, nodes: int = NODES) -> str | None:
    """What is wrong with a puzzle; None if all of its claims are proved."""
    start = puzzle.start()
    plain = Plain(start.game, puzzle.goal, int(start.state.round), nodes=nodes)
    try:
        fault = _safe_fault(puzzle, plain) if puzzle.goal is Goal.SAFE else _turn_fault(puzzle, plain)
        if fault is None and puzzle.goal is not Goal.SAFE:
            fault = _later_fault(puzzle.goal, tree_of(puzzle), plain)
    except NotProved:
        return "the rest of the round is too large to be proved, or something is drawn in it"
    return fault


def fault_with_id(puzzle: Puzzle) -> tuple[str, str | None]:
    """For workers, which answer in any order."""
    return puzzle.id, fault_of(puzzle)


def _turn_fault(puzzle: Puzzle, plain: Plain) -> str | None:
    start = puzzle.start()
    seat, answer = start.to_move, start.after(puzzle.turn)
    if not plain.is_worth(answer, seat, worth_of(puzzle.goal, puzzle.best)):
        return f"the answer does not lead to {puzzle.best}"
    return _unique_fault(puzzle.goal, start, answer, worth_of(puzzle.goal, puzzle.best), plain)


def _unique_fault(
    goal: Goal, position: Position, answer: Position, worth: int, plain: Plain
) -> str | None:
    """What is wrong if an answer that is worth so much is to be the only one."""
    seat, key = position.to_move, answer_key(answer)
    close = endings.WON // 2 if goal is Goal.WIN else worth - GAP + 1
    for actions, after in turns_of(position):
        same = answer_key(after) == key
        if plain.reaches(after, seat, worth + 1 if same else close):
            moves = " ".join(position.game.moves.text(action) for action in actions)
            return f"{moves} is as good as the answer"
    return None


def _safe_fault(puzzle: Puzzle, plain: Plain) -> str | None:
    start = puzzle.start()
    seat, proposed = start.to_move, start.after(puzzle.turn)
    best, other = puzzle.best.margin, puzzle.other.margin
    if not plain.is_worth(proposed, seat, other):
        return f"the proposed turn does not lead to {puzzle.other}"
    if not plain.is_worth(start, seat, best):
        return f"the best turn does not lead to {puzzle.best}"
    if best != other and best - other < UNSAFE:
        return "the proposed turn is neither safe nor unsafe"
    return None


def _later_fault(goal: Goal, question: Question, plain: Plain) -> str | None:
    """The same for the decisions after the first one."""
    for answer in question.answers:
        for defence in answer.defences:
            asked = defence.question
            right = asked.position.after(asked.answers[0].actions)
            worth = worth_of(goal, asked.best)
            if not plain.is_worth(right, asked.position.to_move, worth):
                return f"a later answer does not lead to {asked.best}"
            fault = (_unique_fault(goal, asked.position, right, worth, plain)
                     or _later_fault(goal, asked, plain))
            if fault is not None:
                return fault
    return None


def worth_of(goal: Goal, value: Value) -> int:
    """A value as searches count it."""
    bonus = {PuzzleEnd.WON: endings.WON, PuzzleEnd.LOST: -endings.WON}
    return value.margin + (bonus.get(value.result, 0) if goal is Goal.WIN and value.result else 0)
