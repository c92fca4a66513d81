"""The table as text."""

from __future__ import annotations

import random

import pytest

import azulejos
from azulejos import Position
from azulejos.core.terminal import COLUMNS, plain, width
from azulejos.games.stained_glass.terminal import draw
from games.stained_glass.table import Board, position

NAMES = ("Ana", "Bruno", "Cleo", "Dora with a very long name that does not end")


def drawn(game: Position) -> list[str]:
    return plain(draw(game.state, NAMES[: game.players], str, COLUMNS)).splitlines()


def row(lines: list[str], label: str) -> list[str]:
    """The cells of the first board's row with this label."""
    return next(line.split()[1:] for line in lines if line.strip().startswith(label))


def test_a_board_shows_panes_spaces_backs_and_windows() -> None:
    board = Board(
        strips=("1f bbo", "8b bbpp", "", "4f", "5f", "6f", "7f", "2b"),
        windows=("", "w", "yo", "", "", "", "", "p"), glazier=2, score=-7, broken=3,
    )
    lines = drawn(position(board, centre="oob", factories=("yyyy", "", "bpow"), bonus="w"))
    assert lines[0] == "Round 3   To move: Ana"
    assert lines[1] == "round track  I · II · III W IV B V P VI O   bonus colour: white"
    assert lines[3] == "1 Y Y Y Y    2 -          3 B P O W    4 -          5 -"
    assert lines[4] == "0 centre: M B O O"
    assert lines[6] == "> Ana -7   broken glass: step 3, −4"
    assert lines[7].split() == ["1", "▼2", "3", "4", "5", "6", "7", "8"]
    assert row(lines, "strip") == ["BBbpO", "BPyBP", "·", "bywww", "boyyy", "ooyww", "ppyww", "bbppo"]
    assert row(lines, "back") == ["bbpoo", "·", "·", "bbpyy", "bppoo", "ooyyw", "ppyyw", "·"]
    assert row(lines, "window") == ["··", "W·", "YO", "··", "··", "··", "··", "P·"]
    assert row(lines, "points") == list("43322112")


def test_free_jokers_are_stars_and_the_start_tile_lies_with_its_holder() -> None:
    board = Board(strips=("8b b", *Board().strips[1:7], "1f"), windows=("w", *[""] * 7))
    lines = drawn(position(board, centre="oob", start_tile=0))
    assert row(lines, "strip")[0] == "Bpy**"
    assert lines[4] == "0 centre: B O O"
    assert lines[6] == "> Ana 0   broken glass: step 0, −0   M"


def test_the_pane_to_keep_is_asked_for() -> None:
    game = position(Board().with_strip(1, "1f bbbo"), centre="pb", start_tile=1)
    game.play("0p1")
    assert drawn(game)[0] == (
        "Round 3   To move: Ana   Choose the pane to keep for window 1: k and its colour."
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_moment_fits_into_100_columns(players: int) -> None:
    rng = random.Random(players)
    game = azulejos.new("sintra-b", players=players)
    while not game.is_over:
        if game.ply % 9 == 0:
            assert max(width(line) for line in draw(game.state, NAMES[:players], str, COLUMNS)) <= 100
        game.play(rng.choice(game.legal_actions()))
    assert drawn(game)[0] == "Round 6   The game is over."
