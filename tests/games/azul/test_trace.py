"""A hundred tiles at every step of a trace, counted from the published fields alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

import azulejos
from azulejos.cli.positions import traced

COLOURS = 5
MARKER = 6


def tiles(state: dict[str, Any]) -> list[int]:
    """How many tiles of each colour there are, wherever they are."""
    count = [state["bag"][c] + state["lid"][c] + state["centre"][c] for c in range(COLOURS)]
    for factory in state["factories"]:
        count = [a + b for a, b in zip(count, factory, strict=True)]
    for seat in range(state["players"]):
        for line in range(5):
            count[state["line_colour"][seat][line]] += state["line_tiles"][seat][line]
        pieces = [*state["floor"][seat], *(space for row in state["wall"][seat] for space in row),
                  max(0, state["disc"][seat] - 1)]
        for piece in pieces:
            if 0 < piece < MARKER:
                count[piece - 1] += 1
    return count


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("box", ["azul", "azul-grey", "chocolatier", "chocolatier-grey"])
def test_a_hundred_tiles_at_every_step(box: str, players: int) -> None:
    for line in traced(azulejos.new(box, players=players), seed=17 + players):
        if "state" in line:
            assert tiles(json.loads(json.dumps(line))["state"]) == [20] * COLOURS


def test_reasons_are_stable_codes() -> None:
    lines = [line for seed in range(4) for line in traced(azulejos.new("azul"), seed)]
    found = {points["reason"] for line in lines for points in line.get("points", [])}
    assert found <= {"tile", "floor", "row", "column", "colour"}
    assert {"tile", "floor", "row"} <= found
