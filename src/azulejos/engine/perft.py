"""Perft: counts the ways to play `depth` decisions, to test a move generator."""

from __future__ import annotations

import numpy as np

from azulejos.core.game import Game
from azulejos.core.jit import loop
from azulejos.core.layout import Cells, Row
from azulejos.core.verbs import CHANCE, OVER, STATE, apply, legal


@loop
def count_leaves(rows: Cells, buffers: Cells, room: Cells, depth: int) -> int:
    """Sequences of `depth` actions from rows[0]; a draw or the end of the game ends a sequence early.

    `rows`, `buffers` and `room`, which is int64 [2, level], have a level more than `depth`.
    """
    leaves = 0
    counts = room[0]
    tried = room[1]
    level = 0
    tried[0] = 0
    counts[0] = legal(rows[0].view(STATE)[0], buffers[0])
    while level >= 0:
        if tried[level] == counts[level]:
            level -= 1
            continue
        action = int(buffers[level, tried[level]])
        tried[level] += 1
        for byte in range(rows.shape[1]):
            rows[level + 1, byte] = rows[level, byte]
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
    room = np.zeros((2, depth + 1), np.int64)
    return int(game.compiled.bind(count_leaves)(rows, buffers, room, depth))


