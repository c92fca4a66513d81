"""Every command, run for real."""

from __future__ import annotations

import re

import pytest

import azulejos
from azulejos import Position
from azulejos.core.guide import guide_of
from azulejos.core.registry import write_components
from cli.conftest import Run, piped

BOXES = sorted(azulejos.presets())


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are too short to be worth compiling for."""
    monkeypatch.setenv("AZULEJOS_JIT", "0")


def test_games_lists_every_box(run: Run) -> None:
    shown = run("games").stdout
    assert all(box in shown for box in BOXES)


@pytest.mark.parametrize("box", BOXES)
def test_games_shows_the_options_of_a_box(run: Run, box: str) -> None:
    game, preset = azulejos.presets()[box]
    shown = run("games", box).stdout
    usual = game.read_options(preset.options)
    for option in game.options:
        if option.component is None:
            assert f"--{option.name} " in shown
            assert usual[option.name] in shown
        else:  # shown as a file that the owner of the game corrects
            assert "--components FILE" in shown
            assert f"{option.component.key} = " in shown
            assert write_components(game, usual) in shown


@pytest.mark.parametrize("box", BOXES)
def test_rules_prints_every_section_and_example(run: Run, box: str) -> None:
    guide = guide_of(azulejos.presets()[box][0])
    shown = run("rules", box).stdout
    for section in guide.sections:
        assert str(section.title) in shown
        assert section.picture is None or f"For example: {section.picture.caption}" in shown
        assert all(f"{n}. {step.caption}" in shown for n, step in enumerate(section.steps, 1))
    assert all(f"- {line}" in shown for _, lines in guide.card for line in lines)
    assert "起始玩家標記" in shown  # the glossary


def test_rules_draws_the_examples(run: Run) -> None:
    assert "Player 1" in run("rules", "azul", "--pictures").stdout


@pytest.mark.parametrize("box", BOXES)
def test_simulate(box: str) -> None:
    """In a separate process: whether to compile is decided once per process."""
    done = piped("simulate", box, "--players", "3", "--games", "3", "--seed", "5")
    assert done.returncode == 0, done.stderr
    assert f"3 random games of {box}, 3 players, seed 5" in done.stdout
    assert re.search(r"^ +3 +-?\d+\.\d\d ± ", done.stdout, re.MULTILINE)
    assert "first seat to move: " in done.stdout


def test_the_same_seed_gives_the_same_games() -> None:
    words = ("simulate", "azul", "--games", "5", "--wall", "grey", "--seed")
    assert piped(*words, "7").stdout == piped(*words, "7").stdout
    assert piped(*words, "7").stdout != piped(*words, "8").stdout


def test_perft_counts_and_divides_alike() -> None:
    whole = piped("perft", "azul", "--depth", "2", "--seed", "3").stdout
    position = Position.from_text(whole.splitlines()[0].removeprefix("position "))
    assert f"perft 1 {len(position.legal_moves)}\n" in whole
    divided = piped("perft", position.text(), "--depth", "2", "--divide").stdout
    assert divided.splitlines()[-1] == whole.splitlines()[-1]
    assert len(divided.splitlines()) == len(position.legal_moves) + 1


def test_bench() -> None:
    done = piped("bench", "azul", "--players", "2", "--seconds", "0.01")
    assert re.search(r"^azul +2 +[\d,]+ +[\d,]+", done.stdout, re.MULTILINE), done


def test_warm_says_when_there_is_nothing_to_do() -> None:
    assert piped("warm").stdout == "AZULEJOS_JIT=0: nothing is compiled.\n"


@pytest.mark.parametrize("words", [
    ("--help",), ("games",), ("games", "azul"), ("simulate", "azul", "--games", "2"),
    ("play", "azul", "random", "random", "--seed", "1"), ("perft", "azul", "--depth", "1"),
])
def test_pipes_get_neither_colours_nor_bars(words: tuple[str, ...]) -> None:
    done = piped(*words)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert done.stderr == ""
    assert "━" not in done.stdout
