"""Help and mistakes: fast, one line, exit code 2, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from azulejos.cli import main
from cli.conftest import Run, environment

VERBS = ("bench", "games", "perft", "play", "replay", "rules", "simulate", "trace", "warm")


def test_help_lists_every_verb_with_its_line(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    for verb in VERBS:
        assert f"\n  {verb} " in result.stdout


def test_no_verb_shows_the_help(run: Run) -> None:
    assert run().stdout == run("--help").stdout


def test_every_verb_has_help_and_a_line(run: Run) -> None:
    context = click.Context(main)
    for verb in main.list_commands(context):
        result = run(verb, "--help")
        assert result.exit_code == 0, verb
        assert result.stdout.startswith(f"Usage: azulejos {verb} ")


def test_helpers_are_no_verbs() -> None:
    verbs = main.list_commands(click.Context(main))
    assert not {"common", "theme", "table", "guests", "show"} & set(verbs)
    assert set(VERBS) <= set(verbs)


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from azulejos.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n" \
           "print([name for name in ('numba', 'rich', 'azulejos.games.azul') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env=environment())
    assert done.stdout.endswith("[]\n")


def test_version(run: Run) -> None:
    assert run("--version").stdout.startswith("azulejos ")


@pytest.mark.parametrize(("words", "hint"), [
    ("simulat azul", "did you mean simulate?"),
    ("frobnicate", "there are analyse, "),
    ("--frobnicate", "No such option"),
    ("--language tlh games", "there is no language 'tlh'"),
    ("play", "Missing argument 'GAME'"),
    ("play azull", "did you mean 'azul'?"),
    ("play azul randm", "did you mean 'random'?"),
    ("play azul random random random", "3 seats were named"),
    ("play azul --players 5", "5 is not in the range"),
    ("play azul --players two", "not a valid integer"),
    ("play azul --wall blue", "wall must be one of coloured, grey"),
    ("play azul --option wall", "should read name=value"),
    ("play azul --option wal=grey", "has no option 'wal'"),
    ("play azul --option players=3", "has no option 'players'"),
    ("play azul --option name=3", "has no option 'name'"),
    ("play azul --start 3", "start is seat 3"),
    ("simulate azul --games 0", "0 is not in the range"),
    ("simulate azul --seed -1", "-1 is not in the range"),
    ("simulate azul --gmaes 5", "--games"),
    ("trace nothing", "no game is called 'nothing'"),
    ("perft azul,players=2/bag=zz", "'zz'"),
    ("perft azul --depth 0", "0 is not in the range"),
    ("games mahjong", "no game is called 'mahjong'"),
    ("rules mahjong", "no game is called 'mahjong'"),
    ("bench mahjong", "no game is called 'mahjong'"),
    ("bench --seconds 0", "0"),
    ("replay nowhere.azul", "No such file"),
    ("warm azl", "did you mean 'azul'?"),
])
def test_mistakes_cost_one_line(run: Run, words: str, hint: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 2
    assert hint in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_broken_record_costs_one_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "broken.azul"
    file.write_text('[Game "azul"]\n', encoding="utf-8")
    result = run("replay", str(file))
    assert result.exit_code == 2
    assert "line 1, column 1: The header Players is missing." in result.stderr
    assert result.stderr.count("\n") == 1
