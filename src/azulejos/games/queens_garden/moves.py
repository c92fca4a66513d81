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

from dataclasses import dataclass
from typing import Final

from azulejos.core.message import Message, msg
from azulejos.core.notation import Move, MoveTable, Start, Written
from azulejos.core.verbs import MAX_SEATS
from azulejos.games.queens_garden.components import (
    CELLS,
    COLOURS,
    EXPANSION_SPACES,
    FIELDS,
    FOUNTAIN_CELLS,
    HEXAGONS,
    MAX_STACK,
    PATTERNS,
    PLACE_CELLS,
)
from azulejos.games.queens_garden.layout import State

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
