"""Weak levels play like people: nobody throws three tiles to the floor while a line takes them."""

from __future__ import annotations

import pytest

from azulejos.bots import Budget, make
from azulejos.core.position import Position
from azulejos.games.azul.moves import COLUMN, FLOOR, TARGETS
from azulejos.parts.offer import COLOURS, tiles_at
from bots.positions import played

WEAK = ("level:1", "level:2", "level:3")


def lost_tiles(position: Position, action: int) -> int:
    """Tiles of an action that go to the floor, without the marker."""
    source, colour, target = action // TARGETS // COLOURS, action // TARGETS % COLOURS, action % TARGETS
    s = position.state
    tiles = tiles_at(s.factories, s.centre, source, colour)
    space = 0 if target == FLOOR else target + 1 - int(s.line_tiles[s.to_move, target])
    return max(0, tiles - space)


def is_dump(position: Position, action: int) -> bool:
    """Three tiles or more to the floor, though another action would lose none."""
    to_floor = action < COLUMN and action % TARGETS == FLOOR and lost_tiles(position, action) >= 3
    return to_floor and any(lost_tiles(position, other) == 0 for other in position.legal_actions())


def check(word: str, positions: int, **options: str) -> None:
    bot = make(word)
    for seed in range(positions):
        position = played("azul", 2 + seed % 3, seed, 3 + seed % 47, **options)
        if not position.is_over and position.legal_actions()[0] < COLUMN:
            choice = bot.choose(position, Budget(nodes=2000))
            assert not is_dump(position, int(choice.action)), position.text()


@pytest.mark.parametrize("word", WEAK)
def test_no_dumps(word: str) -> None:
    check(word, 150)


@pytest.mark.slow
@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("word", WEAK)
def test_no_dumps_in_thousands_of_positions(word: str, wall: str) -> None:
    check(word, 3000, wall=wall)
