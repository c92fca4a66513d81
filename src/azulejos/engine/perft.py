"""Perft: counts the ways to play `depth` decisions, to test a move generator."""

from __future__ import annotations

import numpy as np

from azulejos.core.game import Game
from azulejos.core.jit import loop
from azulejos.core.layout import Cells, Row
from azulejos.core.verbs import CHANCE, OVER, STATE, apply, legal


@loop
def count_leaves(rows: Cells, buffers: Cells, depth: int) -> int:
    """Sequences of `depth` actions from rows[0]; a draw or the end of the game ends a sequence early."""
    leaves = 0
    counts = np.zeros(depth + 1, np.int64)
    tried = np.zeros(depth + 1, np.int64)
    level = 0
    counts[0] = legal(rows[0].view(STATE)[0], buffers[0])
    while level >= 0:
        if tried[level] == counts[level]:
            level -= 1
            continue
        action = int(buffers[level, tried[level]])
        tried[level] += 1
        rows[level + 1] = rows[level]
        s = rows[level + 1].view(STATE)[0]
        apply(s, action)
        if level + 1 == depth or s.to_move == CHANCE or s.to_move == OVER:
            leaves += 1
        else:
            level += 1
            counts[level] = legal(s, buffers[level])
            tried[level] = 0
    return leaves


def perft(game: Game, row: Row, depth: int) -> int:
    if depth < 1:
        return 1
    rows = np.zeros((depth + 1, game.size), np.uint8)
    rows[0] = row
    buffers = np.empty((depth + 1, game.max_legal), np.int32)
    return int(game.compiled.bind(count_leaves)(rows, buffers, depth))


