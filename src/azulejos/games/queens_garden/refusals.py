"""Why a move is not legal, as precisely as a person at the table would explain it."""

from __future__ import annotations

from typing import Final

from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.notation import Move
from azulejos.games.queens_garden.components import (
    COLOURS,
    FACE_DOWN_PRICE,
    FIELD_BITS,
    HEXAGONS,
    NEIGHBOURS,
    PATTERNS,
    STACK,
)
from azulejos.games.queens_garden.display import faces_offered, fits, may_choose, offers, tiles_offered
from azulejos.games.queens_garden.garden import (
    direction_of,
    exists,
    fits_somewhere,
    has_free_place,
    makes_twins,
    matches,
    place_of,
    value_of,
)
from azulejos.games.queens_garden.layout import (
    ACTING,
    BY_COLOUR,
    CHOOSING,
    DISCARDING,
    EMPTY,
    HELD_BACK,
    HELD_EXPANSION,
    HELD_TILE,
    NO_EXPANSION,
    PAYING,
    PLACING,
    UNDECIDED,
    State,
)
from azulejos.games.queens_garden.moves import (
    FIELD_NAMES,
    MOVES,
    Acquire,
    Buy,
    Cell,
    Jokers,
    Pass,
    Slot,
    Source,
    Tile,
    cell_text,
    hexagon_name,
)
from azulejos.games.queens_garden.storage import (
    can_afford,
    expansion_room,
    hexagon_of,
    mark,
    may_pay,
    shared,
    tile_room,
)

WHAT_NOW: Final = {
    ACTING: msg("Acquire hexagons, place a tile or an expansion, or pass."),
    CHOOSING: msg("First choose which of the identical hexagons to take."),
    PLACING: msg("First choose where the piece goes."),
    PAYING: msg("First pay for the piece you placed."),
}
"""The move expected at each stage; any other kind of move is refused with this sentence."""


def why_not(s: State, action: int) -> Message | None:
    """Why a player's action is not legal now; None if it is legal."""
    return _refusal(s, MOVES[action])


def end_reason(s: State) -> Message:
    return msg("Four rounds have been played.")


def _refusal(s: State, move: Move) -> Message | None:
    if isinstance(move, Acquire) and s.stage == ACTING:
        return _refused_name(s, move.field)
    if isinstance(move, Tile | Slot):
        return _refused_piece(s, move)
    if isinstance(move, Cell) and s.stage == PLACING:
        return _refused_cell(s, move.cell)
    if isinstance(move, Source) and s.stage == CHOOSING:
        return _refused_source(s, move.source)
    if isinstance(move, Buy) and s.stage == ACTING:
        return _refused_back(s)
    if isinstance(move, Jokers) and s.stage == PAYING:
        return _too_few_jokers(s)
    if isinstance(move, Pass) and s.stage in (ACTING, DISCARDING):
        return None
    return WHAT_NOW.get(s.stage, msg("You are passing: discard hexagons, or end with -."))


# --- acquiring ---------------------------------------------------------------------------------------


def _refused_name(s: State, field: int) -> Message | None:
    name = FIELD_NAMES[field]
    tiles, faces = tiles_offered(s) & FIELD_BITS[field], faces_offered(s) & FIELD_BITS[field]
    if not tiles | faces:
        return msg("Nothing in the display is {name}.", name=name)
    tile_spaces, expansion_spaces = tile_room(s, s.seat), expansion_room(s, s.seat)
    if not fits(tiles, faces, tile_spaces, HEXAGONS):
        return nmsg("{name} does not fit: your storage has {n} space left for tiles.",
                    "{name} does not fit: your storage has {n} spaces left for tiles.",
                    n=tile_spaces, name=name)
    if not fits(tiles, faces, HEXAGONS, expansion_spaces):
        return nmsg("{name} does not fit: your storage has {n} space left for expansions.",
                    "{name} does not fit: your storage has {n} spaces left for expansions.",
                    n=expansion_spaces, name=name)
    if not fits(tiles, faces, tile_spaces, expansion_spaces):
        return msg("{name} does not fit in your storage.", name=name)
    return None


def _refused_source(s: State, source: int) -> Message | None:
    if source >= STACK[s.players]:
        return msg("The stack has only {n} expansions.", n=STACK[s.players])
    if not offers(s, source, s.choosing):
        return msg("There is no {hexagon} on expansion {source}.",
                   hexagon=hexagon_name(s.choosing), source=source + 1)
    if may_choose(s, s.seat, source):
        return None
    if s.face[source] == 1 + s.choosing:
        return msg("Your storage has no room for this expansion and everything else that is {name}.",
                   name=FIELD_NAMES[s.named])
    return msg("Your storage has no room for this tile and everything else that is {name}.",
               name=FIELD_NAMES[s.named])


# --- pieces of the storage ---------------------------------------------------------------------------


def _refused_piece(s: State, move: Tile | Slot) -> Message | None:
    if s.stage in (CHOOSING, PLACING):
        return WHAT_NOW[s.stage]
    piece = move.hexagon if isinstance(move, Tile) else HEXAGONS + move.slot
    hexagon = hexagon_of(s, s.seat, piece)
    if hexagon < 0 and isinstance(move, Tile):
        return msg("There is no {hexagon} tile in your storage.", hexagon=hexagon_name(piece))
    if hexagon < 0:
        return msg("There is no expansion in space {n} of your storage.", n=piece - HEXAGONS + 1)
    if s.stage == ACTING:
        return _refused_pick(s, piece, hexagon)
    if piece < s.last or (piece == s.last and s.stage == PAYING):
        return msg("Name the pieces in order, tiles before expansions; it is too late for {hexagon}.",
                   hexagon=hexagon_name(hexagon))
    if s.stage == PAYING:
        return None if may_pay(s, s.seat, piece) else _refused_payment(s, hexagon)
    if s.score[s.seat] >= value_of(hexagon):
        return None
    return msg("You have {n} points; discarding {hexagon} costs {value}.",
               n=int(s.score[s.seat]), hexagon=hexagon_name(hexagon), value=value_of(hexagon))


