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
from azulejos.engine.network import Network
from azulejos.engine.playout import drawn
from azulejos.engine.solver import solve
from azulejos.engine.value import outcome_value
from azulejos.engine.workspace import VALUE as FOUND
from azulejos.engine.workspace import Workspace, for_nodes, make_workspace, ply_value

ROOM: Final = 128
"""States kept of one game, the first ones."""
OPENING_PERCENT: Final = 40
"""How often the first move of a round is random, so that the games are not all alike."""
BLUNDER_PERCENT: Final = 4
"""How often any other move is."""
FARTHEST: Final = 3
"""Random moves that a strayed state is away from the game, at most."""

# What the games are made with.
NODES: Final = 0
"""Searched for a move ..."""
OPENING_NODES: Final = 1
"""... and for the first one of a round."""
DEALS: Final = 2
"""Sampled deals that value a state between rounds, beside the one that is played."""
STRAY_PERCENT: Final = 3
"""How often a state is kept that is some random moves away: a search has to judge such states, too."""

# What is noted beside a state; values are the first seat's.
VALUE: Final = 0
"""What it turned out to be worth: between rounds the game's result; within one the judgement of its end, or
what the search said where the next random move was played. A strayed state has no such story: SEARCHED."""
WITHIN: Final = 1
"""1 for a state within a round."""
SEARCHED: Final = 2
"""What a search said of it; between rounds: of the deals that followed, on average."""
SETTLED: Final = 3
"""1 if VALUE is known."""
NOTES: Final = 4


@rule
def deal_round(d: Workspace, chance: Cells, rng: Cells) -> None:
    """Draw until a player is to move."""
    s = d.stack[0]
    while s.to_move == CHANCE:
        legal(s, d.actions[0])
        apply(s, drawn(d.actions[0], chance, odds(s, chance), rng))


@rule
def note(d: Workspace, within: int, states: Cells, notes: Cells, noted: int) -> int:
    """Keep the state of ply 0, if there is room; how many are kept now."""
    if noted == len(states):
        return noted
    for word in range(d.words.shape[1]):
        states[noted, word] = d.words[0, word]
    notes[noted, WITHIN] = within
    return noted + 1


@rule
def settle(notes: Cells, noted: int, within: int, value: int) -> None:
    """What the states within rounds, or between them, turned out to be worth, if that was not known."""
    for i in range(noted):
        if notes[i, WITHIN] == within and notes[i, SETTLED] == 0:
            notes[i, VALUE] = value
            notes[i, SETTLED] = 1


@rule
def think(d: Workspace, nodes: int) -> tuple[int, int]:
    """The best action of ply 0, and what the position is worth to the first seat."""
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
    """The sum of what searches say after some deals of the next round; ply 0 stays as it was."""
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
    """Keep a state some random moves away, with its value; how many are kept now. Ply 0 stays as it was."""
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
    copy_words(spare[0], d.words[0])
    return noted


@rule
def end_round(
    d: Workspace, chance: Cells, rng: Cells, recipe: Cells, states: Cells, notes: Cells, noted: int,
    spare: Cells,
) -> int:
    """Settle the round that is over; keep the state with the sum of its deals. How many are kept now."""
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
    """Play the game on ply 0 to its end and keep states of it; how many."""
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
    settle(notes, noted, 1, outcome_value(s, 0))
    settle(notes, noted, 0, outcome_value(s, 0))
    return noted


@rule
def play_many(
    d: Workspace, first: Cells, chance: Cells, seeds: Cells, recipe: Cells,
    states: Cells, notes: Cells, counts: Cells, spare: Cells,
) -> None:
    """One game per seed; what is kept of it stands in states[game], notes[game]."""
    for game in range(len(seeds)):
        copy_words(first, d.words[0])
        rng = seeds[game : game + 1]
        counts[game] = play_one(d, chance, rng, recipe, states[game], notes[game], spare)


@dataclass(frozen=True)
class Played:
    """States of played games and what is known of them, for the first seat, in hundredths.

    `values` is what they turned out to be worth. Between rounds that is the result of the game, within a
    round the judgement of its end: far less left to chance. `searched` is what a search said of them, or
    between rounds of the deal that followed.
    """

    rows: Cells
    values: Cells
    searched: Cells
    within: Cells
    """[state]: 1 within a round."""


def self_play(
    game: Game, options: Mapping[str, str], weights: Cells, *, nodes: int, seed: int, count: int,
    opening_nodes: int = 0, deals: int = 0, strays: int = 0, network: Network | None = None,
) -> Played:
    """Play `count` games of two seats; the first move of a round may get more nodes.

    More `deals` than the one that is played may value a state between rounds, and states that are some
    random moves away may be kept: so many `strays` for 100 moves.
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
    return Played(rows, noted[:, VALUE], noted[:, SEARCHED], noted[:, WITHIN])
