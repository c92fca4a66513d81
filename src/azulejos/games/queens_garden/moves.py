"""Moves of Queen's Garden: their numbers, their texts, and why one is not legal.

Colours are letters, patterns are their values, a hexagon is both: ``b3`` light blue butterflies.

    b light blue   l light purple (lilac)   y yellow   g light green   d dark green   p dark purple
    1 tree   2 bird   3 butterflies   4 flower   5 plant   6 bells

    ab a3   acquire a colour, a pattern         s2   of identical hexagons the one on expansion 2
    b3      a tile: place it; pay it; discard it
    x1 x2   a stored expansion, likewise        f    buy a face-down expansion
    34      the cell: place 3, direction 4; place 0 is the fountain board, direction 0 a place's centre
    j       pay the rest with jokers            -    pass; after discards: no more
    @2      chance: seat 2 starts               +b3  chance: a tile is drawn
    !b3     chance: an expansion is turned face up

Places and directions go clockwise from the east. An expansion is placed by the cell of its printed
hexagon, a face-down one by its centre. A whole turn: ``y3 04 y1 y5`` places yellow butterflies beside the
fountain and pays with a yellow tree and a yellow plant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from azulejos.core.contract import Refused
from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.notation import Move, MoveTable, Start, Written
from azulejos.core.verbs import MAX_SEATS
from azulejos.games.queens_garden.components import (
    CELLS, COLOURS, EXPANSION_SPACES, FACE_DOWN_PRICE, FIELDS, FOUNTAIN_CELLS, HEXAGONS, MAX_STACK,
    NEIGHBOURS, PATTERNS, PLACE_CELLS, STACK,
)
from azulejos.games.queens_garden.garden import place_of, value_of
from azulejos.games.queens_garden.layout import (
    ACT_NOW, BACK_TOO_DEAR, CANNOT_PAY, CELL_TAKEN, CHOOSE_NOW, DISCARD_NOW, DISCARD_TOO_DEAR, FITS_NOWHERE,
    HELD_EXPANSION, HELD_TILE, IDENTICAL_PAYS, NO_BACK_LEFT, NO_CELL, NO_EXPANSION, NO_EXPANSION_ROOM,
    NO_FREE_PLACE, NO_MATCH, NO_ROOM, NO_ROOM_FOR_REST, NO_SUCH_SOURCE, NO_TILE_ROOM, NONE_OFFERED,
    NOT_A_PLACE, NOT_AT_SOURCE, NOT_ON_RIM, NOT_STORED, NOT_THE_CENTRE, NOTHING_SHARED, OTHER_COLOUR,
    OTHER_PATTERN, OUT_OF_ORDER, PAY_NOW, PAYS_ALREADY, PLACE_NOW, PLACE_TAKEN, REST_UNPAID, TOO_FEW_JOKERS,
    TWINS_OF_COLOUR, TWINS_OF_PATTERN, State,
)
from azulejos.games.queens_garden.storage import expansion_room, tile_room

# --- names -----------------------------------------------------------------------------------------------


FIELD_NAMES: Final = (
    msg("blue"), msg("light purple"), msg("yellow"),
    msg("light green"), msg("dark green"), msg("dark purple"),
    msg("tree"), msg("bird"), msg("butterflies"), msg("flower"), msg("plant"), msg("bells"),
)
FIELD_KINDS: Final = (
    "light-blue", "light-purple", "yellow", "light-green", "dark-green", "dark-purple",
    "tree", "bird", "butterflies", "flower", "plant", "bells",
)


def hexagon_name(hexagon: int) -> Message:
    return msg("{colour} {pattern}",
               colour=FIELD_NAMES[hexagon // PATTERNS], pattern=FIELD_NAMES[COLOURS + hexagon % PATTERNS])


def any_of(field: int) -> str:
    """The kind of the chip for a colour or a pattern: "yellow", "any.bird"."""
    return FIELD_KINDS[field] if field < COLOURS else f"any.{FIELD_KINDS[field]}"


def kind(hexagon: int) -> str:
    """For example "yellow.bird"."""
    return f"{FIELD_KINDS[hexagon // PATTERNS]}.{FIELD_KINDS[COLOURS + hexagon % PATTERNS]}"


def offered(s: State) -> list[tuple[str, int]]:
    """What the display offers: slots such as "s1.yellow.bird", each with its hexagon.

    Reads the lists: calling `offers` for every hexagon of every expansion took a third of the drawing time.
    """
    found = []
    for source, (face, tiles) in enumerate(zip(s.face.tolist(), s.tiles.tolist(), strict=True)):
        numbers = sorted({number for number in (face, *tiles) if 0 < number <= HEXAGONS})
        found += [(f"s{source + 1}.{kind(number - 1)}", number - 1) for number in numbers]
    return found


LETTERS: Final = "blygdp"

# First number of each kind of action.
ACQUIRE: Final = 0
PIECE: Final = ACQUIRE + FIELDS
SLOT: Final = PIECE + HEXAGONS
CELL: Final = SLOT + EXPANSION_SPACES
SOURCE: Final = CELL + CELLS
BUY: Final = SOURCE + MAX_STACK
JOKERS: Final = BUY + 1
PASS: Final = JOKERS + 1
SEAT: Final = PASS + 1
DRAW: Final = SEAT + MAX_SEATS
TURN_UP: Final = DRAW + HEXAGONS


def field_text(field: int) -> str:
    return LETTERS[field] if field < COLOURS else str(field - COLOURS + 1)


def hexagon_text(hexagon: int) -> str:
    return f"{LETTERS[hexagon // PATTERNS]}{hexagon % PATTERNS + 1}"


def cell_text(cell: int) -> str:
    if cell < FOUNTAIN_CELLS:
        return f"0{cell + 1}"
    place, direction = divmod(cell - FOUNTAIN_CELLS, PLACE_CELLS)
    return f"{place + 1}{direction}"


@dataclass(frozen=True, slots=True)
class Acquire(Written):
    """Acquire all hexagons of a colour (0-5) or pattern (6-11)."""

    field: int

    @property
    def text(self) -> str:
        return f"a{field_text(self.field)}"


@dataclass(frozen=True, slots=True)
class Tile(Written):
    """A tile of the storage, to be placed, paid or discarded."""

    hexagon: int

    @property
    def text(self) -> str:
        return hexagon_text(self.hexagon)


@dataclass(frozen=True, slots=True)
class Slot(Written):
    """A stored expansion, to be placed, paid or discarded."""

    slot: int

    @property
    def text(self) -> str:
        return f"x{self.slot + 1}"


@dataclass(frozen=True, slots=True)
class Cell(Written):
    """The cell for a tile, an expansion's printed hexagon, or the centre of a face-down expansion."""

    cell: int

    @property
    def text(self) -> str:
        return cell_text(self.cell)


