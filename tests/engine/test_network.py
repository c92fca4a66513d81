"""Networks: the compiled sums equal a plain matrix product, and no seat is preferred."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from azulejos.core import layout, registry
from azulejos.core.contract import Features
from azulejos.core.game import Game
from azulejos.core.layout import Cells
from azulejos.core.position import Position, new
from azulejos.core.verbs import State, network_for, side_inputs, table_inputs, viewpoint
from azulejos.engine.network import (
    LAST_ONE,
    NARROW,
    ONE,
    PARTS,
    SCALES,
    SECOND_ONE,
    WIDTH,
    Network,
    add_inputs,
    add_inputs_at_once,
    add_units,
    add_units_at_once,
    network_value,
    no_network,
    quantised,
    quick_value,
    quick_values,
    read_network,
    shapes,
    with_own_notes,
    write_network,
)
from azulejos.games.azul import features

AZUL, _ = registry.find("azul")
TABLES = [
    ("azul", 2), ("azul", 3), ("azul-grey", 2), ("chocolatier", 2), ("chocolatier-grey", 4),
    ("sintra-a", 2), ("sintra-b", 2), ("sintra-b", 4), ("garden", 2), ("garden-variant", 3),
]
BY_SEAT = {
    "azul": ("score", "line_colour", "line_tiles", "wall", "floor", "disc"),
    "queens_garden": ("score", "passed", "stored", "jokers", "slots", "garden", "places"),
    "stained_glass": ("score", "lost", "strip", "face", "panes", "windows", "glazier", "broken"),
}
SEATS_NAMED = {
    "azul": ("to_move", "starter", "marker"), "queens_garden": ("to_move", "seat", "marker"),
    "stained_glass": ("to_move", "starter", "start_tile"),
}


def inputs_of(game: Game) -> Features[Any]:
    assert game.features is not None
    return game.features


def some_network(game: Game = AZUL, seed: int = 1, seats: int = 2) -> Network:
    rng, inputs = np.random.default_rng(seed), inputs_of(game)
    sizes = shapes(inputs.networks, inputs.side_size, inputs.table_size)
    weights = {name: rng.normal(0, 0.1, shape) for name, shape in sizes.items()}
    weights["last"] *= 1000
    weights["straight"] *= 1000
    weights["ready"], weights["seats"] = np.ones(inputs.networks), np.array(seats)
    return quantised(weights)


def positions(box: str, players: int, count: int, seed: int = 0) -> Iterator[Position]:
    """Positions from random play, between rounds and within them."""
    rng = random.Random(seed)
    while count > 0:
        position = new(box, players=players)
        judged = position.game.interpreted.bind(network_for)
        while not position.is_over:
            if judged(position.state) >= 0 and rng.random() < 0.1:
                yield position
                count -= 1
                if count == 0:
                    return
            if position.is_chance:
                position.deal(rng)
            else:
                position.play(rng.choice(position.legal_actions()))


def spread(count: int, n: Network, size: int) -> Cells:
    """The inputs as a dense vector, including the zeros."""
    inputs, amounts = n.inputs[:count], n.amounts[:count]
    assert ((inputs >= 0) & (inputs < size)).all()
    assert ((amounts >= 0) & (amounts <= 255)).all()
    dense = np.zeros(size, np.int64)
    np.add.at(dense, inputs, amounts)
    return dense


def sides_and_table(game: Game, s: State, n: Network) -> tuple[Cells, Cells]:
    """[seat, input] and [input]."""
    bind, inputs = game.interpreted.bind, inputs_of(game)
    sides = [spread(bind(side_inputs)(s, seat, n.inputs, n.amounts), n, inputs.side_size)
             for seat in range(s.players)]
    return np.array(sides), spread(bind(table_inputs)(s, n.inputs, n.amounts), n, inputs.table_size)


def reference(position: Position, n: Network, seat: int) -> int:
    """The value for a seat by whole matrices; with two seats it is that of the viewpoint."""
    which = position.game.interpreted.bind(network_for)(position.state)
    sides, table = sides_and_table(position.game, position.state, n)
    return matrix_value(n, which, sides[seat], np.delete(sides, seat, axis=0), table)


def matrix_value(n: Network, which: int, first: Cells, others: Cells, table: Cells) -> int:
    """The value for the first side, with unbounded sums."""
    w = {name: getattr(n, name)[which].astype(np.int64) for name in SCALES}
    bias = w["bias"].reshape(PARTS, WIDTH)
    units = np.concatenate([
        np.clip(first @ w["side"] + bias[0], 0, ONE),
        np.clip(others @ w["side"] + bias[1], 0, ONE).sum(axis=0),
        np.clip(table @ w["table"] + bias[2], 0, ONE),
    ])
    deep = np.maximum(w["second"] @ units + w["second_bias"], 0)
    assert deep.shape == (NARROW,)
    ahead = first @ w["straight"] - int((others @ w["straight"]).sum()) // len(others)
    straight = ahead + table @ w["straight_table"] + w["straight_bias"]
    return int((straight + deep @ w["last"] // (ONE * SECOND_ONE)) // LAST_ONE)


def words_of(position: Position) -> Cells:
    words = np.zeros(-(-position.game.size // 8), np.uint64)
    words.view(np.uint8)[: position.game.size] = position.row
    return words


def turned(position: Position) -> State:
    """The same position with every seat one further."""
    game, players = position.game, position.players
    row = position.row.copy()
    s = layout.view(game.state, row)
    for name in BY_SEAT[game.name]:
        cells = getattr(s, name)
        cells[:players] = np.roll(cells[:players], 1, axis=0)
    for name in SEATS_NAMED[game.name]:
        if getattr(s, name) >= 0:
            setattr(s, name, (getattr(s, name) + 1) % players)
    return cast(State, s)


@pytest.mark.parametrize(("box", "players"), TABLES)
def test_the_value_is_that_of_the_matrices(box: str, players: int) -> None:
    network = some_network(registry.find(box)[0], seats=players)
    for position in positions(box, players, 12):
        bind = position.game.interpreted.bind
        which, view = bind(network_for)(position.state), bind(viewpoint)(position.state)
        value = bind(network_value)(position.state, network, which, view)
        assert value == reference(position, network, view)
        if players == 2:
            assert bind(network_value)(position.state, network, which, 1 - view) == -value
        else:
            last = (view + players - 1) % players
            assert bind(network_value)(position.state, network, which, last) == reference(
                position, network, last
            )


def test_loops_and_whole_arrays_give_the_same() -> None:
    """Compiled code uses the loops, interpreted code the array versions."""
    network, rng = some_network(), np.random.default_rng(1)
    inputs, amounts = rng.integers(0, features.SIDE_INPUTS, 30), rng.integers(0, 20, 30)
    sums = [np.full(WIDTH, 7, np.int16) for _ in range(2)]
    straight = [
        add(inputs, amounts, 25, network.side[1], network.straight[1], found)
        for add, found in zip((add_inputs, add_inputs_at_once), sums, strict=True)
    ]
    assert straight[0] == straight[1]
    assert (sums[0] == sums[1]).all()
    units = rng.integers(-900, 900, WIDTH).astype(np.int16)
    notes = [np.zeros(NARROW + 1, np.int32) for _ in range(2)]
    for add, found in zip((add_units, add_units_at_once), notes, strict=True):
        add(network.second_of[1, 0], units.copy(), found)
    assert (notes[0] == notes[1]).all()


@pytest.mark.parametrize(("box", "players"), TABLES)
def test_notes_on_parts_seen_before_change_no_value(box: str, players: int) -> None:
    """Positions that share a side or the table, as in a search."""
    game = registry.find(box)[0]
    plain = some_network(game, seats=players)
    network = with_own_notes(plain, game)
    bind, values = game.interpreted.bind, np.zeros(4, np.int64)
    checked = 0
    for position in positions(box, players, 25, seed=3):
        for action in position.legal_actions()[:5]:
            after = position.copy()
            after.play(action)
            which = bind(network_for)(after.state)
            if which >= 0:
                bind(quick_values)(after.state, words_of(after), network, which, values)
                expected = [bind(network_value)(after.state, plain, which, seat) for seat in range(players)]
                assert values[:players].tolist() == expected
                if players == 2:
                    assert bind(quick_value)(after.state, words_of(after), network, which, 1) == expected[1]
                checked += 1
    assert checked > 30
    assert 30 < np.count_nonzero(network.keys) < (2 * players + 1) * checked


def test_boards_of_different_seats_are_not_taken_for_each_other() -> None:
    """After the third seat's board of the first position, the second seat's of the other one: they differ
    in the place of a single tile, by as many bytes as the seats' places in their words."""
    plain = some_network(AZUL, seats=3)
    network, bind, values = with_own_notes(plain, AZUL), AZUL.interpreted.bind, np.zeros(4, np.int64)
    for text in (
        "azul,players=3/stage=2,round=2,starter=2,bag=ehgcd,lid=52424,line_colour=00330000000030400000,"
        "line_tiles=00120000000020100000,wall=0000501000000000000000000000000000040000000000000000005002"
        "000000000000000000000000000000000000000000",
        "azul,players=3/stage=2,round=2,bag=ehgcd,lid=43335,line_colour=00030000030000000000,"
        "line_tiles=00020000210000000000,wall=0000500030000000000000000000405000000000000000000000000000"
        "040000000000000000000000000000000000000000",
    ):
        position = Position.from_text(text)
        which = bind(network_for)(position.state)
        bind(quick_values)(position.state, words_of(position), network, which, values)
        expected = [bind(network_value)(position.state, plain, which, seat) for seat in range(3)]
        assert values[:3].tolist() == expected


