"""Random games, played entirely in compiled code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from azulejos.core.chance import seeded
from azulejos.core.game import Game
from azulejos.core.jit import loop, rule
from azulejos.core.layout import Cells, Row
from azulejos.core.verbs import CHANCE, OVER, STATE, State, apply, deal, legal, random_action, standing


@rule
def play_out(s: State, actions: Cells, weights: Cells, rng: Cells) -> int:
    """Play random actions to the end; returns the number of players' decisions."""
    moves = 0
    while s.to_move != OVER:
        if s.to_move == CHANCE:
            deal(s, actions, weights, rng)
        else:
            moves += 1
            apply(s, random_action(s, actions, weights, rng))
    return moves


@loop
def play_games(
    first: Cells, row: Cells, buffers: Cells, seeds: Cells, scores: Cells, standings: Cells, lengths: Cells,
    rounds: Cells, starters: Cells,
) -> None:
    """One random game per seed, each starting from the row `first`, played in `row`.

    `buffers`: int32 [2, MAX_LEGAL].
    """
    actions = buffers[0]
    weights = buffers[1]
    s = row.view(STATE)[0]
    for game in range(len(seeds)):
        for byte in range(len(row)):
            row[byte] = first[byte]
        rng = seeds[game : game + 1]
        deal(s, actions, weights, rng)
        starters[game] = s.to_move
        lengths[game] = play_out(s, actions, weights, rng)
        rounds[game] = s.round
        for seat in range(s.players):
            scores[game, seat] = s.score[seat]
            standings[game, seat] = standing(s, seat)


@dataclass(frozen=True)
class Games:
    """Results of many games: [game, seat] scores and standings, [game] decisions, rounds and first seat."""

    scores: Cells
    standings: Cells
    lengths: Cells
    rounds: Cells
    starters: Cells

    @classmethod
    def empty(cls, count: int, players: int) -> Games:
        scores = np.empty((count, players), np.int64)
        return cls(scores, np.empty_like(scores), *(np.empty(count, np.int64) for _ in range(3)))

    @classmethod
    def joined(cls, parts: Sequence[Games]) -> Games:
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def wins(self) -> Cells:
        """[game, seat]: the share of the win."""
        best = self.standings == self.standings.max(axis=1, keepdims=True)
        shares: Cells = best / best.sum(axis=1, keepdims=True)
        return shares


def random_games(game: Game, players: int, options: Mapping[str, str], *, seed: int, count: int) -> Games:
    """Play `count` random games."""
    first = game.start(players, options)
    games = Games.empty(count, players)
    game.compiled.bind(play_games)(
        first, first.copy(), np.empty((2, game.max_legal), np.int32), seeded(seed, count),
        games.scores, games.standings, games.lengths, games.rounds, games.starters,
    )
    return games


# --- all games of a few moves -------------------------------------------------------------------------


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
