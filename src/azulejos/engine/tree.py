"""Tree search with a value per seat: each seat maximises its own value, chance is sampled.

An edge of the tree is a whole turn (`engine.turns`). The value of a new position is that of its best turn,
and the values of all its turns determine which of them are tried first. A few are tried at the beginning,
more as visits increase, and finally also those that are not on the game's shortlist.

A draw has a few sampled outcomes, more as visits increase: outcome i of a position is drawn by a generator
seeded with the position and i, so it need not be stored. Positions are found by their hash: different lines
that lead to the same position share its data, and the tree of the last turn is used for the next one.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from azulejos.core import layout
from azulejos.core.chance import below
from azulejos.core.jit import Binding, by_reference, rule, wrapping
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, MAX_SEATS, OVER, apply, deal
from azulejos.engine.network import Network
from azulejos.engine.turns import MAX_TURN, ROOM, Turns, judge_state, list_turns, make_turns
from azulejos.engine.workspace import key_of, make_stack

MAX_PATH: Final = 128
"""Most turns of one simulation."""
EXPLORATION: Final = 50
"""How much a promising but rarely tried turn is preferred, in hundredths (c of PUCT)."""
BOLDER: Final = 30
"""Added for each further tree that searches the same root: where nothing is drawn, equal trees would grow
alike."""
PRIOR_SCALE: Final = 300.0
"""Hundredths of a point that make a turn e times as likely to be tried."""
FIRST_WIDTH: Final = 4
WIDTH: Final = 2.0
"""Turns tried at a position with n visits: FIRST_WIDTH + WIDTH * sqrt(n)."""
OTHERS_WIDTH: Final = 0.25
"""With more than two seats, turns tried for the others: 1 + OTHERS_WIDTH * sqrt(n). All of them move before
the root's seat moves again: with many replies tried, a search never reached its own next turn."""
KEPT: Final = 32
"""Turns kept from the first listing; more turns come from a listing without the shortlist."""
OUTCOMES: Final = 1.0
"""Outcomes of a draw after n visits: 1 + OUTCOMES * sqrt(n)."""

# Counters.
SIMULATIONS: Final = 0
LIMIT: Final = 1
NODES: Final = 2
EDGES: Final = 3
THROUGH_CHANCE: Final = 4
"""1: also search beyond draws; 0: evaluate the position before a draw."""
LONGEST: Final = 5
SWING: Final = 6
"""Hundredths of a point that make winning e times as likely (see `engine.value`)."""
EXPLORING: Final = 7
"""EXPLORATION, or more."""
COUNTERS: Final = 8

NODE: Final = np.dtype([
    ("key", "u8"), ("total", "f8"), ("guess", "f4"), ("visits", "i4"), ("first", "i4"), ("count", "i4"),
    ("seat", "i1"), ("full", "i1"),
], align=True)
"""`guess`: the value of the best turn; `full`: all turns are listed."""
EDGE: Final = np.dtype([
    ("total", "f8"), ("visits", "i4"), ("prior", "f4"), ("guess", "f4"), ("length", "i2"),
    ("actions", "i2", (MAX_TURN,)),
], align=True)


@by_reference
class Tree(NamedTuple):
    """The memory of the search, allocated once."""

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
    turns: Turns
    actions: Cells
    odds: Cells
    counters: Cells
    flag: Cells
    """[0]: set from another thread to stop."""
    rng: Cells
    """[0] for the search, [1] for the outcome of a draw."""
    utilities: Cells
    """[seat]: the result of the simulation, from 0 (lost) to 1 (won)."""
    worth: Cells
    """[seat]: the sum of the results of all simulations."""


def make_tree(
    binding: Binding, weights: Cells, *, node_bits: int = 18, network: Network | None = None,
    exploration: int = EXPLORATION,
) -> Tree:
    """Memory for a search with these functions.

    250 MB, of which the system provides what is written to: Azul with four seats fills it in three seconds.
    """
    game = binding.game
    stack, words = make_stack(binding, 2)
    turns = make_turns(binding, weights, network=network)
    counters = np.zeros(COUNTERS, np.int64)
    counters[EXPLORING] = exploration
    return Tree(
        stack=stack,
        words=words,
        nodes=np.zeros(1 << node_bits, binding.records(NODE)),
        edges=np.zeros(16 << node_bits, binding.records(EDGE)),
        slots=np.zeros(2 << node_bits, np.int32),
        path=np.zeros((MAX_PATH, 2), np.int64),
        turns=turns,
        actions=np.zeros(game.max_legal, np.int64),
        odds=np.zeros(game.max_legal, np.int64),
        counters=counters,
        flag=turns.flag,
        rng=np.ones(2, np.uint64),
        utilities=np.zeros(MAX_SEATS, np.float64),
        worth=np.zeros(MAX_SEATS, np.float64),
    )


def put(tree: Tree, row: layout.Row, *, limit: int) -> None:
    """Set the root and the limit of simulations."""
    tree.words[0].view(np.uint8)[: len(row)] = row
    tree.counters[SIMULATIONS] = tree.counters[LONGEST] = 0
    tree.counters[LIMIT] = limit
    tree.worth[:] = 0.0


