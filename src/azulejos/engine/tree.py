"""Tree search with a value per seat: each seat maximises its own value, chance is sampled.

An edge of the tree is a whole turn (`engine.turns`). The value of a new position is that of its best turn,
and the values of all its turns determine which of them are tried first. A few are tried at the beginning,
more as visits increase, and finally also those that are not on the game's shortlist.

A draw has a few sampled outcomes, more as visits increase: outcome i of a position is drawn by a generator
seeded with the position and i, so it need not be stored. Positions are found by their hash: different lines
that lead to the same position share its data, and the tree of the last turn is used for the next one.

Several threads may grow one tree. A node is read and changed by one thread at a time, which holds the lock
of its key; what belongs to the whole tree has another lock. Turns are listed and evaluated without locks. A
visit counts as soon as a turn is chosen, as a loss until the result is known, so that threads choose
different turns.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from azulejos.core import layout
from azulejos.core.chance import below
from azulejos.core.jit import Binding, by_reference, rule, wrapping
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, MAX_SEATS, OVER, apply, deal
from azulejos.engine.mutex import let_others_run, lock, make_locks, unlock
from azulejos.engine.network import Network
from azulejos.engine.turns import MAX_TURN, ROOM, Turns, judge_state, list_turns, make_turns
from azulejos.engine.workspace import key_of, make_stack

MAX_PATH: Final = 128
"""Most turns of one simulation."""
EXPLORATION: Final = 0.5
"""How much a promising but rarely tried turn is preferred (c of PUCT)."""
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

NODE_LOCKS: Final = 256
"""A power of two."""
WHOLE: Final = NODE_LOCKS
"""The lock of the whole tree; a thread that holds it waits for no other."""

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
THREADS: Final = 7
"""How many threads grow the tree."""
COUNTERS: Final = 8

NODE: Final = np.dtype([
    ("key", "u8"), ("total", "f8"), ("guess", "f4"), ("visits", "i4"), ("first", "i4"), ("count", "i4"),
    ("seat", "i1"), ("full", "i1"),
], align=True)
"""`guess`: the value of the best turn; `count`: 0 while its turns are being listed; `full`: all turns are
listed."""
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
    """[step, 2]: node and which of its turns; at last the new node, or -1."""
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
    locks: Cells
    """[lock, word]: for nodes, by key; the last one for counters, slots and new nodes."""


def make_tree(
    binding: Binding, weights: Cells, *, node_bits: int = 18, network: Network | None = None
) -> Tree:
    """Memory for a search with these functions.

    250 MB, of which the system provides what is written to: Azul with four seats fills it in three seconds.
    """
    return Tree(
        nodes=np.zeros(1 << node_bits, binding.records(NODE)),
        edges=np.zeros(16 << node_bits, binding.records(EDGE)),
        slots=np.zeros(2 << node_bits, np.int32),
        counters=np.zeros(COUNTERS, np.int64),
        worth=np.zeros(MAX_SEATS, np.float64),
        locks=make_locks(NODE_LOCKS + 1),
        **_for_one_thread(binding, weights, network),
    )


def make_helper(binding: Binding, tree: Tree, weights: Cells, *, network: Network | None = None) -> Tree:
    """The same tree, for another thread."""
    return tree._replace(**_for_one_thread(binding, weights, network))


def _for_one_thread(binding: Binding, weights: Cells, network: Network | None) -> dict[str, Any]:
    """What a simulation writes before its result."""
    game = binding.game
    stack, words = make_stack(binding, 2)
    turns = make_turns(binding, weights, network=network)
    return {
        "stack": stack,
        "words": words,
        "path": np.zeros((MAX_PATH + 1, 2), np.int64),
        "turns": turns,
        "actions": np.zeros(game.max_legal, np.int64),
        "odds": np.zeros(game.max_legal, np.int64),
        "flag": turns.flag,
        "rng": np.ones(2, np.uint64),
        "utilities": np.zeros(MAX_SEATS, np.float64),
    }


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
    tree.nodes["key"][: tree.counters[NODES]] = 0
    tree.counters[NODES] = tree.counters[EDGES] = 0


# --- several threads -------------------------------------------------------------------------------------


@rule
def enter(t: Tree, which: int) -> None:
    if t.counters[THREADS] > 1:
        lock(t.locks, which)


@rule
def leave(t: Tree, which: int) -> None:
    if t.counters[THREADS] > 1:
        unlock(t.locks, which)


@rule
def lock_of(key: Any) -> int:
    return int(np.int64(key >> np.uint64(32)) & (NODE_LOCKS - 1))


@rule
def wait_for_turns(t: Tree, node: int, held: int) -> None:
    """Wait until the thread that added a node has listed its turns."""
    while t.nodes[node].count == 0:
        leave(t, held)
        let_others_run()
        enter(t, held)


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
def add_node(t: Tree, key: Any) -> int:
    """Add a node for one more position, with room for its turns; -1 if the memory is full."""
    enter(t, WHOLE)
    node = int(t.counters[NODES])
    first = take_edges(t, KEPT) if node < len(t.nodes) else -1
    if first >= 0:
        slot = -1 - find(t, key)
        t.counters[NODES] = node + 1
        entry = t.nodes[node]
        entry.key = key
        entry.total = 0.0
        entry.visits = 0
        entry.first = first
        entry.count = 0
        entry.seat = t.stack[1].to_move
        t.slots[slot] = node + 1
    leave(t, WHOLE)
    return node if first >= 0 else -1


@rule
def take_edges(t: Tree, most: int) -> int:
    """Reserve this many edges; returns the first, or -1 if the memory is full."""
    first = int(t.counters[EDGES])
    if first + most > len(t.edges):
        return -1
    t.counters[EDGES] = first + most
    return first


@rule
def return_edges(t: Tree, used: int, end: int) -> None:
    """Give back the edges between these two, unless more were taken since."""
    enter(t, WHOLE)
    if t.counters[EDGES] == end:
        t.counters[EDGES] = used
    leave(t, WHOLE)


@rule
def utility(t: Tree, value: int) -> float:
    return float(1.0 / (1.0 + np.exp(-value / t.counters[SWING])))


@rule
def expand(t: Tree, node: int) -> None:
    """List the turns of a new node; the value of the best one is the result of the simulation."""
    entry = t.nodes[node]
    first = int(entry.first)
    count = list_from(t, False)
    full = count == 0
    if full:
        count = list_from(t, True)
    count = min(count, KEPT)
    for rank in range(count):
        write_edge(t, first + rank, rank, entry.seat)
    weigh(t, first, count)
    for seat in range(t.stack[1].players):
        t.utilities[seat] = utility(t, t.turns.values[t.turns.order[0], seat])
    held = lock_of(entry.key)
    enter(t, held)
    entry.guess = t.edges[first].guess
    entry.full = 1 if full else 0
    entry.count = count
    leave(t, held)
    return_edges(t, first + count, first + KEPT)


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
def weigh(t: Tree, first: int, count: int) -> None:
    """Normalise the priors of a node's turns, so that they add up to 1."""
    whole = 0.0
    for edge in range(first, first + count):
        whole += t.edges[edge].prior
    for edge in range(first, first + count):
        t.edges[edge].prior /= whole


