"""What evaluations share: fingerprints of what they depend on, and weights in the folder of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from azulejos.core.chance import mixed
from azulejos.core.grid import table
from azulejos.core.jit import rule
from azulejos.core.late import np
from azulejos.core.layout import Cells

# --- fingerprints: most actions change one side and leave the others alone ------------------------------
#
# A game's `terms_of` writes into the same array again and again. Next to the terms of a side it can store a
# fingerprint of everything they depend on, and skip the side while the fingerprint is unchanged.

ROOM: Final = 160
"""The largest number of values in a fingerprint."""
MIX: Final[Cells] = table([number >> 18 | 1 for number in mixed(1, ROOM)], "i8")
"""A fingerprint is the sum of its values, each multiplied by one of these. They have 46 bits: sums cannot
overflow, and two different sides collide with a probability of about 1 in 2 ** 45."""


@rule
def fingerprint(cells: Cells, first: int) -> int:
    """The part of a fingerprint for a row of values, multiplied by MIX from `first` on."""
    mark = 0
    for i in range(len(cells)):
        mark += int(cells[i]) * MIX[first + i]
    return int(mark)


# --- weights ----------------------------------------------------------------------------------------------


def read_weights(path: Path) -> Cells:
    """Read weights written by `azulejos fit`: [phase, term], hundredths of a point."""
    with np.load(path) as file:
        weights: Cells = file["fitted"].astype(np.int32)
    return weights


def write_weights(path: Path, weights: Cells) -> None:
    np.savez_compressed(path, fitted=weights.astype(np.int16))
