"""Network inputs for a position of Azul: the non-zero inputs and their amounts.

As in `evaluate`, a side is viewed as if the round ended now. Each input costs time, so there are few: a
whole row of the wall is one input. factors.py lists what different rows have in common. New inputs are
added at the end: networks that were trained without them still fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from azulejos.core.contract import Features
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.games.azul.evaluate import (
    COUNT, FIRST_BEGUN, FULL, cell_points, read_wall, target_column, tile_now,
)
from azulejos.games.azul.layout import (
    EMPTY, FLOOR_SPACES, LINES, OFFER, OPEN_DISC, SPLIT, STAY, TILING, ZERO, State,
)
from azulejos.parts.bag import total
from azulejos.parts.evaluation import MIX
from azulejos.parts.offer import COLOURS, FACTORIES, FACTORY_TILES, spread_table
from azulejos.parts.offer_inputs import (
    EACH, MARKER_THERE, MASK, MOST, OFFER_INPUTS, PILE_BITS, SIZES, SIZES_IN, add, add_count, add_set,
    piles_of, source_inputs,
)

NETWORKS_FOLDER: Final = Path(__file__).with_name("networks")

# --- networks: one per round, between rounds (by the next round) and within a round ---------------------

FIRST_BETWEEN: Final = 2
LAST_BETWEEN: Final = 6
BETWEEN: Final = LAST_BETWEEN - FIRST_BETWEEN + 1
LAST_WITHIN: Final = 5
NETWORKS: Final = BETWEEN + LAST_WITHIN
GROUPS: Final = {"between": range(BETWEEN), "within": range(BETWEEN, NETWORKS)}
"""Networks that are first trained together."""

# --- inputs of a side: where each begins ----------------------------------------------------------------

SETS: Final = 1 << LINES
"""Number of sets of columns, rows or lines, as bit sets."""

POINTS: Final = 0
POOR: Final = 1
"""1 with fewer than 8 points: a floor penalty may then cost less than its face value."""
ROW: Final = 2
"""[row, set of columns]: the tiles of a row."""
COLUMN: Final = ROW + LINES * SETS
"""[column, set of rows]: the tiles of a column."""
COLOUR: Final = COLUMN + LINES * SETS
"""[colour, tiles - 1]: wall tiles of a colour."""
BEGUN: Final = COLOUR + COLOURS * LINES
"""[line and tiles, colour]: begun lines, numbered as in `evaluate.BEGUN`."""
LINE_POINTS: Final = BEGUN + 10 * COLOURS
"""[line]: points that the tile of a begun line would score now."""
LINE_FIT: Final = LINE_POINTS + LINES
"""[line, tiles, tiles]: tiles in the column that a begun line will go to, and wall tiles of its colour."""
FITS: Final = LINES * LINES
SHORTAGE: Final = LINE_FIT + LINES * FITS
"""[line]: tiles that the line needs and that are in neither the bag nor the lid."""
SCARCE: Final = SHORTAGE + LINES
"""[line]: tiles that the line needs and that are not in the bag."""
COMPLETE: Final = SCARCE + LINES
"""[set of lines]: complete, so tiled at the end of the round."""
FINISHABLE: Final = COMPLETE + SETS
"""[set of lines]: begun, and a source has enough tiles to complete the line."""
EXACTLY: Final = FINISHABLE + SETS
"""[set of lines]: begun, and a source has exactly enough tiles."""
FILLABLE: Final = EXACTLY + SETS
"""[set of lines]: empty, and a source has enough tiles of an accepted colour."""
ON_FLOOR: Final = FILLABLE + SETS
"""[pieces - 1]: pieces on the floor line."""
FITTING: Final = ON_FLOOR + FLOOR_SPACES
"""[line, set of colours]: empty, and a source has exactly enough tiles of these colours."""
FIT_POINTS: Final = FITTING + LINES * SETS
"""[line]: points for the best colour of FITTING."""
ONE_WAY: Final = FIT_POINTS + LINES
"""[set of lines]: empty, and only one combination of colour and pile size is large enough."""
HOMELESS: Final = ONE_WAY + SETS
"""[piles - 1]: different combinations of colour and size on offer that no line accepts. At most 12."""
MOST_HOMELESS: Final = 12
BEGINS: Final = HOMELESS + MOST_HOMELESS
"""Holds the marker and starts the next round."""
ROW_COLOURS: Final = BEGINS + 1
"""[row, set of colours]: the colours of a row of a grey wall, ..."""
COLUMN_COLOURS: Final = ROW_COLOURS + LINES * SETS
"""... and of a column."""
DISC: Final = COLUMN_COLOURS + LINES * SETS
"""Has taken the ZERO disc, and nothing is on it yet."""
DISTANCE: Final = DISC + 1
"""[turns - 1]: turns until the seat's next one, with more than two seats."""
SIDE_INPUTS: Final = DISTANCE + 3