@rule
def widen(t: Tree, node: int) -> None:
    """Add the turns that were left out, after those that are known, best first."""
    entry = t.nodes[node]
    known = int(entry.count)
    enter(t, WHOLE)
    first = take_edges(t, known + ROOM)
    leave(t, WHOLE)
    if first < 0:
        return
    count = list_from(t, True)
    entry.full = 1 if t.flag[0] == 0 else 0
    best = t.edges[entry.first].prior
    for i in range(known):
        t.edges[first + i] = t.edges[entry.first + i]
        t.edges[first + i].prior /= best
    end = first + known
    for rank in range(count):
        if not is_known(t, entry.first, known, rank):
            write_edge(t, end, rank, entry.seat)
            end += 1
    return_edges(t, end, first + known + ROOM)
    weigh(t, first, end - first)
    entry.first = first
    entry.count = end - first


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
    unknown = EXPLORATION * np.sqrt(parent.visits + 1.0)
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
    """Play from the root to a new position, or to one where nobody moves; returns the number of turns."""
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
        held = lock_of(key)
        enter(t, held)
        node = find(t, key)
        if node < 0:
            t.path[steps, 0] = add_node(t, key)
            leave(t, held)
            return steps
        wait_for_turns(t, node, held)
        edge = select(t, node)
        t.path[steps, 0] = node
        t.path[steps, 1] = edge - t.nodes[node].first
        steps += 1
        visits = int(t.edges[edge].visits)
        t.edges[edge].visits += 1
        t.nodes[node].visits += 1
        leave(t, held)
        play(t, edge)
    t.path[steps, 0] = -1
    return steps


@rule
def judge_leaf(t: Tree) -> None:
    """Evaluate the simulation's position without listing its turns."""
    s = t.stack[1]
    judge_state(t.turns, s, t.words[1])
    for seat in range(s.players):
        t.utilities[seat] = utility(t, t.turns.judged[seat])


@rule
def add_result(t: Tree, steps: int) -> None:
    """Add the result of a simulation to every decision on its path."""
    for step in range(steps):
        node = t.nodes[t.path[step, 0]]
        result = t.utilities[node.seat]
        held = lock_of(node.key)
        enter(t, held)
        node.total += result
        t.edges[node.first + t.path[step, 1]].total += result
        leave(t, held)
    enter(t, WHOLE)
    for seat in range(t.stack[0].players):
        t.worth[seat] += t.utilities[seat]
    t.counters[LONGEST] = max(t.counters[LONGEST], steps)
    leave(t, WHOLE)


@rule
def is_begun(t: Tree) -> bool:
    """Count one more simulation, unless the budget is used up."""
    enter(t, WHOLE)
    before = t.counters[SIMULATIONS]
    begun = before < 2 or (before < t.counters[LIMIT] and t.flag[0] == 0)
    if begun:
        t.counters[SIMULATIONS] = before + 1
    leave(t, WHOLE)
    return bool(begun)


@rule
def simulate(t: Tree) -> None:
    """One simulation: choose a path, evaluate its end, and add the result."""
    steps = descend(t)
    new = int(t.path[steps, 0])
    if new >= 0:
        expand(t, new)
    else:
        judge_leaf(t)
    add_result(t, steps)


@rule
def grow(t: Tree) -> None:
    """Simulate until the budget is used up."""
    while is_begun(t):
        simulate(t)


# --- results --------------------------------------------------------------------------------------------


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
