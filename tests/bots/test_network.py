"""The shipped networks: on the scale of the final result, deterministic, and used by default."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from azulejos.bots.evaluation import LINEAR, NETWORK, network_of, shipped, weights_of
from azulejos.core import registry
from azulejos.core.position import Position, new
from azulejos.core.verbs import OVER, network_for
from azulejos.engine.network import network_value, write_network
from azulejos.engine.value import outcome_value
from bots.positions import played

AZUL, _ = registry.find("azul")


def judged(position: Position, seat: int) -> int:
    """The value of a position by the shipped network."""
    network = network_of(position, NETWORK)
    assert network is not None
    bind = position.game.interpreted.bind
    return int(bind(network_value)(position.state, network, bind(network_for)(position.state), seat))


def last_decisions(box: str, players: int, count: int) -> list[tuple[Position, int]]:
    """Positions before the last turn of a game, and their results for the first seat."""
    found: list[tuple[Position, int]] = []
    rng, bot = random.Random(1), open_bot("greedy")
    while len(found) < count:
        position, before = new(box, players=players), new(box, players=players)
        bind = position.game.interpreted.bind
        while not position.is_over:
            if position.is_chance:
                position.deal(rng)
                continue
            if bind(network_for)(position.state) >= 0:
                before = position.copy()
            position.play(bot.play(position, Limit(nodes=1)).move)
        assert position.state.to_move == OVER
        found.append((before, int(bind(outcome_value)(position.state, 0))))
    return found


@pytest.mark.parametrize(("box", "players"), [
    ("azul", 2), ("azul-grey", 2), ("chocolatier", 2), ("sintra-a", 2), ("sintra-b", 2), ("garden", 2),
    ("azul", 3), ("garden", 3),
])
def test_one_move_before_the_end_networks_speak_of_the_end(box: str, players: int) -> None:
    """One scale: hundredths of a point, with the win counted as points."""
    ends = last_decisions(box, players, 14)
    values = np.array([judged(position, 0) for position, _ in ends])
    results = np.array([result for _, result in ends])
    slope = float(values @ results / (results @ results))
    assert 0.7 < slope < 1.3
    assert np.corrcoef(values, results)[0, 1] > 0.9


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("box", ["azul", "azul-grey", "sintra-a", "sintra-b", "garden"])
def test_networks_of_every_box_and_seats_tell_margin_and_win(box: str, players: int) -> None:
    network = network_of(new(box, players=players), NETWORK)
    assert network is not None
    assert network.ready.all()
    assert network.heads.any(axis=2).all()


def test_boxes_that_share_networks() -> None:
    assert shipped(new("chocolatier")) == shipped(new("azul"))
    assert shipped(new("chocolatier-grey")) == shipped(new("azul-grey")) != shipped(new("azul"))
    assert shipped(new("sintra-a")) != shipped(new("sintra-b"))
    assert shipped(new("garden-variant")) == shipped(new("garden")) is not None
    assert shipped(new("chocolatier", players=4)) == shipped(new("azul", players=3)) != shipped(new("azul"))
    assert shipped(new("chocolatier-grey", players=4)) == shipped(new("azul-grey", players=3))
    assert shipped(new("azul-grey", players=3)) != shipped(new("azul", players=3))
    assert shipped(new("garden-variant", players=4)) == shipped(new("garden", players=3)) != shipped(
        new("garden")
    )
    assert shipped(new("sintra-b", players=4)) == shipped(new("sintra-a", players=3)) is not None


def test_networks_are_used_unless_another_value_is_named() -> None:
    assert network_of(new("azul"), "") is not None
    assert network_of(new("azul"), LINEAR) is None
    assert (weights_of(AZUL, LINEAR) == weights_of(AZUL, "")).all()


def test_networks_for_other_inputs_are_refused(tmp_path: Path) -> None:
    """Their weights would be read from the wrong rows, or beyond the last one."""
    network = network_of(new("azul"), NETWORK)
    assert network is not None
    path = tmp_path / "Other.npz"
    write_network(path, network)
    assert network_of(new("azul"), str(path)) is not None
    more = np.concatenate([network.side, network.side[:, :1]], axis=1)
    write_network(path, network._replace(side=more))
    with pytest.raises(ValueError, match="other inputs than azul has"):
        network_of(new("azul"), str(path))
    with pytest.raises(ValueError, match="other inputs than queens_garden has"):
        network_of(new("garden"), str(path))


def test_networks_for_two_seats_are_refused_at_larger_tables() -> None:
    """A value against one other seat says nothing about several together."""
    path = shipped(new("azul"))
    assert path is not None
    with pytest.raises(ValueError, match="for 2 seats, not 3"):
        network_of(new("azul", players=3), str(path))


def test_inputs_that_were_added_later_are_zero(tmp_path: Path) -> None:
    network = network_of(new("azul"), NETWORK)
    assert network is not None
    path = tmp_path / "old.npz"
    write_network(path, network._replace(side=network.side[:, :-1], straight=network.straight[:, :-1]))
    read = network_of(new("azul"), str(path))
    assert read is not None
    assert read.side.shape == network.side.shape
    assert (read.side[:, :-1] == network.side[:, :-1]).all()
    assert not read.side[:, -1].any()


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_nodes_give_the_same_answer(seed: int) -> None:
    position = played("azul", 2, seed, decisions=12 * seed)
    first, second = (open_bot("search").play(position, Limit(nodes=300)) for _ in range(2))
    assert (first.move, first.value, first.line) == (second.move, second.value, second.line)
    assert first.move in position.legal_moves