# --- inputs of the table --------------------------------------------------------------------------------

BAG: Final = 0
"""[colour]: tiles in the bag, between rounds."""
SUPPLY: Final = BAG + COLOURS
"""[colour]: tiles in the bag and the lid, between rounds."""
ON_OFFER: Final = SUPPLY + COLOURS
"""What lies in the centre and on factories (`parts.offer_inputs`)."""
ODD: Final = ON_OFFER + OFFER_INPUTS
"""[colour, tiles - 1]: tiles on special factories that do not hold exactly four. At most 6."""
AT_DISC: Final = ODD + COLOURS * MOST
"""[STAY, SPLIT or ZERO, colour]: tiles of these colours lie on such a factory."""
DISC_TILES: Final = AT_DISC + 3 * COLOURS
"""[STAY, SPLIT or ZERO, tiles - 1]: tiles on such a factory. At most 6."""
TABLE_INPUTS: Final = DISC_TILES + 3 * MOST


@rule
def network_for(s: State) -> int:
    if s.stage == OFFER or s.stage == TILING:
        return BETWEEN + min(s.round, LAST_WITHIN) - 1
    if s.stage < OFFER and s.round >= FIRST_BETWEEN and s.laid == 0:
        return min(s.round, LAST_BETWEEN) - FIRST_BETWEEN
    return -1


@rule
def viewpoint(s: State) -> int:
    """The seat to move, or the one that will start the round."""
    return int(s.to_move if s.to_move >= 0 else s.starter)


@rule
def side_inputs(s: State, seat: int, inputs: Cells, amounts: Cells) -> int:
    wall, columns, colours = read_wall(s, seat)
    rows, columns, colours, points = tile_now(s, seat, wall, columns, colours)
    found = add(0, inputs, amounts, POINTS, min(points, 255))
    if points < 8:
        found = add(found, inputs, amounts, POOR, 1)
    for i in range(LINES):
        found = add_set(found, inputs, amounts, ROW + i * SETS, rows >> LINES * i & FULL)
        found = add_set(found, inputs, amounts, COLUMN + i * SETS, columns >> LINES * i & FULL)
        found = add_count(found, inputs, amounts, COLOUR + i * LINES, colours >> 3 * i & 7)
    found = line_inputs(s, seat, rows, columns, colours, found, inputs, amounts)
    if s.grey:
        found = grey_inputs(s, seat, found, inputs, amounts)
    if s.players > 2:
        turns = (seat - viewpoint(s)) % int(s.players)
        found = add_count(found, inputs, amounts, DISTANCE, turns)
    if s.stage >= OFFER:
        found = offer_inputs(s, seat, rows, columns, found, inputs, amounts)
    return found


@rule
def grey_inputs(s: State, seat: int, found: int, inputs: Cells, amounts: Cells) -> int:
    """The colours of rows, with those of complete lines, and of columns."""
    for i in range(LINES):
        in_row = 0
        in_column = 0
        if s.line_tiles[seat, i] == i + 1:
            in_row = 2 << int(s.line_colour[seat, i])
        for j in range(LINES):
            in_row |= 1 << int(s.wall[seat, i, j])
            in_column |= 1 << int(s.wall[seat, j, i])
        found = add_set(found, inputs, amounts, ROW_COLOURS + i * SETS, in_row >> 1)
        found = add_set(found, inputs, amounts, COLUMN_COLOURS + i * SETS, in_column >> 1)
    return found


@rule
def line_inputs(
    s: State, seat: int, rows: int, columns: int, colours: int, found: int, inputs: Cells, amounts: Cells
) -> int:
    for line in range(1, LINES):
        tiles = int(s.line_tiles[seat, line])
        if 0 < tiles <= line:
            colour = int(s.line_colour[seat, line])
            column = target_column(s, seat, line, colour, rows, columns)
            begun = BEGUN + (FIRST_BEGUN[line] + tiles - 1) * COLOURS + colour
            found = add(found, inputs, amounts, begun, 1)
            if column >= 0:
                points = cell_points(rows, columns, line, column)
                found = add(found, inputs, amounts, LINE_POINTS + line, points)
                fit = int(COUNT[columns >> LINES * column & FULL]) * LINES + (colours >> 3 * colour & 7)
                found = add(found, inputs, amounts, LINE_FIT + line * FITS + fit, 1)
            missing = line + 1 - tiles - int(s.bag[colour])
            if missing > 0:
                found = add(found, inputs, amounts, SCARCE + line, missing)
                if missing > s.lid[colour]:
                    found = add(found, inputs, amounts, SHORTAGE + line, missing - int(s.lid[colour]))
    return found


