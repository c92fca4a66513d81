"""Fingerprints that avoid recomputing terms: most actions change one side and leave the others alone.

A game's `terms_of` writes into the same array again and again. Next to the terms of a side it can store a
fingerprint of everything they depend on, and skip the side while the fingerprint is unchanged.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.chance import seeded
from azulejos.core.jit import rule
from azulejos.core.layout import Cells

ROOM: Final = 160
"""The largest number of values in a fingerprint."""
MIX: Final = ((seeded(1, ROOM) >> np.uint64(18)) | np.uint64(1)).astype(np.int64)
"""A fingerprint is the sum of its values, each multiplied by one of these. They have 46 bits: sums cannot
overflow, and two different sides collide with a probability of about 1 in 2 ** 45."""


@rule
def fingerprint(cells: Cells, first: int) -> int:
    """The part of a fingerprint for a row of values, multiplied by MIX from `first` on."""
    mark = 0
    for i in range(len(cells)):
        mark += int(cells[i]) * MIX[first + i]
    return int(mark)
