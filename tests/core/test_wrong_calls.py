"""Calls with wrong arguments: a clear error, and an unchanged position."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import azulejos
from azulejos import InvalidMove, Position
from azulejos.core.chance import draw
from azulejos.engine.batch import Batch


@pytest.fixture
def position() -> Position:
    position = azulejos.new("azul", start="1")
    position.deal(random.Random(1))
    return position


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint8])
def test_an_action_is_a_whole_number_of_any_kind(position: Position, kind: Any) -> None:
    action = position.legal_actions()[0]
    assert kind(action) in position.legal_moves
    assert position.why_not(kind(action)) is None
    position.play(kind(action))
    assert position.history.actions[-1] == action


@pytest.mark.parametrize("move", [None, 1.5, b"1k2", ["1k2"], object()])
def test_what_is_no_move(position: Position, move: Any) -> None:
    before = position.copy()
    assert move not in position.legal_moves
    for call in (position.play, position.why_not, position.preview):
        with pytest.raises(TypeError, match="a move is a Move, its text or its action, not"):
            call(move)
    assert position == before


@pytest.mark.parametrize("number", [-1, 10**30])
def test_a_number_that_is_no_action(position: Position, number: int) -> None:
    assert number not in position.legal_moves
    with pytest.raises(InvalidMove, match="There is no action"):
        position.play(number)


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_only_seats_at_the_table_observe(position: Position, seat: int) -> None:
    with pytest.raises(ValueError, match="the seats are 0 to 1"):
        position.observation(seat)


def test_nothing_is_drawn_while_somebody_is_to_move(position: Position) -> None:
    for call in (position.odds, lambda: draw(position.odds(), lambda total: 0)):
        with pytest.raises(ValueError, match="nothing is drawn"):
            call()


@pytest.mark.parametrize("number", [-1, 2])
def test_tickets_below_the_sum_of_all_odds(number: int) -> None:
    position = azulejos.new("azul")
    with pytest.raises(ValueError, match="a ticket of 2 is 0 to 1"):
        position.deal(lambda total: number)


@pytest.mark.parametrize("players", ["2", 2.0, None])
def test_the_number_of_players_is_whole(players: Any) -> None:
    with pytest.raises(TypeError, match="integer"):
        azulejos.new("azul", players=players)
    with pytest.raises(TypeError, match="integer"):
        Batch("azul", players=players)


def test_players_of_any_kind_of_whole_number() -> None:
    position = azulejos.new("azul", players=np.int64(3))  # type: ignore[arg-type]  # as people have them
    assert Position.from_text(position.text()) == position
    assert type(position.players) is int


@pytest.mark.parametrize(("options", "error"), [
    ({"start": 1}, "start is a text such as 'lot', not 1"),
    ({"wall": None}, "wall is a text such as 'coloured', not None"),
])
def test_options_are_texts(options: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        azulejos.new("azul", **options)


@pytest.mark.parametrize("name", [None, 3, "Azul", ""])
def test_what_is_no_box(name: Any) -> None:
    with pytest.raises(ValueError, match="no game is called"):
        azulejos.new(name)


@pytest.mark.parametrize("text", [
    "azul,players=2,players=3/", "azul,players=2,wall=grey,wall=grey/", "azul,players=2/round=1,round=2",
])
def test_nothing_stands_twice_in_a_position(text: str) -> None:
    with pytest.raises(ValueError, match="stands there twice"):
        Position.from_text(text)


@pytest.mark.parametrize("data", [None, [], "azul", 3])
def test_a_position_is_an_object(data: Any) -> None:
    with pytest.raises(ValueError, match="a position is an object"):
        Position.from_json(data)


def test_the_doors_of_a_batch_check() -> None:
    """Otherwise compiled code would read the wrong bytes."""
    batch = Batch("azul")
    now = batch.init(seed=1, n=4)
    actions = now.mask.argmax(axis=1)
    for states in (now.states[:, :-1], now.states.astype(int), np.asfortranarray(now.states)):
        with pytest.raises(ValueError, match="states are uint8 rows"):
            batch.step(states, actions, now.key)
    for wrong in (actions[:2], actions[:, None], actions.astype(float)):
        with pytest.raises(ValueError, match="4 games need as many whole numbers"):
            batch.step(now.states, wrong, now.key)
    for key in (now.key[:1], now.key.astype(float)):
        with pytest.raises(ValueError, match="4 games need as many uint64 keys"):
            batch.step(now.states, actions, key)
