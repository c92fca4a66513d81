"""What a search remembers of positions, in a table that several threads may share.

An entry is two words: the position's key xor what is known, and what is known. Threads write without
locks: an entry with one word of each fits no key.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from azulejos.core.jit import rule
from azulejos.core.layout import Cells

COMPLETE: Final = 127
"""The depth of an entry that no horizon cut short."""

# Bounds of a remembered value.
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2

OFFSET: Final = 1 << 30
"""Makes values positive."""


def make_table(bits: int) -> Cells:
    """[entry, 2]; 16 bytes an entry."""
    return np.zeros((1 << bits, 2), np.uint64)


@rule
def slot_of(table: Cells, key: Any) -> Any:
    return np.int64(key >> np.uint64(1)) & (len(table) - 1)


@rule
def recall(table: Cells, key: Any) -> int:
    """What is known of a position, or 0."""
    slot = slot_of(table, key)
    known = table[slot, 1]
    return int(np.int64(known)) if table[slot, 0] ^ known == key else 0


@rule
def remember(table: Cells, key: Any, value: int, action: int, depth: int, bound: int) -> None:
    slot = slot_of(table, key)
    known = np.uint64((value + OFFSET) << 32 | action << 16 | depth << 8 | bound)
    table[slot, 0] = key ^ known
    table[slot, 1] = known


@rule
def decides(known: int, alpha: int, beta: int) -> bool:
    """Whether a remembered value answers a search between alpha and beta."""
    bound = known & 0xFF
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
