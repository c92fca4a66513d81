"""Self-play of the round solver in compiled code: the data to which evaluations are fitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from azulejos.core.chance import below, seeded
from azulejos.core.game import Game
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, OVER, apply, deal, legal
from azulejos.engine.network import Network
from azulejos.engine.solver import solve
from azulejos.engine.value import outcome_value
from azulejos.engine.workspace import VALUE as FOUND, Workspace, for_nodes, make_workspace, ply_value

ROOM: Final = 256
"""Most states kept of one game; later ones are dropped."""
OPENING_PERCENT: Final = 40
"""How often the first move of a round is random, so that the games are not all alike."""
BLUNDER_PERCENT: Final = 4
"""How often any other move is random."""
FARTHEST: Final = 3
"""Most random moves between a stray state and the game."""

# Settings of the games.
NODES: Final = 0
"""Nodes searched for a move ..."""
OPENING_NODES: Final = 1
"""... and for the first one of a round."""
DEALS: Final = 2
"""Sampled deals that value a state between rounds, in addition to the one that is played."""
STRAY_PERCENT: Final = 3
"""How often a state some random moves away is kept: a search has to evaluate such states, too."""

# What is stored with a state; values are for the first seat.
VALUE: Final = 0
"""The value found later: between rounds the game's result; within a round the evaluation at its end, or the
search's value at the next random move. For a stray state there is none, so it is equal to SEARCHED."""
WITHIN: Final = 1
"""1 for a state within a round."""
SEARCHED: Final = 2
"""The value found by a search; between rounds the average over the deals that followed."""
SETTLED: Final = 3
"""1 if VALUE is known."""
RESULT: Final = 4
"""The result of the game."""
NOTES: Final = 5
NO_RESULT: Final = -1_000_000
"""The RESULT of a stray state, from which no game was played."""


@rule
def deal_round(d: Workspace, chance: Cells, rng: Cells) -> None:
    """Draw until a player is to move."""
    deal(d.stack[0], d.actions[0], chance, rng)


@rule
def note(d: Workspace, within: int, states: Cells, notes: Cells, noted: int) -> int:
    """Keep the state of ply 0, if there is room; returns how many are kept now."""
    if noted == len(states):
        return noted
    for word in range(d.words.shape[1]):
        states[noted, word] = d.words[0, word]
    notes[noted, WITHIN] = within
    return noted + 1


@rule
def settle(notes: Cells, noted: int, within: int, value: int) -> None:
    """Set VALUE of the states within rounds, or between them, where it is not yet known."""
    for i in range(noted):
        if notes[i, WITHIN] == within and notes[i, SETTLED] == 0:
            notes[i, VALUE] = value
            notes[i, SETTLED] = 1


@rule
def think(d: Workspace, nodes: int) -> tuple[int, int]:
    """The best action of ply 0, and the value of the position for the first seat."""
    seat = int(d.stack[0].to_move)
    action = solve(d, nodes)
    value = int(d.counters[FOUND])
    return action, value if seat == 0 else -value


@rule
def copy_words(words: Cells, to: Cells) -> None:
    for word in range(len(words)):
        to[word] = words[word]


@rule
def dealt_values(d: Workspace, chance: Cells, rng: Cells, nodes: int, deals: int, spare: Cells) -> int:
    """The sum of the searches' values after some deals of the next round; ply 0 does not change."""
    copy_words(d.words[0], spare)
    total = 0
    for _ in range(deals):
        deal_round(d, chance, rng)
        total += think(d, nodes)[1] if d.stack[0].to_move >= 0 else ply_value(d, 0, 0)
        copy_words(spare, d.words[0])
    return total


@rule
def random_move(d: Workspace, rng: Cells) -> int:
    return int(d.actions[0, below(rng, legal(d.stack[0], d.actions[0]))])


@rule
def stray(
    d: Workspace, chance: Cells, rng: Cells, recipe: Cells, states: Cells, notes: Cells, noted: int,
    spare: Cells,
) -> int:
    """Keep a state some random moves away, with its value; returns how many are kept. Restores ply 0."""
    s = d.stack[0]
    copy_words(d.words[0], spare[0])
    for _ in range(1 + below(rng, FARTHEST)):
        if s.to_move >= 0:
            apply(s, random_move(d, rng))
    within = 1 if s.to_move >= 0 else 0
    if s.to_move != OVER and noted < len(states):
        noted = note(d, within, states, notes, noted)
        if within == 1:
            value = think(d, int(recipe[NODES]))[1]
        else:
            deals = 1 + int(recipe[DEALS])
            value = dealt_values(d, chance, rng, int(recipe[OPENING_NODES]), deals, spare[1]) // deals
        notes[noted - 1, SEARCHED] = value
        notes[noted - 1, VALUE] = value
        notes[noted - 1, SETTLED] = 1
        notes[noted - 1, RESULT] = NO_RESULT
    copy_words(spare[0], d.words[0])
    return noted


