"""Previews: what a move would do, as shown beside its target."""

from __future__ import annotations

import pytest

import azulejos
from azulejos.games.azul.view import VIEW

DEAL = "rrrb ykkk wwww byrk bbyy"


def opening(*, name: str = "azul", deal: str = DEAL, played: str = "") -> azulejos.Position:
    position = azulejos.new(name, start="1")
    for letter in deal.replace(" ", ""):
        position.play(f"+{letter}")
    for move in played.split():
        position.play(move)
    return position


def said(position: azulejos.Position) -> dict[str, str]:
    return {move.text: str(position.preview(move)) for move in position.legal_moves}


@pytest.mark.parametrize(
    ("played", "move", "effect"),
    [
        ("", "1r5", "all 3 fit"),
        ("", "1b2", "1 fits; leaves 3 red for the next player"),
        ("", "1r2", "2 of 3 fit, 1 falls (−1); fills the line: +1"),
        ("", "1r3", "fills the line: +1"),
        ("", "3wf", "4 fall (−6)"),
        ("2k3", "0y1", "1 fits, with the start marker (−1); fills the line: +1"),
        ("2k3 0yf", "3wf", "4 fall (−6)"),
        ("4b2", "2yf", "1 falls (−1); leaves 4 black for the next player"),
        ("1r2 2k3", "3w1", "1 of 4 fit, 3 fall (−5); fills the line: +1"),
    ],
)
def test_the_first_round(played: str, move: str, effect: str) -> None:
    assert said(opening(played=played))[move] == effect


def test_a_line_that_joins_others_counts_what_the_tiling_will_bring() -> None:
    """Blue in line 1 goes to column 1; white in line 2 goes below it."""
    position = opening(deal="bkkk wwrr yyyy rrrr kkkk", played="1b1 3y5")
    assert said(position)["2w2"] == "fills the line: +2"


def test_a_grey_wall_leaves_the_column_open() -> None:
    position = opening(name="azul-grey")
    assert said(position)["1r3"] == "fills the line: choose its column later"


def test_columns_of_a_grey_wall_name_their_points() -> None:
    position = opening(name="azul-grey", deal="bbbb kkkk rrrr wwww yyyy", played="1b1 2k4 3r2 4w3 5y3")
    assert said(position) == {f"c{column}": "+1 for the tile here" for column in range(1, 6)}
    position.play("c3")
    assert said(position)["c3"] == "+2 for the tile here"


def test_the_log_shows_the_tile_that_a_column_was_chosen_for() -> None:
    position = opening(name="azul-grey", deal="bbbb kkkk rrrr wwww yyyy", played="1b1 2k4 3r2 4w3 5y3")
    told = VIEW.log_entry(position, position.game.moves.parse("c2"))
    assert told is not None
    pieces, where = told
    assert [piece.kind for piece in pieces] == ["blue"]
    assert str(where) == "wall, row 1, column 2"


def test_points_rise_from_the_tile_that_earned_them() -> None:
    position = opening(deal="bbbb kkkk rrrr wwww yyyy", played="1b1 2k4 3r2 4w3 5y3")
    slot_of = VIEW.slot_of
    tiles = {slot_of(scored.seat, scored.place) for scored in position.explain(-1) if scored.points > 0}
    assert tiles == {"seat1.wall1-1", "seat1.wall2-4", "seat1.wall3-4", "seat2.wall3-2", "seat2.wall4-2"}
    floors = {slot_of(scored.seat, scored.place) for scored in position.explain(-1) if scored.points < 0}
    assert floors == {None}


def test_a_division_says_where_the_colours_go() -> None:
    position = azulejos.new("azul", factories="special", start="1")
    position.play("!2d")
    position.play("!4s")
    for letter in DEAL.replace("y", "b", 1).replace(" ", ""):
        position.play(f"+{letter}")
    position = position.copy()
    position.play("2b1")
    assert said(position) == {
        "<": "to factory 1: nothing; to factory 3: black",
        "<k": "to factory 1: black; to factory 3: nothing",
    }
