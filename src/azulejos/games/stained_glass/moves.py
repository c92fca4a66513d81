"""Moves of Stained Glass of Sintra: their numbers, their texts, and why one is not legal.

    2o5   take orange from factory 2 to the strip above window 5      0o5   from the centre
    2ox   take orange from factory 2; no strip in reach has a space for it, so all of it breaks
    g     the glazier goes back above the leftmost strip
    ko    keep an orange pane of the completed strip for the window
    +b    chance: a blue pane is drawn for a factory
    s5f   chance: strip 5 is laid above the next window, front up (s5b: back up)
    tb    chance: a blue pane is laid on the round track (II to VI, then I)
    @2    chance: seat 2 starts
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from azulejos.core.contract import Refused
from azulejos.core.message import Message, msg
from azulejos.core.notation import Move, MoveTable, Start, Written
from azulejos.core.verbs import MAX_SEATS
from azulejos.games.stained_glass.components import LETTERS, WINDOWS
from azulejos.games.stained_glass.layout import (
    ALREADY_BACK, BACK, FRONT, KEEP_NOW, LEFT_OF_GLAZIER, MUST_PLACE, NO_SPACE, NO_STRIP, NO_STRIP_LEFT,
    NOT_ON_STRIP, NOTHING_BEHIND, TURN_NOW, State,
)
from azulejos.parts import offer_game
from azulejos.parts.offer import COLOURS, MAX_FACTORIES
from azulejos.parts.offer_game import source_refusals

COLOUR_NAMES: Final = (msg("blue"), msg("pink"), msg("orange"), msg("yellow"), msg("white"))

TARGETS: Final = WINDOWS + 1
BREAK: Final = WINDOWS

# First number of each kind of action.
TAKE: Final = 0
RESET: Final = TAKE + (1 + MAX_FACTORIES) * COLOURS * TARGETS
KEEP: Final = RESET + 1
DRAW: Final = KEEP + COLOURS
LAY_STRIP: Final = DRAW + COLOURS
LAY_BONUS: Final = LAY_STRIP + WINDOWS * 2
SEAT: Final = LAY_BONUS + COLOURS


class Take(offer_game.Take):
    """Take all panes of a colour from a source (0: the centre) to a strip (0..7), or break them all (8)."""

    __slots__ = ()
    letters, targets = LETTERS, "12345678x"


class Draw(offer_game.Draw):
    __slots__ = ()
    letters = LETTERS


@dataclass(frozen=True, slots=True)
class Reset(Written):
    """Move the glazier back above the leftmost strip."""

    @property
    def text(self) -> str:
        return "g"


@dataclass(frozen=True, slots=True)
class Keep(Written):
    """The pane of the completed strip that goes into the window."""

    colour: int

    @property
    def text(self) -> str:
        return f"k{LETTERS[self.colour]}"


@dataclass(frozen=True, slots=True)
class LayStrip(Written):
    """Chance: the strip above the next window, and the face that is up."""

    strip: int
    face: int

    @property
    def text(self) -> str:
        return f"s{self.strip + 1}{'fb'[self.face]}"


@dataclass(frozen=True, slots=True)
class LayBonus(Written):
    """Chance: the colour of the next pane on the round track."""

    colour: int

    @property
    def text(self) -> str:
        return f"t{LETTERS[self.colour]}"


def _all_moves() -> list[Move]:
    colours = range(COLOURS)
    moves: list[Move] = [
        Take(source, colour, target)
        for source in range(1 + MAX_FACTORIES) for colour in colours for target in range(TARGETS)
    ]
    moves += [Reset()]
    moves += [Keep(colour) for colour in colours]
    moves += [Draw(colour) for colour in colours]
    moves += [LayStrip(strip, face) for strip in range(WINDOWS) for face in (FRONT, BACK)]
    moves += [LayBonus(colour) for colour in colours]
    moves += [Start(seat) for seat in range(MAX_SEATS)]
    return moves


MOVES: Final = MoveTable(_all_moves())


def not_on_strip(s: State, move: Keep) -> Message:
    return msg("There is no {colour} on the completed strip.", colour=COLOUR_NAMES[move.colour])


def must_place(s: State, move: Take) -> Message:
    return msg("A strip you can reach has a space for {colour}, so you must place the panes.",
               colour=COLOUR_NAMES[move.colour])


def no_strip(s: State, move: Take) -> Message:
    return msg("There is no longer a strip above window {window}.", window=move.target + 1)


def left_of_glazier(s: State, move: Take) -> Message:
    return msg("Strip {window} lies to the left of the glazier.", window=move.target + 1)


def no_space(s: State, move: Take) -> Message:
    return msg("Strip {window} has no free space for {colour}.",
               window=move.target + 1, colour=COLOUR_NAMES[move.colour])


REFUSED: Final[Refused] = {
    **source_refusals(COLOUR_NAMES),
    TURN_NOW: lambda s, move: msg(
        "Take panes from a factory or from the centre, or move the glazier back."
    ),
    KEEP_NOW: lambda s, move: msg("First choose the pane to keep: k and its colour."),
    NOT_ON_STRIP: not_on_strip, MUST_PLACE: must_place, NO_STRIP: no_strip,
    LEFT_OF_GLAZIER: left_of_glazier, NO_SPACE: no_space,
    NO_STRIP_LEFT: lambda s, move: msg("There is no strip left to go back to."),
    ALREADY_BACK: lambda s, move: msg("The glazier is already above the leftmost strip."),
    NOTHING_BEHIND: lambda s, move: msg(
        "The leftmost strip is to the right of the glazier, who can only go back to the left."
    ),
}
"""What each refusal of `rules.refusal` says."""


def end_reason(s: State) -> Message:
    return msg("Six rounds have been played.")
