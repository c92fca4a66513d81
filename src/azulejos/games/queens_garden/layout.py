"""The state of a game of Queen's Garden: one fixed-size record.

``components.py`` numbers hexagons, cells and fields of the wheel. Where something may be empty, 0 means
empty and 1 + h is hexagon h. The expansions of the round's stack are *sources* 0..7 from the top: those
before `top` are beside the stack, `top` is the top of the stack, the others are below it.
"""

from __future__ import annotations

from typing import Annotated, Final

from azulejos.core.layout import Cells, cell, cells
from azulejos.core.verbs import MAX_SEATS
from azulejos.games.queens_garden.components import (
    CELLS, COPIES, EXPANSION_SPACES, EXPANSIONS, FIELDS, HEXAGONS, MAX_STACK, MOST_POINTS, PLACES, RIM,
    ROUNDS, STACK_TILES, STORAGE_SPACES,
)

EMPTY: Final = 0
FACE_DOWN: Final = 0
"""An expansion of the stack that is still face down; a face-up one is 1 + its printed hexagon."""
TAKEN: Final = 1 + HEXAGONS
"""An expansion of the stack that a player has taken."""

PIECES: Final = HEXAGONS + EXPANSION_SPACES
"""Pieces of a storage: 0-35 a tile of that hexagon, 36-37 the expansion in a slot."""

# Contents of a place: nothing, a face-down expansion, or 1 + direction of the printed hexagon.
NO_EXPANSION: Final = 0
BACK: Final = 1

# The piece in a seat's hand, between choosing it and choosing its cell.
NOTHING: Final = 0
HELD_TILE: Final = 1
HELD_EXPANSION: Final = HELD_TILE + HEXAGONS
HELD_BACK: Final = HELD_EXPANSION + HEXAGONS

# Stages of a turn.
LOT: Final = 0
FILLING: Final = 1
TURNING_UP: Final = 2
ACTING: Final = 3
CHOOSING: Final = 4
PLACING: Final = 5
PAYING: Final = 6
DISCARDING: Final = 7
ENDED: Final = 8

# Why a move is refused: what `rules.refusal` answers and `moves.REFUSED` says.
(
    NOT_DRAWN, ACT_NOW, CHOOSE_NOW, PLACE_NOW, PAY_NOW, DISCARD_NOW,
    NONE_OFFERED, NO_TILE_ROOM, NO_EXPANSION_ROOM, NO_ROOM,
    NO_SUCH_SOURCE, NOT_AT_SOURCE, NO_ROOM_FOR_REST,
    NOT_STORED, CANNOT_PAY, NO_FREE_PLACE, FITS_NOWHERE,
    NO_CELL, CELL_TAKEN, NOT_A_PLACE, PLACE_TAKEN, NOT_THE_CENTRE, NOT_ON_RIM,
    NO_MATCH, TWINS_OF_COLOUR, TWINS_OF_PATTERN,
    OUT_OF_ORDER, IDENTICAL_PAYS, NOTHING_SHARED, OTHER_COLOUR, OTHER_PATTERN, PAYS_ALREADY, REST_UNPAID,
    TOO_FEW_JOKERS, NO_BACK_LEFT, BACK_TOO_DEAR, DISCARD_TOO_DEAR,
) = range(1, 38)

# What the paying pieces share with the placed hexagon.
UNDECIDED: Final = 0
BY_PATTERN: Final = 1
BY_COLOUR: Final = 2


class State:
    players: Annotated[int, cell(2, MAX_SEATS, "number of seats")]
    to_move: Annotated[int, cell(-2, 3, "seat to move, -1 chance, -2 over")]
    score: Annotated[Cells, cells(MAX_SEATS, -100, 2000, "[seat]: points")]
    round: Annotated[int, cell(0, ROUNDS, "round, from 1; 0 before the first")]
    variant: Annotated[int, cell(0, 1, "1: the variant side of the scoring board")]
    wheel_round: Annotated[Cells, cells(FIELDS, 1, ROUNDS, "[field]: the round in which it scores")]
    wheel_points: Annotated[Cells, cells(FIELDS, 1, MOST_POINTS, "[field]: points of a matching hexagon")]
    stage: Annotated[int, cell(0, ENDED, "0 lot, 1 filling, 2 turning up, 3 acting, 4 choosing a copy, "
                                         "5 placing, 6 paying, 7 discarding, 8 ended")]
    seat: Annotated[int, cell(0, 3, "seat whose turn it is, also while something is drawn")]
    marker: Annotated[int, cell(-1, 3, "seat that passed first in this round, or -1")]
    passed: Annotated[Cells, cells(MAX_SEATS, 0, 1, "[seat]: 1 passed in this round")]

    bag: Annotated[Cells, cells(HEXAGONS, 0, COPIES, "[hexagon]: tiles in the bag")]
    tower: Annotated[Cells, cells(HEXAGONS, 0, COPIES, "[hexagon]: tiles in the tower")]
    unseen: Annotated[Cells, cells(HEXAGONS, 0, 1, "[hexagon]: 1 its expansion was never turned up")]
    supply: Annotated[int, cell(0, EXPANSIONS, "expansions in the face-down supply")]
    top: Annotated[int, cell(0, MAX_STACK, "the stack's top; the stack's size when it is used up")]
    tiles: Annotated[
        Cells, cells((MAX_STACK, STACK_TILES), 0, HEXAGONS, "[source, i]: tiles on an expansion, "
                                                            "1 + hexagon ascending, then 0")
    ]
    face: Annotated[
        Cells, cells(MAX_STACK, 0, TAKEN, "[source]: 0 face down, 1 + hexagon face up, 37 taken")
    ]

    stored: Annotated[
        Cells, cells((MAX_SEATS, HEXAGONS), 0, COPIES, "[seat, hexagon]: tiles in the storage")
    ]
    jokers: Annotated[Cells, cells(MAX_SEATS, 0, STORAGE_SPACES, "[seat]: jokers in the storage")]
    slots: Annotated[
        Cells, cells((MAX_SEATS, EXPANSION_SPACES), 0, HEXAGONS, "[seat, slot]: stored expansions, 1 + "
                                                                 "hexagon ascending, 0 where none is")
    ]
    garden: Annotated[Cells, cells((MAX_SEATS, CELLS), 0, HEXAGONS, "[seat, cell]: 0 or 1 + hexagon")]
    places: Annotated[
        Cells, cells((MAX_SEATS, PLACES), 0, BACK + RIM, "[seat, place]: 0 nothing, 1 face down, "
                                                         "1 + direction of the printed hexagon")
    ]

    named: Annotated[int, cell(-1, FIELDS - 1, "choosing: the colour or pattern being acquired, or -1")]
    choosing: Annotated[int, cell(-1, HEXAGONS - 1, "choosing: the hexagon of which one copy is chosen")]
    lifted: Annotated[int, cell(0, 1, "1: a tile of the stack's top was taken in this turn")]
    held: Annotated[int, cell(0, HELD_BACK, "placing: 1 + hexagon a tile, 37 + hexagon an expansion, "
                                            "73 a face-down one")]
    laid_at: Annotated[int, cell(-1, CELLS - 1, "paying: where the piece was laid, or -1")]
    due: Annotated[int, cell(0, 5, "paying: pieces still to pay")]
    pay_by: Annotated[int, cell(0, BY_COLOUR, "paying: 0 undecided, 1 one pattern, 2 one colour")]
    used: Annotated[int, cell(0, 63, "paying: bit set of colours (one pattern) or patterns (one colour)")]
    last: Annotated[int, cell(-1, PIECES - 1, "paying, discarding: the last piece, or -1")]
