"""The memory of the tree search: positions, their turns, and the locks of threads that share a tree.

A position is found by its hash in `slots`; its turns are consecutive in `edges`. A node is read and changed
by one thread at a time, which holds the lock of its key. What belongs to the whole tree has another lock,
and a thread that holds it waits for no other. As long as one thread grows a tree, nothing is locked.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from azulejos.core import layout
from azulejos.core.jit import Binding, by_reference, rule
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.verbs import MAX_SEATS
from azulejos.engine.mutex import let_others_run, lock, make_locks, unlock
from azulejos.engine.network import Network
from azulejos.engine.turns import MAX_TURN, Turns, turns_of
from azulejos.engine.workspace import make_stack

MAX_PATH: Final = 128
"""Most turns of one simulation."""
KEPT: Final = 32
"""Turns kept from the first listing; more turns come from a listing without the shortlist."""
NODE_LOCKS: Final = 256
"""A power of two."""
WHOLE: Final = NODE_LOCKS
"""The lock of the whole tree."""

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

NODE: Final = (
    ("key", "u8"), ("total", "f8"), ("guess", "f4"), ("visits", "i4"), ("first", "i4"), ("count", "i4"),
    ("seat", "i1"), ("full", "i1"),
)
"""`guess`: the value of the best turn; `count`: 0 while its turns are being listed; `full`: all turns are
listed."""
EDGE: Final = (
    ("total", "f8"), ("visits", "i4"), ("prior", "f4"), ("guess", "f4"), ("length", "i2"),
    ("actions", "i2", (MAX_TURN,)),
)


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


MOST_BITS: Final = 18
"""250 MB, of which the system provides what is written: Azul with four seats fills it in three seconds."""
FEWEST_BITS: Final = 8
"""A megabyte."""


def bits_for(simulations: int) -> int:
    """How large a tree has to be: a simulation adds a node at most, with 32 turns at first."""
    return min(MOST_BITS, max(FEWEST_BITS, simulations.bit_length() + 2))


def make_tree(
    binding: Binding, weights: Cells, *, node_bits: int = MOST_BITS, network: Network | None = None
) -> Tree:
    """Memory for a search with these functions: for 2 ** node_bits positions."""
    return binding.hold(Tree(
        nodes=np.zeros(1 << node_bits, binding.records(NODE)),
        edges=np.zeros(16 << node_bits, binding.records(EDGE)),
        slots=np.zeros(2 << node_bits, np.int32),
        counters=np.zeros(COUNTERS, np.int64),
        worth=np.zeros(MAX_SEATS, np.float64),
        locks=make_locks(NODE_LOCKS + 1),
        **_for_one_thread(binding, weights, network),
    ), empty=("nodes", "edges", "slots", "notes"))


def make_helper(binding: Binding, tree: Tree, weights: Cells, *, network: Network | None = None) -> Tree:
    """The same tree, for another thread."""
    return tree._replace(**_for_one_thread(binding, weights, network))


def _for_one_thread(binding: Binding, weights: Cells, network: Network | None) -> dict[str, Any]:
    """What a simulation writes before its result."""
    game = binding.game
    stack, words = make_stack(binding, 2)
    turns = turns_of(binding, weights, network=network)
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
