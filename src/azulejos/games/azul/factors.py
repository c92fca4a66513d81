"""What the inputs of a network have in common: training learns about factors, a search adds inputs.

Every input stands for some factors: a row of the wall for each of its tiles, for their number, and for the
points beside them. A network that has seen few rows with just these tiles knows them nevertheless.
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

CELL: Final = 0
"""[row, column]: a tile."""
ROW_COUNT: Final = CELL + LINES * LINES
"""[row, tiles - 1]."""
COLUMN_COUNT: Final = ROW_COUNT + LINES * LINES
"""[column, tiles - 1]."""
ACROSS: Final = COLUMN_COUNT + LINES * LINES
"""[row]: what its empty spaces would score across, all together."""
DOWN: Final = ACROSS + LINES
"""[row]: what they would score down. Spaces of upper rows are sooner reached."""
LINE_COLUMN: Final = DOWN + LINES
"""[line, tiles]: tiles in the column that a begun line goes to."""
LINE_COLOUR: Final = LINE_COLUMN + LINES * LINES
"""[line, tiles]: tiles on the wall of the colour that it holds."""
FLAGS: Final = LINE_COLOUR + LINES * LINES
"""[kind, line]: complete, finishable, exactly, fillable, one way."""
FITTING: Final = FLAGS + 5 * LINES
"""[line, colour]: a pile just fills the empty line."""
HOMELESS: Final = FITTING + LINES * COLOURS
"""Piles that no line may take."""
OTHERS: Final = HOMELESS + 1
"""The inputs that stand for themselves."""


def points_at(tiles: int, at: int) -> int:
    """What a space of a row or column would score for it; a lonely tile scores nothing for it."""
    run = 0 if tiles >> at & 1 else int(RUN[tiles, at])
    return run if run > 1 else 0


def side_factors() -> Cells:
    """[input, factor]: how much of a factor there is in an input."""
    alone = [f.POINTS, f.POOR, *range(f.COLOUR, f.LINE_FIT), *range(f.SHORTAGE, f.COMPLETE),
             *range(f.ON_FLOOR, f.FITTING), *range(f.FIT_POINTS, f.ONE_WAY),
             *range(f.HOMELESS, f.SIDE_INPUTS)]
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
            for colour in range(COLOURS):
                fitting[FITTING + line * COLOURS + colour] = colours >> colour & 1
    factors[f.HOMELESS : f.BEGINS, HOMELESS] = range(1, f.MOST_HOMELESS + 1)
    return factors


def table_factors() -> Cells:
    """The same for the table: every input, and the offered tiles of each colour."""
    factors = np.eye(f.TABLE_INPUTS, f.TABLE_INPUTS + COLOURS, dtype=np.uint8)
    for code in np.flatnonzero(f.CONTENTS_OF >= 0):
        factors[f.FACTORY + f.CONTENTS_OF[code], f.TABLE_INPUTS :] = f.digits(int(code))
    for colour in range(COLOURS):
        for tiles in range(1, f.MOST + 1):
            factors[f.IN_CENTRE + colour * f.MOST + tiles - 1, f.TABLE_INPUTS + colour] = tiles
    return factors


FACTORS: Final = Factors(side=side_factors(), table=table_factors())
