"""Every worked example in the rules of Azul, by name."""

from __future__ import annotations

from typing import Any

import pytest

from azulejos import IllegalMove
from games.azul.build import table, tiles


def points(position_points: list[tuple[int, int]], seat: int) -> list[int]:
    return [points for who, points in position_points if who == seat]


def play_last_tile(**board: Any) -> list[tuple[int, int]]:
    """Take the last tile of the offer to the floor line of seat 2, so that seat 1's wall is tiled."""
    position = table(**{"centre": "w", "to_move": 1, "marker": 1, "starter": 0, **board})
    position.play("0wf")
    return [(scored.seat, scored.points) for scored in position.explain(-1)]


def test_floor_with_five_occupied_spaces_marker_among_them_costs_8() -> None:
    scored = play_last_tile(floors={1: "mbbyr"}, marker=0, score=[20, 0, 0, 0])
    assert points(scored, 0) == [-8]


def test_tile_with_no_neighbours_scores_1() -> None:
    assert points(play_last_tile(lines={1: {2: "rr"}}), 0) == [1]


def test_third_in_a_horizontal_run_scores_3() -> None:
    assert points(play_last_tile(lines={1: {1: "y"}}, walls={1: ["b.r.."]}), 0) == [3]


def test_third_in_a_vertical_run_scores_3() -> None:
    walls = {1: [".....", ".....", "k....", "r....", "....."]}
    assert points(play_last_tile(lines={1: {5: "yyyyy"}}, walls=walls), 0) == [3]


def test_horizontal_run_of_4_and_vertical_run_of_3_score_7() -> None:
    walls = {1: [".y...", "w.yr.", ".w..."]}
    assert points(play_last_tile(lines={1: {2: "bb"}}, walls=walls), 0) == [7]


def test_two_yellow_may_go_to_line_1_line_5_or_the_floor_only() -> None:
    position = table(
        factories=["yykk"], lines={1: {4: "b"}}, walls={1: [".....", "..y..", "...y."]}
    )
    legal = {move.text for move in position.legal_moves if move.text.startswith("1y")}
    assert legal == {"1y1", "1y5", "1yf"}
    assert str(position.why_not("1y2")) == "Row 2 of the wall already holds yellow."
    assert str(position.why_not("1y4")) == "Line 4 already holds blue."
    with pytest.raises(IllegalMove, match="Row 3 of the wall already holds yellow"):
        position.play("1y3")
    position.play("1y1")
    assert position.state.line_tiles[0, 0] == 1
    assert position.state.floor[0].tolist() == [2, 0, 0, 0, 0, 0, 0]


def test_lines_2_and_4_full_on_an_empty_wall() -> None:
    position = table(
        centre="w", to_move=1, marker=1, lines={1: {2: "rr", 3: "k", 4: "bbbb", 5: "ww"}}, bag="y" * 20
    )
    lid = tiles(position.state.lid)
    position.play("0wf")
    gained = [(scored.seat, scored.points) for scored in position.explain(-1)]
    assert gained == [(0, 1), (0, 1)]
    state = position.state
    assert state.wall[0, 1, 3] == 3
    assert state.wall[0, 3, 3] == 1
    assert state.line_tiles[0].tolist() == [0, 0, 1, 0, 2]
    assert tiles(state.lid).count("r") == lid.count("r") + 1
    assert tiles(state.lid).count("b") == lid.count("b") + 3


def test_first_turns_of_the_rulebook() -> None:
    position = table(factories=["kkby", "yrrr", "bbbb"], players=3)
    position.play("1k2")
    assert tiles(position.state.centre) == "by"
    position.play("2y1")
    assert tiles(position.state.centre) == "byrrr"
    position.play("0r3")
    state = position.state
    assert state.marker == 2
    assert state.floor[2].tolist() == [6, 0, 0, 0, 0, 0, 0]
    assert state.line_tiles[2, 2] == 3
