"""Positions of random games with a seat to move, for properties that must hold in all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import azulejos
from azulejos import Position
from azulejos.core import layout

MOST = 100


def boxes_and_players(*games: str) -> list[tuple[str, int]]:
    """Every box (of the given games) with every number of players."""
    boxes = [name for name, (game, _) in azulejos.presets().items() if not games or game.name in games]
    return [(name, players) for name in boxes for players in (2, 3, 4)]


def decisions(name: str, players: int, seed: int = 1) -> Iterator[Position]:
    """Up to MOST positions: every third at the beginning of a turn, and all within a turn."""
    rng = random.Random(f"{name} {players} {seed}")
    position = azulejos.new(name, players=players)
    given = met = 0
    position.deal(rng)
    while not position.is_over and given < MOST:
        met += 1
        if position.in_turn or met % 3 == 1:
            given += 1
            yield position
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)


def writable(position: Position) -> Any:
    """A copy of the state that the rules may change."""
    return layout.view(position.game.state, position.row)
