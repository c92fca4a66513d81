"""Factors shared between network inputs: training learns weights of factors, search adds up inputs.

A set of windows consists of its windows and their number, the state of a strip of what it lacks.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.contract import Factors
from azulejos.core.layout import Cells
from azulejos.games.stained_glass import features as f
from azulejos.games.stained_glass.components import STRIP_SPACES, WINDOWS
from azulejos.parts.offer import COLOURS
from azulejos.parts.offer_inputs import OFFER_INPUTS, offer_factors

SETS: Final = (f.UPPERS, f.LOWERS, f.FINISHABLE, f.EXACTLY)
IN_SET: Final = 0
"""[set, window]"""
SIZE: Final = IN_SET + len(SETS) * WINDOWS
"""[set, windows - 1]"""
LACKING: Final = SIZE + len(SETS) * WINDOWS
"""[upper space filled, spaces missing - 1]: of any window."""
KINDS: Final = LACKING + 2 * STRIP_SPACES
"""[spaces missing - 1, kinds missing - 1]: of any window."""
AT_WINDOW: Final = KINDS + STRIP_SPACES**2
"""[window, upper space filled, spaces missing - 1]"""
FIT: Final = AT_WINDOW + WINDOWS * 2 * STRIP_SPACES
"""[panes - 1]: of any window."""
COUNTS: Final = FIT + STRIP_SPACES
"""Amounts of HOMELESS, BEST, COMPLETE and, by colour, COLOUR."""
OTHERS: Final = COUNTS + 3 + COLOURS
"""Inputs that are factors themselves."""


def side_factors() -> Cells:
    """[input, factor]: the amount of each factor in an input."""
    alone = [*range(f.UPPERS), *range(f.NEED, f.FINISHABLE), *range(f.HOMELESS, f.SIDE_INPUTS)]
    factors = np.zeros((f.SIDE_INPUTS, OTHERS + len(alone)), np.uint8)
    factors[alone, OTHERS + np.arange(len(alone))] = 1
    for kind, first in enumerate(SETS):
        for windows in range(1, f.SETS):
            factors[first + windows, SIZE + kind * WINDOWS + windows.bit_count() - 1] = 1
            for window in range(WINDOWS):
                factors[first + windows, IN_SET + kind * WINDOWS + window] = windows >> window & 1
    for window in range(WINDOWS):
        for state in range(f.STRIP_STATES):
            strip = factors[f.STRIP + window * f.STRIP_STATES + state]
            upper, lacking = divmod(state // STRIP_SPACES, STRIP_SPACES)
            strip[LACKING + upper * STRIP_SPACES + lacking] = 1
            strip[KINDS + lacking * STRIP_SPACES + state % STRIP_SPACES] = 1
            strip[AT_WINDOW + (window * 2 + upper) * STRIP_SPACES + lacking] = 1
        for panes in range(STRIP_SPACES):
            factors[f.FIT + window * STRIP_SPACES + panes, FIT + panes] = 1
    count(factors, f.HOMELESS, f.MOST_HOMELESS, COUNTS)
    count(factors, f.BEST, 2 * WINDOWS, COUNTS + 1)
    count(factors, f.COMPLETE, WINDOWS, COUNTS + 2)
    for colour in range(COLOURS):
        count(factors, f.COLOUR + colour * 2 * WINDOWS, 2 * WINDOWS, COUNTS + 3 + colour)
    return factors


def count(factors: Cells, first: int, most: int, factor: int) -> None:
    """The inputs from `first` on are the numbers 1 to `most`."""
    factors[first : first + most, factor] = range(1, most + 1)


def table_factors() -> Cells:
    """The same for the table: every input, plus the number of offered panes of each colour."""
    factors = np.eye(f.TABLE_INPUTS, f.TABLE_INPUTS + COLOURS, dtype=np.uint8)
    offered = slice(f.ON_OFFER, f.ON_OFFER + OFFER_INPUTS)
    factors[offered, f.TABLE_INPUTS :] = offer_factors()[:, OFFER_INPUTS:]
    return factors


FACTORS: Final = Factors(side=side_factors(), table=table_factors())
