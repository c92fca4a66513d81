"""What a position of Queen's Garden is worth before it is decided: terms that a player would name.

What lies in a garden scores in every round to come, and that is known exactly; what lies in the storage
is worth what it may still become. Weights differ by round and by the side of the scoring board.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.games.queens_garden.components import (
    AROUND,
    CELLS,
    ELEMENTS,
    GROUP_BONUS,
    HEXAGONS,
    NEIGHBOURS,
    PATTERNS,
    PAVILION,
    PAVILION_POINTS,
    PLACES,
    RIM,
    ROUNDS,
    SMALLEST_GROUP,
    STORAGE_SPACES,
    WHEEL,
    WHEEL_POINTS,
)
from azulejos.games.queens_garden.garden import exists, gather, lowest, matches, on_field, value_of
from azulejos.games.queens_garden.layout import (
    ACTING,
    BACK,
    DISCARDING,
    EMPTY,
    HELD_BACK,
    HELD_EXPANSION,
    HELD_TILE,
    PIECES,
    State,
)
from azulejos.games.queens_garden.moves import BUY, CELL, JOKERS, PASS, PIECE, SOURCE
from azulejos.games.queens_garden.storage import can_afford, hexagon_of, tile_room

SWING: Final = 3000
"""Margins are wide: so many hundredths of a point make winning e times as likely."""

# --- the terms of a side: where each begins -------------------------------------------------------------

POINTS: Final = 0
WHEEL_NOW: Final = 1
"""Points that the garden scores at the end of this round."""
WHEEL_LATER: Final = 2
"""Points that it scores at the ends of later rounds."""
PAVILIONS: Final = 3
"""Points for visible pavilions, in this round and later ones."""
GROUPS: Final = 4
"""Values and bonuses of the groups, if the game ended now."""
PAIRS: Final = 5
"""Values of the groups of two."""
GROUP_OF: Final = 6
"""3 terms: groups of 3, of 4, of 5."""
JOKERS_HELD: Final = GROUP_OF + 3
STORED: Final = JOKERS_HELD + 1
"""Hexagons in the storage."""
STORED_VALUES: Final = STORED + 1
"""Their values, which count against the seat at the end."""
STORED_WHEEL: Final = STORED_VALUES + 1
"""Points that they would score on the wheel if they were placed now."""
FITTING: Final = STORED_WHEEL + 1
"""Pairs of stored hexagons of one colour or pattern: one can pay for the other."""
NEARLY: Final = FITTING + 1
"""3 terms: elements with 3, 4, 5 of the six cells around them filled."""
ROOM: Final = NEARLY + 3
"""Free cells of the garden."""
FULL_STORAGE: Final = ROOM + 1
"""No room for another tile."""
DUE: Final = FULL_STORAGE + 1
"""Pieces that still have to be paid for the piece just laid."""
PASSED: Final = DUE + 1
"""Has passed in this round."""
STARTS: Final = PASSED + 1
"""Starts the next round."""
DEAD_VALUES: Final = STARTS + 1
"""Values of stored hexagons that can never be placed: the seat has passed in the last round."""
AFFORDABLE: Final = DEAD_VALUES + 1
"""Stored hexagons that the others (and jokers) could pay for now."""
CROWDED: Final = AFFORDABLE + 1
"""Pieces in the storage beyond ROOMY: a storage full of what cannot be paid is a dead end."""
TERMS: Final = CROWDED + 1

ROOMY: Final = 7

PHASES: Final = ROUNDS
"""Weights by round; then the same for the variant."""


@rule
def wheel_points(s: State, hexagon: int, first: int, end: int) -> int:
    """What a hexagon in the garden scores in rounds first..end - 1 (from 0)."""
    points = 0
    for wheel in range(first, end):
        for i in range(3):
            if on_field(hexagon, WHEEL[wheel][i]):
                points += WHEEL_POINTS[s.variant][wheel][i]
    return points


@rule
def garden_terms(s: State, seat: int, terms: Cells) -> None:
    for cell in range(CELLS):
        if s.garden[seat, cell] != EMPTY:
            hexagon = int(s.garden[seat, cell]) - 1
            terms[WHEEL_NOW] += wheel_points(s, hexagon, s.round - 1, s.round)
            terms[WHEEL_LATER] += wheel_points(s, hexagon, s.round, ROUNDS)
        elif exists(s, seat, cell):
            terms[ROOM] += 1
    for place in range(PLACES):
        if s.places[seat, place] > BACK:
            terms[PAVILIONS] += PAVILION_POINTS * (ROUNDS + 1 - s.round)
    for element in range(ELEMENTS):
        if element < PAVILION or s.places[seat, element - PAVILION] > BACK:
            filled = 0
            for i in range(RIM):
                if s.garden[seat, AROUND[element, i]] != EMPTY:
                    filled += 1
            if 3 <= filled < RIM:
                terms[NEARLY + filled - 3] += 1


@rule
def group_terms(s: State, seat: int, by_colour: bool, terms: Cells) -> None:
    counted = 0
    for cell in range(CELLS):
        if s.garden[seat, cell] == EMPTY or counted >> cell & 1:
            continue
        group = gather(s.garden[seat], cell, int(s.garden[seat, cell]) - 1, by_colour)
        counted |= group
        size = 0
        values = 0
        while group:
            size += 1
            values += value_of(int(s.garden[seat, lowest(group)]) - 1)
            group &= group - 1
        if size >= SMALLEST_GROUP:
            terms[GROUPS] += values + GROUP_BONUS[s.variant][min(size, PATTERNS)]
            if size < PATTERNS:
                terms[GROUP_OF + size - SMALLEST_GROUP] += 1
        elif size == 2:
            terms[PAIRS] += values


@rule
def storage_terms(s: State, seat: int, terms: Cells) -> None:
    terms[JOKERS_HELD] = s.jokers[seat]
    for piece in range(PIECES):
        hexagon = hexagon_of(s, seat, piece)
        if hexagon >= 0:
            copies = int(s.stored[seat, piece]) if piece < HEXAGONS else 1
            count_stored(s, hexagon, copies, terms)
            if can_afford(s, seat, hexagon):
                terms[AFFORDABLE] += 1
            for other in range(piece):
                near = hexagon_of(s, seat, other)
                if near >= 0 and (matches(hexagon, near, True) or matches(hexagon, near, False)):
                    terms[FITTING] += 1
    if s.to_move == seat and HELD_TILE <= s.held < HELD_BACK:
        count_stored(s, s.held - (HELD_TILE if s.held < HELD_EXPANSION else HELD_EXPANSION), 1, terms)
    terms[FULL_STORAGE] = 1 if tile_room(s, seat) == 0 else 0
    terms[CROWDED] = max(0, STORAGE_SPACES - tile_room(s, seat) - ROOMY)
    if s.round == ROUNDS and s.passed[seat]:
        terms[DEAD_VALUES] = terms[STORED_VALUES]
        for term in (STORED, STORED_VALUES, STORED_WHEEL, FITTING, FULL_STORAGE, AFFORDABLE, CROWDED):
            terms[term] = 0


@rule
def count_stored(s: State, hexagon: int, copies: int, terms: Cells) -> None:
    terms[STORED] += copies
    terms[STORED_VALUES] += copies * value_of(hexagon)
    terms[STORED_WHEEL] += copies * wheel_points(s, hexagon, max(s.round - 1, 0), ROUNDS)


@rule
def side_terms(s: State, seat: int, terms: Cells) -> None:
    for term in range(TERMS):
        terms[term] = 0
    terms[POINTS] = s.score[seat]
    if s.round > 0:
        garden_terms(s, seat, terms)
    group_terms(s, seat, True, terms)
    group_terms(s, seat, False, terms)
    storage_terms(s, seat, terms)
    if s.seat == seat:
        terms[DUE] = s.due
    terms[PASSED] = s.passed[seat]
    terms[STARTS] = 1 if s.marker == seat else 0


@rule
def terms_of(s: State, terms: Cells) -> int:
    """The terms of every seat, [seat, term]; the phase whose weights hold."""
    for seat in range(s.players):
        side_terms(s, seat, terms[seat])
    return (PHASES if s.variant else 0) + max(s.round, 1) - 1


@rule
def promise(s: State, action: int) -> int:
    """Placing looks better than acquiring, a cell with neighbours that match better than a lonely one."""
    if action < PIECE:
        return 4
    if action < CELL:
        return piece_promise(s, action - PIECE)
    if action < SOURCE:
        return cell_promise(s, action - CELL)
    if action == BUY:
        return -15
    if action == JOKERS:
        return -4 * int(s.due)
    if action == PASS:
        return 0 if s.stage == DISCARDING else -12
    return 0


@rule
def piece_promise(s: State, piece: int) -> int:
    """A piece to be placed, or else to be paid or discarded: then one is kept that the wheel likes."""
    hexagon = hexagon_of(s, s.seat, piece)
    likes = wheel_points(s, hexagon, max(s.round - 1, 0), ROUNDS)
    if s.stage == ACTING:
        return 8 + 3 * likes + value_of(hexagon)
    if s.stage == DISCARDING:
        return -20
    return -3 * likes


@rule
def cell_promise(s: State, cell: int) -> int:
    """Neighbours of the held piece's colour or pattern."""
    if s.held >= HELD_BACK:
        return 0
    hexagon = s.held - (HELD_TILE if s.held < HELD_EXPANSION else HELD_EXPANSION)
    look = 0
    for i in range(RIM):
        near = int(NEIGHBOURS[cell, i])
        if near < 0:
            break
        if s.garden[s.seat, near] != EMPTY:
            other = int(s.garden[s.seat, near]) - 1
            if matches(hexagon, other, True) or matches(hexagon, other, False):
                look += 8
            else:
                look -= 1
    return look


