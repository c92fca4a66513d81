"""Positions for tests of bots."""

from __future__ import annotations

import random
from collections.abc import Iterator

from azulejos.core import registry
from azulejos.core.position import Position, new


def played(name: str, players: int, seed: int, decisions: int, **options: str) -> Position:
    """A position after some random decisions (fewer if the game ends) with a seat to move."""
    rng = random.Random(seed)
    position = new(name, players=players, **options)
    position.deal(rng)
    for _ in range(decisions):
        if position.is_over:
            break
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)
    return position


def late_in_round(name: str, seed: int, *, at_most: int, **options: str) -> Position:
    """Two seats, late in a round, at most `at_most` legal actions: small enough for plain minimax."""
    rng = random.Random(seed)
    while True:
        position = played(name, 2, rng.randrange(10**9), rng.randrange(4, 60), **options)
        if not position.is_over and 1 < len(position.legal_actions()) <= at_most:
            return position


def every_box() -> Iterator[tuple[str, int]]:
    for name in registry.presets():
        for players in (2, 3, 4):
            yield name, players
