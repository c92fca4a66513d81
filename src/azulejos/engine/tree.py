"""Tree search with a value per seat: each seat takes what is best for itself, chance is sampled.

Positions are found by their hash, so ways that lead to the same position share what is known about it,
a drawn outcome needs no place of its own, and the tree of the last turn serves the next one.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from azulejos.core import layout
from azulejos.core.game import Game
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import (
    CHANCE,
    MAX_SEATS,
    MAX_TERMS,
    OVER,
    State,
    apply,
    in_turn,
    legal,
    odds,
    promise,
)
from azulejos.engine.desk import key_of
from azulejos.engine.playout import drawn
from azulejos.engine.value import judge

MAX_PATH: Final = 128
"""Decisions of one simulation."""
MAX_TURN: Final = 16
"""Actions by which a turn is finished before it is judged."""
EXPLORATION: Final = 0.7
"""How much a promising but rarely tried action is preferred (c of PUCT)."""
UNTRIED: Final = 0.1
"""An action that was never tried is thought so much worse than its position."""
PROMISE_SCALE: Final = 12.0
"""So much more promise makes an action e times as likely to be tried."""

# Counters.
SIMULATIONS: Final = 0
LIMIT: Final = 1
NODES: Final = 2
EDGES: Final = 3
THROUGH_CHANCE: Final = 4
"""1: look behind draws too; 0: the position before a draw is judged."""
LONGEST: Final = 5
SWING: Final = 6
"""Hundredths of a point that make winning e times as likely (see `engine.value`)."""
COUNTERS: Final = 7

NODE: Final = np.dtype(
    [("key", "u8"), ("total", "f8"), ("visits", "i4"), ("first", "i4"), ("count", "i4"), ("seat", "i4")]
)
EDGE: Final = np.dtype([("total", "f8"), ("visits", "i4"), ("prior", "f4"), ("action", "i4")])


class Tree(NamedTuple):
    """Where the search works and what it knows, allocated once."""

    stack: Cells
    """[0] the root, [1] the position of the simulation: records."""
    words: Cells
    """[2, word]: their bytes."""
    nodes: Cells
    edges: Cells
    slots: Cells
    """Hash table: 1 + index of a node, or 0."""
    path: Cells
    """[step, 2]: node and edge."""
    actions: Cells
    odds: Cells
    counters: Cells
    flag: Cells
    """[0]: set from another thread to stop."""
    rng: Cells
    weights: Cells
    terms: Cells
    values: Cells
    utilities: Cells
    """[seat]: the result of the simulation, from 0 (lost) to 1 (won)."""


def make_tree(game: Game, weights: Cells, *, compiled: bool, node_bits: int = 18) -> Tree:
    """Room for a search by compiled functions, or by interpreted ones, which see records otherwise."""
    words = -(-game.size // 8)
    rows = np.zeros((2, words), np.uint64)
    record: Any = layout.dtype_of(game.state) if compiled else layout.record_dtype_of(game.state)
    return Tree(
        stack=np.ndarray((2,), record, rows.data, strides=(words * 8,)),
        words=rows,
        nodes=np.zeros(1 << node_bits, NODE if compiled else np.dtype((np.record, NODE))),
        edges=np.zeros(8 << node_bits, EDGE if compiled else np.dtype((np.record, EDGE))),
        slots=np.zeros(2 << node_bits, np.int32),
        path=np.zeros((MAX_PATH, 2), np.int64),
        actions=np.zeros(game.max_legal, np.int64),
        odds=np.zeros(game.max_legal, np.int64),
        counters=np.zeros(COUNTERS, np.int64),
        flag=np.zeros(1, np.int64),
        rng=np.ones(1, np.uint64),
        weights=weights,
        terms=np.zeros((MAX_SEATS, MAX_TERMS), np.int64),
        values=np.zeros(MAX_SEATS, np.int64),
        utilities=np.zeros(MAX_SEATS, np.float64),
    )


def put(tree: Tree, row: layout.Row, *, limit: int) -> None:
    """Set the root and how many simulations may follow."""
    tree.words[0].view(np.uint8)[: len(row)] = row
    tree.counters[SIMULATIONS] = tree.counters[LONGEST] = 0
    tree.counters[LIMIT] = limit


def is_crowded(tree: Tree) -> bool:
    """Whether what is known leaves little room for more."""
    return bool(2 * tree.counters[NODES] > len(tree.nodes) or 2 * tree.counters[EDGES] > len(tree.edges))


def clear(tree: Tree) -> None:
    tree.slots[:] = 0
    tree.counters[NODES] = tree.counters[EDGES] = 0


@rule
def find(t: Tree, key: Any) -> int:
    """The node of a key, or -1 - slot where it would go."""
    slot = np.int64(key >> np.uint64(1)) & (len(t.slots) - 1)
    while t.slots[slot] != 0:
        node = int(t.slots[slot]) - 1
        if t.nodes[node].key == key:
            return node
        slot = (slot + 1) & (len(t.slots) - 1)
    return int(-1 - slot)


@rule
def add_node(t: Tree, key: Any, slot: int, seat: int) -> None:
    """Room for one more position, if there is any."""
    node = t.counters[NODES]
    if node < len(t.nodes):
        t.counters[NODES] = node + 1
        t.slots[slot] = node + 1
        entry = t.nodes[node]
        entry.key = key
        entry.total = 0.0
        entry.visits = 0
        entry.count = 0
        entry.seat = seat


@rule
def expand(t: Tree, node: int, s: State) -> bool:
    """List the actions of a node with how likely they are tried; False if there is no room."""
    count = legal(s, t.actions)
    first = t.counters[EDGES]
    if first + count > len(t.edges):
        return False
    t.counters[EDGES] = first + count
    t.nodes[node].first = first
    t.nodes[node].count = count
    most = -(1 << 30)
    for i in range(count):
        t.odds[i] = promise(s, int(t.actions[i]))
        most = max(most, int(t.odds[i]))
    whole = 0.0
    for i in range(count):
        edge = t.edges[first + i]
        edge.action = t.actions[i]
        edge.visits = 0
        edge.total = 0.0
        edge.prior = np.exp((t.odds[i] - most) / PROMISE_SCALE)
        whole += edge.prior
    for i in range(count):
        t.edges[first + i].prior /= whole
    return True


@rule
def select(t: Tree, node: int) -> int:
    """The edge to try next: what it was worth to the seat so far, and how much it is still unknown."""
    parent = t.nodes[node]
    mean = parent.total / max(1, parent.visits)
    unknown = EXPLORATION * np.sqrt(parent.visits + 1.0)
    best = -1
    best_score = -1e9
    for edge in range(parent.first, parent.first + parent.count):
        e = t.edges[edge]
        worth = e.total / e.visits if e.visits > 0 else mean - UNTRIED
        score = worth + unknown * e.prior / (1.0 + e.visits)
        if score > best_score:
            best_score = score
            best = edge
    return best


@rule
def draw(t: Tree) -> None:
    """Draw until a player is to move or the game is over."""
    s = t.stack[1]
    while s.to_move == CHANCE:
        legal(s, t.actions)
        apply(s, drawn(t.actions, t.odds, odds(s, t.odds), t.rng))


@rule
def finish_turn(t: Tree) -> None:
    """Go on as it looks best until the turn is over: a turn half done is hard to judge."""
    s = t.stack[1]
    for _ in range(MAX_TURN):
        if s.to_move < 0 or not in_turn(s):
            return
        count = legal(s, t.actions)
        best = int(t.actions[0])
        for i in range(1, count):
            action = int(t.actions[i])
            if promise(s, action) > promise(s, best):
                best = action
        apply(s, best)


@rule
def descend(t: Tree) -> int:
    """Play from the root to a position that is new (or beyond the tree); the number of decisions."""
    s = t.stack[1]
    for word in range(t.words.shape[1]):
        t.words[1, word] = t.words[0, word]
    steps = 0
    while steps < MAX_PATH:
        if s.to_move == CHANCE and t.counters[THROUGH_CHANCE] != 0:
            draw(t)
        if s.to_move == OVER or s.to_move == CHANCE:
            return steps
        key = key_of(t.words[1])
        node = find(t, key)
        if node < 0:
            add_node(t, key, -1 - node, s.to_move)
            finish_turn(t)
            return steps
        if t.nodes[node].count == 0 and not expand(t, node, s):
            return steps
        edge = select(t, node)
        t.path[steps, 0] = node
        t.path[steps, 1] = edge
        steps += 1
        apply(s, int(t.edges[edge].action))
    return steps


@rule
def simulate(t: Tree) -> None:
    """One way down, one judgement, and what it says to every decision on the way."""
    steps = descend(t)
    judge(t.stack[1], t.weights, t.terms, t.values)
    for seat in range(t.stack[1].players):
        t.utilities[seat] = 1.0 / (1.0 + np.exp(-t.values[seat] / t.counters[SWING]))
    for step in range(steps):
        node = t.nodes[t.path[step, 0]]
        edge = t.edges[t.path[step, 1]]
        utility = t.utilities[node.seat]
        node.visits += 1
        node.total += utility
        edge.visits += 1
        edge.total += utility
    t.counters[LONGEST] = max(t.counters[LONGEST], steps)


@rule
def grow(t: Tree) -> None:
    """Simulate until the budget is used up."""
    while t.counters[SIMULATIONS] < 2 or (
        t.counters[SIMULATIONS] < t.counters[LIMIT] and t.flag[0] == 0
    ):
        t.counters[SIMULATIONS] += 1
        simulate(t)


@rule
def favourite(t: Tree) -> int:
    """The edge that was tried most at the simulation's position, or -1."""
    node = find(t, key_of(t.words[1]))
    if node < 0 or t.nodes[node].count == 0:
        return -1
    first = t.nodes[node].first
    best = first
    for edge in range(first + 1, first + t.nodes[node].count):
        more = t.edges[edge].visits - t.edges[best].visits
        if more > 0 or (more == 0 and t.edges[edge].total > t.edges[best].total):
            best = edge
    return int(best)


@rule
def best_line(t: Tree, line: Cells) -> int:
    """Write the edges of the expected play from the root on, to the next draw; how many."""
    s = t.stack[1]
    for word in range(t.words.shape[1]):
        t.words[1, word] = t.words[0, word]
    length = 0
    while s.to_move >= 0 and length < len(line):
        edge = favourite(t)
        if edge < 0 or t.edges[edge].visits == 0:
            break
        line[length] = edge
        length += 1
        apply(s, int(t.edges[edge].action))
    return length
