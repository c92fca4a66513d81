"""The tables of the box, and tables of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import azulejos
from azulejos.cli import main
from azulejos.games.stained_glass.components import (
    BROKEN_GLASS,
    ORNAMENTS,
    STRIPS,
    WINDOW_POINTS,
    WINDOWS,
    check_strips,
    read_strips,
    read_table,
)

OWN = "yyybo-ooppb.bbbop-jjbpy." + ".".join(STRIPS.split(".")[1:7])


def changed(old: str, new: str) -> str:
    assert STRIPS.count(old) == 1
    return STRIPS.replace(old, new)


def test_the_tables_have_the_shape_of_the_board() -> None:
    assert len(WINDOW_POINTS) == WINDOWS
    assert BROKEN_GLASS[0] == 0
    assert {8, 18} <= set(BROKEN_GLASS)
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


def test_a_table_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    pairs = [strip.split("-") for strip in OWN.split(".")]
    path.write_text("# the strips of my box\nstrips = " + str(pairs).replace("'", '"'), encoding="utf-8")
    assert read_strips(path) == OWN.upper()
    assert read_strips(str(path)) == OWN.upper()


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("strips = [", "is not TOML"),
        ("stripes = []", "should hold strips"),
        ('strips = ["BBBOP"]', "should hold strips"),
        ('strips = [["BBBOP"]]', "should hold strips"),
        ("strips = [[1, 2]]", "should hold strips"),
        ('strips = [["BBBOP", "BBOOP"]]', "8 strips"),
    ],
)
def test_errors_say_what_is_wrong_with_a_file(tmp_path: Path, content: str, error: str) -> None:
    path = tmp_path / "my.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=error):
        read_strips(path)


def test_the_command_line_takes_strips_from_a_file(tmp_path: Path) -> None:
    own = tmp_path / "my.toml"
    pairs = [strip.split("-") for strip in OWN.split(".")]
    own.write_text(f"strips = {json.dumps(pairs)}", encoding="utf-8")
    told = CliRunner().invoke(main, ["trace", "sintra-a", "--strips", str(own), "--seed", "1"])
    assert told.exit_code == 0
    assert json.loads(told.stdout.splitlines()[0])["options"]["strips"] == OWN.upper()


def test_a_file_that_is_not_there_is_said_in_one_line() -> None:
    told = CliRunner().invoke(main, ["trace", "sintra-a", "--strips", "nowhere.toml"])
    assert told.exit_code == 2
    assert "cannot read nowhere.toml" in told.stderr
