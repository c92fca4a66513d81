"""Factors shared between network inputs: training learns weights of factors, search adds up inputs.

Numbers have their amount in common, groups of all colours and patterns their size.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.contract import Factors
from azulejos.core.layout import Cells
from azulejos.games.queens_garden import features as f
from azulejos.games.queens_garden.components import FIELDS, PATTERNS, PLACES, STORAGE_SPACES

COUNTED: Final = (
    (f.JOKERS, STORAGE_SPACES), (f.TILES, STORAGE_SPACES), (f.FREE, f.MOST_FREE), (f.OPEN_PLACES, PLACES),
    (f.NAMES, FIELDS), (f.TAKE, PATTERNS), (f.TAKE_NEW, PATTERNS),
)
"""The first input of each number, and the largest number."""
GROUP: Final = f.SIDE_INPUTS
"""[hexagons - 2, beside a free cell]: of any field."""
KINDS: Final = GROUP + f.GROUP_KINDS
"""[hexagons - 1]: of any field."""
COUNTS: Final = KINDS + PATTERNS
"""[i]: the amount of a number."""


def side_factors() -> Cells:
    """[input, factor]: the amount of each factor in an input; every input is one itself."""
    factors = np.eye(f.SIDE_INPUTS, COUNTS + len(COUNTED), dtype=np.uint8)
    for field in range(FIELDS):
        for kind in range(f.GROUP_KINDS):
            factors[f.GROUP + field * f.GROUP_KINDS + kind, GROUP + kind] = 1
        for kind in range(PATTERNS):
            factors[f.KINDS + field * PATTERNS + kind, KINDS + kind] = 1
    for i, (first, most) in enumerate(COUNTED):
        factors[first : first + most, COUNTS + i] = range(1, most + 1)
    return factors


def table_factors() -> Cells:
    """The same for the table: every input, plus the number of pieces on offer."""
    factors = np.eye(f.TABLE_INPUTS, f.TABLE_INPUTS + 1, dtype=np.uint8)
    factors[f.OFFERED : f.OFFERED + f.MOST_OFFERED, f.TABLE_INPUTS] = range(1, f.MOST_OFFERED + 1)
    return factors


FACTORS: Final = Factors(side=side_factors(), table=table_factors())