@dataclass(frozen=True, slots=True)
class Source(Written):
    """Which of several identical hexagons to take: the one on this expansion of the display."""

    source: int

    @property
    def text(self) -> str:
        return f"s{self.source + 1}"


@dataclass(frozen=True, slots=True)
class Buy(Written):
    """Buy a face-down expansion with points."""

    text: str = "f"


@dataclass(frozen=True, slots=True)
class Jokers(Written):
    """Pay the rest with jokers."""

    text: str = "j"


@dataclass(frozen=True, slots=True)
class Pass(Written):
    """Pass; while discarding: discard no more."""

    text: str = "-"


@dataclass(frozen=True, slots=True)
class Draw(Written):
    """Chance: the next tile from the bag."""

    hexagon: int

    @property
    def text(self) -> str:
        return f"+{hexagon_text(self.hexagon)}"


@dataclass(frozen=True, slots=True)
class TurnUp(Written):
    """Chance: the hexagon on an expansion that is turned face up."""

    hexagon: int

    @property
    def text(self) -> str:
        return f"!{hexagon_text(self.hexagon)}"


def _all_moves() -> list[Move]:
    hexagons = range(HEXAGONS)
    return [
        *(Acquire(field) for field in range(FIELDS)),
        *(Tile(hexagon) for hexagon in hexagons),
        *(Slot(slot) for slot in range(EXPANSION_SPACES)),
        *(Cell(cell) for cell in range(CELLS)),
        *(Source(source) for source in range(MAX_STACK)),
        Buy(), Jokers(), Pass(),
        *(Start(seat) for seat in range(MAX_SEATS)),
        *(Draw(hexagon) for hexagon in hexagons),
        *(TurnUp(hexagon) for hexagon in hexagons),
    ]


