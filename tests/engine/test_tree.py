"""The tree looks far enough ahead."""

from __future__ import annotations

from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from bots.positions import played


def test_at_a_full_table_a_seat_sees_its_own_next_turn_soon() -> None:
    position = played("azul", 4, seed=5, decisions=3)
    assert open_bot("search").play(position, Limit(nodes=40)).depth > position.players
