"""Looking beyond the deal: what it may change, and what it must not."""

from __future__ import annotations

import random

import pytest

from azulejos.bots import Limit, PlayResult
from azulejos.bots import open as open_bot
from azulejos.bots.evaluation import weights_of
from azulejos.bots.search import SearchBot
from azulejos.core.position import Position
from azulejos.engine.ahead import MARGIN, PLAN, STAGE, STAGES, TOTAL, choose, make_outlook
from azulejos.engine.workspace import VALUE
from bots.minimax import minimax
from bots.positions import late_in_round, played

PLENTY = Limit(nodes=60_000)


def undecided(name: str, seed: int) -> tuple[Position, PlayResult]:
    """A position late in a round with several nearly equal actions: the next round's deals decide."""
    for attempt in range(100):
        position = late_in_round(name, 1000 * seed + attempt, at_most=6)
        choice = SearchBot().play(position, PLENTY)
        if choice.deals > 0:
            return position, choice
    raise AssertionError("no position was left open by the end of the round")


@pytest.mark.parametrize("name", ["azul", "azul-grey", "chocolatier"])
def test_the_chosen_action_is_nearly_the_best_of_the_round(name: str) -> None:
    position, choice = undecided(name, seed=1)
    seat, weights = position.to_move, weights_of(position.game, "")
    best = minimax(position, seat, weights)
    position.play(choice.move)
    assert choice.proved
    assert best - MARGIN <= minimax(position, seat, weights) <= best


def test_the_value_is_the_mean_over_deals_of_the_best_candidate() -> None:
    position, limit = late_in_round("azul", 1, at_most=6), Limit(nodes=1000)
    bot, binding = SearchBot(), position.game.engine
    workspace, outlook = bot.workspace(position, limit, binding), make_outlook(position.game)
    outlook.picks[:3, TOTAL] = [800, 2000, 900]
    outlook.picks[:3, PLAN] = [0, 2, 1]
    outlook.plans[2, :2] = [7, -1]
    binding.bind(choose)(workspace, outlook, 3, 8)
    assert workspace.counters[VALUE] == 250
    assert workspace.lines[0, 0] == 7


def test_the_line_leads_to_the_end_of_the_round() -> None:
    position, choice = undecided("azul", seed=2)
    for move in choice.line:
        position.play(move)
    assert position.is_chance or position.is_over


def test_nodes_are_kept_to_and_decide_alone() -> None:
    position, _ = undecided("azul", seed=3)
    for nodes in (2000, 5000, 60_000):
        first, second = (SearchBot().play(position, Limit(nodes=nodes)) for _ in range(2))
        assert first.nodes <= nodes
        assert (first.move, first.nodes, first.deals) == (second.move, second.nodes, second.deals)


def test_the_deals_are_our_own() -> None:
    """Another generator gives other deals; without one, only the position decides."""
    position, choice = undecided("azul", seed=4)
    other = SearchBot().play(position, PLENTY, rng=random.Random(1))
    assert 0 < other.deals <= STAGE * STAGES
    assert other.nodes != choice.nodes


def test_nothing_is_sampled_where_the_game_ends() -> None:
    position = last_decision(seed=5)
    choice = SearchBot().play(position, PLENTY)
    assert choice.proved
    assert choice.deals == 0
    assert choice.value == minimax(position, position.to_move, weights_of(position.game, "")) / 100


def last_decision(seed: int) -> Position:
    """The last position of a game with a choice to make."""
    position = played("azul", 2, seed, decisions=10_000)
    assert position.is_over
    while position.is_over or len(position.legal_actions()) == 1:
        position.undo()
    return position


def test_words_say_how_far_to_look() -> None:
    assert open_bot("search:hand,round").word == "search:hand,round"
    for word in ("search", "search:round"):
        assert open_bot(word).word == word
    with pytest.raises(ValueError, match="one set of weights"):
        open_bot("search:hand,fitted")
