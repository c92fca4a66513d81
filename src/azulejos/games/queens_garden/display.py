"""The display: the stack, the expansions beside it, what an acquisition takes (queens-garden.md 1-2, 7)."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.verbs import LEGAL
from azulejos.games.queens_garden.components import (
    COLOURS, FIELD_BITS, FIELDS, HEXAGONS, MAX_STACK, PATTERNS, STACK, STACK_TILES,
)
from azulejos.games.queens_garden.garden import on_field
from azulejos.games.queens_garden.layout import (
    EMPTY, FACE_DOWN, NO_EXPANSION_ROOM, NO_ROOM, NO_ROOM_FOR_REST, NO_SUCH_SOURCE, NO_TILE_ROOM,
    NONE_OFFERED, NOT_AT_SOURCE, TAKEN, State,
)
from azulejos.games.queens_garden.storage import count, expansion_room, store_expansion, tile_room


@rule
def tile_index(s: State, source: int, hexagon: int) -> int:
    """The position of a tile of this hexagon on an expansion; -1 if there is none."""
    for i in range(STACK_TILES):
        if s.tiles[source, i] == 1 + hexagon:
            return i
    return -1


@rule
def offers(s: State, source: int, hexagon: int) -> bool:
    """Whether an expansion offers a hexagon: as a tile on it or, if face up, printed on it."""
    return bool(s.face[source] == 1 + hexagon) or tile_index(s, source, hexagon) >= 0


@rule
def sources_on(s: State, field: int) -> int:
    """Who offers the hexagons of a field: for the i-th of them the bits MAX_STACK * i + source."""
    sources = 0
    for source in range(min(s.top + 1, MAX_STACK)):
        if FACE_DOWN < s.face[source] < TAKEN:
            sources |= offered_by(source, int(s.face[source]) - 1, field)
        for i in range(STACK_TILES):
            if s.tiles[source, i] == EMPTY:
                break
            sources |= offered_by(source, int(s.tiles[source, i]) - 1, field)
    return sources


@rule
def offered_by(source: int, hexagon: int, field: int) -> int:
    """The bit of one hexagon for `sources_on`; none if it is not of that field."""
    i = hexagon % PATTERNS if field < COLOURS else hexagon // PATTERNS
    return int(on_field(hexagon, field)) << (MAX_STACK * i + source)


@rule
def tiles_on(s: State, source: int) -> int:
    tiles = 0
    for i in range(STACK_TILES):
        if s.tiles[source, i] != EMPTY:
            tiles += 1
    return tiles


@rule
def tiles_offered(s: State) -> int:
    """A bit set of the hexagons offered as tiles."""
    found = 0
    for source in range(min(s.top + 1, MAX_STACK)):
        for i in range(STACK_TILES):
            if s.tiles[source, i] == EMPTY:
                break
            found |= 1 << (int(s.tiles[source, i]) - 1)
    return found


@rule
def faces_offered(s: State) -> int:
    """A bit set of the hexagons offered as face-up expansions."""
    found = 0
    for source in range(s.top):
        if FACE_DOWN < s.face[source] < TAKEN:
            found |= 1 << (int(s.face[source]) - 1)
    return found


@rule
def fits(tiles: int, faces: int, tile_spaces: int, expansion_spaces: int) -> bool:
    """Whether one of each hexagon fits into the free spaces.

    A hexagon offered only as a tile needs a tile space, one offered only as an expansion needs an expansion
    space; one offered as both can use either.
    """
    tile_spaces -= count(tiles & ~faces)
    expansion_spaces -= count(faces & ~tiles)
    if tile_spaces < 0 or expansion_spaces < 0:
        return False
    return count(tiles & faces) <= tile_spaces + expansion_spaces


@rule
def names_that_fit(s: State, seat: int) -> int:
    """A bit set of the colours and patterns on offer of which some selection fits in the storage
    (queens-garden.md 2)."""
    tiles, faces = tiles_offered(s), faces_offered(s)
    tile_spaces, expansion_spaces = tile_room(s, seat), expansion_room(s, seat)
    names = 0
    for field in range(FIELDS):
        bits = FIELD_BITS[field]
        if (tiles | faces) & bits and fits(tiles & bits, faces & bits, tile_spaces, expansion_spaces):
            names |= 1 << field
    return names


@rule
def refused_name(s: State, seat: int, field: int) -> int:
    """LEGAL for the names of `names_that_fit`."""
    tiles, faces = tiles_offered(s) & FIELD_BITS[field], faces_offered(s) & FIELD_BITS[field]
    if not tiles | faces:
        return NONE_OFFERED
    tile_spaces, expansion_spaces = tile_room(s, seat), expansion_room(s, seat)
    if fits(tiles, faces, tile_spaces, expansion_spaces):
        return LEGAL
    if not fits(tiles, faces, tile_spaces, HEXAGONS):
        return NO_TILE_ROOM
    return NO_ROOM if fits(tiles, faces, HEXAGONS, expansion_spaces) else NO_EXPANSION_ROOM


@rule
def refused_source(s: State, seat: int, source: int) -> int:
    """LEGAL if the other hexagons still fit when the identical one at this source is taken."""
    if source >= STACK[s.players]:
        return NO_SUCH_SOURCE
    if not offers(s, source, s.choosing):
        return NOT_AT_SOURCE
    tile_spaces, expansion_spaces = tile_room(s, seat), expansion_room(s, seat)
    if s.face[source] == 1 + s.choosing:
        expansion_spaces -= 1
    else:
        tile_spaces -= 1
    others = FIELD_BITS[s.named] >> (s.choosing + 1) << (s.choosing + 1)
    if fits(tiles_offered(s) & others, faces_offered(s) & others, tile_spaces, expansion_spaces):
        return LEGAL
    return NO_ROOM_FOR_REST


@rule
def take_from(s: State, seat: int, source: int, hexagon: int) -> None:
    """Move one hexagon from the display to the storage."""
    if s.face[source] == 1 + hexagon:
        s.face[source] = TAKEN
        store_expansion(s, seat, hexagon)
        return
    for i in range(tile_index(s, source, hexagon), STACK_TILES - 1):
        s.tiles[source, i] = s.tiles[source, i + 1]
    s.tiles[source, STACK_TILES - 1] = EMPTY
    s.stored[seat, hexagon] += 1
    if source == s.top:
        s.lifted = 1


@rule
def lay_tile(s: State, hexagon: int) -> None:
    """Put a tile drawn from the bag on the top of the stack, in ascending order."""
    i = tiles_on(s, s.top)
    while i > 0 and s.tiles[s.top, i - 1] > 1 + hexagon:
        s.tiles[s.top, i] = s.tiles[s.top, i - 1]
        i -= 1
    s.tiles[s.top, i] = 1 + hexagon
    s.bag[hexagon] -= 1


@rule
def to_turn_up(s: State) -> int:
    """A face-down expansion beside the stack without tiles; -1 if there is none."""
    for source in range(s.top):
        if s.face[source] == FACE_DOWN and tiles_on(s, source) == 0:
            return source
    return -1


@rule
def clear_display(s: State) -> None:
    """After the round: tiles to the tower, expansions face down under the supply (queens-garden.md 9)."""
    for source in range(STACK[s.players]):
        if s.face[source] != TAKEN:
            s.supply += 1
        s.face[source] = FACE_DOWN
        for i in range(STACK_TILES):
            if s.tiles[source, i] != EMPTY:
                s.tower[int(s.tiles[source, i]) - 1] += 1
                s.tiles[source, i] = EMPTY