@rule
def offer_inputs(
    s: State, seat: int, rows: int, columns: int, found: int, inputs: Cells, amounts: Cells
) -> int:
    """Prospects of this round: piles that fit the lines, complete lines, pieces on the floor line."""
    piles = piles_of(s.factories, s.centre, FACTORIES[s.players])
    complete = 0
    finishable = 0
    exactly = 0
    fillable = 0
    one_way = 0
    every = 0
    for line in range(LINES):
        tiles = int(s.line_tiles[seat, line])
        homes = homes_of(s, seat, line)
        every |= homes
        if tiles == line + 1:
            complete |= 1 << line
        elif tiles > 0:
            sizes = piles >> int(s.line_colour[seat, line]) * SIZES & MASK
            finishable |= int(sizes >> line + 1 - tiles > 0) << line
            exactly |= (sizes >> line + 1 - tiles & 1) << line
        else:
            enough = enough_for(piles, line, homes)
            fillable |= int(enough > 0) << line
            one_way |= int(is_one(enough)) << line
            fitting = fitting_colours(piles, line, homes)
            found = add_set(found, inputs, amounts, FITTING + line * SETS, fitting)
            best = best_points(s, seat, rows, columns, line, fitting)
            found = add(found, inputs, amounts, FIT_POINTS + line, best)
    found = add_set(found, inputs, amounts, COMPLETE, complete)
    found = add_set(found, inputs, amounts, FINISHABLE, finishable)
    found = add_set(found, inputs, amounts, EXACTLY, exactly)
    found = add_set(found, inputs, amounts, FILLABLE, fillable)
    found = add_set(found, inputs, amounts, ONE_WAY, one_way)
    found = add_count(found, inputs, amounts, HOMELESS, homeless(piles, every))
    if s.marker == seat:
        found = add(found, inputs, amounts, BEGINS, 1)
    if s.disc[seat] == OPEN_DISC:
        found = add(found, inputs, amounts, DISC, 1)
    return add_count(found, inputs, amounts, ON_FLOOR, fallen(s, seat))


@rule
def fallen(s: State, seat: int) -> int:
    pieces = 0
    for space in range(FLOOR_SPACES):
        pieces += int(s.floor[seat, space] != EMPTY)
    return pieces


@rule
def best_points(s: State, seat: int, rows: int, columns: int, line: int, colours: int) -> int:
    """Points for the best of the given colours in a line."""
    best = 0
    for colour in range(COLOURS):
        if colours >> colour & 1:
            column = target_column(s, seat, line, colour, rows, columns)
            if column >= 0:
                best = max(best, cell_points(rows, columns, line, column))
    return best


SPREAD: Final = spread_table(SIZES)


@rule
def homes_of(s: State, seat: int, line: int) -> int:
    """Bit colour * SIZES is set if the line accepts the colour. Branchless: branches would mispredict."""
    tiles = int(s.line_tiles[seat, line])
    held = 0
    for column in range(LINES):
        held |= 1 << int(s.wall[seat, line, column])
    free = EACH & ~SPREAD[held >> 1]
    begun = 1 << int(s.line_colour[seat, line]) * SIZES
    return int(free * int(tiles == 0) + begun * int(0 < tiles <= line))


@rule
def enough_for(piles: int, line: int, homes: int) -> int:
    """The piles that are large enough to fill an empty line."""
    return piles & homes * (MASK >> line + 1 << line + 1)


@rule
def is_one(bits: int) -> bool:
    return bits != 0 and bits & bits - 1 == 0


@rule
def fitting_colours(piles: int, line: int, homes: int) -> int:
    """The colours of the piles that fill an empty line exactly, as consecutive bits."""
    fitting = piles >> line + 1 & homes
    close = SIZES - 1
    return (fitting | fitting >> close | fitting >> 2 * close | fitting >> 3 * close
            | fitting >> 4 * close) & FULL


@rule
def homeless(piles: int, homes: int) -> int:
    """Number of piles that no line accepts."""
    lost = piles & (EACH & ~homes) * (MASK - 1)
    found = 0
    for colour in range(COLOURS):
        found += int(SIZES_IN[lost >> colour * SIZES & MASK])
    return min(found, MOST_HOMELESS)


SIDE_FIELDS: Final = ("score", "line_colour", "line_tiles", "wall")
TABLE_FIELDS: Final = ("factories", "centre", "bag", "lid")
DISC_MASK: Final = (1 << 22) - 1


