"""Listings of turns: which of them the network evaluates."""

from __future__ import annotations

import pytest

from azulejos.bots.evaluation import LINEAR, NETWORK, network_of, weights_of
from azulejos.core.position import Position
from azulejos.engine.turns import Turns, judge_state, list_turns, make_turns, play_turn
from bots.positions import played


@pytest.mark.parametrize("decisions", [3, 10, 24])
def test_the_network_evaluates_the_turns_that_look_best_without_it(decisions: int) -> None:
    position = played("azul", 3, seed=7, decisions=decisions)
    quick, looked = _listed(position, LINEAR), _listed(position, NETWORK)
    listing = position.game.compiled.bind(list_turns)
    kept, looks, seat = listing(quick, True), int(looked.looks[0]), position.to_move
    assert kept == listing(looked, True)
    assert looks == 8 < kept
    by_network = [int(looked.values[turn, seat]) for turn in looked.order[:kept]]
    assert by_network == sorted(by_network, reverse=True)
    assert set(looked.order[:looks]) == set(quick.order[:looks])
    assert list(looked.order[looks:kept]) == list(quick.order[looks:kept])
    for rank in range(looks):
        assert list(looked.values[looked.order[rank], :3]) == _network_values(position, looked, rank)
    behind = looked.values[looked.order[:kept], seat] - quick.values[quick.order[:kept], seat]
    assert len(set(behind[looks:])) == 1


def _listed(position: Position, name: str) -> Turns:
    game = position.game
    turns = make_turns(game.compiled, weights_of(game, name), network=network_of(position, name))
    _put(turns, position)
    return turns


def _put(turns: Turns, position: Position) -> None:
    turns.words[0].view("u1")[: position.game.size] = position.row


def _network_values(position: Position, turns: Turns, rank: int) -> list[int]:
    """The network's values at the end of a listed turn."""
    bind = position.game.compiled.bind
    bind(play_turn)(turns, rank)
    bind(judge_state)(turns, turns.stack[0], turns.words[0])
    _put(turns, position)
    return [int(value) for value in turns.judged[: position.players]]
