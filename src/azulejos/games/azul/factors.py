"""Factors shared between network inputs: training learns weights of factors, search adds up inputs.

Every input is a sum of factors: a row of the wall consists of its tiles, their number, and the points of
the spaces beside them. A network can therefore judge a row that it has rarely seen in training.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.contract import Factors
from azulejos.core.layout import Cells
from azulejos.games.azul import features as f
from azulejos.games.azul.evaluate import COUNT, RUN
from azulejos.games.azul.layout import LINES
from azulejos.parts.offer import COLOURS
from azulejos.parts.offer_inputs import MOST, OFFER_INPUTS, offer_factors

CELL: Final = 0
"""[row, column]: a tile."""
ROW_COUNT: Final = CELL + LINES * LINES
"""[row, tiles - 1]."""
COLUMN_COUNT: Final = ROW_COUNT + LINES * LINES
"""[column, tiles - 1]."""
ACROSS: Final = COLUMN_COUNT + LINES * LINES
"""[row]: total of what its empty spaces would score horizontally."""
DOWN: Final = ACROSS + LINES
"""[row]: total of what they would score vertically. Spaces in upper rows are filled sooner."""
LINE_COLUMN: Final = DOWN + LINES
"""[line, tiles]: tiles in the column that a begun line will go to."""
LINE_COLOUR: Final = LINE_COLUMN + LINES * LINES
"""[line, tiles]: wall tiles of the colour that a begun line holds."""
FLAGS: Final = LINE_COLOUR + LINES * LINES
"""[kind, line]: complete, finishable, exactly, fillable, one way."""
FITTING: Final = FLAGS + 5 * LINES
"""[line, colour]: a pile fills the empty line exactly."""
HOMELESS: Final = FITTING + LINES * COLOURS
"""Piles that no line accepts."""
ROW_COLOUR: Final = HOMELESS + 1
"""[row, colour]: the colour is in the row of a grey wall."""
COLUMN_COLOUR: Final = ROW_COLOUR + LINES * COLOURS
"""[column, colour]: the same for its columns."""
OTHERS: Final = COLUMN_COLOUR + LINES * COLOURS
"""Inputs that are factors themselves."""


def points_at(tiles: int, at: int) -> int:
    """Points that a space would score for its row or column alone; 0 without a neighbouring tile."""
    run = 0 if tiles >> at & 1 else int(RUN[tiles, at])
    return run if run > 1 else 0


def side_factors() -> Cells:
    """[input, factor]: the amount of each factor in an input."""
    alone = [f.POINTS, f.POOR, *range(f.COLOUR, f.LINE_FIT), *range(f.SHORTAGE, f.COMPLETE),
             *range(f.ON_FLOOR, f.FITTING), *range(f.FIT_POINTS, f.ONE_WAY),
             *range(f.HOMELESS, f.ROW_COLOURS), *range(f.DISC, f.SIDE_INPUTS)]
    factors = np.zeros((f.SIDE_INPUTS, OTHERS + len(alone)), np.uint8)
    factors[alone, OTHERS + np.arange(len(alone))] = 1
    for i in range(LINES):
        for tiles in range(1, f.SETS):
            row, column = factors[f.ROW + i * f.SETS + tiles], factors[f.COLUMN + i * f.SETS + tiles]
            row[ROW_COUNT + i * LINES + COUNT[tiles] - 1] = 1
            column[COLUMN_COUNT + i * LINES + COUNT[tiles] - 1] = 1
            for at in range(LINES):
                row[CELL + i * LINES + at] = tiles >> at & 1
                row[ACROSS + i] += points_at(tiles, at)
                column[DOWN + at] = points_at(tiles, at)
        for fit in range(f.FITS):
            begun = factors[f.LINE_FIT + i * f.FITS + fit]
            begun[LINE_COLUMN + i * LINES + fit // LINES] = 1
            begun[LINE_COLOUR + i * LINES + fit % LINES] = 1
    for kind, first in enumerate((f.COMPLETE, f.FINISHABLE, f.EXACTLY, f.FILLABLE, f.ONE_WAY)):
        for lines in range(1, f.SETS):
            for line in range(LINES):
                factors[first + lines, FLAGS + kind * LINES + line] = lines >> line & 1
    for line in range(LINES):
        for colours in range(1, f.SETS):
            fitting = factors[f.FITTING + line * f.SETS + colours]
            in_row = factors[f.ROW_COLOURS + line * f.SETS + colours]
            in_column = factors[f.COLUMN_COLOURS + line * f.SETS + colours]
            for colour in range(COLOURS):
                fitting[FITTING + line * COLOURS + colour] = colours >> colour & 1
                in_row[ROW_COLOUR + line * COLOURS + colour] = colours >> colour & 1
                in_column[COLUMN_COLOUR + line * COLOURS + colour] = colours >> colour & 1
    factors[f.HOMELESS : f.BEGINS, HOMELESS] = range(1, f.MOST_HOMELESS + 1)
    return factors


def table_factors() -> Cells:
    """The same for the table: every input, plus the number of offered tiles of each colour."""
    factors = np.eye(f.TABLE_INPUTS, f.TABLE_INPUTS + COLOURS, dtype=np.uint8)
    offered = slice(f.ON_OFFER, f.ON_OFFER + OFFER_INPUTS)
    factors[offered, f.TABLE_INPUTS :] = offer_factors()[:, OFFER_INPUTS:]
    for colour in range(COLOURS):
        odd = f.ODD + colour * MOST
        factors[odd : odd + MOST, f.TABLE_INPUTS + colour] = range(1, MOST + 1)
    return factors


FACTORS: Final = Factors(side=side_factors(), table=table_factors())