def _refused_pick(s: State, piece: int, hexagon: int) -> Message | None:
    if not can_afford(s, s.seat, hexagon):
        return msg("You cannot pay {cost} for {hexagon}: too few hexagons of its colour or of its pattern, "
                   "and too few jokers.", cost=value_of(hexagon), hexagon=hexagon_name(hexagon))
    if piece >= HEXAGONS and not has_free_place(s, s.seat):
        return msg("Your garden has no place left for an expansion.")
    held = (HELD_TILE if piece < HEXAGONS else HELD_EXPANSION) + hexagon
    if not fits_somewhere(s, s.seat, held):
        return msg("There is nowhere in your garden to place {hexagon}.", hexagon=hexagon_name(hexagon))
    return None


def _refused_payment(s: State, hexagon: int) -> Message:
    placed = int(s.garden[s.seat, s.laid_at]) - 1
    names = {"hexagon": hexagon_name(hexagon), "placed": hexagon_name(placed)}
    if hexagon == placed:
        return msg("An identical hexagon cannot pay for {placed}.", **names)
    pay_by = shared(placed, hexagon)
    if pay_by == UNDECIDED:
        return msg("{hexagon} has neither the colour nor the pattern of {placed}.", **names)
    if s.pay_by == BY_COLOUR and pay_by != BY_COLOUR:
        return msg("You are paying with one colour; {hexagon} has another.", **names)
    if s.pay_by not in (UNDECIDED, pay_by):
        return msg("You are paying with one pattern; {hexagon} has another.", **names)
    if s.used & mark(pay_by, hexagon):
        return msg("{hexagon} is already part of the payment; identical hexagons cannot pay together.",
                   **names)
    return msg("If you pay with {hexagon}, you cannot pay the rest.", **names)


def _too_few_jokers(s: State) -> Message | None:
    if s.jokers[s.seat] >= s.due:
        return None
    return msg("Still to pay: {due}. Your jokers: {jokers}.", due=int(s.due), jokers=int(s.jokers[s.seat]))


# --- places ------------------------------------------------------------------------------------------


def _refused_back(s: State) -> Message | None:
    if s.supply == 0:
        return msg("There is no face-down expansion left in the supply.")
    if s.score[s.seat] < FACE_DOWN_PRICE:
        return msg("A face-down expansion costs {price} points; you have {n}.",
                   price=FACE_DOWN_PRICE, n=int(s.score[s.seat]))
    if not has_free_place(s, s.seat):
        return msg("Your garden has no place left for an expansion.")
    return None


def _refused_cell(s: State, cell: int) -> Message | None:
    if s.held >= HELD_EXPANSION:
        return _refused_place(s, cell)
    place, name = place_of(cell), raw(cell_text(cell))
    if not exists(s, s.seat, cell):
        if s.places[s.seat, place] == NO_EXPANSION:
            return msg("There is no expansion at place {place} yet.", place=place + 1)
        return msg("A pavilion stands in the centre of place {place}.", place=place + 1)
    if s.garden[s.seat, cell] != EMPTY:
        return msg("Cell {cell} already holds {hexagon}.",
                   cell=name, hexagon=hexagon_name(int(s.garden[s.seat, cell]) - 1))
    return _refused_neighbours(s.garden[s.seat], cell, s.held - HELD_TILE)


def _refused_place(s: State, cell: int) -> Message | None:
    place = place_of(cell)
    if place < 0:
        return msg("An expansion goes to one of the six places around the fountain board.")
    if s.places[s.seat, place] != NO_EXPANSION:
        return msg("There is already an expansion at place {place}.", place=place + 1)
    if s.held == HELD_BACK and direction_of(cell) == 0:
        return None
    if s.held == HELD_BACK:
        return msg("To place a face-down expansion, name the centre cell of its place: {cell}.",
                   cell=raw(f"{place + 1}0"))
    if direction_of(cell) == 0:
        return msg("For the printed hexagon, choose a cell on the rim of place {place}.", place=place + 1)
    return _refused_neighbours(s.garden[s.seat], cell, s.held - HELD_EXPANSION)


def _refused_neighbours(garden: Cells, cell: int, hexagon: int) -> Message | None:
    names = {"hexagon": hexagon_name(hexagon), "cell": raw(cell_text(cell))}
    near = [int(garden[other]) - 1 for other in NEIGHBOURS[cell] if other >= 0 and garden[other] != EMPTY]
    if near and not any(matches(hexagon, other, True) or matches(hexagon, other, False) for other in near):
        return msg("No neighbour of cell {cell} has the colour or the pattern of {hexagon}.", **names)
    if hexagon in near:
        return msg("An identical {hexagon} lies next to cell {cell}.", **names)
    by_colour = makes_twins(garden, cell, hexagon, True)
    if not by_colour and not makes_twins(garden, cell, hexagon, False):
        return None
    field = hexagon // PATTERNS if by_colour else COLOURS + hexagon % PATTERNS
    return msg("At cell {cell}, {hexagon} would make a {name} group with two identical hexagons.",
               **names, name=FIELD_NAMES[field])
