"""The payment that a table proposes: jokers last, then expansions, then whatever is worth least."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from azulejos.core.message import msg, raw
from azulejos.core.position import Position
from azulejos.core.scene import Proposal
from azulejos.games.queens_garden.components import PATTERNS
from azulejos.games.queens_garden.layout import PAYING
from azulejos.games.queens_garden.moves import JOKERS, PIECE, SLOT

MOST_PAYMENTS = 60
"""Payments compared; with a full storage there can be a hundred, and the first ones use the most tiles."""


def proposal(position: Position) -> Proposal | None:
    """A whole payment for the hexagon just placed, if something is due."""
    if position.state.stage != PAYING:
        return None
    candidates = itertools.islice(_payments(position.copy()), MOST_PAYMENTS)
    best = min(candidates, key=lambda payment: _price(position, payment))
    moves = raw(" ".join(position.game.moves.text(action) for action in best))
    return Proposal(best, msg("Pay the cheapest way: {moves}", moves=moves))


def _payments(position: Position) -> Iterator[tuple[int, ...]]:
    """Every way to pay what is due, tiles before jokers."""
    for action in position.legal_actions():
        position.play(action)
        if position.to_move >= 0 and position.in_turn:
            yield from ((action, *rest) for rest in _payments(position))
        else:
            yield (action,)
        position.undo()


def _price(position: Position, payment: tuple[int, ...]) -> tuple[int, int, int]:
    """Jokers, expansions and the values of the tiles that a payment costs."""
    tiles = [action for action in payment if PIECE <= action < SLOT]
    expansions = sum(SLOT <= action < JOKERS for action in payment)
    jokers = int(position.state.due) - len(tiles) - expansions if JOKERS in payment else 0
    return jokers, expansions, sum((action - PIECE) % PATTERNS + 1 for action in tiles)
