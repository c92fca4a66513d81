"""The captions of the guide agree with the rules."""

from __future__ import annotations

from azulejos import Position
from azulejos.games.azul import guide, pictures


def scored(text: str, move: str) -> list[int]:
    position = Position.from_text(text)
    position.play(move)
    return [entry.points for entry in position.explain(-1) if entry.seat == 0]


def test_a_row_of_three_and_a_column_of_two_score_five_and_the_floor_costs_two() -> None:
    assert scored(pictures.TILING, "0b4") == [5, -2]


def test_row_column_and_colour_give_nineteen_at_the_end() -> None:
    assert scored(pictures.END, "0bf")[1:] == [2, 7, 10]


def test_two_columns_are_open() -> None:
    assert [move.text for move in Position.from_text(pictures.GREY).legal_moves] == ["c2", "c5"]


def test_the_example_ends_with_five_points_and_a_marker_that_costs_one() -> None:
    step = guide.TURN.steps[-1].table()
    assert [entry.points for entry in step.explain(-1) if entry.seat == 0] == [5, -1]
    assert step.state.line_tiles[0].tolist() == [0, 0, 0, 1, 4]
