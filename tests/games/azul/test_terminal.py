"""A table of Azul in the terminal: complete, narrow enough, readable without colours."""

from __future__ import annotations

import random

import pytest

import azulejos
from azulejos import Position
from azulejos.core.terminal import COLUMNS, plain
from azulejos.games.azul.layout import EXTRA, OPEN_DISC, SPLIT, STAY, ZERO
from azulejos.games.azul.terminal import draw

NAMES = ("Ada", "Wolfgang Amadeus Theophilus", "Bo", "Cy")


def shown(position: Position) -> str:
    return plain(draw(position.state, NAMES[: position.players], str, COLUMNS))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("box", ["azul", "azul-grey", "chocolatier", "chocolatier-grey"])
def test_at_most_a_hundred_columns(box: str, players: int) -> None:
    position, rng = azulejos.new(box, players=players), random.Random(players)
    while not position.is_over:
        assert max(len(line) for line in shown(position).splitlines()) <= 100
        if not position.deal(rng):
            position.play(rng.choice(position.legal_actions()))


def test_lines_stand_level_with_wall_rows() -> None:
    position = azulejos.new("azul", start="1")
    position.play("+b +b +r +y +k +k +w +r +y +y +y +y +b +b +r +w +b +w +r +k")
    position.play("3y5")
    position.play("1b2")
    rows = shown(position).splitlines()
    assert any(row.startswith("5 · Y Y Y Y │y r k w b") for row in rows)
    assert any("2       B B │w b y r k" in row for row in rows)
    assert any(row.startswith("1 - ") and " 2 R K K W " in row for row in rows)
    assert any(row.startswith("0 centre: M Y R") for row in rows)


def test_special_factories_are_named_and_explained() -> None:
    position = azulejos.new("chocolatier", players=4, start="1")
    position.play("!1e !2s !3d !4z")
    text = shown(position)
    for effect, name in ((EXTRA, "EXTRA"), (STAY, "STAY"), (SPLIT, "SPLIT"), (ZERO, "ZERO")):
        assert effect in position.state.effects
        assert f"- {name}" in text
        assert f"{name}: " in text


def test_a_taken_zero_disc_is_shown() -> None:
    position, rng = azulejos.new("chocolatier", start="1"), random.Random(1)
    position.play("!1z !2s")
    position.deal(rng)
    position.play(next(move for move in position.legal_moves if move.text.startswith("1")))
    assert "1 taken" in shown(position)
    assert ("ZERO open" in shown(position)) == (position.state.disc[0] == OPEN_DISC)
    assert "ZERO " in shown(position)


def test_the_task_of_a_grey_wall_is_said() -> None:
    position, rng = azulejos.new("azul-grey"), random.Random(1)
    while position.is_chance or not next(iter(position.legal_moves)).text.startswith("c"):
        position.deal(rng)
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)
    assert "Choose the column for line" in shown(position)
