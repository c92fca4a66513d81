"""Plain minimax over `Position`, to compare the compiled search with. Made to be read, not to be fast."""

from __future__ import annotations

import numpy as np

from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.core.verbs import MAX_SEATS, MAX_TERMS
from azulejos.engine.value import judge


def leaf_value(position: Position, seat: int, weights: Cells) -> int:
    """What the position is worth when nothing more is searched."""
    terms, values = np.zeros((MAX_SEATS, MAX_TERMS), np.int64), np.zeros(MAX_SEATS, np.int64)
    position.game.interpreted.bind(judge)(position.state, weights, terms, values)
    return int(values[seat])


def minimax(position: Position, seat: int, weights: Cells) -> int:
    """The value for a seat when both play best to the end of the round."""
    if position.is_chance or position.is_over:
        return leaf_value(position, seat, weights)
    values = []
    for action in position.legal_actions():
        position.play(action)
        values.append(minimax(position, seat, weights))
        position.undo()
    return max(values) if position.to_move == seat else min(values)
