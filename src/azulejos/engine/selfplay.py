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
from azulejos.engine.desk import VALUE as FOUND
from azulejos.engine.desk import Desk, for_nodes, make_desk, ply_value
from azulejos.engine.network import Network
from azulejos.engine.playout import drawn
from azulejos.engine.solver import solve
from azulejos.engine.value import outcome_value

ROOM: Final = 64
"""States kept of one game, the first ones."""
OPENING_PERCENT: Final = 40
"""How often the first move of a round is random, so that the games are not all alike."""
BLUNDER_PERCENT: Final = 4
"""How often any other move is."""
WITHIN_PERCENT: Final = 50
"""How many of the states within a round are kept."""

# What is noted beside a state; values are the first seat's.
VALUE: Final = 0
"""What it turned out to be worth: between rounds the game's result, within one the judgement of its end."""
WITHIN: Final = 1
"""1 for a state within a round."""
SEARCHED: Final = 2
"""What a search said of it; between rounds: of the deal that followed."""
NOTES: Final = 3


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
    value = ply_value(d, 0, 0)
    for i in range(first, end):
        if notes[i, WITHIN] == 1:
            notes[i, VALUE] = value


@rule
def think(d: Desk, nodes: int) -> tuple[int, int]:
    """The best action of ply 0, and what the position is worth to the first seat."""
    seat = int(d.stack[0].to_move)
    action = solve(d, nodes)
    value = int(d.counters[FOUND])
    return action, value if seat == 0 else -value


@rule
def play_one(
    d: Desk, chance: Cells, rng: Cells, nodes: int, opening_nodes: int, states: Cells, notes: Cells
) -> int:
    """Play the game on ply 0 to its end and keep states of it; how many."""
    s = d.stack[0]
    noted = 0
    began = 0
    while s.to_move != OVER:
        opens = s.to_move == CHANCE
        if opens:
            if s.round > 1:
                settle_round(d, notes, began, noted)
                began = noted
                noted = note(d, 0, states, notes, noted)
            deal_round(d, chance, rng)
            if s.to_move < 0:
                continue
        keep = below(rng, 100) < WITHIN_PERCENT and noted < len(states)
        if keep:
            noted = note(d, 1, states, notes, noted)
        action, value = think(d, opening_nodes if opens else nodes)
        if keep:
            notes[noted - 1, SEARCHED] = value
        if opens and s.round > 1 and began < noted:
            notes[began, SEARCHED] = value
        if below(rng, 100) < (OPENING_PERCENT if opens else BLUNDER_PERCENT):
            action = int(d.actions[0, below(rng, legal(s, d.actions[0]))])
        apply(s, action)
    settle_round(d, notes, began, noted)
    settle_game(notes, noted, outcome_value(s, 0))
    return noted


@rule
def settle_game(notes: Cells, noted: int, result: int) -> None:
    """The game is over: states between rounds are worth its result."""
    for i in range(noted):
        if notes[i, WITHIN] == 0:
            notes[i, VALUE] = result


@rule
def play_many(
    d: Desk, first: Cells, chance: Cells, seeds: Cells, budgets: Cells,
    states: Cells, notes: Cells, counts: Cells,
) -> None:
    """One game per seed; what is kept of it stands in states[game], notes[game].

    `budgets`: nodes for a move, and for the first of a round.
    """
    for game in range(len(seeds)):
        for word in range(len(first)):
            d.words[0, word] = first[word]
        counts[game] = play_one(
            d, chance, seeds[game : game + 1], int(budgets[0]), int(budgets[1]), states[game], notes[game]
        )


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
    game: Game, options: Mapping[str, str], weights: Cells, *,
    nodes: int, seed: int, count: int, opening_nodes: int = 0, network: Network | None = None,
) -> Played:
    """Play `count` games of two seats; the first move of a round may get more nodes."""
    budgets = np.array([nodes, max(nodes, opening_nodes)], np.int64)
    desk = make_desk(game, weights, compiled=game.compiled.compiled, network=network)
    desk = for_nodes(desk, int(budgets[1]))
    first = desk.words[0].copy()
    first.view(np.uint8)[: game.size] = game.start(2, options)
    states = np.zeros((count, ROOM, len(first)), np.uint64)
    notes, counts = np.zeros((count, ROOM, NOTES), np.int64), np.zeros(count, np.int64)
    chance, seeds = np.zeros(game.max_legal, np.int32), seeded(seed, count)
    with np.errstate(over="ignore"):
        game.compiled.bind(play_many)(desk, first, chance, seeds, budgets, states, notes, counts)
    kept = np.arange(ROOM) < counts[:, None]
    rows, noted = states[kept].view(np.uint8)[:, : game.size].copy(), notes[kept]
    return Played(rows, noted[:, VALUE], noted[:, SEARCHED], noted[:, WITHIN])
