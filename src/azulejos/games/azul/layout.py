"""The state of a game of Azul: one fixed-size record.

Colours are numbered in the order used everywhere: blue, yellow, red, black, white. Lines, rows, columns
and places (factories) count from 0 here and from 1 in notation and text.
"""

from __future__ import annotations

from typing import Annotated, Final

from azulejos.core.layout import Cells, cell, cells
from azulejos.core.verbs import MAX_SEATS
from azulejos.parts.offer import COLOURS, MAX_FACTORIES
from azulejos.parts.offer_game import FIRST_REFUSAL

TILES_PER_COLOUR: Final = 20
TILES: Final = TILES_PER_COLOUR * COLOURS
LINES: Final = 5
FLOOR_SPACES: Final = 7
FLOOR_PENALTY: Final = (0, 1, 2, 4, 6, 8, 11, 14)
"""Points lost by the number of occupied floor spaces (-1 -1 -2 -2 -2 -3 -3)."""

ROW_BONUS: Final = 2
COLUMN_BONUS: Final = 7
COLOUR_BONUS: Final = 10
DRY_ROUNDS: Final = 5
"""The game ends after this many consecutive rounds without a new wall tile (azul.md 8)."""

WALL_COLUMN: Final = tuple(tuple((colour + row) % 5 for colour in range(5)) for row in range(5))
r"""WALL_COLUMN[row][colour] on the coloured wall:

    B Y R K W
    W B Y R K
    K W B Y R
    R K W B Y
    Y R K W B
"""

# Contents of a wall space, floor space or ZERO disc: nothing, 1 + colour, or the marker.
EMPTY: Final = 0
MARKER: Final = 1 + COLOURS

# Stages of a round.
LOT: Final = 0
DISCS: Final = 1
FILLING: Final = 2
EXTRA_TILE: Final = 3
OFFER: Final = 4
DIVIDING: Final = 5
TILING: Final = 6
ENDED: Final = 7

# Effects of special factories (chocolatier.md): 1 + colour is NEIGHBOUR with that colour.
PLAIN: Final = 0
EXTRA: Final = 6
STAY: Final = 7
SPLIT: Final = 8
ZERO: Final = 9
EFFECTS: Final = 9

# What a seat has beside its floor line: no disc, an empty ZERO disc, or a disc with a piece.
NO_DISC: Final = 0
OPEN_DISC: Final = 1
CAUGHT: Final = 1
"""CAUGHT + piece: a disc that caught this piece."""

# Why a move is refused: what `rules.refusal` answers and `moves.REFUSED` says.
(
    TAKE_NOW, COLUMN_NOW, DIVIDE_NOW,
    LINE_FULL, LINE_BEGUN, COLOUR_IN_ROW,
    SPACE_TAKEN, COLOUR_IN_COLUMN,
    NOT_TO_DIVIDE, UNEVEN,
) = range(FIRST_REFUSAL, FIRST_REFUSAL + 10)

# Why the game ended.
ROW_COMPLETED: Final = 1
NO_TILES: Final = 2
STALLED: Final = 3


class State:
    players: Annotated[int, cell(2, MAX_SEATS, "number of seats")]
    to_move: Annotated[int, cell(-2, 3, "seat to move, -1 chance, -2 over")]
    score: Annotated[Cells, cells(MAX_SEATS, 0, 1000, "[seat]: points")]
    grey: Annotated[int, cell(0, 1, "1: grey wall, columns are chosen")]
    special: Annotated[int, cell(0, 1, "1: special factories")]
    free_split: Annotated[int, cell(0, 1, "1: SPLIT divides freely, 0: as evenly as possible")]
    stage: Annotated[int, cell(0, 7, "0 lot, 1 discs, 2 filling, 3 extra tile, 4 offer, 5 dividing, "
                                     "6 tiling, 7 ended")]
    ended: Annotated[int, cell(0, 3, "1 row completed, 2 no tiles, 3 stalled")]
    round: Annotated[int, cell(0, 999, "round, from 1; 0 before the first")]
    starter: Annotated[int, cell(0, 3, "seat that started this round")]
    marker: Annotated[int, cell(-1, 3, "seat that took the marker this round, -1 in the centre")]
    laid: Annotated[int, cell(0, 36, "tiles laid on factories this round")]
    dry_rounds: Annotated[int, cell(0, DRY_ROUNDS, "rounds in a row without a new wall tile")]
    tiled: Annotated[int, cell(0, 1, "1: a tile reached a wall in this round")]
    bag: Annotated[Cells, cells(COLOURS, 0, TILES_PER_COLOUR, "[colour]: tiles in the bag")]
    lid: Annotated[Cells, cells(COLOURS, 0, TILES_PER_COLOUR, "[colour]: tiles in the lid")]
    factories: Annotated[
        Cells, cells((MAX_FACTORIES, COLOURS), 0, TILES_PER_COLOUR, "[place, colour]: tiles offered")
    ]
    centre: Annotated[Cells, cells(COLOURS, 0, TILES_PER_COLOUR, "[colour]: tiles in the centre")]
    effects: Annotated[
        Cells, cells(MAX_FACTORIES, 0, EFFECTS, "[place]: 0 plain, 1 + colour NEIGHBOUR, 6 EXTRA, "
                                                "7 STAY, 8 SPLIT, 9 ZERO")
    ]
    gone: Annotated[int, cell(-1, 8, "place whose ZERO disc was taken this round, or -1")]
    dividing: Annotated[int, cell(-1, 8, "place whose tiles the seat to move divides, or -1")]
    line_colour: Annotated[
        Cells, cells((MAX_SEATS, LINES), 0, COLOURS - 1, "[seat, line]: colour of a begun line", rows=False)
    ]
    line_tiles: Annotated[
        Cells, cells((MAX_SEATS, LINES), 0, LINES, "[seat, line]: tiles in the pattern line", rows=False)
    ]
    wall: Annotated[
        Cells, cells((MAX_SEATS, LINES, LINES), 0, COLOURS, "[seat, row, column]: 0 or 1 + colour",
                     rows=False)
    ]
    floor: Annotated[
        Cells, cells((MAX_SEATS, FLOOR_SPACES), 0, MARKER, "[seat, space]: 0, 1 + colour, 6 the marker",
                     rows=False)
    ]
    disc: Annotated[
        Cells, cells(MAX_SEATS, 0, CAUGHT + MARKER, "[seat]: 0 no ZERO disc, 1 an open one, "
                                                    "2 + colour with a tile, 7 with the marker")
    ]
