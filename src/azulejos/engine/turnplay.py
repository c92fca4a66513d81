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
from azulejos.engine.selfplay import Played, for_both
from azulejos.engine.turns import Turns, list_turns, make_turns, play_turn
from azulejos.engine.value import WIN

ROOM: Final = 64
"""Most states kept of one game; later ones are dropped."""
KEPT_PERCENT: Final = 30
"""Share of the states after a turn that are kept."""
SECOND_PERCENT: Final = 15
"""How often one of the best FEW turns is played instead of the best, so that games differ."""
FEW: Final = 8


@rule
def result_value(s: State) -> int:
    """The margin of the first of two seats, plus the win, without reducing large margins."""
    lead = standing(s, 0) - standing(s, 1)
    win = WIN if lead > 0 else (-WIN if lead < 0 else 0)
    return 100 * (int(s.score[0]) - int(s.score[1])) + win


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
    u: Turns, first: Cells, chance: Cells, seeds: Cells, states: Cells, values: Cells, counts: Cells
) -> None:
    """Play one game per seed; the value of a state after a turn is the game's result."""
    for game in range(len(seeds)):
        for word in range(len(first)):
            u.words[0, word] = first[word]
        counts[game] = play_one(u, chance, seeds[game : game + 1], states[game])
        for i in range(counts[game]):
            values[game, i] = result_value(u.stack[0])


def turn_play(game: Game, options: Mapping[str, str], weights: Cells, *, seed: int, count: int) -> Played:
    """Play `count` games of two seats."""
    turns = make_turns(game.compiled, weights)
    first = turns.words[0].copy()
    first.view(np.uint8)[: game.size] = game.start(2, options)
    states = np.zeros((count, ROOM, len(first)), np.uint64)
    values, counts = np.zeros((count, ROOM), np.int64), np.zeros(count, np.int64)
    chance, seeds = np.zeros(game.max_legal, np.int32), seeded(seed, count)
    game.compiled.bind(play_many)(turns, first, chance, seeds, states, values, counts)
    kept = np.arange(ROOM) < counts[:, None]
    found = values[kept]
    rows = states[kept].view(np.uint8)[:, : game.size].copy()
    both = for_both(found)
    return Played(rows, both, both, both, np.ones_like(found))
