"""Positions that cannot arise under the rules are refused: some of them would lose tiles if played on."""

from __future__ import annotations

from typing import Any

import pytest

from games.azul.build import table

GREY = {"wall": "grey"}
SPECIAL = {"factories": "special"}


@pytest.mark.parametrize("wrong", [
    {"walls": {1: ["y...."]}},
    {"options": GREY, "walls": {1: ["b...b"]}},
    {"options": GREY, "walls": {1: ["b....", "b...."]}},
    {"walls": {1: ["b...."]}, "lines": {1: {1: "b"}}},
    {"lines": {1: {1: "bb"}}},
    {"floors": {1: ".b"}},
    {"floors": {1: "m"}},
    {"floors": {1: "m"}, "marker": 1},
    {"floors": {1: "mm"}, "marker": 0},
    {"floors": {1: "m"}, "discs": {1: "m"}, "options": SPECIAL, "gone": 1, "marker": 0},
    {"effects": {1: "s"}},
    {"options": SPECIAL, "effects": {1: "s", 2: "s"}},
    {"options": SPECIAL, "discs": {1: ""}},
    {"options": SPECIAL, "gone": 1},
    {"options": SPECIAL, "discs": {1: "", 2: ""}, "gone": 1},
    {"options": SPECIAL, "discs": {1: ""}, "gone": 0},
    {"factories": ["b"] * 6},
    {"centre": ""},
])
def test_impossible_positions_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="do not add up"):
        table(**{"centre": "w", "factories": ["kkkk"] if "centre" not in wrong else [], **wrong})


@pytest.mark.parametrize("right", [
    {"walls": {1: ["b....", "wb..."]}},
    {"options": GREY, "walls": {1: ["y...b", "b...y"]}},
    {"floors": {1: "mb"}, "marker": 0},
    {"marker": 0},
    {"options": SPECIAL, "effects": {2: "s", 3: "z"}},
    {"options": SPECIAL, "discs": {1: "m"}, "gone": 1, "marker": 0},
])
def test_what_can_come_about_is_accepted(right: dict[str, Any]) -> None:
    table(**{"centre": "w", "factories": ["kkkk"], **right})
