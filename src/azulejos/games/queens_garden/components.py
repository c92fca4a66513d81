r"""The components of Queen's Garden as tables: hexagons, the garden's grid, the wheel, bonuses.

A hexagon is a number 6 * colour + pattern. Colours and patterns together are the 12 *fields* of the wheel
and the 12 names that an acquisition can have: 0-5 a colour, 6-11 a pattern.

The garden has 48 cells. Directions go clockwise from the east: 1 E, 2 SE, 3 SW, 4 W, 5 NW, 6 NE. Place k
for an expansion is three steps from the fountain in direction k. A cell is written as two digits: the
place (0: the fountain board) and the direction from the place's centre (0: the centre itself). FF is the
fountain, S1-S3 are statues, B1-B3 benches:

              55  56      65  66
            54  50  51  64  60  61
              53  52  B3  63  62
        45  46  S3  05  06  S1  15  16
      44  40  41  04  FF  01  14  10  11
        43  42  B2  03  02  B1  13  12
              35  36  S2  25  26
            34  30  31  24  20  21
              33  32      23  22
"""

from __future__ import annotations

from typing import Final

from azulejos.core.grid import table
from azulejos.core.layout import Cells

COLOURS: Final = 6
PATTERNS: Final = 6
HEXAGONS: Final = COLOURS * PATTERNS
FIELDS: Final = COLOURS + PATTERNS
COPIES: Final = 3
"""Tiles of each hexagon."""
TILES: Final = HEXAGONS * COPIES
EXPANSIONS: Final = HEXAGONS
"""Each hexagon is printed on one expansion."""

FIELD_BITS: Final = (
    *(0b111111 << PATTERNS * colour for colour in range(COLOURS)),
    *(sum(1 << PATTERNS * colour + pattern for colour in range(COLOURS)) for pattern in range(PATTERNS)),
)
"""[field]: the hexagons of a colour or pattern as a bit set."""

ROUNDS: Final = 4
STACK: Final = (0, 0, 5, 7, 8)
"""Expansions in a round's stack, by number of players."""
MAX_STACK: Final = 8
STACK_TILES: Final = 4
"""Tiles placed on the top of the stack."""

STORAGE_SPACES: Final = 12
EXPANSION_SPACES: Final = 2
FIRST_JOKERS: Final = 3
FIRST_POINTS: Final = 15
FACE_DOWN_PRICE: Final = 6
MARKER_PRICE: Final = 1

# --- the grid ----------------------------------------------------------------------------------------

