"""Self-play of the tree search with three or four seats: data with a value for each seat.

The recipe of two seats (`engine.selfplay`), with simulations in place of nodes, and values that pass on
what later rounds brought.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np

from azulejos.core import layout
from azulejos.core.chance import below, seeded
from azulejos.core.elementary import log
from azulejos.core.game import Game
from azulejos.core.jit import by_reference, rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, MAX_SEATS, OVER, apply, deal, legal
from azulejos.engine.network import Network
from azulejos.engine.selfplay import (
    BLUNDER_PERCENT, DEALS, FARTHEST, NO_RESULT, NODES, OPENING_NODES, OPENING_PERCENT, ROOM, STRAY_PERCENT,
    PlayedStates, copy_words,
)
from azulejos.engine.tree import favourite, grow
from azulejos.engine.tree_memory import (
    EDGES, LIMIT, LONGEST, NODES as TREE_NODES, SIMULATIONS, SWING, THROUGH_CHANCE, Tree, make_tree,
)
from azulejos.engine.turns import judge_state
from azulejos.engine.value import outcome_value

LATER: Final = 0.3
"""Weight of what the next state between rounds turned out to be worth, at last the result, in the value of
a state between rounds; the rest is its own searches. So later rounds say something about earlier ones."""
SURE: Final = 0.002
"""Chances to win are kept this far from 0 and 1 before they become values."""

# What is stored with a state, for each seat (see `engine.selfplay`).
VALUE: Final = 0
SEARCHED: Final = 1
RESULT: Final = 2
VALUES: Final = 3

# What is stored with a state as a whole.
WITHIN: Final = 0
SETTLED: Final = 1
MARKS: Final = 2


@by_reference
class Notebook(NamedTuple):
    """What is kept of one game."""

    states: Cells
    """[state, word]"""
    values: Cells
    """[state, VALUE or SEARCHED or RESULT, seat]"""
    marks: Cells
    """[state, WITHIN or SETTLED]"""
    recipe: Cells
    spare: Cells
    """[2, word]"""
    found: Cells
    """[seat]: the values of the last search."""
    chance: Cells
    rng: Cells
    """[0]"""


@rule
def think(t: Tree, b: Notebook, simulations: int) -> int:
    """Search the root anew; returns the edge of the best turn, and writes the value for each seat."""
    for slot in range(len(t.slots)):
        t.slots[slot] = 0
    t.counters[TREE_NODES] = 0
    t.counters[EDGES] = 0
    t.counters[SIMULATIONS] = 0
    t.counters[LONGEST] = 0
    t.counters[LIMIT] = simulations
    for seat in range(MAX_SEATS):
        t.worth[seat] = 0.0
    grow(t)
    for seat in range(t.stack[0].players):
        win = min(max(t.worth[seat] / t.counters[SIMULATIONS], SURE), 1.0 - SURE)
        b.found[seat] = int(t.counters[SWING] * log(win / (1.0 - win)))
    copy_words(t.words[0], t.words[1])
    return favourite(t)


@rule
def note(t: Tree, b: Notebook, within: int, noted: int) -> int:
    """Keep the state at the root, if there is room; returns how many are kept now."""
    if noted == len(b.states):
        return noted
    copy_words(t.words[0], b.states[noted])
    b.marks[noted, WITHIN] = within
    b.marks[noted, SETTLED] = 0
    return noted + 1


@rule
def settle(b: Notebook, noted: int, values: Cells) -> None:
    """Set VALUE of the states within this round: a random move follows, so its end says nothing of them."""
    for i in range(noted - 1, -1, -1):
        if b.values[i, RESULT, 0] == NO_RESULT:
            continue
        if b.marks[i, WITHIN] == 0:
            return
        if b.marks[i, SETTLED] == 0:
            b.marks[i, SETTLED] = 1
            for seat in range(len(values)):
                b.values[i, VALUE, seat] = values[seat]


@rule
def settle_rest(b: Notebook, noted: int, players: int) -> None:
    """Set VALUE of the other states, backwards from the result in `found`, and RESULT."""
    for seat in range(players):
        later = float(b.found[seat])
        for i in range(noted - 1, -1, -1):
            if b.values[i, RESULT, 0] == NO_RESULT:
                continue
            if b.marks[i, SETTLED] == 0:
                b.values[i, VALUE, seat] = int(later)
            if b.marks[i, WITHIN] == 0:
                later = LATER * later + (1.0 - LATER) * float(b.values[i, SEARCHED, seat])
    for i in range(noted):
        if b.values[i, RESULT, 0] != NO_RESULT:
            copy_words(b.found, b.values[i, RESULT])


@rule
def add_dealt(t: Tree, b: Notebook, at: int, deals: int) -> None:
    """Add up in SEARCHED what the search finds after some deals; the root does not change."""
    copy_words(t.words[0], b.spare[1])
    for _ in range(deals):
        deal(t.stack[0], t.actions, b.chance, b.rng)
        if t.stack[0].to_move >= 0:
            think(t, b, int(b.recipe[OPENING_NODES]))
        else:
            judge_state(t.turns, t.stack[0], t.words[0])
            copy_words(t.turns.judged, b.found)
        for seat in range(MAX_SEATS):
            b.values[at, SEARCHED, seat] += b.found[seat]
        copy_words(b.spare[1], t.words[0])


@rule
def random_action(t: Tree, b: Notebook) -> int:
    return int(t.actions[below(b.rng, legal(t.stack[0], t.actions))])


@rule
def stray(t: Tree, b: Notebook, noted: int) -> int:
    """Keep a state some random actions away, with its value; returns how many are kept. Restores the
    root."""
    s = t.stack[0]
    copy_words(t.words[0], b.spare[0])
    for _ in range(1 + below(b.rng, FARTHEST)):
        if s.to_move >= 0:
            apply(s, random_action(t, b))
    within = 1 if s.to_move >= 0 else 0
    if s.to_move != OVER and noted < len(b.states):
        noted = note(t, b, within, noted)
        at = noted - 1
        deals = 1
        for seat in range(MAX_SEATS):
            b.values[at, SEARCHED, seat] = 0
        if within == 1:
            think(t, b, int(b.recipe[NODES]))
            copy_words(b.found, b.values[at, SEARCHED])
        else:
            deals = 1 + int(b.recipe[DEALS])
            add_dealt(t, b, at, deals)
        for seat in range(MAX_SEATS):
            b.values[at, SEARCHED, seat] //= deals
            b.values[at, VALUE, seat] = b.values[at, SEARCHED, seat]
            b.values[at, RESULT, seat] = NO_RESULT
        b.marks[at, SETTLED] = 1
    copy_words(b.spare[0], t.words[0])
    return noted


@rule
def end_round(t: Tree, b: Notebook, noted: int) -> int:
    """Keep the state between rounds with the sum of its deals; returns how many are kept."""
    kept = note(t, b, 0, noted)
    if kept > noted:
        add_dealt(t, b, noted, int(b.recipe[DEALS]))
    return kept


@rule
def play_one(t: Tree, b: Notebook) -> int:
    """Play the game at the root to its end and keep states of it; returns how many."""
    s = t.stack[0]
    noted = 0
    while s.to_move != OVER:
        opens = s.to_move == CHANCE
        between = noted
        if opens:
            if s.round > 1:
                noted = end_round(t, b, noted)
            deal(s, t.actions, b.chance, b.rng)
            if s.to_move < 0:
                continue
        here = noted
        noted = note(t, b, 1, noted)
        edge = think(t, b, int(b.recipe[OPENING_NODES if opens else NODES]))
        if here < noted:
            copy_words(b.found, b.values[here, SEARCHED])
        if between < here:
            for seat in range(MAX_SEATS):
                total = b.values[between, SEARCHED, seat] + b.found[seat]
                b.values[between, SEARCHED, seat] = total // (1 + b.recipe[DEALS])
        if below(b.rng, 100) < (OPENING_PERCENT if opens else BLUNDER_PERCENT):
            settle(b, noted, b.found)
            apply(s, random_action(t, b))
        else:
            for i in range(t.edges[edge].length):
                apply(s, int(t.edges[edge].actions[i]))
        if s.to_move >= 0 and below(b.rng, 100) < b.recipe[STRAY_PERCENT]:
            noted = stray(t, b, noted)
    for seat in range(s.players):
        b.found[seat] = outcome_value(s, seat)
    settle_rest(b, noted, int(s.players))
    return noted


def seat_play(
    game: Game, options: Mapping[str, str], weights: Cells, *, players: int, nodes: int, seed: int,
    count: int, swing: int, opening_nodes: int = 0, deals: int = 0, strays: int = 0,
    network: Network | None = None,
) -> PlayedStates:
    """Play `count` games with `nodes` simulations a turn, in games whose rounds have no chance."""
    tree = make_tree(game.compiled, weights, node_bits=max(nodes, opening_nodes).bit_length() + 1,
                     network=network)
    tree.counters[THROUGH_CHANCE], tree.counters[SWING] = 0, swing
    book = make_notebook(game, tree, ROOM, nodes, max(nodes, opening_nodes), deals, strays)
    return play_games(
        game, game.start(players, options), tree, book, game.compiled.bind(play_one), seeded(seed, count)
    )


def make_notebook(game: Game, tree: Tree, room: int, *recipe: int) -> Notebook:
    """Room for the states of one game; `recipe` as in `engine.selfplay`."""
    words = tree.words.shape[1]
    return Notebook(
        states=np.zeros((room, words), np.uint64), values=np.zeros((room, VALUES, MAX_SEATS), np.int64),
        marks=np.zeros((room, MARKS), np.int64), recipe=np.array(recipe, np.int64),
        spare=np.zeros((2, words), np.uint64), found=np.zeros(MAX_SEATS, np.int64),
        chance=np.zeros(game.max_legal, np.int32), rng=np.zeros(1, np.uint64),
    )


def play_games(
    game: Game, start: Cells, tree: Tree, book: Notebook, play: Callable[[Tree, Notebook], int],
    seeds: Cells,
) -> PlayedStates:
    """Play a game for each seed; `play` plays one and returns how many states it kept."""
    kept, players = [], int(layout.view(game.state, start).players)
    for number in seeds:
        book.rng[0] = tree.rng[0] = number
        book.values[:] = 0
        tree.words[0].view(np.uint8)[: game.size] = start
        noted = play(tree, book)
        kept.append((book.states[:noted].copy(), book.values[:noted].copy(), book.marks[:noted].copy()))
    states, values, marks = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    rows = states.view(np.uint8)[:, : game.size].copy()
    found, searched, results = (values[:, kind, :players] for kind in (VALUE, SEARCHED, RESULT))
    return PlayedStates(rows, found, searched, results, marks[:, WITHIN])
