"""The transposition table of a search, which several threads may share.

An entry is two words: the position's key xor the data, and the data. Threads write without locks: an entry
with one word from each of two threads matches no key.

A position has two places. The first holds the entry that took more nodes, the second the latest one. An
entry loses weight each time it defends the first place, so entries that are no longer used are replaced.
"""

from __future__ import annotations

from typing import Any, Final

from azulejos.core.jit import rule
from azulejos.core.late import np
from azulejos.core.layout import Cells

COMPLETE: Final = 127
"""The depth of an entry that no depth limit cut short."""

# Kinds of bound of a stored value.
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2

OFFSET: Final = 1 << 30
"""Makes values positive."""
EFFORT: Final = 3
"""First bit of the effort, the logarithm of the nodes: five bits above the bound."""
MOST_EFFORT: Final = 31


def make_transpositions(bits: int) -> Cells:
    """[entry, 2]; 16 bytes an entry."""
    return np.zeros((1 << bits, 2), np.uint64)


@rule
def slot_of(table: Cells, key: Any) -> Any:
    """The first place of a position; the second is the next one."""
    return np.int64(key >> np.uint64(1)) & (len(table) - 2)


@rule
def recall(table: Cells, key: Any) -> int:
    """The data of a position, or 0."""
    slot = slot_of(table, key)
    known = table[slot, 1]
    if table[slot, 0] ^ known != key:
        slot += 1
        known = table[slot, 1]
    return int(np.int64(known)) if table[slot, 0] ^ known == key else 0


@rule
def remember(table: Cells, key: Any, value: int, action: int, depth: int, bound: int, nodes: int) -> None:
    slot = slot_of(table, key)
    effort = effort_of(nodes)
    if not gives_way(table, slot, key, effort):
        slot += 1
    known = np.uint64((value + OFFSET) << 32 | action << 16 | depth << 8 | effort << EFFORT | bound)
    table[slot, 0] = key ^ known
    table[slot, 1] = known


@rule
def effort_of(nodes: int) -> int:
    effort = 0
    while nodes > 1 and effort < MOST_EFFORT:
        nodes >>= 1
        effort += 1
    return effort


@rule
def gives_way(table: Cells, slot: int, key: Any, effort: int) -> bool:
    """Whether a position may use a first place: the entry there moves to the second, or defends it."""
    known = table[slot, 1]
    owner = table[slot, 0] ^ known
    if owner == key:
        return True
    if effort >= known_effort(int(np.int64(known))):
        table[slot + 1, 0] = table[slot, 0]
        table[slot + 1, 1] = known
        return True
    weaker = known - np.uint64(1 << EFFORT)
    table[slot, 0] = owner ^ weaker
    table[slot, 1] = weaker
    return False


@rule
def decides(known: int, alpha: int, beta: int) -> bool:
    """Whether a stored value answers a search between alpha and beta."""
    bound = known & (1 << EFFORT) - 1
    value = known_value(known)
    return bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)


@rule
def known_value(known: int) -> int:
    return (known >> 32) - OFFSET


@rule
def known_action(known: int) -> int:
    return known >> 16 & 0xFFFF


@rule
def known_depth(known: int) -> int:
    return known >> 8 & 0xFF


@rule
def known_effort(known: int) -> int:
    return known >> EFFORT & MOST_EFFORT
