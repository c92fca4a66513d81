"""Weak levels play like people: nobody breaks three panes while a strip takes them."""

from __future__ import annotations

import pytest

from azulejos.bots import Budget, make
from azulejos.core.position import Position
from azulejos.games.stained_glass.moves import BREAK, RESET, TARGETS
from azulejos.games.stained_glass.strips import free_spaces
from azulejos.parts.offer import COLOURS, tiles_at
from bots.positions import played

WEAK = ("level:1", "level:2", "level:3")


def lost_panes(position: Position, action: int) -> int:
    """Panes of an action that break."""
    source, colour, target = action // TARGETS // COLOURS, action // TARGETS % COLOURS, action % TARGETS
    s = position.state
    panes = tiles_at(s.factories, s.centre, source, colour)
    return panes if target == BREAK else max(0, panes - free_spaces(s, s.to_move, target, colour))


def is_dump(position: Position, action: int) -> bool:
    """Three panes or more to be broken, though another action would break none."""
    takes = [other for other in position.legal_actions() if other < RESET]
    broken = action < RESET and action % TARGETS == BREAK and lost_panes(position, action) >= 3
    return broken and any(lost_panes(position, other) == 0 for other in takes)


def check(word: str, positions: int) -> None:
    bot = make(word)
    for seed in range(positions):
        name = ("sintra-a", "sintra-b")[seed % 2]
        position = played(name, 2 + seed % 3, seed, 3 + seed % 71)
        if not position.is_over:
            choice = bot.choose(position, Budget(nodes=2000))
            assert not is_dump(position, int(choice.action)), position.text()


@pytest.mark.parametrize("word", WEAK)
def test_no_dumps(word: str) -> None:
    check(word, 150)


@pytest.mark.slow
@pytest.mark.parametrize("word", WEAK)
def test_no_dumps_in_thousands_of_positions(word: str) -> None:
    check(word, 3000)
