"""Checks that the pieces add up and the fields agree, so that a position from outside can be trusted."""

from __future__ import annotations

from azulejos.core.jit import loop, rule, twin_of
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.queens_garden.components import (
    CELLS, COPIES, EXPANSION_SPACES, EXPANSIONS, HEXAGONS, MAX_STACK, PLACES, ROUNDS, STACK, STACK_TILES,
)
from azulejos.games.queens_garden.display import tiles_on, to_turn_up
from azulejos.games.queens_garden.garden import exists, is_printed, on_field, value_of
from azulejos.games.queens_garden.layout import (
    BACK, CHOOSING, DISCARDING, EMPTY, ENDED, FACE_DOWN, FILLING, HELD_BACK, HELD_EXPANSION, HELD_TILE, LOT,
    NOTHING, PAYING, PLACING, TAKEN, TURNING_UP, State,
)
from azulejos.games.queens_garden.storage import tile_room
from azulejos.parts.bag import total


@loop
def pieces_add_up(s: State) -> bool:
    """Three tiles of each hexagon, 36 expansions, no piece in an impossible place, no overfull storage."""
    return add_up(s, np.zeros(HEXAGONS, np.int16), np.zeros(HEXAGONS, np.int16))


@twin_of(pieces_add_up)
def pieces_add_up_in_lists(s: State) -> bool:
    return add_up(s, [0] * HEXAGONS, [0] * HEXAGONS)  # type: ignore[arg-type]  # as good to index


@rule
def add_up(s: State, tiles: Cells, faces: Cells) -> bool:
    """The same, given numbers that are all zero."""
    count_table(s, tiles, faces)
    for seat in range(s.players):
        count_seat(s, seat, tiles, faces)
        if tile_room(s, seat) < 0 or not garden_stands(s, seat):
            return False
    for hexagon in range(HEXAGONS):
        if tiles[hexagon] != COPIES or faces[hexagon] + s.unseen[hexagon] > 1:
            return False
    return expansions_add_up(s, total(faces))


@rule
def count_table(s: State, tiles: Cells, faces: Cells) -> None:
    """Count the tiles and visible expansions of each hexagon on the table, and the piece in the hand."""
    for hexagon in range(HEXAGONS):
        tiles[hexagon] += s.bag[hexagon] + s.tower[hexagon]
    for source in range(MAX_STACK):
        if FACE_DOWN < s.face[source] < TAKEN:
            faces[int(s.face[source]) - 1] += 1
        for i in range(STACK_TILES):
            if s.tiles[source, i] != EMPTY:
                tiles[int(s.tiles[source, i]) - 1] += 1
    if HELD_TILE <= s.held < HELD_EXPANSION:
        tiles[s.held - HELD_TILE] += 1
    elif HELD_EXPANSION <= s.held < HELD_BACK:
        faces[s.held - HELD_EXPANSION] += 1


@rule
def count_seat(s: State, seat: int, tiles: Cells, faces: Cells) -> None:
    """The same for a storage and a garden."""
    for hexagon in range(HEXAGONS):
        tiles[hexagon] += s.stored[seat, hexagon]
    for slot in range(EXPANSION_SPACES):
        if s.slots[seat, slot] != EMPTY:
            faces[int(s.slots[seat, slot]) - 1] += 1
    for cell in range(CELLS):
        if s.garden[seat, cell] == EMPTY:
            continue
        hexagon = int(s.garden[seat, cell]) - 1
        if is_printed(s, seat, cell):
            faces[hexagon] += 1
        else:
            tiles[hexagon] += 1


@rule
def garden_stands(s: State, seat: int) -> bool:
    """Hexagons are only on existing cells, and every face-up expansion shows its printed hexagon."""
    for cell in range(CELLS):
        if s.garden[seat, cell] != EMPTY and not exists(s, seat, cell):
            return False
        if s.garden[seat, cell] == EMPTY and is_printed(s, seat, cell):
            return False
    return True


@rule
def expansions_add_up(s: State, faces: int) -> bool:
    """36 in all; those not seen yet are in the stacks, in the supply, or face down."""
    hidden = s.supply + int(s.held == HELD_BACK)
    for seat in range(s.players):
        for place in range(PLACES):
            hidden += int(s.places[seat, place] == BACK)
    fresh = (ROUNDS - s.round) * STACK[s.players]
    if s.round > 0:
        for source in range(STACK[s.players]):
            fresh += int(s.face[source] == FACE_DOWN)
    unseen = total(s.unseen)
    return hidden + fresh + faces == EXPANSIONS and fresh <= unseen <= fresh + hidden


# --- fields that must agree --------------------------------------------------------------------------


@rule
def makes_sense(s: State) -> bool:
    """Seats exist, the stage agrees with the seat to move, and everything its actions read is present."""
    if s.seat >= s.players or s.marker >= s.players or (s.round == 0) != (s.stage == LOT):
        return False
    return mover_fits(s) and stage_fits(s) and display_stands(s) and slots_stand(s)


@rule
def mover_fits(s: State) -> bool:
    if s.stage == LOT or s.stage == FILLING or s.stage == TURNING_UP:
        return s.to_move == CHANCE
    if s.stage == ENDED:
        return s.to_move == OVER
    return s.to_move == s.seat and not s.passed[s.seat]


@rule
def stage_fits(s: State) -> bool:
    if (s.stage == PLACING) != (s.held != NOTHING) or (s.stage == PAYING) != (s.laid_at >= 0):
        return False
    if s.stage == FILLING:
        return s.top < STACK[s.players] and tiles_on(s, s.top) < STACK_TILES
    if s.stage == TURNING_UP:
        return to_turn_up(s) >= 0
    if s.stage == CHOOSING:
        return s.named >= 0 and s.choosing >= 0 and on_field(s.choosing, s.named)
    if s.stage == PAYING:
        placed = int(s.garden[s.seat, s.laid_at])
        return placed != EMPTY and 0 < s.due < value_of(placed - 1)
    return True


@rule
def display_stands(s: State) -> bool:
    """Tiles are ascending and not below the top; face-up or taken expansions are beside the stack."""
    if s.top > STACK[s.players]:
        return False
    for source in range(MAX_STACK):
        if source >= s.top and s.face[source] != FACE_DOWN:
            return False
        if s.face[source] != FACE_DOWN or source > s.top or source >= STACK[s.players]:
            if tiles_on(s, source) > 0:
                return False
        for i in range(1, STACK_TILES):
            before, tile = int(s.tiles[source, i - 1]), int(s.tiles[source, i])
            if tile != EMPTY and (before == EMPTY or before > tile):
                return False
    return True


@rule
def slots_stand(s: State) -> bool:
    """Stored expansions are sorted, except for a gap made during the current turn."""
    for seat in range(s.players):
        first, second = int(s.slots[seat, 0]), int(s.slots[seat, 1])
        gap = seat == s.seat and PLACING <= s.stage <= DISCARDING
        if second != EMPTY and (first > second or (first == EMPTY and not gap)):
            return False
    return True
