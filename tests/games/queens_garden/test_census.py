"""A position from outside is accepted only if it could arise in a game."""

from __future__ import annotations

from typing import Any

import pytest

from azulejos.core.position import Position
from games.queens_garden.table import Player, table


def changed(position: Position, **fields: Any) -> dict[str, Any]:
    data = position.to_json()
    data["state"].update(fields)
    return data


@pytest.fixture
def position() -> Position:
    me = Player(storage="y3 y1 b2", expansions="b1 b2", garden={"01": "b3"}, faces={"24": "g1"})
    return table(me, display=["y2", "!g2", "b3 b4 b5 b6"])


BAD_FIELDS: list[dict[str, Any]] = [
    {"seat": 2}, {"marker": 3}, {"to_move": -1}, {"to_move": 1}, {"round": 0}, {"supply": 3},
    {"stage": 0}, {"stage": 1, "to_move": -1}, {"stage": 2, "to_move": -1}, {"stage": 4}, {"stage": 5},
    {"stage": 6}, {"stage": 8}, {"held": 1}, {"laid_at": 1}, {"passed": [1, 0, 0, 0]}, {"top": 7},
    {"top": 0},
    {"stage": 4, "named": 0, "choosing": 0}, {"stage": 6, "laid_at": 1, "due": 2},
    {"stage": 6, "laid_at": 0, "due": 5}, {"jokers": [10, 3, 0, 0]}, {"unseen": [1] * 36},
    {"slots": [[8, 7], [0, 0], [0, 0], [0, 0]]}, {"slots": [[0, 7], [0, 0], [0, 0], [0, 0]]},
]


@pytest.mark.parametrize("fields", BAD_FIELDS, ids=str)
def test_impossible_positions_are_refused(position: Position, fields: dict[str, Any]) -> None:
    assert Position.from_json(position.to_json()) == position
    with pytest.raises(ValueError, match="do not add up"):
        Position.from_json(changed(position, **fields))


def test_tiles_must_lie_in_order_above_the_stack(position: Position) -> None:
    tiles = position.to_json()["state"]["tiles"]
    for wrong in ([[0, 14, 0, 0], *tiles[1:]], [tiles[0], tiles[1], tiles[2][::-1], *tiles[3:]],
                  [*tiles[:3], tiles[0], [0] * 4, *tiles[5:]]):
        with pytest.raises(ValueError, match="do not add up"):
            Position.from_json(changed(position, tiles=wrong))


def test_a_hexagon_needs_a_cell(position: Position) -> None:
    state = position.to_json()["state"]
    state["garden"][0][6] = state["garden"][0][0]  # the centre of place 1, which must be empty
    state["garden"][0][0] = 0
    with pytest.raises(ValueError, match="do not add up"):
        Position.from_json(changed(position, garden=state["garden"]))