@pytest.mark.parametrize(("box", "players"), TABLES)
def test_seats_that_move_on_take_their_values_along(box: str, players: int) -> None:
    game = registry.find(box)[0]
    network, bind = some_network(game, seats=players), game.interpreted.bind
    for position in positions(box, players, 10, seed=1):
        other = turned(position)
        here, there = (sides_and_table(game, s, network) for s in (position.state, other))
        assert (here[0] == np.roll(there[0], -1, axis=0)).all()
        assert (here[1] == there[1]).all()
        which = bind(network_for)(position.state)
        assert bind(network_value)(position.state, network, which, 0) == bind(network_value)(
            other, network, which, 1
        )


@pytest.mark.parametrize("box", ["azul", "azul-grey", "sintra-a"])
def test_the_order_of_factories_is_not_seen(box: str) -> None:
    game = registry.find(box)[0]
    network = some_network(game)
    for position in positions(box, 2, 10, seed=2):
        before = sides_and_table(game, position.state, network)
        row = position.row.copy()
        s = layout.view(game.state, row)
        s.factories[:5] = s.factories[4::-1].copy()
        for here, there in zip(before, sides_and_table(game, s, network), strict=True):
            assert (here == there).all()


def test_networks_are_kept_in_files(tmp_path: Path) -> None:
    network = some_network()
    write_network(tmp_path / "n.npz", network)
    read = read_network(tmp_path / "n.npz")
    for name in (*SCALES, "ready"):
        assert (getattr(read, name) == getattr(network, name)).all()


def test_a_game_without_features_is_judged_by_its_evaluation() -> None:
    for game in registry.games():
        position = Position(game, game.presets[0], 2, {})
        if game.features is None:
            assert game.interpreted.bind(network_for)(position.state) == -1
    assert len(no_network().ready) == 0
