"""The functions compiled for random games and for counting positions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from azulejos.core import warmth
from azulejos.core.chance import seeded
from azulejos.core.game import MIN_SEATS, Game
from azulejos.engine.perft import count_leaves
from azulejos.engine.playout import Games, play_games


def _calls(game: Game) -> Iterator[warmth.Group]:
    row, games = game.start(MIN_SEATS, {}), Games.empty(1, MIN_SEATS)
    results = (games.scores, games.standings, games.lengths, games.rounds, games.starters)
    yield "games", [
        (play_games, (row, row, seeded(0), *results)),
        (count_leaves, (row[None].copy(), np.empty((1, game.max_legal), np.int32), 1)),
    ]


GAMES = warmth.Purpose(name="games", folders=("core", "parts", "engine"), groups=_calls)
