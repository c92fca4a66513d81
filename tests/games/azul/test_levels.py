"""No level takes three tiles to the floor line if a pattern line takes them."""

from __future__ import annotations

import pytest

from azulejos.core.position import Position
from azulejos.games.azul.moves import COLUMN, FLOOR, TARGETS
from azulejos.parts.offer import COLOURS, tiles_at
from bots.dumps import WEAK, check
from bots.positions import played


def lost_tiles(position: Position, action: int) -> int:
    """Tiles of an action that go to the floor line, without the marker."""
    source, colour, target = action // TARGETS // COLOURS, action // TARGETS % COLOURS, action % TARGETS
    s = position.state
    tiles = tiles_at(s.factories, s.centre, source, colour)
    space = 0 if target == FLOOR else target + 1 - int(s.line_tiles[s.to_move, target])
    return max(0, tiles - space)


def check_dumps(word: str, count: int, wall: str = "coloured") -> None:
    positions = (played("azul", 2 + seed % 3, seed, 3 + seed % 47, wall=wall) for seed in range(count))
    check(word, positions, takes=COLUMN, lost=lost_tiles, thrown=lambda action: action % TARGETS == FLOOR)


@pytest.mark.parametrize("word", WEAK)
def test_no_dumps(word: str) -> None:
    check_dumps(word, 150)


@pytest.mark.slow
@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("word", WEAK)
def test_no_dumps_in_thousands_of_positions(word: str, wall: str) -> None:
    check_dumps(word, 3000, wall)
