"""Playing in the terminal, with scripted input."""

from __future__ import annotations

import contextlib
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import azulejos
from azulejos import Record
from azulejos.bots import Limit
from azulejos.cli.common import console
from azulejos.cli.play import Participant, TerminalGame, read_seats
from cli.conftest import Run, environment, program
from patience import PATIENCE

BOXES = sorted(azulejos.presets())


class Typist:
    """Types some given lines, then a legal move whenever asked."""

    def __init__(self, table: TerminalGame, *before: str) -> None:
        self.table = table
        self.before = list(before)
        self.rng = random.Random(1)

    def __call__(self, prompt: str = "", **ignored: object) -> str:
        if self.before:
            return self.before.pop(0)
        return self.rng.choice([move.text for move in self.table.position.legal_moves])


def table_for(box: str, players: int, *words: str) -> TerminalGame:
    seats = read_seats(words, players, rest="random")
    return TerminalGame(azulejos.new(box, players=players), seats, rng=random.Random(2),
                 limit=Limit(seconds=0.1), out=console())


@pytest.mark.parametrize("box", BOXES)
def test_a_whole_game(
    box: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = table_for(box, 3, "Ada", "Bo")
    monkeypatch.setattr(table.out, "input", Typist(table, "help", "moves", "board", "undo"))
    assert table.run()
    shown = capsys.readouterr().out
    assert re.search(r"^(Winner|Shared win): ", shown, re.MULTILINE)
    assert table.record().replay() == table.position


def test_what_can_be_typed(run: Run) -> None:
    typed = ("help\nmoves 1\nwhy 2w4\nwhy 1b1\nwhy 2x\n9b9\nx\npreview 1b1\npreview 2w4\n1b1 2y2\npoints\n"
             "rules\nboard\nundo\nsave\nquit\n")
    result = run("play", "azul", "--seed", "4", "--start", "1", typed=typed)
    assert result.exit_code == 0
    for expected in ("go back to your last choice", "18 moves", "There is no white on factory 2.",
                     "1b1 is legal.", " ^\n", "9b9 cannot be read at character 1",
                     "expected one of: 1 2 3 4 5\n", "fills the line", "How to play Azul",
                     "Your turn has already ended", "There is nothing to take back.", "Name a file",
                     "The game is not finished."):
        assert expected in result.stdout


def test_undo_goes_back_to_the_persons_last_choice(run: Run) -> None:
    result = run("play", "azul", "--seed", "4", "--start", "1", typed="1b1\nundo\n1b1\nquit\n")
    boards = result.stdout.split("Round 1")
    assert boards[1].split("You> ")[0] == boards[3].split("You> ")[0]
    assert result.stdout.count("To move: You") == 4


def test_the_end_of_the_input_leaves_the_table(run: Run) -> None:
    result = run("play", "azul", typed="")
    assert result.exit_code == 0
    assert "The game is not finished." in result.stdout


def test_only_choices_are_made_and_said(capsys: pytest.CaptureFixture[str]) -> None:
    table = table_for("azul", 2, "Ada", "Bo")
    rng = random.Random(3)
    while table.position.is_chance or len(table.position.legal_moves) > 1:
        table.position.deal(rng)
        table.position.play(rng.choice(list(table.position.legal_moves)))
    name, move = table.names[table.position.to_move], next(iter(table.position.legal_moves)).text
    table.act()
    assert f"{name}: {move}, the only choice" in capsys.readouterr().out


def test_games_are_recorded_and_replayed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.azul"
    run("play", "chocolatier-grey", "random", "random", "--seed", "6", "--record", str(file))
    record = Record.read(file.read_text(encoding="utf-8"))
    assert record.replay().is_over
    assert [player.bot.split()[0] for player in record.seats] == ["random", "random"]
    shown = run("replay", str(file)).stdout
    assert shown.count("\n") > len(record.actions)
    assert "Winner: " in shown or "Shared win: " in shown
    assert "Round 1" in run("replay", str(file), "--at", "30").stdout
    assert run("replay", str(file), "--at", "9999").exit_code == 2
    assert run("replay", str(file), "--number", "2").exit_code == 2


def test_saving_from_the_table(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "saved.azul"
    run("play", "azul", "--seed", "4", "--start", "1", typed=f"1b1\nsave {file}\nsave {tmp_path}\nquit\n")
    assert "1. 1b1" in file.read_text(encoding="utf-8")


def test_guests() -> None:
    seats = read_seats(["me", "Ada", "random"], 4, rest="random")
    assert [who.name for who in seats] == ["You", "Ada", "random 3", "random 4"]
    assert [who.bot is None for who in seats] == [True, True, False, False]
    assert Participant("Ada").player() == azulejos.Player("Ada")


# --- a real terminal -----------------------------------------------------------------------------------


def hears_ctrl_c() -> None:
    """Restore the default for Ctrl-C, which is ignored if the tests run as a background job."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """The program on a pseudo-terminal."""

    def __init__(self, *words: str) -> None:
        self.master, side = pty.openpty()
        self.process = subprocess.Popen(
            program(*words), stdin=side, stdout=side, stderr=side, start_new_session=True,
            preexec_fn=hears_ctrl_c,
            env=environment(TERM="xterm-256color", COLUMNS="110", LINES="50"))
        os.close(side)
        self.seen = ""

    def until(self, text: str) -> str:
        """Read until a text appears; return everything up to it."""
        while text not in self.seen:
            ready, _, _ = select.select([self.master], [], [], PATIENCE)
            assert ready, f"{text!r} did not come; there was {self.seen!r}"
            self.seen += os.read(self.master, 4096).decode(errors="replace")
        before, _, self.seen = self.seen.partition(text)
        return before

    def type(self, line: str) -> None:
        os.write(self.master, line.encode() + b"\n")

    def interrupt(self) -> int:
        """Press Ctrl-C, and again if the program did not react; return its exit code."""
        for _ in range(12):
            os.killpg(self.process.pid, signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
                break
        return self.end()

    def end(self) -> int:
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()  # leave no process behind, whatever went wrong
            os.close(self.master)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a Unix matter")
class TestTerminal:
    def test_colours_and_a_move(self) -> None:
        terminal = Terminal("play", "azul", "--seed", "4", "--start", "1")
        assert "\x1b[" in terminal.until("You> ")
        terminal.type("1b1")
        terminal.until("You> ")
        terminal.type("quit")
        terminal.until("not finished")
        assert terminal.end() == 0

    def test_ctrl_c_is_clean(self) -> None:
        terminal = Terminal("play", "azul", "--seed", "4")
        terminal.until("You> ")
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.seen

    def test_stepping_through_a_record(self, run: Run, tmp_path: Path) -> None:
        file = tmp_path / "game.azul"
        run("play", "azul", "random", "random", "--seed", "6", "--record", str(file))
        terminal = Terminal("replay", str(file))
        terminal.until("> ")
        for answer in ("", "b", "30", "x"):
            terminal.type(answer)
            terminal.until("> ")
        terminal.type("e")
        terminal.until("Winner: ")
        terminal.until("> ")
        terminal.type("q")
        assert terminal.end() == 0


    def test_ctrl_c_in_a_long_job(self) -> None:
        terminal = Terminal("simulate", "azul", "--games", "100000000")
        terminal.until("preparing azul")
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.seen


def test_hints_come_in_three_steps_and_only_before_a_turn(run: Run) -> None:
    line = "play azul random me --seed 4 --start 2"
    result = run(*line.split(), typed="hint\nhint\nhint\nquit\n")
    where, what, which = (told.splitlines() for told in result.stdout.split("You> ")[1:4])
    assert where[0].startswith("Look ")
    assert what[0].startswith(("This is within reach: ", "Watch out: ", "Think of what ", "No single "))
    assert which[0].startswith("Take ")


def test_a_bot_of_a_level_is_called_by_its_name() -> None:
    seats = read_seats(["me", "level:7", "level:7@2"], 3, rest="random")
    assert [who.name for who in seats] == ["You", "Porcelain", "level:7@2"]


def test_points_so_far_are_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    table, rng = table_for("azul", 2, "Ada", "Bo"), random.Random(3)
    table.points("")
    assert capsys.readouterr().out == "There are no points yet.\n"
    while not table.position.explain():
        table.position.deal(rng)
        table.position.play(rng.choice(table.position.legal_actions()))
    table.points("")
    assert len(capsys.readouterr().out.splitlines()) == len(table.position.explain())