# --- weights --------------------------------------------------------------------------------------------


def _hand_made() -> Cells:
    """Weights by judgement: what a good player would say.

    They change little from round to round: a storage that lost much of its worth when a round ends would
    make a seat throw points away to put that off.
    """
    weights = np.zeros((2 * PHASES, TERMS), np.int32)
    weights[:, [POINTS, WHEEL_NOW, WHEEL_LATER, PAVILIONS, GROUPS]] = 100
    weights[:, PAIRS] = 50
    weights[:, GROUP_OF : GROUP_OF + 3] = (30, 60, 150)
    weights[:, NEARLY : NEARLY + 3] = (15, 40, 90)
    weights[:, [ROOM, FULL_STORAGE, DUE, FITTING]] = (5, -100, -150, 8)
    weights[:, [AFFORDABLE, CROWDED]] = (60, -130)
    weights[:, [STARTS, DEAD_VALUES]] = (50, -100)
    for round_ in range(ROUNDS):
        rows = [round_, PHASES + round_]
        weights[rows, JOKERS_HELD] = (180, 180, 170, 120)[round_]
        weights[rows, STORED] = (90, 90, 80, 40)[round_]
        weights[rows, STORED_WHEEL] = (25, 25, 25, 25)[round_]
        weights[rows, STORED_VALUES] = (-10, -10, -15, -30)[round_]
        weights[rows, PASSED] = (-300, -300, -300, 0)[round_]
    return weights


WEIGHTS: Final = {"hand": _hand_made()}
"""Sets of weights by name; the first is used unless another is asked for."""
