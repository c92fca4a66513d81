"""Moves of Azul: their numbers, their texts, and why one is not legal.

    2r4   take red from factory 2 to line 4      0r4   from the centre      2rf   to the floor
    c3    grey wall: the tile goes to column 3
    <br   SPLIT: blue and red go to the left neighbour, the other colours to the right one
    +b    chance: a blue tile is drawn           !3e   chance: disc 3 is turned up, EXTRA
    @2    chance: seat 2 starts
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from azulejos.core.message import Message, msg
from azulejos.core.notation import Move, MoveTable, Start, Written
from azulejos.core.verbs import MAX_SEATS
from azulejos.games.azul.layout import (
    DIVIDING,
    EFFECTS,
    LINES,
    NO_TILES,
    OFFER,
    ROW_COMPLETED,
    STALLED,
    TILING,
    State,
)
from azulejos.parts.offer import COLOURS, FACTORIES, MAX_FACTORIES, why_not_offered

LETTERS: Final = "byrkw"
COLOUR_NAMES: Final = (msg("blue"), msg("yellow"), msg("red"), msg("black"), msg("white"))
EFFECT_LETTERS: Final = LETTERS + "esdz"

TARGETS: Final = LINES + 1
FLOOR: Final = LINES

# First number of each kind of action.
TAKE: Final = 0
COLUMN: Final = TAKE + (1 + MAX_FACTORIES) * COLOURS * TARGETS
DIVIDE: Final = COLUMN + LINES
DRAW: Final = DIVIDE + 2**COLOURS
DISC: Final = DRAW + COLOURS
SEAT: Final = DISC + MAX_FACTORIES * EFFECTS


@dataclass(frozen=True, slots=True)
class Take(Written):
    """Take all tiles of a colour from a source (0: the centre) to a line (0..4) or the floor line (5)."""

    source: int
    colour: int
    target: int

    @property
    def text(self) -> str:
        return f"{self.source}{LETTERS[self.colour]}{'12345f'[self.target]}"


@dataclass(frozen=True, slots=True)
class Column(Written):
    """Grey wall: the column for the tile of the topmost complete line."""

    column: int

    @property
    def text(self) -> str:
        return f"c{self.column + 1}"


@dataclass(frozen=True, slots=True)
class Divide(Written):
    """SPLIT: the colours that go to the left neighbour, as a bit set."""

    left: tuple[int, ...]

    @property
    def text(self) -> str:
        return "<" + "".join(LETTERS[colour] for colour in self.left)


@dataclass(frozen=True, slots=True)
class Draw(Written):
    """Chance: the colour of the next tile from the bag."""

    colour: int

    @property
    def text(self) -> str:
        return f"+{LETTERS[self.colour]}"


@dataclass(frozen=True, slots=True)
class TurnDisc(Written):
    """Chance: a disc of the circle is turned face up and shows an effect."""

    place: int
    effect: int

    @property
    def text(self) -> str:
        return f"!{self.place + 1}{EFFECT_LETTERS[self.effect - 1]}"


def _all_moves() -> list[Move]:
    colours = range(COLOURS)
    moves: list[Move] = [
        Take(source, colour, target)
        for source in range(1 + MAX_FACTORIES) for colour in colours for target in range(TARGETS)
    ]
    moves += [Column(column) for column in range(LINES)]
    moves += [Divide(tuple(c for c in colours if bits >> c & 1)) for bits in range(2**COLOURS)]
    moves += [Draw(colour) for colour in colours]
    moves += [
        TurnDisc(place, effect) for place in range(MAX_FACTORIES) for effect in range(1, EFFECTS + 1)
    ]
    moves += [Start(seat) for seat in range(MAX_SEATS)]
    return moves


MOVES: Final = MoveTable(_all_moves())
DIVISIONS: Final = tuple(move for move in MOVES if isinstance(move, Divide))


def why_not(s: State, action: int) -> Message | None:
    """Why a player's action is not legal now; None if it is legal."""
    move = MOVES[action]
    if s.stage == TILING and not isinstance(move, Column):
        return msg("First choose a column for the tile: c1 to c5.")
    if s.stage == DIVIDING and not isinstance(move, Divide):
        return msg("First divide the tiles left on the factory.")
    if isinstance(move, Take) and s.stage == OFFER:
        return _why_not_take(s, move)
    if isinstance(move, Column) and s.stage == TILING:
        return _why_not_column(s, move)
    if isinstance(move, Divide) and s.stage == DIVIDING:
        return _why_not_divide(s, move)
    return msg("Take tiles from a factory or from the centre.")


def _why_not_take(s: State, move: Take) -> Message | None:
    colour = COLOUR_NAMES[move.colour]
    places = FACTORIES[s.players]
    missing = why_not_offered(s.factories, s.centre, places, move.source, move.colour, colour)
    if missing is not None:
        return missing
    return None if move.target == FLOOR else _why_not_line(s, move.target, move.colour)


def _why_not_line(s: State, line: int, colour: int) -> Message | None:
    tiles, held = s.line_tiles[s.to_move, line], s.line_colour[s.to_move, line]
    if tiles == line + 1:
        return msg("Line {line} is full.", line=line + 1)
    if tiles > 0 and held != colour:
        return msg("Line {line} already holds {held}.", line=line + 1, held=COLOUR_NAMES[held])
    if 1 + colour in s.wall[s.to_move, line]:
        return msg("Row {row} of the wall already holds {colour}.",
                   row=line + 1, colour=COLOUR_NAMES[colour])
    return None


def _why_not_column(s: State, move: Column) -> Message | None:
    line = next(r for r in range(LINES) if s.line_tiles[s.to_move, r] == r + 1)
    if s.wall[s.to_move, line, move.column] != 0:
        return msg("Row {row} already has a tile in column {column}.",
                   row=line + 1, column=move.column + 1)
    colour = int(s.line_colour[s.to_move, line])
    if 1 + colour in s.wall[s.to_move, :, move.column]:
        return msg("Column {column} already holds {colour}.",
                   column=move.column + 1, colour=COLOUR_NAMES[colour])
    return None


def _why_not_divide(s: State, move: Divide) -> Message | None:
    for colour in move.left:
        if s.factories[s.dividing, colour] == 0:
            return msg("There is no {colour} to divide.", colour=COLOUR_NAMES[colour])
    tiles = s.factories[s.dividing].tolist()
    uneven = {division: _difference(tiles, division.left) for division in DIVISIONS}
    if not s.free_split and uneven[move] > min(uneven.values()):
        return msg("You must divide the tiles as evenly as possible.")
    return None


def _difference(tiles: list[int], left: tuple[int, ...]) -> int:
    return abs(sum(tiles) - 2 * sum(tiles[colour] for colour in left))


def end_reason(s: State) -> Message:
    return {
        ROW_COMPLETED: msg("A horizontal row is complete."),
        NO_TILES: msg("There are no tiles left to lay out."),
        STALLED: msg("Five rounds have passed without a new tile on any wall."),
    }[int(s.ended)]
