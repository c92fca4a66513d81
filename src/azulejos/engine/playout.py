"""Random games, played entirely in compiled code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from azulejos.core.chance import seeded
from azulejos.core.game import Game
from azulejos.core.jit import loop, rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, OVER, STATE, State, apply, deal, random_action, standing


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
