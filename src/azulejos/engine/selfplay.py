"""Games of a bot against itself, inside compiled code: what values are fitted to.

Where rounds can be solved, the round solver plays; elsewhere whoever takes the turn that ends best.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from azulejos.core.chance import below, seeded
from azulejos.core.game import Game
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, OVER, State, apply, legal, odds, standing
from azulejos.engine.desk import Desk, for_nodes, make_desk
from azulejos.engine.playout import drawn
from azulejos.engine.solver import solve
from azulejos.engine.turns import Turns, list_turns, make_turns, play_turn
from azulejos.engine.value import WIN, judge, outcome_value

ROOM: Final = 64
"""States kept of one game, the first ones."""
OPENING_PERCENT: Final = 40
"""How often the first move of a round is random, so that the games are not all alike."""
BLUNDER_PERCENT: Final = 4
"""How often any other move is."""
WITHIN_PERCENT: Final = 50
"""How many of the states within a round are kept."""
TURN_PERCENT: Final = 30
"""How many of the states after a turn are kept."""
SECOND_PERCENT: Final = 15
"""How often not the best turn is played but one of the best FEW."""
FEW: Final = 8

# What is noted beside a state.
VALUE: Final = 0
WITHIN: Final = 1
"""1 for a state within a round."""


@rule
def deal_round(d: Desk, chance: Cells, rng: Cells) -> None:
    """Draw until a player is to move."""
    s = d.stack[0]
    while s.to_move == CHANCE:
        legal(s, d.actions[0])
        apply(s, drawn(d.actions[0], chance, odds(s, chance), rng))


@rule
def note(d: Desk, within: int, states: Cells, notes: Cells, noted: int) -> int:
    """Keep the state of ply 0, if there is room; how many are kept now."""
    if noted == len(states):
        return noted
    for word in range(d.words.shape[1]):
        states[noted, word] = d.words[0, word]
    notes[noted, WITHIN] = within
    return noted + 1


@rule
def settle_round(d: Desk, notes: Cells, first: int, end: int) -> None:
    """A round is over: states within it are worth what stands at its end."""
    judge(d.stack[0], d.weights, d.terms, d.values)
    for i in range(first, end):
        if notes[i, WITHIN] == 1:
            notes[i, VALUE] = d.values[0]


@rule
def play_one(d: Desk, chance: Cells, rng: Cells, nodes: int, states: Cells, notes: Cells) -> int:
    """Play the game on ply 0 to its end and keep states of it; how many.

    A state between rounds is worth the game's result, for the first seat.
    """
    s = d.stack[0]
    noted = 0
    began = 0
    while s.to_move != OVER:
        percent = BLUNDER_PERCENT
        if s.to_move == CHANCE:
            if s.round > 1:
                settle_round(d, notes, began, noted)
                began = noted
                noted = note(d, 0, states, notes, noted)
            deal_round(d, chance, rng)
            percent = OPENING_PERCENT
            if s.to_move < 0:
                continue
        if below(rng, 100) < WITHIN_PERCENT:
            noted = note(d, 1, states, notes, noted)
        count = legal(s, d.actions[0])
        at_random = below(rng, 100) < percent
        apply(s, int(d.actions[0, below(rng, count)]) if at_random else solve(d, nodes))
    settle_round(d, notes, began, noted)
    result = outcome_value(s, 0)
    for i in range(noted):
        if notes[i, WITHIN] == 0:
            notes[i, VALUE] = result
    return noted


@rule
def play_many(
    d: Desk, first: Cells, chance: Cells, seeds: Cells, nodes: int,
    states: Cells, notes: Cells, counts: Cells,
) -> None:
    """One game per seed; what is kept of it stands in states[game], notes[game]."""
    for game in range(len(seeds)):
        for word in range(len(first)):
            d.words[0, word] = first[word]
        counts[game] = play_one(d, chance, seeds[game : game + 1], nodes, states[game], notes[game])


@rule
def result_value(s: State) -> int:
    """The margin of the first of two seats, and the win, without a limit to landslides."""
    lead = standing(s, 0) - standing(s, 1)
    win = WIN if lead > 0 else (-WIN if lead < 0 else 0)
    return 100 * (int(s.score[0]) - int(s.score[1])) + win


@rule
def play_turns(
    u: Turns, first: Cells, chance: Cells, seeds: Cells, states: Cells, notes: Cells, counts: Cells
) -> None:
    """The same by whole turns: a state after a turn is worth the game's result."""
    for game in range(len(seeds)):
        for word in range(len(first)):
            u.words[0, word] = first[word]
        rng = seeds[game : game + 1]
        counts[game] = play_one_by_turns(u, chance, rng, states[game])
        for i in range(counts[game]):
            notes[game, i, VALUE] = result_value(u.stack[0])


@rule
def play_one_by_turns(u: Turns, chance: Cells, rng: Cells, states: Cells) -> int:
    s = u.stack[0]
    noted = 0
    while s.to_move != OVER:
        if s.to_move == CHANCE:
            legal(s, u.actions[0])
            apply(s, drawn(u.actions[0], chance, odds(s, chance), rng))
            continue
        count = list_turns(u, False)
        worse = below(rng, 100) < SECOND_PERCENT
        play_turn(u, below(rng, min(count, FEW)) if worse else 0)
        if s.to_move != OVER and noted < len(states) and below(rng, 100) < TURN_PERCENT:
            for word in range(u.words.shape[1]):
                states[noted, word] = u.words[0, word]
            noted += 1
    return noted


@dataclass(frozen=True)
class Played:
    """States of played games and what they turned out to be worth to the first seat, in hundredths.

    Between rounds that is the result of the game, within a round the judgement of its end: far less
    left to chance.
    """

    rows: Cells
    values: Cells


def self_play(
    game: Game, options: Mapping[str, str], weights: Cells, *, nodes: int, seed: int, count: int
) -> Played:
    """Play `count` games of two seats; without `nodes` by whole turns."""
    compiled = game.compiled.compiled
    first = np.zeros(-(-game.size // 8), np.uint64)
    first.view(np.uint8)[: game.size] = game.start(2, options)
    states = np.zeros((count, ROOM, len(first)), np.uint64)
    notes, counts = np.zeros((count, ROOM, 2), np.int64), np.zeros(count, np.int64)
    chance, seeds = np.zeros(game.max_legal, np.int32), seeded(seed, count)
    with np.errstate(over="ignore"):
        if nodes > 0:
            desk = for_nodes(make_desk(game, weights, compiled=compiled), nodes)
            game.compiled.bind(play_many)(desk, first, chance, seeds, nodes, states, notes, counts)
        else:
            turns = make_turns(game, weights, compiled=compiled)
            game.compiled.bind(play_turns)(turns, first, chance, seeds, states, notes, counts)
    kept = np.arange(ROOM) < counts[:, None]
    return Played(states[kept].view(np.uint8)[:, : game.size].copy(), notes[kept][:, VALUE])
