"""The compiled search against plain minimax, and what it promises about budgets and proofs."""

from __future__ import annotations

import pytest

from azulejos.bots import Limit
from azulejos.bots.evaluation import weights_of
from azulejos.bots.search import SearchBot
from bots.minimax import minimax
from bots.positions import late_in_round, played

BOXES = ("azul", "azul-grey", "chocolatier")


@pytest.mark.parametrize("name", BOXES)
@pytest.mark.parametrize("seed", range(6))
def test_the_end_of_a_round_is_solved_as_by_minimax(name: str, seed: int) -> None:
    position = late_in_round(name, seed, at_most=6)
    choice = SearchBot(ahead=False).play(position, Limit(nodes=10**6))
    expected = minimax(position, position.to_move, weights_of(position.game, ""))
    assert choice.proved
    assert choice.value == expected / 100


@pytest.mark.parametrize("seed", range(6))
def test_the_chosen_action_reaches_the_proved_value(seed: int) -> None:
    position = late_in_round("azul", 100 + seed, at_most=6)
    seat = position.to_move
    choice = SearchBot(ahead=False).play(position, Limit(nodes=10**6))
    position.play(choice.move)
    assert choice.value == minimax(position, seat, weights_of(position.game, "")) / 100


def test_a_search_that_was_cut_short_claims_no_proof() -> None:
    position = played("azul", 2, seed=1, decisions=0)
    assert not SearchBot().play(position, Limit(nodes=500)).proved


@pytest.mark.parametrize("nodes", [1, 2, 57, 1000])
def test_node_budgets_are_kept_exactly(nodes: int) -> None:
    position = played("azul", 2, seed=2, decisions=1)
    choice = SearchBot().play(position, Limit(nodes=nodes))
    assert choice.nodes == nodes
    assert choice.move in position.legal_moves


def test_equal_nodes_give_equal_choices_whatever_was_searched_before() -> None:
    position, other = played("azul", 2, seed=3, decisions=2), played("azul", 2, seed=4, decisions=5)
    bot = SearchBot()
    first = bot.play(position, Limit(nodes=3000))
    bot.play(other, Limit(nodes=3000))
    again = bot.play(position, Limit(nodes=3000))
    assert (first.move, first.value, first.line) == (again.move, again.value, again.line)


def test_the_line_can_be_played() -> None:
    position = played("azul", 2, seed=5, decisions=3)
    choice = SearchBot().play(position, Limit(nodes=5000))
    assert choice.line[0] == choice.move
    for move in choice.line:
        position.play(move)
