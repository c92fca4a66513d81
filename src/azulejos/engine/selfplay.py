"""Games of the round solver against itself, inside compiled code: what values are fitted to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from azulejos.core.chance import below, seeded
from azulejos.core.game import Game
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, OVER, apply, legal, odds
from azulejos.engine.playout import drawn
from azulejos.engine.solver import Desk, for_nodes, make_desk, solve
from azulejos.engine.value import outcome_value

ROOM: Final = 16
"""Boundaries kept of one game, the first ones."""
OPENING_PERCENT: Final = 40
"""How often the first move of a round is random, so that the games are not all alike."""
BLUNDER_PERCENT: Final = 4
"""How often any other move is."""


@rule
def deal_round(d: Desk, chance: Cells, rng: Cells) -> None:
    """Draw until a player is to move."""
    s = d.stack[0]
    while s.to_move == CHANCE:
        legal(s, d.actions[0])
        apply(s, drawn(d.actions[0], chance, odds(s, chance), rng))


@rule
def play_one(d: Desk, chance: Cells, rng: Cells, nodes: int, bounds: Cells) -> int:
    """Play the game on ply 0 to its end, noting each state before a deal; how many."""
    s = d.stack[0]
    noted = 0
    while s.to_move != OVER:
        percent = BLUNDER_PERCENT
        if s.to_move == CHANCE:
            if s.round > 1 and noted < ROOM:
                for word in range(d.words.shape[1]):
                    bounds[noted, word] = d.words[0, word]
                noted += 1
            deal_round(d, chance, rng)
            percent = OPENING_PERCENT
            if s.to_move < 0:
                continue
        count = legal(s, d.actions[0])
        at_random = below(rng, 100) < percent
        apply(s, int(d.actions[0, below(rng, count)]) if at_random else solve(d, nodes))
    return noted


@rule
def play_many(
    d: Desk, first: Cells, chance: Cells, seeds: Cells, nodes: int,
    bounds: Cells, counts: Cells, values: Cells,
) -> None:
    """One game per seed; bounds[game, i] are states before deals, values[game] the first seat's result."""
    for game in range(len(seeds)):
        for word in range(len(first)):
            d.words[0, word] = first[word]
        counts[game] = play_one(d, chance, seeds[game : game + 1], nodes, bounds[game])
        values[game] = outcome_value(d.stack[0], 0)


@dataclass(frozen=True)
class Boundaries:
    """States between rounds with the result of their game for the first seat, in hundredths."""

    rows: Cells
    values: Cells
    games: Cells


def boundaries(
    game: Game, options: Mapping[str, str], weights: Cells, *, nodes: int, seed: int, count: int
) -> Boundaries:
    """Play `count` games of two seats."""
    desk = for_nodes(make_desk(game, weights), nodes)
    first = desk.words[0].copy()
    first.view(np.uint8)[: game.size] = game.start(2, options)
    bounds = np.zeros((count, ROOM, len(first)), np.uint64)
    counts, values = np.zeros(count, np.int64), np.zeros(count, np.int64)
    chance = np.zeros(game.max_legal, np.int32)
    seeds = seeded(seed, count)
    with np.errstate(over="ignore"):
        game.compiled.bind(play_many)(desk, first, chance, seeds, nodes, bounds, counts, values)
    kept = np.arange(ROOM) < counts[:, None]
    index = np.broadcast_to(np.arange(count)[:, None], kept.shape)[kept]
    return Boundaries(bounds[kept].view(np.uint8)[:, : game.size].copy(), values[index], index)
