"""What a network sees of a position of Azul: the inputs that are not zero, and how much of each.

Only games of two with a coloured wall and plain factories have networks. As in `evaluate`, a side is looked
at as if the round ended now.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path
from typing import Final

import numpy as np

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.games.azul.boards import colours_for
from azulejos.games.azul.evaluate import (
    COUNT,
    FIRST_BEGUN,
    FULL,
    cell_points,
    read_wall,
    tile_now,
)
from azulejos.games.azul.layout import EMPTY, FLOOR_SPACES, LINES, OFFER, WALL_COLUMN, State
from azulejos.parts.offer import COLOURS, FACTORIES, FACTORY_TILES

NETWORK: Final = Path(__file__).with_name("network.npz")

# --- networks: one for each round, between rounds (the round to begin) and within one ---------------------

FIRST_BETWEEN: Final = 2
LAST_BETWEEN: Final = 6
BETWEEN: Final = LAST_BETWEEN - FIRST_BETWEEN + 1
LAST_WITHIN: Final = 5
NETWORKS: Final = BETWEEN + LAST_WITHIN
GROUPS: Final = {"between": range(BETWEEN), "within": range(BETWEEN, NETWORKS)}
"""Networks that are trained together first."""

# --- inputs of a side: where each begins ------------------------------------------------------------------

POINTS: Final = 0
POOR: Final = 1
"""Fewer than 8 points: the floor cannot take what is not there."""
CELL: Final = 2
"""[row, column]: a tile."""
ROW: Final = CELL + LINES * LINES
"""[row, tiles - 1]."""
COLUMN: Final = ROW + LINES * LINES
"""[column, tiles - 1]."""
COLOUR: Final = COLUMN + LINES * LINES
"""[colour, tiles - 1]: tiles of a colour on the wall."""
NEAR: Final = COLOUR + LINES * COLOURS
"""[row]: points that its empty spaces would score now, all together."""
BEGUN: Final = NEAR + LINES
"""[line and tiles, colour]: the lines as in `evaluate.BEGUN`."""
LINE_POINTS: Final = BEGUN + 10 * COLOURS
"""[line]: points that the tile of a begun line would score now."""
LINE_COLUMN: Final = LINE_POINTS + LINES
"""[line, tiles]: tiles in the column that a begun line goes to."""
LINE_COLOUR: Final = LINE_COLUMN + LINES * LINES
"""[line, tiles]: tiles on the wall of the colour that a begun line holds."""
SHORTAGE: Final = LINE_COLOUR + LINES * LINES
"""[line]: tiles that it needs and that bag and lid do not hold."""
SCARCE: Final = SHORTAGE + LINES
"""[line]: tiles that it needs and that the bag does not hold."""
COMPLETE: Final = SCARCE + LINES
"""[line]: will go to the wall."""
ON_FLOOR: Final = COMPLETE + LINES
"""[pieces - 1]."""
FINISHABLE: Final = ON_FLOOR + FLOOR_SPACES
"""[line]: one source has enough for a begun line."""
EXACTLY: Final = FINISHABLE + LINES
"""[line]: and one has not more than that."""
FILLABLE: Final = EXACTLY + LINES
"""[line]: one source has enough of a colour for an empty line."""
SIDE_INPUTS: Final = FILLABLE + LINES

# --- inputs of the table ----------------------------------------------------------------------------------

BAG: Final = 0
"""[colour]: tiles in the bag."""
SUPPLY: Final = BAG + COLOURS
"""[colour]: in bag and lid."""
OFFERED: Final = SUPPLY + COLOURS
"""[colour]: in the factories and the centre."""
IN_CENTRE: Final = OFFERED + COLOURS
"""[colour, tiles - 1]: up to 6."""
MOST: Final = 6
MARKER_THERE: Final = IN_CENTRE + COLOURS * MOST
FACTORY: Final = MARKER_THERE + 1
"""[contents]: factories with these four tiles, in whatever place."""
CONTENTS: Final = 70
PILES: Final = FACTORY + CONTENTS
"""[piles - 1]: tiles of one colour at one source; that many moves at most. Up to 16."""
MOST_PILES: Final = 16
TABLE_INPUTS: Final = PILES + MOST_PILES


def _contents() -> Cells:
    """CONTENTS_OF[code]: which of the 70 ways to fill a factory; a code is its counts in base 5."""
    table = np.full(5**COLOURS, -1, np.int64)
    for number, tiles in enumerate(combinations_with_replacement(range(COLOURS), FACTORY_TILES)):
        table[sum(5**colour for colour in tiles)] = number
    return table


CONTENTS_OF: Final = _contents()


@rule
def network_for(s: State) -> int:
    if s.players != 2 or s.grey or s.special:
        return -1
    if s.stage == OFFER:
        return BETWEEN + min(s.round, LAST_WITHIN) - 1
    if s.stage < OFFER and s.round >= FIRST_BETWEEN and s.laid == 0:
        return min(s.round, LAST_BETWEEN) - FIRST_BETWEEN
    return -1


@rule
def viewpoint(s: State) -> int:
    """Who moves, or will move first."""
    return int(s.to_move if s.to_move >= 0 else s.starter)


@rule
def add(found: int, inputs: Cells, amounts: Cells, which: int, amount: int) -> int:
    inputs[found] = which
    amounts[found] = amount
    return found + 1


@rule
def side_inputs(s: State, seat: int, inputs: Cells, amounts: Cells) -> int:
    rows, columns, colours = read_wall(s, seat)
    rows, columns, colours, points = tile_now(s, seat, rows, columns, colours)
    found = add(0, inputs, amounts, POINTS, min(points, 255))
    if points < 8:
        found = add(found, inputs, amounts, POOR, 1)
    found = wall_inputs(rows, columns, colours, found, inputs, amounts)
    found = line_inputs(s, seat, rows, columns, colours, found, inputs, amounts)
    if s.stage == OFFER:
        found = offer_inputs(s, seat, found, inputs, amounts)
    return found


@rule
def wall_inputs(
    rows: int, columns: int, colours: int, found: int, inputs: Cells, amounts: Cells
) -> int:
    for i in range(LINES):
        row = rows >> LINES * i & FULL
        near = 0
        for column in range(LINES):
            if row >> column & 1:
                found = add(found, inputs, amounts, CELL + i * LINES + column, 1)
            else:
                near += cell_points(rows, columns, i, column)
        found = add(found, inputs, amounts, NEAR + i, near)
        found = add_count(int(COUNT[row]), ROW + i * LINES, found, inputs, amounts)
        tiles = int(COUNT[columns >> LINES * i & FULL])
        found = add_count(tiles, COLUMN + i * LINES, found, inputs, amounts)
        found = add_count(colours >> 3 * i & 7, COLOUR + i * LINES, found, inputs, amounts)
    return found


@rule
def add_count(count: int, first: int, found: int, inputs: Cells, amounts: Cells) -> int:
    """One input for each number from 1 on; none for 0."""
    if count == 0:
        return found
    return add(found, inputs, amounts, first + count - 1, 1)


@rule
def line_inputs(
    s: State, seat: int, rows: int, columns: int, colours: int, found: int, inputs: Cells, amounts: Cells
) -> int:
    for line in range(1, LINES):
        tiles = int(s.line_tiles[seat, line])
        if 0 < tiles <= line:
            colour = int(s.line_colour[seat, line])
            column = WALL_COLUMN[line][colour]
            begun = BEGUN + (FIRST_BEGUN[line] + tiles - 1) * COLOURS + colour
            found = add(found, inputs, amounts, begun, 1)
            points = cell_points(rows, columns, line, column)
            found = add(found, inputs, amounts, LINE_POINTS + line, points)
            in_column = int(COUNT[columns >> LINES * column & FULL])
            found = add(found, inputs, amounts, LINE_COLUMN + line * LINES + in_column, 1)
            of_colour = colours >> 3 * colour & 7
            found = add(found, inputs, amounts, LINE_COLOUR + line * LINES + of_colour, 1)
            missing = line + 1 - tiles - int(s.bag[colour])
            if missing > 0:
                found = add(found, inputs, amounts, SCARCE + line, missing)
                if missing > s.lid[colour]:
                    found = add(found, inputs, amounts, SHORTAGE + line, missing - int(s.lid[colour]))
    return found


@rule
def offer_inputs(s: State, seat: int, found: int, inputs: Cells, amounts: Cells) -> int:
    """What this round may still bring: piles that fit the lines, what is complete, what has fallen."""
    piles = piles_of(s)
    for line in range(LINES):
        tiles = int(s.line_tiles[seat, line])
        if tiles == line + 1:
            found = add(found, inputs, amounts, COMPLETE + line, 1)
            continue
        sizes = sizes_for(piles, colours_for(s, seat, line))
        needed = line + 1 - tiles
        if sizes >> needed == 0:
            continue
        if tiles == 0:
            found = add(found, inputs, amounts, FILLABLE + line, 1)
        else:
            found = add(found, inputs, amounts, FINISHABLE + line, 1)
            if sizes >> needed & 1:
                found = add(found, inputs, amounts, EXACTLY + line, 1)
    fallen = 0
    for space in range(FLOOR_SPACES):
        if s.floor[seat, space] != EMPTY:
            fallen += 1
    return add_count(fallen, ON_FLOOR, found, inputs, amounts)


SIZES: Final = 7
"""Sizes of piles that are told apart, 0 to 6 and more; the sizes of a colour's piles are bits."""


