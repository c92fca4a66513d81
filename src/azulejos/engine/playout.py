"""Whole games inside compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from azulejos.core.chance import below, seeded
from azulejos.core.game import Game
from azulejos.core.jit import loop, rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, MAX_LEGAL, OVER, STATE, State, apply, legal, odds, standing


@rule
def drawn(actions: Cells, weights: Cells, total: int, rng: Cells) -> int:
    """An outcome, chosen by its weight."""
    ticket = below(rng, total)
    i = 0
    while ticket >= weights[i]:
        ticket -= weights[i]
        i += 1
    return int(actions[i])


@rule
def random_action(s: State, actions: Cells, weights: Cells, rng: Cells) -> int:
    """A legal action (or chance outcome by its odds), at random."""
    n = legal(s, actions)
    if s.to_move == CHANCE:
        return drawn(actions, weights, odds(s, weights), rng)
    return int(actions[below(rng, n)])


@rule
def play_out(s: State, actions: Cells, weights: Cells, rng: Cells) -> int:
    """Play random actions to the end; how many decisions of players there were."""
    moves = 0
    while s.to_move != OVER:
        if s.to_move != CHANCE:
            moves += 1
        apply(s, random_action(s, actions, weights, rng))
    return moves


@loop
def play_games(
    first: Cells, row: Cells, seeds: Cells, scores: Cells, standings: Cells, lengths: Cells, rounds: Cells
) -> None:
    """One random game per seed, each starting from the row `first`, played in `row`."""
    actions = np.empty(MAX_LEGAL, np.int32)
    weights = np.empty(MAX_LEGAL, np.int32)
    s = row.view(STATE)[0]
    for game in range(len(seeds)):
        row[:] = first
        lengths[game] = play_out(s, actions, weights, seeds[game : game + 1])
        rounds[game] = s.round
        for seat in range(s.players):
            scores[game, seat] = s.score[seat]
            standings[game, seat] = standing(s, seat)


@dataclass(frozen=True)
class Games:
    """Results of many games: [game, seat] scores and standings, [game] decisions and rounds."""

    scores: Cells
    standings: Cells
    lengths: Cells
    rounds: Cells

    def wins(self) -> Cells:
        """[game, seat]: the share of the win."""
        best = self.standings == self.standings.max(axis=1, keepdims=True)
        shares: Cells = best / best.sum(axis=1, keepdims=True)
        return shares


def random_games(game: Game, players: int, options: Mapping[str, str], *, seed: int, count: int) -> Games:
    """Play `count` random games."""
    first = game.start(players, options)
    scores = np.empty((count, players), np.int64)
    games = Games(scores, np.empty_like(scores), np.empty(count, np.int64), np.empty(count, np.int64))
    game.compiled.bind(play_games)(
        first, first.copy(), seeded(seed, count), games.scores, games.standings, games.lengths, games.rounds
    )
    return games
