"""Texts of moves, reasons in words, and states that are refused."""

from __future__ import annotations

from typing import Any

import pytest

import azulejos
from azulejos import InvalidMove, Position
from azulejos.games.stained_glass import GAME
from azulejos.games.stained_glass.layout import EMPTY, ENDED, FILLING, KEEPING, LOT, STRIPS, TRACK
from azulejos.games.stained_glass.moves import MOVES, Keep, LayStrip, Reset, Take
from azulejos.games.stained_glass.reasons import NAMES, reason_text
from games.stained_glass.table import Board, position


def test_text_and_action_determine_each_other() -> None:
    for action, move in enumerate(MOVES):
        assert MOVES.parse(move.text) == action
        assert MOVES.parse(move.text.upper()) == action
    assert len(MOVES) == GAME.num_actions


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("2o5", Take(2, 2, 4)),
        ("0wx", Take(0, 4, 8)),
        ("g", Reset()),
        ("ky", Keep(3)),
        ("s5b", LayStrip(4, 1)),
    ],
)
def test_texts_of_the_documentation(text: str, move: object) -> None:
    assert MOVES[MOVES.parse(text)] == move


@pytest.mark.parametrize("text", ["2o9", "2r1", "k", "s9f", "gg", "", "xo1"])
def test_other_texts_cannot_be_read(text: str) -> None:
    with pytest.raises(InvalidMove):
        MOVES.parse(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("6o1", "There are only 5 factories."),
        ("0p1", "There is no pink in the centre."),
        ("1p1", "There is no pink on factory 1."),
        ("0oX", "A strip you can reach has a space for orange, so you must place the panes."),
        ("0o1", "There is no longer a strip above window 1."),
        ("0o2", "Strip 2 lies to the left of the glazier."),
        ("0o4", "Strip 4 has no free space for orange."),
        ("g", None),
        ("kb", "Take panes from a factory or from the centre, or move the glazier back."),
        ("+b", "Take panes from a factory or from the centre, or move the glazier back."),
    ],
)
def test_why_a_turn_is_not_legal(text: str, reason: str | None) -> None:
    board = Board(strips=("", *Board().strips[1:]), windows=("bb", *[""] * 7), glazier=3)
    game = position(board, centre="oob", factories=("yyyy",))
    assert str(game.why_not(text)) == str(reason)


def test_why_a_pane_cannot_be_kept() -> None:
    game = position(Board().with_strip(1, "1f bbbo"), centre="pb", start_tile=1)
    game.play("0p1")
    assert str(game.why_not("ky")) == "There is no yellow on the completed strip."
    assert str(game.why_not("g")) == "First choose the pane to keep: k and its colour."
    assert game.why_not("ko") is None


def test_every_reason_for_points_has_words() -> None:
    words = {str(reason_text(reason, 0)) for reason in range(len(NAMES))}
    assert len(words) == len(NAMES)


# --- states that are refused ------------------------------------------------------------------------------


def plain() -> Position:
    return position(Board(), centre="oob", factories=("yyyy",))


def with_fields(game: Position, **fields: Any) -> dict[str, Any]:
    data = game.to_json()
    return {**data, "state": {**data["state"], **fields}}


FULL_STRIP = [[[3, 1, 1, 0, 0], *[[0] * 5] * 7], *[[[0] * 5] * 8] * 3]


@pytest.mark.parametrize(
    "fields",
    [
        {"bag": [20, 20, 20, 20, 20]},
        {"to_move": 2},
        {"to_move": -1},
        {"starter": 3},
        {"start_tile": 2},
        {"round": 0},
        {"round": 2},
        {"stage": KEEPING},
        {"stage": FILLING, "to_move": -1, "laid": 20},
        {"stage": ENDED, "to_move": -2},
        {"stage": LOT, "to_move": -1},
        {"stage": TRACK, "to_move": -1, "laid": 5},
        {"strip": [[1, 1, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8], [EMPTY] * 8, [EMPTY] * 8]},
        {"strip": [[0, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8], [EMPTY] * 8, [EMPTY] * 8]},
        {"strips": [[[5, 1, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0]]] * 8},
        {"panes": FULL_STRIP, "bag": [17, 18, 16, 16, 19]},
    ],
)
def test_a_state_that_cannot_have_come_about_is_refused(fields: dict[str, Any]) -> None:
    assert Position.from_json(with_fields(plain())) == plain()
    with pytest.raises(ValueError, match="do not add up"):
        Position.from_json(with_fields(plain(), **fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"laid": 3},
        {"stage": STRIPS, "laid": 16},
        {"stage": TRACK},
        {"round": 1},
        {"bag": [18, 20, 20, 20, 20], "tower": [2, 0, 0, 0, 0]},
    ],
)
def test_a_set_up_that_cannot_go_on_is_refused(fields: dict[str, Any]) -> None:
    game = azulejos.new("sintra-a")
    assert Position.from_json(with_fields(game)) == game
    with pytest.raises(ValueError, match="do not add up"):
        Position.from_json(with_fields(game, **fields))
