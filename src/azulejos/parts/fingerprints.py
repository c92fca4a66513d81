"""Sides that were looked at before: most actions change one side of a table and leave the others alone.

A game's `terms_of` writes into the same place again and again. Beside the terms of a side it may note a
fingerprint of all they come from, and leave them alone while that stays the same.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.chance import seeded
from azulejos.core.jit import rule
from azulejos.core.layout import Cells

ROOM: Final = 160
"""Numbers that a fingerprint is made of, at most."""
MIX: Final = ((seeded(1, ROOM) >> np.uint64(18)) | np.uint64(1)).astype(np.int64)
"""A fingerprint is the sum of its numbers, each times one of these. They have 46 bits, so that nothing
overflows and that two sides have the same one as rarely as 1 in 2 ** 45."""


@rule
def fingerprint(cells: Cells, first: int) -> int:
    """Of a row of numbers, multiplied by MIX from `first` on."""
    mark = 0
    for i in range(len(cells)):
        mark += int(cells[i]) * MIX[first + i]
    return int(mark)
