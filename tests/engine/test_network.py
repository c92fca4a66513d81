"""Networks: the compiled sums equal a plain matrix product, and neither seat is preferred."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from azulejos.core import layout, registry
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
    read_network,
    shapes,
    with_own_notes,
    write_network,
)
from azulejos.games.azul import features

AZUL, _ = registry.find("azul")
VERB = AZUL.interpreted.bind


def some_network(seed: int = 1) -> Network:
    rng = np.random.default_rng(seed)
    sizes = shapes(features.NETWORKS, features.SIDE_INPUTS, features.TABLE_INPUTS)
    weights = {name: rng.normal(0, 0.1, shape) for name, shape in sizes.items()}
    weights["last"] *= 1000
    weights["straight"] *= 1000
    weights["ready"] = np.ones(features.NETWORKS)
    return quantised(weights)


def positions(count: int, seed: int = 0) -> Iterator[Position]:
    """Positions from random play, between rounds and within them."""
    rng = random.Random(seed)
    while count > 0:
        position = new("azul")
        while not position.is_over:
            if VERB(network_for)(position.state) >= 0 and rng.random() < 0.1:
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


def sides_and_table(s: State, n: Network) -> tuple[Cells, Cells, Cells]:
    view = VERB(viewpoint)(s)
    first, second = (
        spread(VERB(side_inputs)(s, seat, n.inputs, n.amounts), n, features.SIDE_INPUTS)
        for seat in (view, 1 - view)
    )
    return first, second, spread(VERB(table_inputs)(s, n.inputs, n.amounts), n, features.TABLE_INPUTS)


def reference(s: State, n: Network) -> int:
    """The value for the seat of the viewpoint by whole matrices, with unbounded sums."""
    which = VERB(network_for)(s)
    w = {name: getattr(n, name)[which].astype(np.int64) for name in n._fields[:10]}
    first, second, table = sides_and_table(s, n)
    sums = np.concatenate([first @ w["side"], second @ w["side"], table @ w["table"]]) + w["bias"]
    assert sums.shape == (PARTS * WIDTH,)
    units = np.clip(sums, 0, ONE)
    deep = np.maximum(w["second"] @ units + w["second_bias"], 0)
    assert deep.shape == (NARROW,)
    straight = (first - second) @ w["straight"] + table @ w["straight_table"] + w["straight_bias"]
    return int((straight + deep @ w["last"] // (ONE * SECOND_ONE)) // LAST_ONE)


def exchanged(position: Position) -> State:
    """The same position with the two seats exchanged."""
    row = position.row.copy()
    s = layout.view(AZUL.state, row)
    for name in ("score", "line_colour", "line_tiles", "wall", "floor", "disc"):
        cells = getattr(s, name)
        cells[:2] = cells[1::-1].copy()
    for name in ("to_move", "starter", "marker"):
        if getattr(s, name) >= 0:
            setattr(s, name, 1 - getattr(s, name))
    return cast(State, s)


def test_the_value_is_that_of_the_matrices() -> None:
    network = some_network()
    for position in positions(25):
        view = VERB(viewpoint)(position.state)
        which = VERB(network_for)(position.state)
        value = VERB(network_value)(position.state, network, which, view)
        assert value == reference(position.state, network)
        assert VERB(network_value)(position.state, network, which, 1 - view) == -value


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


def test_notes_on_parts_seen_before_change_no_value() -> None:
    """Positions that share a side or the table, as in a search."""
    network = with_own_notes(some_network(), AZUL)
    plain, quick = VERB(network_value), VERB(quick_value)
    checked = 0
    for position in positions(60, seed=3):
        for action in position.legal_actions()[:6]:
            after = position.copy()
            after.play(action)
            which = VERB(network_for)(after.state)
            if which >= 0:
                words = np.zeros(-(-AZUL.size // 8), np.uint64)
                words.view(np.uint8)[: AZUL.size] = after.row
                found = quick(after.state, words, network, which, 0)
                assert found == plain(after.state, some_network(), which, 0)
                checked += 1
    assert checked > 50
    assert 50 < np.count_nonzero(network.keys) < PARTS * checked


def test_exchanged_seats_exchange_the_value() -> None:
    network = some_network()
    for position in positions(25, seed=1):
        other = exchanged(position)
        for here, there in zip(
            sides_and_table(position.state, network), sides_and_table(other, network), strict=True
        ):
            assert (here == there).all()
        which = VERB(network_for)(position.state)
        values = [VERB(network_value)(s, network, which, seat)
                  for s, seat in ((position.state, 0), (other, 1))]
        assert values[0] == values[1]


def test_the_order_of_factories_is_not_seen() -> None:
    network = some_network()
    for position in positions(10, seed=2):
        before = sides_and_table(position.state, network)
        row = position.row.copy()
        s = layout.view(AZUL.state, row)
        s.factories[:5] = s.factories[4::-1].copy()
        for here, there in zip(before, sides_and_table(s, network), strict=True):
            assert (here == there).all()


@pytest.mark.parametrize("box", ["azul-grey", "chocolatier"])
def test_other_boxes_have_no_network(box: str) -> None:
    position = new(box)
    position.deal(random.Random(1))
    assert VERB(network_for)(position.state) == -1


def test_networks_are_kept_in_files(tmp_path: Path) -> None:
    network = some_network()
    write_network(tmp_path / "n.npz", network)
    read = read_network(tmp_path / "n.npz")
    for name in (*SCALES, "ready"):
        assert (getattr(read, name) == getattr(network, name)).all()


def test_a_game_without_features_is_judged_by_its_evaluation() -> None:
    for game in registry.games():
        position = Position(game, game.presets[0], 2, {})
        if game is not AZUL:
            assert game.interpreted.bind(network_for)(position.state) == -1
    assert len(no_network().ready) == 0
