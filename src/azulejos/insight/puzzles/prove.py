"""The second proof of a puzzle: no table, no order of moves, no reductions, and only yes or no questions.

It checks what a puzzle claims: that its answer reaches exactly what is written, that no other answer comes
close, and the same for every later decision that is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from azulejos.core.game import Game
from azulejos.core.position import Position
from azulejos.engine import endings
from azulejos.engine.endings import WON
from azulejos.insight.puzzles.exact import (
    SOUGHT, Exact, ExactTurn, NotProved, answer_key, turns_of, value_at,
)
from azulejos.insight.puzzles.puzzle import Goal, Puzzle, PuzzleEnd, Value

# --- the tree of a proof ------------------------------------------------------------------------------
# A *question* is a decision of the solver. A turn is right if it reaches the goal as well as the best turn,
# so every form of the answer is accepted. After a right turn the other seat defends: up to three replies
# are asked, first those after which an error costs most. Only decisions with one answer are asked; where
# several answers are as good, or nothing is left to decide, the puzzle is solved.


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
    return right_turns(exact, position) is not None


def right_turns(exact: Exact, position: Position) -> list[ExactTurn] | None:
    """The turns that are right, if they are one answer; no other turn is valued exactly."""
    best = exact.worth(position, position.to_move)
    if exact.goal is Goal.WIN and best <= WON // 2:
        return None
    low, high = (WON // 2 - 1, WON // 2) if exact.goal is Goal.WIN else (best - GAP, best)
    turns = exact.turns(position, low, high)
    if not has_one_answer(exact.goal, turns):
        return None
    return [turn for turn in turns if is_right(exact.goal, turn, turns[0])]


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


# --- proofs -------------------------------------------------------------------------------------------


NODES: Final = 8_000_000
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


def fault_of(puzzle: Puzzle, *, nodes: int = NODES, tree: Question | None = None) -> str | None:
    """What is wrong with a puzzle; None if all of its claims are proved. `tree`: its own, if known."""
    start = puzzle.start()
    plain = Plain(start.game, puzzle.goal, int(start.state.round), nodes=nodes)
    try:
        fault = _safe_fault(puzzle, plain) if puzzle.goal is Goal.SAFE else _turn_fault(puzzle, plain)
        if fault is None and puzzle.goal is not Goal.SAFE:
            fault = _later_fault(puzzle.goal, tree or tree_of(puzzle), plain)
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