MOVES: Final = MoveTable(_all_moves())

# --- why a move is not legal -----------------------------------------------------------------------------

Said = Callable[[State, Any], Message]


def _just(said: Message) -> Said:
    """A refusal that says the same to every move."""
    return lambda s, move: said


def _of_name(s: State, move: Acquire) -> Message:
    return msg("Nothing in the display is {name}.", name=FIELD_NAMES[move.field])


def _no_tile_room(s: State, move: Acquire) -> Message:
    return nmsg("{name} does not fit: your storage has {n} space left for tiles.",
                "{name} does not fit: your storage has {n} spaces left for tiles.",
                n=tile_room(s, s.seat), name=FIELD_NAMES[move.field])


def _no_expansion_room(s: State, move: Acquire) -> Message:
    return nmsg("{name} does not fit: your storage has {n} space left for expansions.",
                "{name} does not fit: your storage has {n} spaces left for expansions.",
                n=expansion_room(s, s.seat), name=FIELD_NAMES[move.field])


def _not_at_source(s: State, move: Source) -> Message:
    return msg("There is no {hexagon} on expansion {source}.",
               hexagon=hexagon_name(s.choosing), source=move.source + 1)


def _no_room_for_rest(s: State, move: Source) -> Message:
    name = FIELD_NAMES[s.named]
    if s.face[move.source] == 1 + s.choosing:
        return msg("Your storage has no room for this expansion and everything else that is {name}.",
                   name=name)
    return msg("Your storage has no room for this tile and everything else that is {name}.", name=name)


def _hexagon(s: State, move: Tile | Slot) -> int:
    return move.hexagon if isinstance(move, Tile) else int(s.slots[s.seat, move.slot]) - 1


def _not_stored(s: State, move: Tile | Slot) -> Message:
    if isinstance(move, Tile):
        return msg("There is no {hexagon} tile in your storage.", hexagon=hexagon_name(move.hexagon))
    return msg("There is no expansion in space {n} of your storage.", n=move.slot + 1)


def _cannot_pay(s: State, move: Tile | Slot) -> Message:
    hexagon = _hexagon(s, move)
    return msg("To pay {cost} for {hexagon} you have too few of that colour or pattern, jokers included.",
               cost=value_of(hexagon), hexagon=hexagon_name(hexagon))


def _discard_too_dear(s: State, move: Tile | Slot) -> Message:
    hexagon = _hexagon(s, move)
    return msg("You have {n} points; discarding {hexagon} costs {value}.",
               n=int(s.score[s.seat]), hexagon=hexagon_name(hexagon), value=value_of(hexagon))


def _no_cell(s: State, move: Cell) -> Message:
    place = place_of(move.cell)
    if s.places[s.seat, place] == NO_EXPANSION:
        return msg("There is no expansion at place {place} yet.", place=place + 1)
    return msg("A pavilion stands in the centre of place {place}.", place=place + 1)


def _cell_taken(s: State, move: Cell) -> Message:
    return msg("There lies {hexagon} already.",
               hexagon=hexagon_name(int(s.garden[s.seat, move.cell]) - 1))


def _of_place(said: Callable[[int], Message]) -> Said:
    """A refusal of a cell that names its place."""
    return lambda s, move: said(place_of(move.cell) + 1)


def _held(s: State) -> int:
    return int(s.held) - (HELD_EXPANSION if s.held >= HELD_EXPANSION else HELD_TILE)


def _no_match(s: State, move: Cell) -> Message:
    return msg("No neighbour there has the colour or the pattern of {hexagon}.",
               hexagon=hexagon_name(_held(s)))


def _twins(s: State, move: Cell, field: int) -> Message:
    hexagon = hexagon_name(_held(s))
    if any(near >= 0 and s.garden[s.seat, near] == 1 + _held(s) for near in NEIGHBOURS[move.cell]):
        return msg("There, an identical hexagon would be its neighbour: {hexagon}.", hexagon=hexagon)
    return msg("There, {hexagon} would make a {name} group with two identical hexagons.",
               hexagon=hexagon, name=FIELD_NAMES[field])


def _of_payment(said: Callable[[Message, Message], Message]) -> Said:
    """A refusal that names what was offered and what is being paid for."""
    return lambda s, move: said(
        hexagon_name(_hexagon(s, move)), hexagon_name(int(s.garden[s.seat, s.laid_at]) - 1)
    )


