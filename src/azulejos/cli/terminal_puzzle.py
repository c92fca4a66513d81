"""A puzzle in the terminal: asks for turns, says whether they are right, and shows what refutes them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from azulejos.cli.common import say
from azulejos.cli.show import show_board, tell
from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.notation import IllegalMove, InvalidMove
from azulejos.insight.puzzles import Answer, Goal, Puzzle, Question, explanation, refuted, tree_of
from azulejos.insight.puzzles.words import ABOUT, OTHER_NAME, TASKS, THEMES, difficulty_told, outcome_told

if TYPE_CHECKING:
    from rich.console import Console

HELP = (
    msg("Type a turn as moves, separated by spaces; or yes or no, if that is the question."),
    msg("moves         all legal moves; moves 2 only those that begin with 2"),
    msg("board         show the table again"),
    msg("answer        show the answer"),
    msg("quit          leave the puzzle"),
)
WORDS = {"yes": True, "y": True, "no": False, "n": False}


class Leave(Exception):
    """Somebody left the puzzle or asked for the answer."""


class TerminalPuzzle:
    """One puzzle at one keyboard."""

    def __init__(self, puzzle: Puzzle, *, rng: random.Random, out: Console) -> None:
        self.puzzle, self.rng, self.out = puzzle, rng, out
        self.first = tree_of(puzzle)
        self.names = tuple(say(msg("You")) if seat == puzzle.seat else OTHER_NAME for seat in range(2))
        self.tries = 0

    def run(self) -> bool:
        """Ask until the puzzle is solved; False if somebody left before."""
        try:
            self._introduce()
            if self.puzzle.goal is Goal.SAFE:
                self._ask_whether_safe()
            else:
                self._ask(self.first)
        except (Leave, EOFError):
            return False
        self._praise()
        return True

    def _introduce(self) -> None:
        show_board(self.out, self.first.position, self.names)
        self.tell(TASKS[self.puzzle.goal], "bold")
        self.tell(ABOUT[self.puzzle.goal])
        if self.puzzle.goal is Goal.SAFE:
            self.tell(msg("The turn: {moves}", moves=raw(" ".join(self.puzzle.turn))), "bold")
        self.tell(difficulty_told(self.puzzle), "bright_black")
        self.tell(msg("Type help for a list of commands."), "bright_black")

    def _praise(self) -> None:
        self.tell(nmsg("Solved with {n} try.", "Solved with {n} tries.", n=self.tries), "bold green")
        for sentence in explanation(self.puzzle, self.first, self.names):
            self.tell(sentence)
        if self.puzzle.themes:
            themes = raw(", ".join(say(THEMES[theme]) for theme in self.puzzle.themes))
            self.tell(msg("Themes: {themes}", themes=themes), "bright_black")

    # --- questions ----------------------------------------------------------------------------------

    def _ask(self, question: Question) -> None:
        """Ask for turns until one is right, then what the best defences ask."""
        answer = self._judged(question, self._turn(question))
        while not answer.right:
            answer = self._judged(question, self._turn(question))
        if answer.defences:
            defence = self.rng.choice(answer.defences)
            if defence.actions:
                self.tell(msg("Right. {name} replies {moves}. And now?", name=OTHER_NAME,
                              moves=self._moves(question, defence.actions)), "green")
            else:
                self.tell(msg("Right, and you move again."), "green")
            show_board(self.out, defence.question.position, self.names)
            self._ask(defence.question)
        else:
            self.tell(outcome_told(question, answer), "green")

    def _judged(self, question: Question, actions: tuple[int, ...]) -> Answer:
        answer = question.answer(actions)
        self.tries += 1
        if not answer.right:
            self.tell(msg("Not this one."), "red")
            self._refute(question, answer)
        return answer

    def _ask_whether_safe(self) -> None:
        moves = self.first.position.game.moves
        proposed = self.first.answer(tuple(moves.number(text) for text in self.puzzle.turn))
        while self._yes_or_no() != self.puzzle.is_safe:
            self.tell(msg("Wrong. Look again."), "red")
        if not proposed.right:
            self._refute(self.first, proposed)

    def _refute(self, question: Question, answer: Answer) -> None:
        self.tell(outcome_told(question, answer))
        if answer.line:
            self.tell(msg("Best play after it: {moves}", moves=self._moves(question, answer.line)))
        for sentence in refuted(self.puzzle, question, answer, self.names):
            self.tell(sentence)

    # --- the keyboard -------------------------------------------------------------------------------

    def _line(self, question: Question) -> str:
        """A line that is no command."""
        while True:
            line = self.out.input("> ", markup=False).strip()
            word, _, rest = line.partition(" ")
            if not self._commanded(question, word, rest.strip()):
                return line

    def _commanded(self, question: Question, word: str, rest: str) -> bool:
        if word in ("help", "?"):
            for sentence in HELP:
                self.tell(sentence)
        elif word == "moves":
            texts = [move.text for move in question.position.legal_moves if move.text.startswith(rest)]
            self.out.print(" ".join(texts), markup=False)
        elif word == "board":
            show_board(self.out, question.position, self.names)
        elif word == "answer":
            self._show_answer(question)
        elif word == "quit":
            raise Leave
        else:
            return not word
        return True

    def _show_answer(self, question: Question) -> None:
        best = question.answers[0]
        self.tell(msg("The answer: {moves}", moves=self._moves(question, best.actions)), "bold")
        self.tell(outcome_told(question, best))
        raise Leave

    def _yes_or_no(self) -> bool:
        line = self._line(self.first)
        while line not in WORDS:
            self.tell(msg("Type yes or no."))
            line = self._line(self.first)
        self.tries += 1
        return WORDS[line]

    def _turn(self, question: Question) -> tuple[int, ...]:
        """A whole turn that can be played."""
        while True:
            try:
                return self._read(question, self._line(question).split())
            except InvalidMove as error:
                self.tell(raw(error.pointer()))
                self.tell(error.reason, "red")
            except IllegalMove as error:
                self.tell(error.reason, "red")

    def _read(self, question: Question, words: Sequence[str]) -> tuple[int, ...]:
        trial, seat, actions = question.position.copy(), question.position.to_move, list[int]()
        for word in words:
            if actions and not trial.in_turn_of(seat):
                raise IllegalMove(msg("Your turn has already ended before {move}.", move=word))
            actions.append(trial.game.moves.number(word))
            trial.play(word)
        while trial.in_turn_of(seat):
            legal = trial.legal_actions()
            if len(legal) > 1:
                raise IllegalMove(msg("The turn is not finished: {moves} may follow.", moves=raw(
                    " ".join(move.text for move in trial.legal_moves))))
            actions.append(legal[0])
            trial.play(legal[0])
        return tuple(actions)

    def _moves(self, question: Question, actions: Sequence[int]) -> Message:
        text = question.position.game.moves.text
        return raw(" ".join(text(action) for action in actions))

    def tell(self, message: Message, style: str = "") -> None:
        tell(self.out, message, style)