@rule
def piles_of(s: State) -> int:
    """Bit colour * SIZES + size: there is a pile of this size."""
    piles = 0
    for colour in range(COLOURS):
        piles |= 1 << (colour * SIZES + min(int(s.centre[colour]), SIZES - 1))
        for place in range(FACTORIES[s.players]):
            piles |= 1 << (colour * SIZES + min(int(s.factories[place, colour]), SIZES - 1))
    return piles


@rule
def sizes_for(piles: int, colours: int) -> int:
    """The sizes of the piles of some colours, as bits."""
    sizes = 0
    for colour in range(COLOURS):
        if colours >> colour & 1:
            sizes |= piles >> colour * SIZES & (1 << SIZES) - 1
    return sizes


@rule
def table_inputs(s: State, inputs: Cells, amounts: Cells) -> int:
    found = 0
    for colour in range(COLOURS):
        in_bag = int(s.bag[colour])
        found = add(found, inputs, amounts, BAG + colour, in_bag)
        found = add(found, inputs, amounts, SUPPLY + colour, in_bag + int(s.lid[colour]))
    if s.stage != OFFER:
        return found
    if s.marker < 0:
        found = add(found, inputs, amounts, MARKER_THERE, 1)
    return source_inputs(s, found, inputs, amounts)


@rule
def source_inputs(s: State, found: int, inputs: Cells, amounts: Cells) -> int:
    piles = 0
    for place in range(FACTORIES[s.players]):
        code = 0
        power = 1
        for colour in range(COLOURS):
            tiles = int(s.factories[place, colour])
            piles += 1 if tiles > 0 else 0
            code += tiles * power
            power *= 5
        if code > 0 and CONTENTS_OF[code] >= 0:
            found = add(found, inputs, amounts, FACTORY + int(CONTENTS_OF[code]), 1)
    for colour in range(COLOURS):
        tiles = int(s.centre[colour])
        piles += 1 if tiles > 0 else 0
        found = add_count(min(tiles, MOST), IN_CENTRE + colour * MOST, found, inputs, amounts)
        offered = tiles
        for place in range(FACTORIES[s.players]):
            offered += int(s.factories[place, colour])
        if offered > 0:
            found = add(found, inputs, amounts, OFFERED + colour, offered)
    return add_count(min(piles, MOST_PILES), PILES, found, inputs, amounts)
