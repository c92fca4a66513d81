"""Puzzles: solve one in a terminal; find them in games of bots, rate and prove a pack again.

    azulejos puzzles mine azul --count 100 --seed 1 --out azul.txt
    azulejos puzzles mine azul --hard --count 5000 --seed 2 --out azul-hard.txt
    azulejos puzzles rate azul --out azul.txt
    azulejos puzzles prove azul
"""

from __future__ import annotations

import contextlib
import datetime
import itertools
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from azulejos.cli.common import (
    chosen_seed, complaints, console, fresh_seed_option, out_option, progress, results_table, say,
    seed_option, takes_workers,
)
from azulejos.cli.positions import show_board, tell
from azulejos.core import registry
from azulejos.core.message import Message, Problem, msg, nmsg, raw
from azulejos.core.notation import IllegalMove, InvalidMove
from azulejos.insight.puzzles import Goal, Puzzle, Question, SolverTurn, explanation, refuted, tree_of
from azulejos.insight.puzzles.explain import ABOUT, OTHER_NAME, TASKS, THEMES, difficulty_told, outcome_told

if TYPE_CHECKING:
    from rich.console import Console

    from azulejos.arena.workers import Workers
    from azulejos.insight.puzzles import Puzzle


SEEDS = 10**9
"""Games of one seed; more are never needed."""


@click.group(short_help="Find puzzles in games of bots; rate and prove the puzzles of a pack again.")
def puzzles() -> None:
    """Find puzzles in games of bots; rate and prove the puzzles of a pack again."""


@puzzles.command()
@click.argument("box")
@click.option("--count", default=100, show_default=True, type=click.IntRange(min=1),
              help="Puzzles to find.")
@click.option("--goal", "goals", multiple=True, type=click.Choice(("win", "points", "safe")),
              help="Only this goal; may be repeated.")
@out_option(".txt", what="File to write. If it exists, its puzzles are kept and count.", required=True)
@click.option("--hard", is_flag=True,
              help="Only what a search of some 3,000 positions misses. Stop it at any time: the same line "
                   "goes on where it ended.")
@seed_option
@takes_workers
def mine(
    box: str, count: int, goals: tuple[str, ...], out: Path, hard: bool, seed: int, workers: Workers
) -> None:
    """Play games of BOX and keep positions with one answer, proved twice."""
    from azulejos.insight.puzzles.mine import HARD, HARD_GOALS, USUAL, DistinctPuzzles, MinedGame
    from azulejos.insight.puzzles.packs import read_pack, write_pack
    from azulejos.insight.puzzles.puzzle import Goal

    with complaints():
        preset = registry.find(box)[1]
        name = preset.name
        found = DistinctPuzzles(read_pack(out, name) if out.exists() else ())
    first, journal = seed * SEEDS, out.with_name(f"{out.name}.games")
    chosen = tuple(Goal(goal) for goal in goals) or (HARD_GOALS if hard else tuple(Goal))
    done = int(journal.read_text("utf-8")) if hard and journal.exists() else 0
    games = (MinedGame(box=name, seed=first + number, goals=chosen, vein=HARD if hard else USUAL)
             for number in itertools.count(done))
    with progress() as bar:
        task = bar.add_task(f"mining {name}", total=count, completed=len(found))
        for games_done, more in enumerate(
            workers.map(MinedGame.mine, games) if len(found) < count else (), done + 1
        ):
            found.add(more)
            if more:
                write_pack(out, found)
            if hard:
                journal.write_text(f"{games_done}\n", "utf-8")
            bar.update(task, completed=min(count, len(found)))
            if len(found) >= count:
                break
    console().print(f"{len(found)} puzzles of {name} in {out}", markup=False)


@puzzles.command()
@click.argument("box")
@out_option(".txt", what="File to write.", required=True)
@takes_workers
def rate(box: str, out: Path, workers: Workers) -> None:
    """Measure with today's bots how hard the puzzles of BOX are.

    Those that stronger bots no longer find more often are left out.
    """
    from azulejos.insight.puzzles.difficulty import rate_one
    from azulejos.insight.puzzles.packs import pack, write_pack

    with complaints():
        preset = registry.find(box)[1]
        given = pack(preset.name)
    rated = []
    with progress() as bar:
        task = bar.add_task(f"rating {preset.name}", total=len(given))
        for puzzle in workers.map(rate_one, given):
            bar.advance(task)
            if puzzle is not None:
                rated.append(puzzle)
    write_pack(out, rated)
    console().print(f"{len(rated)} of {len(given)} puzzles of {preset.name} in {out}", markup=False)


@puzzles.command()
@click.argument("boxes", nargs=-1, metavar="[BOX]...")
@out_option(".parquet", ".npz", what="File to write.", required=True)
def export(boxes: tuple[str, ...], out: Path) -> None:
    """Write the puzzles of each BOX (default: all) as a table, with their answers (docs/data.md)."""
    from azulejos.arena.dataset import check, puzzle_rows, write
    from azulejos.insight.puzzles.packs import packs

    with complaints():
        check(out)
        names = [registry.find(box)[1].name for box in boxes] or list(packs())
        table, facts = puzzle_rows(names)
        write(out, table, facts)
    console().print(f"{len(table['id'])} puzzles of {', '.join(names)} in {out}", markup=False)


