"""No level breaks three panes if a strip takes them."""

from __future__ import annotations

import pytest

from azulejos.core.position import Position
from azulejos.games.stained_glass.moves import BREAK, RESET, TARGETS
from azulejos.games.stained_glass.strips import free_spaces
from azulejos.parts.offer import COLOURS, tiles_at
from bots.dumps import WEAK, check
from bots.positions import played


def lost_panes(position: Position, action: int) -> int:
    """How many panes of an action break."""
    source, colour, target = action // TARGETS // COLOURS, action // TARGETS % COLOURS, action % TARGETS
    s = position.state
    panes = tiles_at(s.factories, s.centre, source, colour)
    return panes if target == BREAK else max(0, panes - free_spaces(s, s.to_move, target, colour))


def check_dumps(word: str, count: int) -> None:
    boxes = ("sintra-a", "sintra-b")
    positions = (played(boxes[seed % 2], 2 + seed % 3, seed, 3 + seed % 71) for seed in range(count))
    check(word, positions, takes=RESET, lost=lost_panes, thrown=lambda action: action % TARGETS == BREAK)


@pytest.mark.parametrize("word", WEAK)
def test_no_dumps(word: str) -> None:
    check_dumps(word, 150)


@pytest.mark.slow
@pytest.mark.parametrize("word", WEAK)
def test_no_dumps_in_thousands_of_positions(word: str) -> None:
    check_dumps(word, 3000)
