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

from azulejos.core.contract import Refused
from azulejos.core.message import Message, msg
from azulejos.core.notation import Move, MoveTable, Start, Written
from azulejos.core.verbs import MAX_SEATS
from azulejos.games.azul.layout import (
    COLOUR_IN_COLUMN, COLOUR_IN_ROW, COLUMN_NOW, DIVIDE_NOW, EFFECTS, LINE_BEGUN, LINE_FULL, LINES,
    NO_TILES, NOT_TO_DIVIDE, ROW_COMPLETED, SPACE_TAKEN, STALLED, TAKE_NOW, UNEVEN, State,
)
from azulejos.parts import offer_game
from azulejos.parts.offer import COLOURS, MAX_FACTORIES
from azulejos.parts.offer_game import source_refusals

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


class Take(offer_game.Take):
    """Take all tiles of a colour from a source (0: the centre) to a line (0..4) or the floor line (5)."""

    __slots__ = ()
    letters, targets = LETTERS, "12345f"


class Draw(offer_game.Draw):
    __slots__ = ()
    letters = LETTERS


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
def line_full(s: State, move: Take) -> Message:
    return msg("Line {line} is full.", line=move.target + 1)


def line_begun(s: State, move: Take) -> Message:
    held = int(s.line_colour[s.to_move, move.target])
    return msg("Line {line} already holds {held}.", line=move.target + 1, held=COLOUR_NAMES[held])


def colour_in_row(s: State, move: Take) -> Message:
    return msg("Row {row} of the wall already holds {colour}.",
               row=move.target + 1, colour=COLOUR_NAMES[move.colour])


def space_taken(s: State, move: Column) -> Message:
    return msg("Row {row} already has a tile in column {column}.",
               row=_line_to_tile(s) + 1, column=move.column + 1)


def colour_in_column(s: State, move: Column) -> Message:
    colour = int(s.line_colour[s.to_move, _line_to_tile(s)])
    return msg("Column {column} already holds {colour}.",
               column=move.column + 1, colour=COLOUR_NAMES[colour])


def _line_to_tile(s: State) -> int:
    return next(line for line in range(LINES) if s.line_tiles[s.to_move, line] == line + 1)


def not_to_divide(s: State, move: Divide) -> Message:
    missing = next(colour for colour in move.left if s.factories[s.dividing, colour] == 0)
    return msg("There is no {colour} to divide.", colour=COLOUR_NAMES[missing])


REFUSED: Final[Refused] = {
    **source_refusals(COLOUR_NAMES),
    TAKE_NOW: lambda s, move: msg("Take tiles from a factory or from the centre."),
    COLUMN_NOW: lambda s, move: msg("First choose a column for the tile: c1 to c5."),
    DIVIDE_NOW: lambda s, move: msg("First divide the tiles left on the factory."),
    LINE_FULL: line_full, LINE_BEGUN: line_begun, COLOUR_IN_ROW: colour_in_row,
    SPACE_TAKEN: space_taken, COLOUR_IN_COLUMN: colour_in_column, NOT_TO_DIVIDE: not_to_divide,
    UNEVEN: lambda s, move: msg("You must divide the tiles as evenly as possible."),
}
"""What each refusal of `rules.refusal` says."""


def end_reason(s: State) -> Message:
    return {
        ROW_COMPLETED: msg("A horizontal row is complete."),
        NO_TILES: msg("There are no tiles left to lay out."),
        STALLED: msg("Five rounds have passed without a new tile on any wall."),
    }[int(s.ended)]
