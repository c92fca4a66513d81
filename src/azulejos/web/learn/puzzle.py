"""A proved puzzle as a decision that a page can ask (`frames.solving`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from azulejos.core.message import Message
from azulejos.core.position import Position
from azulejos.insight.puzzles import Answer, Goal, Puzzle, Question, tree_of
from azulejos.insight.puzzles.exact import Exact
from azulejos.insight.puzzles.explain import reasons_of
from azulejos.insight.puzzles.themes import contrast, gift_in
from azulejos.insight.puzzles.words import outcome_told
from azulejos.insight.words import reason_sentences
from azulejos.web.learn.solving import Actions, Decision, Defence, Script, Verdict, script_of


def puzzle_script(puzzle: Puzzle, names: Sequence[str], language: str) -> Script:
    """Everything that can be answered, in one language; raises NotProved."""
    question, writer = tree_of(puzzle), _Writer(puzzle, names)
    return script_of(writer.proposal(question) if puzzle.goal is Goal.SAFE else writer.decision(question),
                     names, language)


class _Writer:
    """Writes the decisions of a puzzle."""

    def __init__(self, puzzle: Puzzle, names: Sequence[str]) -> None:
        self.puzzle, self.names = puzzle, names
        start = puzzle.start()
        self._exact = Exact(start.game, puzzle.goal)
        self._exact.begin(start)

    def decision(self, question: Question) -> Decision:
        by_key = {question.position.after(answer.actions).key: answer for answer in question.answers}

        def judge(turn: Actions, after: Position) -> Verdict:
            answer = by_key[after.key]
            return Verdict(
                right=answer.right, said=[outcome_told(question, answer), *self._why(question, answer)],
                line=answer.line,
                next=[Defence(actions=each.actions, decision=self.decision(each.question))
                      for each in answer.defences],
            )

        return Decision(position=question.position, best=question.answers[0].actions, judge=judge)

    def proposal(self, question: Question) -> Decision:
        """One turn is proposed; the page asks whether it is safe and shows what follows it."""
        number = question.position.game.moves.number
        return replace(self.decision(question), best=tuple(number(move) for move in self.puzzle.turn))

    def _why(self, question: Question, answer: Answer) -> list[Message]:
        """After a wrong turn what it leads to, after a right one what that leads to: both would give the
        answer away, or speak of a turn that nobody chose."""
        others = [each for each in question.answers if not each.right]
        if answer.right and not others:
            return []
        best, position = question.answers[0], question.position
        worse = others[0] if answer.right else answer
        found = contrast(position, (*best.actions, *best.line), (*worse.actions, *worse.line),
                         turn=len(best.actions), other=len(worse.actions))
        told = [reason_sentences(position, self.names, position.to_move, reason)
                for reason in reasons_of(found, gift_in(found, self._exact))]
        return [sentence for each in told for sentence in (each[-1:] if answer.right else each[:-1])]
