"""The observations of every game: features that are named, bounded and relative to the observer."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

import azulejos
from azulejos.core.layout import Cells
from azulejos.core.observation import observe_at, scale_of, size, sliced

BOXES = [(name, players) for name in azulejos.presets() for players in (2, 3, 4)]


def observed(position: azulejos.Position, seat: int, *, compiled: bool = False) -> Cells:
    planes = position.game.planes(position.players, position.options)
    out = np.full(size(planes), 255, np.uint8)
    binding = position.game.compiled if compiled else position.game.interpreted
    binding.bind(observe_at)(position.row[None], 0, seat, out)
    return scale_of(planes).floats(out)


def positions(name: str, players: int, decisions: int) -> Iterator[azulejos.Position]:
    """The positions of a random game in which a seat is to move."""
    rng = random.Random(f"{name} {players}")
    position = azulejos.new(name, players=players)
    position.deal(rng)
    for _ in range(decisions):
        if position.is_over:
            return
        yield position
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)


@pytest.mark.parametrize(("name", "players"), BOXES)
def test_every_number_is_written_and_within_its_plane(name: str, players: int) -> None:
    for position in positions(name, players, 30):
        planes = position.game.planes(players, position.options)
        assert len({plane.name for plane in planes}) == len(planes)
        for seat in range(players):
            features = observed(position, seat)
            for plane, part in sliced(planes):
                values = features[part]
                assert ((values >= plane.low) & (values <= plane.high)).all(), (plane.name, values)


@pytest.mark.parametrize(("name", "players"), BOXES)
def test_whole_numbers_fit_into_a_byte_and_floats_say_the_same(name: str, players: int) -> None:
    for position in positions(name, players, 30):
        planes = position.game.planes(players, position.options)
        for seat in range(players):
            wide = np.zeros(size(planes), np.int64)
            position.game.interpreted.bind(observe_at)(position.row[None], 0, seat, wide)
            assert wide.min() >= 0
            assert wide.max() <= 255
            assert (scale_of(planes).floats(wide) == position.observation(seat)).all()


@pytest.mark.parametrize(("name", "players"), BOXES)
def test_boards_are_in_turn_order_from_the_observer(name: str, players: int) -> None:
    """The observer's board number `turn` equals the own board of the seat `turn` places further on."""
    for position in positions(name, players, 20):
        planes = position.game.planes(players, position.options)
        parts = {plane.name: part for plane, part in sliced(planes)}
        views = [observed(position, seat) for seat in range(players)]
        boards = [plane.removesuffix(".0") for plane in parts if plane.endswith(".0")]
        assert boards
        for seat in range(players):
            for turn in range(1, players):
                for board in boards:
                    own = views[(seat + turn) % players][parts[f"{board}.0"]]
                    assert (views[seat][parts[f"{board}.{turn}"]] == own).all()


@pytest.mark.parametrize("name", azulejos.presets())
def test_compiled_and_interpreted_observations_agree(name: str) -> None:
    for position in positions(name, 3, 40):
        assert (observed(position, 1) == observed(position, 1, compiled=True)).all()


@pytest.mark.parametrize("name", azulejos.presets())
def test_each_decision_changes_what_is_seen(name: str) -> None:
    seen = [observed(position, 0).tobytes() for position in positions(name, 2, 40)]
    assert len(set(seen)) == len(seen)