REFUSED: Final[Refused] = {
    ACT_NOW: _just(msg("Take hexagons, place a tile or an expansion, or pass.")),
    CHOOSE_NOW: _just(msg("First choose which of the identical hexagons to take.")),
    PLACE_NOW: _just(msg("First choose where the piece goes.")),
    PAY_NOW: _just(msg("First pay for the piece you placed.")),
    DISCARD_NOW: _just(msg("You are passing: discard hexagons, or end with -.")),
    NONE_OFFERED: _of_name, NO_TILE_ROOM: _no_tile_room, NO_EXPANSION_ROOM: _no_expansion_room,
    NO_ROOM: lambda s, move: msg("{name} does not fit in your storage.", name=FIELD_NAMES[move.field]),
    NO_SUCH_SOURCE: lambda s, move: msg("The stack has only {n} expansions.", n=STACK[s.players]),
    NOT_AT_SOURCE: _not_at_source, NO_ROOM_FOR_REST: _no_room_for_rest,
    NOT_STORED: _not_stored, CANNOT_PAY: _cannot_pay,
    NO_FREE_PLACE: _just(msg("Your garden has no place left for an expansion.")),
    FITS_NOWHERE: lambda s, move: msg("There is nowhere in your garden to place {hexagon}.",
                                      hexagon=hexagon_name(_hexagon(s, move))),
    NO_CELL: _no_cell, CELL_TAKEN: _cell_taken,
    NOT_A_PLACE: _just(msg("An expansion goes to one of the six places around the fountain board.")),
    PLACE_TAKEN: _of_place(lambda n: msg("There is already an expansion at place {place}.", place=n)),
    NOT_THE_CENTRE: _of_place(lambda n: msg(
        "To place a face-down expansion, name the centre cell of its place: {cell}.", cell=raw(f"{n}0"))),
    NOT_ON_RIM: _of_place(lambda n: msg(
        "For the printed hexagon, choose a cell on the rim of place {place}.", place=n)),
    NO_MATCH: _no_match,
    TWINS_OF_COLOUR: lambda s, move: _twins(s, move, _held(s) // PATTERNS),
    TWINS_OF_PATTERN: lambda s, move: _twins(s, move, COLOURS + _held(s) % PATTERNS),
    OUT_OF_ORDER: lambda s, move: msg(
        "Name the pieces in order, tiles before expansions; it is too late for {hexagon}.",
        hexagon=hexagon_name(_hexagon(s, move))),
    IDENTICAL_PAYS: _of_payment(lambda paid, placed: msg(
        "An identical hexagon cannot pay for {placed}.", placed=placed)),
    NOTHING_SHARED: _of_payment(lambda paid, placed: msg(
        "{hexagon} has neither the colour nor the pattern of {placed}.", hexagon=paid, placed=placed)),
    OTHER_COLOUR: _of_payment(lambda paid, placed: msg(
        "You are paying with one colour; {hexagon} has another.", hexagon=paid)),
    OTHER_PATTERN: _of_payment(lambda paid, placed: msg(
        "You are paying with one pattern; {hexagon} has another.", hexagon=paid)),
    PAYS_ALREADY: _of_payment(lambda paid, placed: msg(
        "{hexagon} is already part of the payment; identical hexagons cannot pay together.",
        hexagon=paid)),
    REST_UNPAID: _of_payment(lambda paid, placed: msg(
        "If you pay with {hexagon}, you cannot pay the rest.", hexagon=paid)),
    TOO_FEW_JOKERS: lambda s, move: msg("Still to pay: {due}. Your jokers: {jokers}.",
                                        due=int(s.due), jokers=int(s.jokers[s.seat])),
    NO_BACK_LEFT: _just(msg("There is no face-down expansion left in the supply.")),
    BACK_TOO_DEAR: lambda s, move: msg("A face-down expansion costs {price} points; you have {n}.",
                                       price=FACE_DOWN_PRICE, n=int(s.score[s.seat])),
    DISCARD_TOO_DEAR: _discard_too_dear,
}
"""What each refusal of `rules.refusal` says, as precisely as a person at the table would explain it."""


def end_reason(s: State) -> Message:
    return msg("Four rounds have been played.")
