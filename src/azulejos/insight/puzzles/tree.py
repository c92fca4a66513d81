"""Everything that can be answered in a puzzle: every turn right or wrong, and what follows it.

A *question* is a decision of the solver. A turn is right if it reaches the goal as well as the best turn,
so every form of the answer is accepted. After a right turn the other seat defends: up to three replies
are asked, first those after which an error costs most. Only decisions with one answer are asked; where
several answers are as good, or nothing is left to decide, the puzzle is solved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from azulejos.core.position import Position
from azulejos.engine.endings import WON
from azulejos.insight.puzzles.exact import Exact, ExactTurn, answer_key, value_at
from azulejos.insight.puzzles.puzzle import Goal, Puzzle, Value

GAP: Final = 2
"""Points by which the best other answer is worse, at every decision that is asked."""
UNSAFE: Final = 4
"""Points that an unsafe turn loses at least."""
MOST_DEFENCES: Final = 3
MOST_DECISIONS: Final = 3
"""Decisions asked in a row."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SolverTurn:
    """A turn of the solver."""

    actions: tuple[int, ...]
    right: bool
    value: Value
    """At the end of the round, if both seats play their best after it."""
    lost: int
    """Points behind the best turn."""
    line: tuple[int, ...]
    """Best play after it to the end of the round: the refutation of a wrong turn."""
    defences: tuple[Defence, ...] = ()
    """After a right turn: what is asked next; empty: the puzzle is solved."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Defence:
    """A reply, and the next decision of the solver. Without actions the solver moves again."""

    actions: tuple[int, ...]
    question: Question


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A decision of the solver: every turn is among the answers, up to the order of its steps."""

    position: Position = field(compare=False)
    best: Value
    answers: tuple[SolverTurn, ...]
    """The best first."""

    def answer(self, actions: tuple[int, ...]) -> SolverTurn:
        """The answer of a turn, whatever the order of its steps."""
        end = self.position.after(actions).key
        return next(each for each in self.answers if self.position.after(each.actions).key == end)


def tree_of(puzzle: Puzzle) -> Question:
    """The first question of a puzzle, with everything after it; raises NotProved if it is none."""
    start = puzzle.start()
    exact = Exact(start.game, puzzle.goal)
    exact.begin(start)
    decisions = 1 if puzzle.goal is Goal.SAFE else MOST_DECISIONS
    return _question(exact, start, decisions)


def size_of(question: Question) -> int:
    """The number of answers in a tree."""
    return len(question.answers) + sum(
        size_of(defence.question) for answer in question.answers for defence in answer.defences
    )


def is_right(goal: Goal, turn: ExactTurn, best: ExactTurn) -> bool:
    """Whether a turn reaches the goal: the win, or the best margin."""
    return turn.worth > WON // 2 if goal is Goal.WIN else turn.worth == best.worth


def one_answer(exact: Exact, position: Position) -> bool:
    """Whether exactly one answer is right: the same as `has_one_answer` of all turns, but quicker."""
    best = exact.worth(position, position.to_move)
    if exact.goal is Goal.WIN and best <= WON // 2:
        return False
    low, high = (WON // 2 - 1, WON // 2) if exact.goal is Goal.WIN else (best - GAP, best)
    return has_one_answer(exact.goal, exact.turns(position, low, high))


def has_one_answer(goal: Goal, turns: list[ExactTurn]) -> bool:
    """Whether exactly one answer is right, and all others are clearly worse. `turns`: best first."""
    best = turns[0]
    if not is_right(goal, best, best):
        return False
    key = answer_key(best.after)
    close = [turn for turn in turns[1:] if is_close(goal, turn, best)]
    return len(close) < len(turns) - 1 and all(answer_key(turn.after) == key for turn in close)


def is_close(goal: Goal, turn: ExactTurn, best: ExactTurn) -> bool:
    return is_right(goal, turn, best) if goal is Goal.WIN else turn.worth > best.worth - GAP


def _question(exact: Exact, position: Position, decisions: int) -> Question:
    seat, turns = position.to_move, exact.turns(position)
    answers = []
    for turn in turns:
        line = exact.line(turn.after)
        right = is_right(exact.goal, turn, turns[0])
        answers.append(SolverTurn(
            actions=turn.actions, right=right, value=value_at(turn.after.after(line), seat),
            lost=(turns[0].worth - turn.worth) % WON if exact.goal is not Goal.WIN else 0, line=line,
            defences=tuple(_defences(exact, turn.after, seat, decisions - 1)) if right else (),
        ))
    return Question(position=position, best=answers[0].value, answers=tuple(answers))


def _defences(exact: Exact, after: Position, seat: int, decisions: int) -> list[Defence]:
    if not decisions or after.to_move < 0:
        return []
    if after.to_move == seat:
        if not one_answer(exact, after):
            return []
        return [Defence(actions=(), question=_question(exact, after, decisions))]
    return [
        Defence(actions=reply.actions, question=_question(exact, reply.after, decisions))
        for reply in _asked(exact, after, seat)
    ]


def asks_more(exact: Exact, after: Position, seat: int) -> bool:
    """Whether anything is asked after a right turn of a seat."""
    if after.to_move == seat:
        return one_answer(exact, after)
    return after.to_move >= 0 and bool(_asked(exact, after, seat))


def _asked(exact: Exact, after: Position, seat: int) -> list[ExactTurn]:
    """The best replies after which one turn alone is right, the most costly to miss first."""
    replies = exact.turns(after)
    found: dict[bytes, tuple[int, ExactTurn]] = {}
    for reply in replies:
        if reply.after.to_move != seat or not is_right_reply(exact.goal, reply, replies[0]):
            continue
        turns = exact.turns(reply.after)
        if has_one_answer(exact.goal, turns):
            key = answer_key(reply.after)
            found.setdefault(key, (turns[0].worth - _other(exact.goal, turns).worth, reply))
    ranked = sorted(found.values(), key=lambda pair: -pair[0])
    return [reply for _, reply in ranked[:MOST_DEFENCES]]


def is_right_reply(goal: Goal, reply: ExactTurn, best: ExactTurn) -> bool:
    """Whether a reply resists best: every reply, if the game is lost anyway."""
    return goal is Goal.WIN or reply.worth == best.worth


def _other(goal: Goal, turns: list[ExactTurn]) -> ExactTurn:
    """The best turn that is not right."""
    return next(turn for turn in turns if not is_right(goal, turn, turns[0]))
