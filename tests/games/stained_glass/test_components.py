"""The components of the box, and custom components."""

from __future__ import annotations

import pytest

import azulejos
from azulejos.games.stained_glass.components import (
    BROKEN_GLASS,
    ORNAMENTS,
    STRIPS,
    WINDOW_POINTS,
    WINDOWS,
    check_strips,
    read_table,
    read_track,
)

OWN = "yyybo-ooppb.bbbop-jjbpy." + ".".join(STRIPS.split(".")[1:7])


def changed(old: str, new: str) -> str:
    assert STRIPS.count(old) == 1
    return STRIPS.replace(old, new)


def test_the_tables_have_the_shape_of_the_board() -> None:
    assert len(WINDOW_POINTS) == WINDOWS
    track = read_track(BROKEN_GLASS)
    assert track[0] == 0
    assert {8, 18} <= set(track)
    assert sorted(window for ornament in ORNAMENTS for window in ornament) == list(range(WINDOWS))


def test_the_strips_of_the_box_are_a_table() -> None:
    assert check_strips(STRIPS) == STRIPS
    table = read_table(STRIPS)
    assert table[0] == ((3, 1, 1, 0, 0, 0), (2, 1, 2, 0, 0, 0))
    assert table[7] == ((1, 0, 0, 2, 2, 0), (1, 1, 0, 1, 0, 2))


def test_every_colour_has_as_many_spaces_as_another() -> None:
    sides = [side for strip in read_table(STRIPS) for side in strip]
    spaces = [sum(side[colour] for side in sides) for colour in range(5)]
    assert max(spaces) - min(spaces) <= 2


def test_a_table_of_ones_own_is_used_in_the_game() -> None:
    position = azulejos.new("sintra-a", strips=f"  {OWN} ")
    assert position.options["strips"] == OWN.upper()
    assert position.state.strips[1].tolist() == [[3, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 2]]
    position.play("@1")
    assert "s2b" not in position.legal_moves
    assert "s8b" in position.legal_moves
    assert azulejos.Position.from_text(position.text()) == position


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "8 strips joined by dots, not 1"),
        (STRIPS + ".BBBBB-BBBBB", "8 strips joined by dots, not 9"),
        (changed("OOOPW-BBPPO", "OOOPWBBPPO"), "strip 2 must be front-back like BBBOP-BBOOP"),
        (changed("OOOPW-BBPPO", "OOOPW-BBPPO-B"), "strip 2 must be front-back like BBBOP-BBOOP"),
        (changed("PPPWY", "PPPW"), r"the front of strip 3 must have 5 spaces, not 4 \('PPPW'\)"),
        (changed("BBYYP", "BBYYPP"), "the back of strip 4 must have 5 spaces, not 6"),
        (changed("YYYBO", "YYYBR"), "the front of strip 5 has 'R'; spaces are B P O Y W J"),
        (changed("JJBPY", "JBBPY"), "the back of strip 8 must have no jokers or 2"),
        (changed("JJBPY", "JJJPY"), "the back of strip 8 must have no jokers or 2"),
        (changed("WWYYB-JJBPY", "JJBPY-WWYYB"), "strip 8: the side with jokers starts face down"),
        (changed("JJBPY", "WWBPY"), "exactly one strip has 2 jokers .* here 0 have"),
        (changed("OOYYW", "JJYYW"), "exactly one strip has 2 jokers .* here 2 have"),
    ],
)
def test_errors_say_what_is_wrong_with_a_table(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        azulejos.new("sintra-a", strips=text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "numbers joined by dots"),
        ("0.-8.18", "numbers joined by dots"),
        ("1.8.18", "begins with 0, not with 1"),
        ("0.8.8.18", "8 follows 8"),
        ("0.9.8.18", "8 follows 9"),
        ("0.8.17", "ends with 18, not with 17"),
        ("0.8.18.20", "ends with 18, not with 20"),
        ("0.4.9.18", "has a step of 8"),
    ],
)
def test_errors_say_what_is_wrong_with_a_track(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        azulejos.new("sintra-a", broken=text)


def test_a_track_of_ones_own_is_used_in_the_game() -> None:
    position = azulejos.new("sintra-a", broken="0.4.5.6.8.18")
    assert position.state.last_step == 5
    assert position.state.losses.tolist() == [0, 4, 5, 6, 8, 18, *[0] * 13]
    assert azulejos.Position.from_text(position.text()) == position
    assert "−5" in azulejos.svg.position(position)
    assert "−11" not in azulejos.svg.position(position)


@pytest.mark.parametrize("change", [
    {"losses": [0] * 19}, {"losses": [1, *range(2, 20)]}, {"last_step": 5}, {"broken": [9, 0, 0, 0]},
])
def test_a_position_with_an_impossible_track_is_refused(change: dict[str, object]) -> None:
    data = azulejos.new("sintra-a", start="1").to_json()
    data["state"] |= change
    with pytest.raises(ValueError, match=r"add up|within"):
        azulejos.Position.from_json(data)