DIRECTIONS: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial steps E, SE, SW, W, NW, NE."""
RIM: Final = 6
PLACES: Final = 6
FOUNTAIN_CELLS: Final = 6
PLACE_CELLS: Final = 1 + RIM
CELLS: Final = FOUNTAIN_CELLS + PLACES * PLACE_CELLS

FOUNTAIN_AT: Final = (0, 0)
STATUES_AT: Final = ((2, -1), (-1, 2), (-1, -1))
BENCHES_AT: Final = ((1, 1), (-2, 1), (1, -2))
CENTRES_AT: Final = tuple((3 * q, 3 * r) for q, r in DIRECTIONS)

FOUNTAIN: Final = 0
STATUE: Final = 1
BENCH: Final = STATUE + len(STATUES_AT)
PAVILION: Final = BENCH + len(BENCHES_AT)
ELEMENTS: Final = PAVILION + PLACES
"""Elements that can be surrounded: the fountain, the statues, the benches, and a pavilion at each place."""

REWARD: Final = (1, *(2,) * 3, *(2,) * 3, *(3,) * PLACES)
"""Jokers for surrounding each element."""


def _around(middle: tuple[int, int]) -> list[tuple[int, int]]:
    return [(middle[0] + q, middle[1] + r) for q, r in DIRECTIONS]


COORDINATES: Final = (
    *_around(FOUNTAIN_AT),
    *(at for centre in CENTRES_AT for at in (centre, *_around(centre))),
)
"""Axial (q, r) of each cell."""
ELEMENTS_AT: Final = (FOUNTAIN_AT, *STATUES_AT, *BENCHES_AT, *CENTRES_AT)

_CELL_AT: Final = {at: cell for cell, at in enumerate(COORDINATES)}
_AROUND_ELEMENT: Final = [[_CELL_AT[at] for at in _around(middle)] for middle in ELEMENTS_AT]


def _filled(values: list[int], length: int) -> list[int]:
    return values + [-1] * (length - len(values))


_NEIGHBOURS: Final = [[_CELL_AT[at] for at in _around(middle) if at in _CELL_AT] for middle in COORDINATES]
_TOUCHED: Final = [[e for e in range(ELEMENTS) if cell in _AROUND_ELEMENT[e]] for cell in range(CELLS)]

NEIGHBOURS: Final[Cells] = table([_filled(cells, 6) for cells in _NEIGHBOURS], "i1")
"""[cell, i]: the neighbouring cells, padded with -1."""

AROUND: Final[Cells] = table(_AROUND_ELEMENT, "i1")
"""[element, i]: the six cells that surround it."""

TOUCHED: Final[Cells] = table([_filled(elements, 3) for elements in _TOUCHED], "i1")
"""[cell, i]: the elements beside a cell, at most three, padded with -1."""

NEAR_BITS: Final[Cells] = table([sum(1 << cell for cell in cells) for cells in _NEIGHBOURS], "i8")
"""[cell]: the neighbouring cells as a bit set."""

AROUND_BITS: Final[Cells] = table([sum(1 << cell for cell in cells) for cells in _AROUND_ELEMENT], "i8")
"""[element]: the six cells around it as a bit set."""

PLACE_BITS: Final[Cells] = table(
    [((1 << PLACE_CELLS) - 1) << FOUNTAIN_CELLS + place * PLACE_CELLS for place in range(PLACES)], "i8"
)
"""[place]: its centre and rim as a bit set."""

_CELL_OF: Final = {(1 << cell) % 67: cell for cell in range(CELLS)}
BIT_INDEX: Final[Cells] = table([_CELL_OF.get(rest, 0) for rest in range(67)], "i1")
"""[bit % 67]: the index of a single bit in a set of cells; powers of two below 2**66 differ mod 67."""

# --- scoring -----------------------------------------------------------------------------------------

LIGHT_BLUE, LIGHT_PURPLE, YELLOW, LIGHT_GREEN, DARK_GREEN, DARK_PURPLE = range(COLOURS)
TREE, BIRD, BUTTERFLIES, FLOWER, PLANT, BELLS = range(COLOURS, FIELDS)

WHEEL: Final = (
    (DARK_GREEN, TREE, LIGHT_BLUE),
    (BIRD, DARK_PURPLE, BUTTERFLIES),
    (LIGHT_PURPLE, FLOWER, YELLOW),
    (PLANT, LIGHT_GREEN, BELLS),
)
"""[round - 1]: the three fields that score."""
WHEEL_ORDER: Final = tuple(field for fields in WHEEL for field in fields)
"""All fields, in the order in which the fields of a round are shown and scored."""

STANDARD_WHEEL: Final = "d:1-1:1-b:1.2:1-p:1-3:2.l:1-4:2-y:1.5:3-g:1-6:3"
VARIANT_WHEEL: Final = "d:1-1:1-b:1.2:2-p:1-3:3.l:1-4:4-y:1.5:5-g:1-6:6"
"""Four rounds joined by dots, each with three fields (a colour's letter or a pattern's value) and the
points for each matching hexagon. The arrangement is known from pictures. The points on the variant side are
stand-ins: owners of the game can supply the printed ones in a components file (docs/components.md)."""
MOST_POINTS: Final = 9
PAVILION_POINTS: Final = 1

SMALLEST_GROUP: Final = 3
GROUP_BONUS: Final = ((0, 0, 0, 0, 0, 0, 6), (0, 0, 0, 0, 4, 5, 6))
"""[variant, hexagons in a group]: bonus points in addition to the values."""
