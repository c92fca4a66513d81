"""Gardens: which cells a hexagon may occupy, groups, surrounded elements (queens-garden.md 3-5, 11)."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import LEGAL
from azulejos.games.queens_garden.components import (
    AROUND, BIT_INDEX, CELLS, COLOURS, FOUNTAIN_CELLS, NEAR_BITS, NEIGHBOURS, PATTERNS, PAVILION,
    PLACE_BITS, PLACE_CELLS, PLACES, REWARD, RIM, TOUCHED,
)
from azulejos.games.queens_garden.layout import (
    BACK, CELL_TAKEN, EMPTY, HELD_BACK, HELD_EXPANSION, HELD_TILE, NO_CELL, NO_EXPANSION, NO_MATCH,
    NOT_A_PLACE, NOT_ON_RIM, NOT_THE_CENTRE, PLACE_TAKEN, TWINS_OF_COLOUR, TWINS_OF_PATTERN, State,
)


@rule
def place_of(cell: int) -> int:
    """The place that a cell belongs to; -1 for the fountain board."""
    return (cell - FOUNTAIN_CELLS) // PLACE_CELLS


@rule
def direction_of(cell: int) -> int:
    """Direction of a cell from the centre of its place: 0 the centre itself, 1-6 the rim."""
    return (cell - FOUNTAIN_CELLS) % PLACE_CELLS


@rule
def centre_of(place: int) -> int:
    return FOUNTAIN_CELLS + place * PLACE_CELLS


@rule
def value_of(hexagon: int) -> int:
    """Cost and score of a hexagon."""
    return hexagon % PATTERNS + 1


@rule
def exists(s: State, seat: int, cell: int) -> bool:
    """Whether a cell can hold a hexagon: the centre of a face-up expansion is a pavilion."""
    place = place_of(cell)
    if place < 0:
        return True
    if direction_of(cell) == 0:
        return bool(s.places[seat, place] == BACK)
    return bool(s.places[seat, place] != NO_EXPANSION)


# --- groups ------------------------------------------------------------------------------------------


@rule
def matches(hexagon: int, other: int, by_colour: bool) -> bool:
    if by_colour:
        return hexagon // PATTERNS == other // PATTERNS
    return hexagon % PATTERNS == other % PATTERNS


@rule
def lowest(cells: int) -> int:
    """The first cell of a bit set."""
    return int(BIT_INDEX[(cells & -cells) % 67])


@rule
def gather(garden: Cells, cell: int, hexagon: int, by_colour: bool) -> int:
    """The colour or pattern group that a hexagon at a cell belongs to, as a bit set of cells."""
    group = 1 << cell
    edge = group
    while edge:
        at = lowest(edge)
        edge &= edge - 1
        for i in range(RIM):
            near = int(NEIGHBOURS[at, i])
            if near < 0:
                break
            if garden[near] == EMPTY or group >> near & 1:
                continue
            if matches(hexagon, int(garden[near]) - 1, by_colour):
                group |= 1 << near
                edge |= 1 << near
    return group


@rule
def makes_twins(garden: Cells, cell: int, hexagon: int, by_colour: bool) -> bool:
    """Whether the group around a new hexagon would hold two identical ones (queens-garden.md 4)."""
    others = gather(garden, cell, hexagon, by_colour) & ~(1 << cell)
    seen = 1 << hexagon
    while others:
        bit = 1 << (int(garden[lowest(others)]) - 1)
        if seen & bit:
            return True
        seen |= bit
        others &= others - 1
    return False


@rule
def refused_neighbours(garden: Cells, cell: int, hexagon: int) -> int:
    """LEGAL with no neighbours or a matching one, and no group with two identical hexagons
    (queens-garden.md 4)."""
    neighbours = 0
    same_colour = False
    same_pattern = False
    for i in range(RIM):
        near = int(NEIGHBOURS[cell, i])
        if near < 0:
            break
        if garden[near] != EMPTY:
            neighbours += 1
            other = int(garden[near]) - 1
            same_colour = same_colour or matches(hexagon, other, True)
            same_pattern = same_pattern or matches(hexagon, other, False)
    if neighbours == 0:
        return LEGAL
    if same_colour and makes_twins(garden, cell, hexagon, True):
        return TWINS_OF_COLOUR
    if same_pattern and makes_twins(garden, cell, hexagon, False):
        return TWINS_OF_PATTERN
    return LEGAL if same_colour or same_pattern else NO_MATCH


# --- placing pieces ----------------------------------------------------------------------------------


@rule
def refused_cell(s: State, seat: int, held: int, cell: int) -> int:
    """LEGAL if a tile fits a free cell, or an expansion a free place (queens-garden.md 3-5).

    An expansion is placed by the cell of its printed hexagon, a face-down one by its centre."""
    if held < HELD_EXPANSION:
        if s.garden[seat, cell] != EMPTY:
            return CELL_TAKEN
        if not exists(s, seat, cell):
            return NO_CELL
        return refused_neighbours(s.garden[seat], cell, held - HELD_TILE)
    place = place_of(cell)
    if place < 0:
        return NOT_A_PLACE
    if s.places[seat, place] != NO_EXPANSION:
        return PLACE_TAKEN
    if held == HELD_BACK:
        return LEGAL if direction_of(cell) == 0 else NOT_THE_CENTRE
    if direction_of(cell) == 0:
        return NOT_ON_RIM
    return refused_neighbours(s.garden[seat], cell, held - HELD_EXPANSION)


@rule
def filled_cells(garden: Cells) -> int:
    """A bit set of the cells that hold a hexagon."""
    cells = 0
    for cell in range(CELLS):
        cells |= int(garden[cell] != EMPTY) << cell
    return cells


@rule
def cells_beside(cells: int) -> int:
    """The cells that have a neighbour in a bit set."""
    beside = 0
    while cells:
        beside |= NEAR_BITS[lowest(cells)]
        cells &= cells - 1
    return int(beside)


@rule
def cells_for_tiles(s: State, seat: int) -> int:
    """The cells on which a tile could lie, if it matched: those that exist and are free."""
    cells = (1 << FOUNTAIN_CELLS) - 1
    for place in range(PLACES):
        if s.places[seat, place] != NO_EXPANSION:
            cells |= PLACE_BITS[place]
            if s.places[seat, place] != BACK:
                cells &= ~(1 << centre_of(place))
    return int(cells)


@rule
def cells_for_expansions(s: State, seat: int) -> int:
    """The cells on which the printed hexagon of an expansion could lie, if it matched."""
    cells = 0
    for place in range(PLACES):
        if s.places[seat, place] == NO_EXPANSION:
            cells |= PLACE_BITS[place] & ~(1 << centre_of(place))
    return int(cells)


@rule
def cells_for(s: State, seat: int, held: int, filled: int) -> int:
    """The free cells that may be named for what is held: all of them take it if they have no neighbours."""
    if held < HELD_EXPANSION:
        return cells_for_tiles(s, seat) & ~filled
    if held < HELD_BACK:
        return cells_for_expansions(s, seat) & ~filled
    centres = 0
    for place in range(PLACES):
        centres |= int(s.places[seat, place] == NO_EXPANSION) << centre_of(place)
    return centres


@rule
def fits_somewhere(s: State, seat: int, held: int) -> bool:
    """Whether a tile or an expansion matches anywhere. A cell without neighbours takes everything."""
    filled = filled_cells(s.garden[seat])
    cells = cells_for(s, seat, held, filled)
    if cells & ~cells_beside(filled):
        return True
    while cells:
        if refused_cell(s, seat, held, lowest(cells)) == LEGAL:
            return True
        cells &= cells - 1
    return False


@rule
def has_free_place(s: State, seat: int) -> bool:
    for place in range(PLACES):
        if s.places[seat, place] == NO_EXPANSION:
            return True
    return False


@rule
def set_down(s: State, seat: int, held: int, cell: int) -> None:
    if held < HELD_EXPANSION:
        s.garden[seat, cell] = 1 + held - HELD_TILE
    elif held == HELD_BACK:
        s.places[seat, place_of(cell)] = BACK
    else:
        s.garden[seat, cell] = 1 + held - HELD_EXPANSION
        s.places[seat, place_of(cell)] = BACK + direction_of(cell)


@rule
def is_printed(s: State, seat: int, cell: int) -> bool:
    """Whether the hexagon at a cell is printed on an expansion."""
    place = place_of(cell)
    if place < 0 or s.places[seat, place] <= BACK:
        return False
    return bool(s.places[seat, place] == BACK + direction_of(cell))


# --- elements ----------------------------------------------------------------------------------------


@rule
def is_surrounded(s: State, seat: int, element: int) -> bool:
    """All six cells around it hold a hexagon; a face-down expansion has no pavilion."""
    if element >= PAVILION and s.places[seat, element - PAVILION] <= BACK:
        return False
    for i in range(RIM):
        if s.garden[seat, AROUND[element, i]] == EMPTY:
            return False
    return True


@rule
def surrounding_reward(s: State, seat: int, cell: int) -> int:
    """Jokers for every element that the hexagon just placed completes."""
    jokers = 0
    for i in range(TOUCHED.shape[1]):
        element = int(TOUCHED[cell, i])
        if element >= 0 and is_surrounded(s, seat, element):
            jokers += REWARD[element]
    return jokers


@rule
def on_field(hexagon: int, field: int) -> bool:
    """Whether a hexagon matches a field of the wheel: 0-5 a colour, 6-11 a pattern."""
    if field < COLOURS:
        return hexagon // PATTERNS == field
    return hexagon % PATTERNS == field - COLOURS


@rule
def hexagon_on(field: int, i: int) -> int:
    """The i-th hexagon of a colour or of a pattern."""
    if field < COLOURS:
        return field * PATTERNS + i
    return i * PATTERNS + field - COLOURS