@rule
def table_context(s: State) -> int:
    """The piles on offer, whether the marker is in the centre, and where special factories are."""
    context = piles_of(s.factories, s.centre, FACTORIES[s.players]) << 1 | int(s.marker < 0)
    if s.special:
        discs = 0
        for place in range(FACTORIES[s.players]):
            discs += int(s.effects[place]) * MIX[place]
        context |= (discs >> 8 & DISC_MASK) << PILE_BITS + 1
    return int(context)


@rule
def side_context(s: State, seat: int, table: int) -> int:
    """What a side's inputs depend on besides its board: floor, marker, and which piles fit its lines."""
    piles = table >> 1 & (1 << PILE_BITS) - 1
    context = fallen(s, seat) << 1 | int(s.marker == seat)
    if s.players > 2:
        context = context << 2 | (seat - viewpoint(s)) % int(s.players)
    context = context << 1 | int(s.disc[seat] == OPEN_DISC)
    every = 0
    for line in range(LINES):
        homes = homes_of(s, seat, line)
        every |= homes
        context = context << 8 | line_context(s, seat, line, piles, homes)
    return context << 4 | homeless(piles, every)


@rule
def line_context(s: State, seat: int, line: int, piles: int, homes: int) -> int:
    """Branchless: branches would mispredict, because begun lines vary from board to board."""
    tiles = int(s.line_tiles[seat, line])
    colour = int(s.line_colour[seat, line])
    enough = enough_for(piles, line, homes)
    empty = int(enough > 0) | int(is_one(enough)) << 1 | fitting_colours(piles, line, homes) << 2
    needs = max(line + 1 - tiles, 0)
    fitting = piles >> colour * SIZES + needs & MASK >> needs
    missing = max(needs - int(s.bag[colour]), 0)
    lacking = max(missing - int(s.lid[colour]), 0)
    begun = int(fitting > 0) | (fitting & 1) << 1 | missing << 2 | lacking << 5
    return empty * int(tiles == 0) + begun * int(0 < tiles <= line)


@rule
def table_inputs(s: State, inputs: Cells, amounts: Cells) -> int:
    found = 0
    if s.stage >= OFFER:
        if s.marker < 0:
            found = add(found, inputs, amounts, ON_OFFER + MARKER_THERE, 1)
        if s.special:
            found = special_inputs(s, found, inputs, amounts)
        places = FACTORIES[s.players]
        return source_inputs(s.factories, s.centre, places, ON_OFFER, found, inputs, amounts)
    for colour in range(COLOURS):
        in_bag = int(s.bag[colour])
        found = add(found, inputs, amounts, BAG + colour, in_bag)
        found = add(found, inputs, amounts, SUPPLY + colour, in_bag + int(s.lid[colour]))
    return found


@rule
def special_inputs(s: State, found: int, inputs: Cells, amounts: Cells) -> int:
    """Factories that do not hold four tiles, and those with an effect on what is left."""
    for place in range(FACTORIES[s.players]):
        tiles = int(total(s.factories[place]))
        effect = int(s.effects[place])
        kind = -1
        if tiles > 0 and effect in (STAY, SPLIT, ZERO):
            kind = effect - STAY
            found = add_count(found, inputs, amounts, DISC_TILES + kind * MOST, min(tiles, MOST))
        for colour in range(COLOURS):
            of_it = int(s.factories[place, colour])
            if of_it > 0 and tiles != FACTORY_TILES:
                found = add_count(found, inputs, amounts, ODD + colour * MOST, min(of_it, MOST))
            if of_it > 0 and kind >= 0:
                found = add(found, inputs, amounts, AT_DISC + kind * COLOURS + colour, 1)
    return found


SECOND_LOOKS: Final = 8
"""With three and four seats. A simulation then takes three quarters of the time that it takes if the
network evaluates all turns (docs/lab/networks.md)."""


def family(players: int, options: Mapping[str, str]) -> str:
    """Networks differ by wall; three and four seats share them. Special factories are among the inputs:
    networks that had never seen them won 77 % of 200 games against the linear evaluation
    (docs/lab/networks.md)."""
    return f"{options['wall']}-{players if players == 2 else 'three-four'}"


FEATURES: Final = Features(
    folder=NETWORKS_FOLDER, family=family, networks=NETWORKS, groups=GROUPS, side_size=SIDE_INPUTS,
    table_size=TABLE_INPUTS, side_fields=SIDE_FIELDS, table_fields=TABLE_FIELDS, network_for=network_for,
    viewpoint=viewpoint, side_inputs=side_inputs, table_inputs=table_inputs, side_context=side_context,
    table_context=table_context, second_looks=SECOND_LOOKS,
)
