"""Whether the pieces add up: a state that was read or played can be trusted after this."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.games.queens_garden.components import (
    CELLS,
    COPIES,
    EXPANSION_SPACES,
    EXPANSIONS,
    HEXAGONS,
    MAX_STACK,
    PLACES,
    ROUNDS,
    STACK,
    STACK_TILES,
)
from azulejos.games.queens_garden.garden import exists, is_printed
from azulejos.games.queens_garden.layout import (
    BACK,
    EMPTY,
    FACE_DOWN,
    HELD_BACK,
    HELD_EXPANSION,
    HELD_TILE,
    State,
)
from azulejos.games.queens_garden.storage import tile_room
from azulejos.parts.bag import total


@rule
def census(s: State) -> bool:
    """Three tiles of each hexagon, 36 expansions, nothing where nothing can lie, no storage too full."""
    for hexagon in range(HEXAGONS):
        if tiles_of(s, hexagon) != COPIES or faces_of(s, hexagon) + int(s.unseen[hexagon]) > 1:
            return False
    for seat in range(s.players):
        if tile_room(s, seat) < 0 or not garden_stands(s, seat):
            return False
    return expansions_add_up(s)


@rule
def tiles_of(s: State, hexagon: int) -> int:
    """Tiles of a hexagon, wherever they are."""
    tiles = int(s.bag[hexagon]) + int(s.tower[hexagon]) + int(s.held == HELD_TILE + hexagon)
    for source in range(MAX_STACK):
        for i in range(STACK_TILES):
            if s.tiles[source, i] == 1 + hexagon:
                tiles += 1
    for seat in range(s.players):
        tiles += int(s.stored[seat, hexagon])
        for cell in range(CELLS):
            if s.garden[seat, cell] == 1 + hexagon and not is_printed(s, seat, cell):
                tiles += 1
    return tiles


@rule
def faces_of(s: State, hexagon: int) -> int:
    """Visible expansions of a hexagon: in the display, in a hand, stored or laid."""
    faces = int(s.held == HELD_EXPANSION + hexagon)
    for source in range(MAX_STACK):
        faces += int(s.face[source] == 1 + hexagon)
    for seat in range(s.players):
        for slot in range(EXPANSION_SPACES):
            faces += int(s.slots[seat, slot] == 1 + hexagon)
        for cell in range(CELLS):
            faces += int(s.garden[seat, cell] == 1 + hexagon and is_printed(s, seat, cell))
    return faces


@rule
def garden_stands(s: State, seat: int) -> bool:
    """Hexagons lie on cells that exist, and every face-up expansion shows its own."""
    for cell in range(CELLS):
        if s.garden[seat, cell] != EMPTY and not exists(s, seat, cell):
            return False
        if s.garden[seat, cell] == EMPTY and is_printed(s, seat, cell):
            return False
    return True


@rule
def expansions_add_up(s: State) -> bool:
    """36 in all; those never seen are in stacks, in the supply, or lie face down."""
    hidden = s.supply + int(s.held == HELD_BACK)
    faces = 0
    for seat in range(s.players):
        for place in range(PLACES):
            hidden += int(s.places[seat, place] == BACK)
    fresh = (ROUNDS - s.round) * STACK[s.players]
    if s.round > 0:
        for source in range(STACK[s.players]):
            fresh += int(s.face[source] == FACE_DOWN)
    for hexagon in range(HEXAGONS):
        faces += faces_of(s, hexagon)
    unseen = total(s.unseen)
    return hidden + fresh + faces == EXPANSIONS and fresh <= unseen <= fresh + hidden