def is_crowded(tree: Tree) -> bool:
    """Whether the next turn should start with an empty tree: a quarter of the memory is used."""
    return bool(4 * tree.counters[NODES] > len(tree.nodes) or 4 * tree.counters[EDGES] > len(tree.edges))


def clear(tree: Tree) -> None:
    tree.slots[:] = 0
    tree.counters[NODES] = tree.counters[EDGES] = 0


# --- positions ------------------------------------------------------------------------------------------


@rule
def find(t: Tree, key: Any) -> int:
    """The node of a key, or -1 - slot, where it would be inserted."""
    slot = np.int64(key >> np.uint64(1)) & (len(t.slots) - 1)
    while t.slots[slot] != 0:
        node = int(t.slots[slot]) - 1
        if t.nodes[node].key == key:
            return node
        slot = (slot + 1) & (len(t.slots) - 1)
    return int(-1 - slot)


@rule
def add_node(t: Tree, key: Any, slot: int) -> int:
    """Add a node for one more position and its turns; -1 if the memory is full."""
    node = int(t.counters[NODES])
    if node == len(t.nodes) or t.counters[EDGES] + ROOM > len(t.edges):
        return -1
    t.counters[NODES] = node + 1
    t.slots[slot] = node + 1
    entry = t.nodes[node]
    entry.key = key
    entry.total = 0.0
    entry.visits = 0
    entry.count = 0
    entry.full = 0
    entry.seat = t.stack[1].to_move
    return node


@rule
def utility(t: Tree, value: int) -> float:
    return float(1.0 / (1.0 + np.exp(-value / t.counters[SWING])))


@rule
def expand(t: Tree, node: int) -> None:
    """List the turns of a new node; the value of the best one is the result of the simulation."""
    entry = t.nodes[node]
    count = list_from(t, False)
    if count == 0:
        entry.full = 1
        count = list_from(t, True)
    entry.first = t.counters[EDGES]
    entry.count = min(count, KEPT)
    t.counters[EDGES] += entry.count
    for rank in range(entry.count):
        write_edge(t, entry.first + rank, rank, entry.seat)
    entry.guess = t.edges[entry.first].guess
    weigh(t, node)
    for seat in range(t.stack[1].players):
        t.utilities[seat] = utility(t, t.turns.values[t.turns.order[0], seat])


@rule
def list_from(t: Tree, everything: bool) -> int:
    """List the turns of the simulation's position."""
    for word in range(t.words.shape[1]):
        t.turns.words[0, word] = t.words[1, word]
    return list_turns(t.turns, everything)


@rule
def write_edge(t: Tree, at: int, rank: int, seat: int) -> None:
    edge = t.edges[at]
    turn = t.turns.order[rank]
    edge.total = 0.0
    edge.visits = 0
    edge.guess = utility(t, t.turns.values[turn, seat])
    behind = t.turns.values[t.turns.order[0], seat] - t.turns.values[turn, seat]
    edge.prior = np.exp(-behind / PRIOR_SCALE)
    edge.length = t.turns.found[turn, 0]
    for i in range(edge.length):
        edge.actions[i] = t.turns.found[turn, 1 + i]


@rule
def weigh(t: Tree, node: int) -> None:
    """Normalise the priors of a node's turns, so that they add up to 1."""
    entry = t.nodes[node]
    whole = 0.0
    for edge in range(entry.first, entry.first + entry.count):
        whole += t.edges[edge].prior
    for edge in range(entry.first, entry.first + entry.count):
        t.edges[edge].prior /= whole


@rule
def widen(t: Tree, node: int) -> None:
    """Add the turns that were left out, after those that are known, best first."""
    entry = t.nodes[node]
    if t.counters[EDGES] + entry.count + ROOM > len(t.edges):
        return
    count = list_from(t, True)
    entry.full = 1 if t.flag[0] == 0 else 0
    first = t.counters[EDGES]
    best = t.edges[entry.first].prior
    for i in range(entry.count):
        t.edges[first + i] = t.edges[entry.first + i]
        t.edges[first + i].prior /= best
    end = first + entry.count
    for rank in range(count):
        if not is_known(t, entry.first, entry.count, rank):
            write_edge(t, end, rank, entry.seat)
            end += 1
    entry.first = first
    entry.count = end - first
    t.counters[EDGES] = end
    weigh(t, node)


@rule
def is_known(t: Tree, first: int, count: int, rank: int) -> bool:
    """Whether a listed turn is among some edges."""
    turn = t.turns.order[rank]
    for at in range(first, first + count):
        edge = t.edges[at]
        if edge.length == t.turns.found[turn, 0]:
            same = True
            for i in range(edge.length):
                same = same and edge.actions[i] == t.turns.found[turn, 1 + i]
            if same:
                return True
    return False


# --- simulations ----------------------------------------------------------------------------------------


