"""The tree's utilities: every seat's share of the win."""

from __future__ import annotations

import numpy as np
import pytest

from azulejos.bots.weights import swing_of, weights_of
from azulejos.core.position import new
from azulejos.engine import tree
from azulejos.engine.value import points_of, win_chance


def shares(players: int, values: list[int]) -> list[float]:
    position = new("azul", players=players)
    game = position.game
    t = tree.make_tree(game, weights_of(game, ""), compiled=False, node_bits=1)
    tree.put(t, position.row, limit=0)
    t.counters[tree.SWING] = swing_of(game)
    share = game.interpreted.bind(tree.utility)
    return [float(share(t, np.array(values), seat)) for seat in range(players)]


def test_two_seats_share_by_the_chance_to_win() -> None:
    swing = swing_of(new("azul").game)
    assert shares(2, [700, -700]) == pytest.approx([win_chance(700, swing), win_chance(-700, swing)])


def test_the_shares_of_all_seats_add_up_and_go_by_rank() -> None:
    found = shares(4, [300, -1500, -300, -900])
    assert sum(found) == pytest.approx(1)
    assert found[0] > found[2] > found[3] > found[1]


def test_seats_without_a_lead_share_alike_and_are_worth_no_points() -> None:
    found = shares(4, [0, 0, 0, 0])
    assert found == [0.25] * 4
    assert points_of(found[0], 1000, 4) == 0