@rule
def end_round(
    d: Workspace, chance: Cells, rng: Cells, recipe: Cells, states: Cells, notes: Cells, noted: int,
    spare: Cells,
) -> int:
    """Settle the round that is over; keep the state with the sum of its deals; returns how many are
    kept."""
    settle(notes, noted, 1, ply_value(d, 0, 0))
    kept = note(d, 0, states, notes, noted)
    if kept > noted:
        nodes, deals = int(recipe[OPENING_NODES]), int(recipe[DEALS])
        notes[noted, SEARCHED] = dealt_values(d, chance, rng, nodes, deals, spare[1])
    return kept


@rule
def play_one(
    d: Workspace, chance: Cells, rng: Cells, recipe: Cells, states: Cells, notes: Cells, spare: Cells
) -> int:
    """Play the game on ply 0 to its end and keep states of it; returns how many."""
    s = d.stack[0]
    noted = 0
    while s.to_move != OVER:
        opens = s.to_move == CHANCE
        between = noted
        if opens:
            if s.round > 1:
                noted = end_round(d, chance, rng, recipe, states, notes, noted, spare)
            deal_round(d, chance, rng)
            if s.to_move < 0:
                continue
        here = noted
        noted = note(d, 1, states, notes, noted)
        action, value = think(d, int(recipe[OPENING_NODES if opens else NODES]))
        if here < noted:
            notes[here, SEARCHED] = value
        if between < here:
            notes[between, SEARCHED] = (notes[between, SEARCHED] + value) // (1 + recipe[DEALS])
        if below(rng, 100) < recipe[STRAY_PERCENT]:
            noted = stray(d, chance, rng, recipe, states, notes, noted, spare)
        if below(rng, 100) < (OPENING_PERCENT if opens else BLUNDER_PERCENT):
            settle(notes, noted, 1, value)
            action = random_move(d, rng)
        apply(s, action)
    result = outcome_value(s, 0)
    settle(notes, noted, 1, result)
    settle(notes, noted, 0, result)
    for i in range(noted):
        if notes[i, RESULT] != NO_RESULT:
            notes[i, RESULT] = result
    return noted


@rule
def play_many(
    d: Workspace, first: Cells, chance: Cells, seeds: Cells, recipe: Cells,
    states: Cells, notes: Cells, counts: Cells, spare: Cells,
) -> None:
    """Play one game per seed; what is kept of it goes to states[game] and notes[game]."""
    for game in range(len(seeds)):
        copy_words(first, d.words[0])
        rng = seeds[game : game + 1]
        counts[game] = play_one(d, chance, rng, recipe, states[game], notes[game], spare)


@dataclass(frozen=True)
class PlayedStates:
    """States of played games with their values for each seat, in hundredths of a point.

    `values` were found later: between rounds the result of the game (with more than two seats what
    `seatplay.settle_rest` passes on), within a round the evaluation at its end, which depends far less on
    chance. `searched` is the value found by a search of the state, or between rounds after the deals that
    followed.
    """

    rows: Cells
    values: Cells
    """[state, seat]"""
    searched: Cells
    """[state, seat]"""
    results: Cells
    """[state, seat]: the result of the game; NO_RESULT for stray states."""
    within: Cells
    """[state]: 1 within a round."""


def self_play(
    game: Game, options: Mapping[str, str], weights: Cells, *, nodes: int, seed: int, count: int,
    opening_nodes: int = 0, deals: int = 0, strays: int = 0, network: Network | None = None,
) -> PlayedStates:
    """Play `count` games of two seats; the first move of a round may get more nodes.

    More `deals` than the one that is played may value a state between rounds. For 100 moves, `strays`
    states that are some random moves away are kept.
    """
    recipe = np.array([nodes, max(nodes, opening_nodes), deals, strays], np.int64)
    workspace = make_workspace(game.compiled, weights, network=network)
    workspace = for_nodes(workspace, int(recipe[OPENING_NODES]))
    first = workspace.words[0].copy()
    first.view(np.uint8)[: game.size] = game.start(2, options)
    states = np.zeros((count, ROOM, len(first)), np.uint64)
    notes, counts = np.zeros((count, ROOM, NOTES), np.int64), np.zeros(count, np.int64)
    chance, seeds = np.zeros(game.max_legal, np.int32), seeded(seed, count)
    spare = np.zeros((2, len(first)), np.uint64)
    game.compiled.bind(play_many)(workspace, first, chance, seeds, recipe, states, notes, counts, spare)
    kept = np.arange(ROOM) < counts[:, None]
    rows, noted = states[kept].view(np.uint8)[:, : game.size].copy(), notes[kept]
    values, searched, results = (for_both(noted[:, column]) for column in (VALUE, SEARCHED, RESULT))
    results[noted[:, RESULT] == NO_RESULT] = NO_RESULT
    return PlayedStates(rows, values, searched, results, noted[:, WITHIN])


def for_both(values: Cells) -> Cells:
    """[state, seat], from the values for the first of two seats."""
    return np.stack([values, -values], axis=1)