@rule
def width_of(t: Tree, node: int) -> int:
    """How many turns of a node may be tried at its number of visits."""
    root = t.stack[0]
    grown = np.sqrt(float(t.nodes[node].visits))
    if root.players > 2 and t.nodes[node].seat != root.to_move:
        return 1 + int(OTHERS_WIDTH * grown)
    return FIRST_WIDTH + int(WIDTH * grown)


@rule
def select(t: Tree, node: int) -> int:
    """The edge to try next, by its value for the seat so far and its uncertainty (PUCT)."""
    parent = t.nodes[node]
    width = width_of(t, node)
    if width > parent.count and not parent.full:
        widen(t, node)
    mean = parent.total / max(1, parent.visits)
    unknown = t.counters[EXPLORING] / 100.0 * np.sqrt(parent.visits + 1.0)
    best = -1
    best_score = -1e9
    for edge in range(parent.first, parent.first + min(width, parent.count)):
        e = t.edges[edge]
        worth = e.total / e.visits if e.visits > 0 else mean + e.guess - parent.guess
        score = worth + unknown * e.prior / (1.0 + e.visits)
        if score > best_score:
            best_score = score
            best = edge
    return best


@rule
def play(t: Tree, edge: int) -> None:
    """Play a turn at the simulation's position."""
    e = t.edges[edge]
    for i in range(e.length):
        apply(t.stack[1], int(e.actions[i]))


@wrapping
def draw(t: Tree, visits: int) -> None:
    """Draw one of the outcomes considered after `visits` visits, until a player is to move."""
    s = t.stack[1]
    outcome = below(t.rng, 1 + int(OUTCOMES * np.sqrt(float(visits))))
    x = key_of(t.words[1]) + np.uint64(outcome + 1) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    t.rng[1] = (x ^ (x >> np.uint64(27))) | np.uint64(1)
    deal(s, t.actions, t.odds, t.rng[1:])


@rule
def descend(t: Tree) -> int:
    """Play from the root to a new position, and evaluate it; returns the number of turns."""
    s = t.stack[1]
    for word in range(t.words.shape[1]):
        t.words[1, word] = t.words[0, word]
    steps = 0
    visits = 0
    while steps < MAX_PATH:
        if s.to_move == CHANCE and t.counters[THROUGH_CHANCE] != 0:
            draw(t, visits)
        if s.to_move == OVER or s.to_move == CHANCE:
            break
        key = key_of(t.words[1])
        node = find(t, key)
        if node < 0:
            node = add_node(t, key, -1 - node)
            if node >= 0:
                expand(t, node)
                return steps
            break
        edge = select(t, node)
        t.path[steps, 0] = node
        t.path[steps, 1] = edge
        steps += 1
        visits = int(t.edges[edge].visits)
        play(t, edge)
    judge_state(t.turns, s, t.words[1])
    for seat in range(s.players):
        t.utilities[seat] = utility(t, t.turns.judged[seat])
    return steps


@rule
def simulate(t: Tree) -> None:
    """One simulation: descend, evaluate, and update every decision on the path."""
    steps = descend(t)
    for seat in range(t.stack[0].players):
        t.worth[seat] += t.utilities[seat]
    for step in range(steps):
        node = t.nodes[t.path[step, 0]]
        edge = t.edges[t.path[step, 1]]
        result = t.utilities[node.seat]
        node.visits += 1
        node.total += result
        edge.visits += 1
        edge.total += result
    t.counters[LONGEST] = max(t.counters[LONGEST], steps)


@rule
def grow(t: Tree) -> None:
    """Simulate until the budget is used up."""
    while t.counters[SIMULATIONS] < 2 or (
        t.counters[SIMULATIONS] < t.counters[LIMIT] and t.flag[0] == 0
    ):
        t.counters[SIMULATIONS] += 1
        simulate(t)


# --- results --------------------------------------------------------------------------------------------


@rule
def add_root(t: Tree, other: Tree) -> None:
    """Add what another tree with the same root has found about the turns that this one knows."""
    own = find(t, key_of(t.words[0]))
    theirs = find(other, key_of(other.words[0]))
    if own < 0 or theirs < 0:
        return
    node = t.nodes[own]
    first = other.nodes[theirs].first
    for edge in range(node.first, node.first + node.count):
        for twin in range(first, first + other.nodes[theirs].count):
            if is_same_turn(t, edge, other, twin):
                t.edges[edge].visits += other.edges[twin].visits
                t.edges[edge].total += other.edges[twin].total
                node.visits += other.edges[twin].visits
                node.total += other.edges[twin].total


@rule
def is_same_turn(t: Tree, edge: int, other: Tree, twin: int) -> bool:
    length = t.edges[edge].length
    if length != other.edges[twin].length:
        return False
    for i in range(length):
        if t.edges[edge].actions[i] != other.edges[twin].actions[i]:
            return False
    return True


@rule
def favourite(t: Tree) -> int:
    """The edge that was tried most at the simulation's position, or -1."""
    node = find(t, key_of(t.words[1]))
    if node < 0:
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
    """Write the edges of the expected play from the root to the next draw; returns how many."""
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
        play(t, edge)
    return length
