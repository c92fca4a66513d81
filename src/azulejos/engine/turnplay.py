"""Self-play by whole turns in compiled code: training data for games whose rounds cannot be solved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from azulejos.core.chance import below, seeded
from azulejos.core.game import Game
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, OVER, State, deal, standing
from azulejos.engine.selfplay import PlayedStates
from azulejos.engine.turns import Turns, list_turns, make_turns, play_turn
from azulejos.engine.value import INFINITE, WIN

ROOM: Final = 64
"""Most states kept of one game; later ones are dropped."""
KEPT_PERCENT: Final = 30
"""Share of the states after a turn that are kept."""
SECOND_PERCENT: Final = 15
"""How often one of the best FEW turns is played instead of the best, so that games differ."""
FEW: Final = 8


@rule
def note_results(s: State, results: Cells) -> None:
    """At OVER: the score of each seat plus its share of the win, without reducing large margins."""
    best = -INFINITE
    winners = 0
    for seat in range(s.players):
        rank = standing(s, seat)
        if rank > best:
            best = rank
            winners = 0
        if rank == best:
            winners += 1
    for seat in range(s.players):
        results[seat] = 100 * int(s.score[seat])
        if standing(s, seat) == best:
            results[seat] += WIN // winners


@rule
def play_one(u: Turns, chance: Cells, rng: Cells, states: Cells) -> int:
    """Play the game on ply 0 to its end, each seat its best turn; returns how many states were kept."""
    s = u.stack[0]
    noted = 0
    while s.to_move != OVER:
        if s.to_move == CHANCE:
            deal(s, u.actions[0], chance, rng)
            continue
        count = list_turns(u, False)
        worse = below(rng, 100) < SECOND_PERCENT
        play_turn(u, below(rng, min(count, FEW)) if worse else 0)
        if s.to_move != OVER and noted < len(states) and below(rng, 100) < KEPT_PERCENT:
            for word in range(u.words.shape[1]):
                states[noted, word] = u.words[0, word]
            noted += 1
    return noted


@rule
def play_many(
    u: Turns, first: Cells, chance: Cells, seeds: Cells, states: Cells, results: Cells, counts: Cells
) -> None:
    """Play one game per seed; results[game, seat]."""
    for game in range(len(seeds)):
        for word in range(len(first)):
            u.words[0, word] = first[word]
        counts[game] = play_one(u, chance, seeds[game : game + 1], states[game])
        note_results(u.stack[0], results[game])


def turn_play(
    game: Game, options: Mapping[str, str], weights: Cells, *, seed: int, count: int, players: int = 2
) -> PlayedStates:
    """Play `count` games. The value of a state after a turn is the result of its game: how far each seat
    is ahead of the mean of the others."""
    turns = make_turns(game.compiled, weights)
    first = turns.words[0].copy()
    first.view(np.uint8)[: game.size] = game.start(players, options)
    states = np.zeros((count, ROOM, len(first)), np.uint64)
    results, counts = np.zeros((count, players), np.int64), np.zeros(count, np.int64)
    chance, seeds = np.zeros(game.max_legal, np.int32), seeded(seed, count)
    game.compiled.bind(play_many)(turns, first, chance, seeds, states, results, counts)
    kept = np.arange(ROOM) < counts[:, None]
    rows = states[kept].view(np.uint8)[:, : game.size].copy()
    others = results.sum(axis=1, keepdims=True) - results
    values = np.repeat(results - others // (players - 1), counts, axis=0)
    return PlayedStates(rows, values, values, values, np.ones(len(rows), np.int64))
