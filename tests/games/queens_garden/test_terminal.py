"""The table as text: all relevant information, within 100 columns."""

from __future__ import annotations

import random

import pytest

from azulejos.core.position import Position, new
from azulejos.core.terminal import COLUMNS, plain
from azulejos.games.queens_garden.terminal import draw
from games.queens_garden.table import Player, table

NAMES = ("Ana", "Bruno", "Cécile the gardener of the queen", "Dmitri")


def drawn(position: Position) -> str:
    return plain(draw(position.state, NAMES, str, COLUMNS))


def test_a_garden_is_drawn_where_its_cells_are() -> None:
    me = Player(storage="y3 y3 b1", expansions="g2", garden={"01": "b3", "26": "p6"}, backs="2",
                faces={"14": "b4"})
    lines = drawn(table(me, display=["y2", "!g1", "taken", "b1 b2 b3 b4"])).splitlines()
    assert lines[0] == "Round 1   To move: Ana"
    assert lines[3].split() == [
        "s1", "Y2", "s2", "xG1", "s3", "taken", "s4^", "B1", "B2", "B3", "B4"
    ]
    garden = [line[:38].rstrip() for line in lines[6:18]]
    assert garden[4:10] == [
        "            ()  05  06  ()  15  16",
        "              04  <>  B3  B4' /\\  11",
        "            []  03  02  []  13  12",
        "                  ()  25  P6",
        "                    24  20  21",
        "                      23  22",
    ]
    assert garden[10] == "  jokers 3   6/12   x1 G2"
    assert garden[11] == "  B1 Y3 Y3"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_position_of_a_game_fits(players: int) -> None:
    rng = random.Random(players)
    position = new("garden", players=players)
    while not position.is_over:
        position.deal(rng)
        assert max(map(len, drawn(position).splitlines())) <= 100
        if not position.is_over:
            position.play(rng.choice(position.legal_actions()))
    assert drawn(position).startswith("Round 4   The game is over.")