@puzzles.command()
@click.argument("boxes", nargs=-1, metavar="[BOX]...")
@click.option("--file", "-f", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Prove the puzzles of this file, of one BOX, instead of those that are shipped.")
@takes_workers
def prove(boxes: tuple[str, ...], path: Path | None, workers: Workers) -> None:
    """Prove the puzzles of each BOX (default: all) again: a plain search without the miner's shortcuts."""
    from azulejos.insight.puzzles.packs import pack, packs, read_pack

    if path is not None and len(boxes) != 1:
        raise click.UsageError("--file needs exactly one BOX")
    with complaints():
        names = [registry.find(box)[1].name for box in boxes or packs()]
        chosen = {name: pack(name) if path is None else read_pack(path, name) for name in names}
    table, wrong = results_table("box", "puzzles", "proved", words={"box"}), 0
    for name, given in chosen.items():
        faults = _faults(name, given, workers)
        table.add_row(name, str(len(given)), str(len(given) - len(faults)))
        wrong += len(faults)
        for id_, fault in faults:
            click.echo(f"{name} {id_}: {fault}", err=True)
    console().print(table)
    if wrong:
        raise SystemExit(1)


def _faults(name: str, given: tuple[Puzzle, ...], workers: Workers) -> list[tuple[str, str]]:
    from azulejos.insight.puzzles.prove import fault_with_id

    with progress() as bar:
        task = bar.add_task(f"proving {name}", total=len(given))
        found = []
        for id_, fault in workers.map(fault_with_id, given):
            bar.advance(task)
            if fault is not None:
                found.append((id_, fault))
    return found


# --- a puzzle in a terminal ---------------------------------------------------------------------------


HELP = (
    msg("Type a turn as moves, separated by spaces; or yes or no, if that is the question."),
    msg("moves         all legal moves; moves 2 only those that begin with 2"),
    msg("board         show the table again"),
    msg("answer        show the answer"),
    msg("quit          leave the puzzle"),
)
WORDS = {"yes": True, "y": True, "no": False, "n": False}


class LeavePuzzle(Exception):
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
        except (LeavePuzzle, EOFError):
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

    def _judged(self, question: Question, actions: tuple[int, ...]) -> SolverTurn:
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

    def _refute(self, question: Question, answer: SolverTurn) -> None:
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
            raise LeavePuzzle
        else:
            return not word
        return True

    def _show_answer(self, question: Question) -> None:
        best = question.answers[0]
        self.tell(msg("The answer: {moves}", moves=self._moves(question, best.actions)), "bold")
        self.tell(outcome_told(question, best))
        raise LeavePuzzle

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


# --- one puzzle ---------------------------------------------------------------------------------------
#     azulejos puzzle azul --goal win --difficulty 4
#     azulejos puzzle azul --daily


LEVELS = 7


@click.command(short_help="Solve a proved puzzle in this terminal.")
@click.argument("box", required=False)
@click.option("--goal", type=click.Choice(("win", "points", "safe")), help="Only this goal.")
@click.option("--difficulty", type=click.IntRange(1, LEVELS),
              help="Only puzzles that the bot of this level, and none below, finds in half of its tries.")
@click.option("--daily", is_flag=True, help="The puzzle of today.")
@click.option("--id", "id_", metavar="ID", help="The puzzle of this name.")
@fresh_seed_option
def puzzle(
    box: str | None, goal: str | None, difficulty: int | None, daily: bool, id_: str | None,
    seed: int | None,
) -> None:
    """Solve a puzzle of BOX (default: the first with puzzles) in this terminal."""
    from azulejos.cli.puzzles import TerminalPuzzle
    from azulejos.insight.puzzles import daily as daily_of, find, packs

    with contextlib.suppress(ImportError):  # missing on some systems; enables line editing
        import readline  # noqa: F401
    rng = random.Random(chosen_seed(seed))
    with complaints():
        name = next(iter(packs())) if box is None else registry.find(box)[1].name
        if id_ is not None:
            chosen = find(name, id_)
        elif daily:
            chosen = daily_of(name, datetime.datetime.now(datetime.UTC).date())
        else:
            chosen = _drawn(name, goal, difficulty, rng)
    TerminalPuzzle(chosen, rng=rng, out=console()).run()


def _drawn(box: str, goal: str | None, difficulty: int | None, rng: random.Random) -> Puzzle:
    from azulejos.insight.puzzles import level_of, pack

    fitting = [
        puzzle for puzzle in pack(box)
        if goal in (None, puzzle.goal) and difficulty in (None, level_of(puzzle))
    ]
    if not fitting:
        raise Problem(msg("there are no such puzzles for {box}", box=box))
    return rng.choice(fitting)
