"""One way to say things: an option has one name, one letter, one meaning and one default everywhere."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from azulejos.cli import main
from azulejos.cli.common import ProgressLines, duration, foretell
from azulejos.core.registry import games
from cli.conftest import Run

WORK = ("--games", "--nodes", "--seconds", "--deals")
"""How much is to be done by default depends on the verb."""
OTHERWISE = {
    ("--cores", "analyse"): "two threads change what a search finds, those of a review only its time",
    ("--processes", "build"): "nothing is measured, so all cores may work",
    ("--processes", "warm"): "nothing is measured, so all cores may work",
    ("--players", "bench"): "measures every number of seats",
    ("--players", "match"): "one seat for each bot",
    ("--seed", "play"): "people want another game each time",
    ("--seed", "puzzle"): "people want another puzzle each time",
    ("--out", "match"): "several files of one match",
    ("--goal", "puzzles mine"): "several kinds at once",
}
"""Other defaults, with their reason."""


def commands(group: click.Group = main, before: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} ")
        else:
            yield before + name, command


def options() -> Iterator[tuple[str, click.Option]]:
    for verb, command in commands():
        for option in command.get_params(click.Context(command)):
            if isinstance(option, click.Option) and "--help" not in option.opts:
                yield verb, option


def test_a_letter_means_one_option_and_an_option_has_one_letter() -> None:
    letters: dict[str, set[str]] = defaultdict(set)
    names: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for _, option in options():
        [name] = [each for each in option.opts if each.startswith("--")]
        short = [each for each in option.opts if not each.startswith("--")]
        names[name].add(tuple(short))
        for letter in short:
            letters[letter].add(name)
    assert {letter: found for letter, found in letters.items() if len(found) > 1} == {}
    assert {name: found for name, found in names.items() if len(found) > 1} == {}


def test_an_option_has_one_default_or_a_reason() -> None:
    defaults: dict[str, set[str]] = defaultdict(set)
    for verb, option in options():
        name = max(option.opts, key=len)
        if name not in WORK and (name, verb) not in OTHERWISE:
            defaults[name].add(repr((option.default, option.nargs, option.multiple, option.is_flag)))
    del defaults["--log"]  # a server's log and a match's are different things
    assert {name: found for name, found in defaults.items() if len(found) > 1} == {}


def test_every_verb_with_a_game_takes_its_options() -> None:
    for verb, command in commands():
        if {"game", "position"} & {each.name for each in command.params} and verb != "rules":
            names = {name for option in command.get_params(click.Context(command)) for name in option.opts}
            assert {"--option", "--wall", "--components", "--players"} <= names, verb


@pytest.mark.parametrize("name", [game.name for game in games()])
def test_names_in_listings_are_accepted(run: Run, name: str) -> None:
    assert run("games", name).exit_code == 0


@pytest.mark.parametrize("line", [
    "simulate azul -g 10 --json", "match azul random greedy -d 1 --json", "bench azul -n 2 -s 0.01 --json",
    "games --json", "games azul --json", "perft azul --depth 1 --json",
    "perft azul --depth 2 --divide --json",
])
def test_programs_may_read(run: Run, line: str) -> None:
    result = run(*line.split())
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)


def test_options_of_a_match_are_those_of_its_game(run: Run) -> None:
    line = "match azul random greedy -n 3 -d 1 --option wall=grey --json"
    told = json.loads(run(*line.split()).stdout)
    assert told["match"]["options"] == {"wall": "grey"}
    assert told["match"]["bots"] == ["random", "greedy", "greedy"]
    assert "named for 2 seats" in run("match", "azul", "random", "greedy", "greedy", "-n", "2").stderr


# --- how long it takes -----------------------------------------------------------------------------------


def test_long_work_is_foretold(capsys: pytest.CaptureFixture[str]) -> None:
    foretell("100 games", 9)
    assert capsys.readouterr().err == ""
    foretell("100 games", 5400)
    assert capsys.readouterr().err == "100 games: about 90 min\n"


def test_a_verb_says_how_long_it_takes_before_its_first_piece(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZULEJOS_CACHE", str(tmp_path))
    words = ("dataset", "azul", "random", "--games", "3", "--out", str(tmp_path / "rows.npz"))
    monkeypatch.setattr("azulejos.cli.common.SOON", 0.0)
    first, second = run(*words).stderr, run(*words).stderr
    assert first.startswith("playing azul, at a guess: about 0 s\n")
    assert re.match(r"playing azul, as the last time: about \d+ s\n", second)
    [pace] = json.loads((tmp_path / "paces.json").read_text("utf-8")).items()
    assert pace[0].startswith("dataset ")


def test_without_a_terminal_lines_tell_how_far_it_is() -> None:
    now, told = [0.0], list[str]()
    with ProgressLines(clock=lambda: now[0], tell=told.append) as bar:
        task = bar.add_task("playing", total=1000)
        for second in range(1, 101):
            now[0] = float(second)
            bar.update(task, advance=10, description="playing azul")
    assert told == [
        "playing azul: 100 of 1000, about 90 s left, 100 s in all",
        "playing azul: 200 of 1000, about 80 s left",
        "playing azul: 400 of 1000, about 60 s left",
        "playing azul: 800 of 1000, about 20 s left",
    ]


def test_what_an_earlier_run_did_is_no_speed() -> None:
    now, told = [0.0], list[str]()
    bar = ProgressLines(clock=lambda: now[0], tell=told.append)
    task = bar.add_task("mining", total=100, completed=50)
    now[0] = 20.0
    bar.update(task, completed=60)
    assert told == ["mining: 60 of 100, about 80 s left, 100 s in all"]


@pytest.mark.parametrize(
    ("seconds", "said"), [(12.3, "12 s"), (99, "99 s"), (600, "10 min"), (7200, "2.0 h")]
)
def test_durations(seconds: float, said: str) -> None:
    assert duration(seconds) == said
