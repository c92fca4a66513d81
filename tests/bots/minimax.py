"""Plain minimax over `Position`, to compare the compiled search with. Made to be read, not to be fast."""

from __future__ import annotations

import numpy as np

from azulejos.core.position import Position
from azulejos.core.verbs import MAX_SEATS, MAX_TERMS, OVER
from azulejos.engine.value import outcome_value
from azulejos.core.verbs import evaluate


def leaf_value(position: Position, seat: int, weights: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> int:
    """What the position is worth when nothing more is searched."""
    bind = position.game.interpreted.bind
    if position.to_move == OVER:
        return int(bind(outcome_value)(position.state, seat))
    terms = np.zeros((MAX_SEATS, MAX_TERMS), np.int64)
    return int(bind(evaluate)(position.state, seat, weights, terms))


def minimax(
    position: Position, seat: int, weights: np.ndarray[tuple[int, ...], np.dtype[np.int32]], nodes: list[int]
) -> int:
    """The value for a seat when both play best to the end of the round. Counts into nodes[0]."""
    nodes[0] += 1
    if position.is_chance or position.is_over:
        return leaf_value(position, seat, weights)
    values = []
    for action in position.legal_actions():
        position.play(action)
        values.append(minimax(position, seat, weights, nodes))
        position.undo()
    return max(values) if position.to_move == seat else min(values)
