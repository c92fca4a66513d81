"""Functions of the engine that Python and pages call: what is compiled together and built into modules."""

from __future__ import annotations

import numpy as np

from azulejos.core.chance import seeded
from azulejos.core.game import MIN_SEATS, Game
from azulejos.core.readiness import Group
from azulejos.engine import endings
from azulejos.engine.perft import count_leaves
from azulejos.engine.playout import Games, play_games


def games(game: Game) -> Group:
    """Random games, and counting positions."""
    row, played = game.start(MIN_SEATS, {}), Games.empty(1, MIN_SEATS)
    buffers = np.empty((2, game.max_legal), np.int32)
    results = (played.scores, played.standings, played.lengths, played.rounds, played.starters)
    return "games", [
        (play_games, (row, row, buffers, seeded(0), *results)),
        (count_leaves, (row[None].copy(), buffers, np.zeros((2, 1), np.int64), 1)),
    ]


def exact_endings(game: Game) -> Group:
    """The rest of a round, solved; for puzzles."""
    memory = endings.make_ending(game.compiled, transposition_bits=4)
    line = np.zeros(endings.MAX_PLIES + 1, np.int64)
    return "endings", [
        (endings.solve, (memory, 0, 0, 0)), (endings.best_line, (memory, line)),
        (endings.plain_reaches, (memory, 0, 0)),
    ]
