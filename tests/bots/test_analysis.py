"""Analysis: every action valued, and proved where it says so."""

from __future__ import annotations

import pytest

from azulejos.bots import Budget, make
from azulejos.bots.analysis import analyse
from azulejos.bots.evaluation import weights_of
from azulejos.core.position import new
from bots.minimax import minimax
from bots.positions import late_in_round, played


@pytest.mark.parametrize("seed", range(4))
def test_proved_values_are_those_of_minimax(seed: int) -> None:
    position = late_in_round("azul", 40 + seed, at_most=5)
    seat = position.to_move
    found = analyse(position, Budget(nodes=10**5))
    assert found.proved
    for move in found.moves:
        after = position.copy()
        after.play(int(move.action))
        assert move.value == minimax(after, seat, weights_of(position.game, "")) / 100


def test_the_best_move_is_the_one_that_the_search_values_alike() -> None:
    position = late_in_round("azul", 50, at_most=6)
    budget = Budget(nodes=10**5)
    assert analyse(position, budget).best.value == make("search:round").choose(position, budget).value


@pytest.mark.parametrize(("name", "players"), [("azul", 2), ("azul", 4), ("sintra-a", 3), ("garden", 2)])
def test_every_legal_action_is_valued(name: str, players: int) -> None:
    position = played(name, players, seed=5, decisions=6)
    found = analyse(position, Budget(nodes=60))
    assert sorted(move.action for move in found.moves) == position.legal_actions()
    assert all(0 <= move.win <= 1 for move in found.moves)
    assert [move.value for move in found.moves] == sorted((m.value for m in found.moves), reverse=True)


def test_values_of_one_analysis_come_from_one_depth() -> None:
    position = played("azul", 2, seed=6, decisions=0)
    found = analyse(position, Budget(nodes=150))
    assert len({move.depth for move in found.moves}) == 1


def test_without_any_search_moves_are_judged_at_a_glance() -> None:
    found = analyse(played("azul", 2, seed=6, decisions=0), Budget(nodes=0))
    assert len({move.value for move in found.moves}) > 5
    assert all(move.line == (move.action,) and move.depth == 0 for move in found.moves)


def test_nothing_to_analyse() -> None:
    with pytest.raises(ValueError, match="deal first"):
        analyse(new("azul"))
