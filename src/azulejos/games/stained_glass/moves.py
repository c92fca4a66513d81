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

from azulejos.core.message import Message, msg
from azulejos.core.notation import Move, MoveTable, Start, Written
from azulejos.core.verbs import MAX_SEATS
from azulejos.games.stained_glass.components import LETTERS, WINDOWS
from azulejos.games.stained_glass.layout import BACK, FRONT, KEEPING, OFFER, State
from azulejos.games.stained_glass.strips import (
    fits_somewhere,
    free_spaces,
    has_strip,
    is_reachable,
    leftmost_strip,
)
from azulejos.parts.offer import COLOURS, FACTORIES, MAX_FACTORIES, why_not_offered

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


@dataclass(frozen=True, slots=True)
class Take(Written):
    """Take all panes of a colour from a source (0: the centre) to a strip (0..7), or break them all (8)."""

    source: int
    colour: int
    target: int

    @property
    def text(self) -> str:
        return f"{self.source}{LETTERS[self.colour]}{'12345678x'[self.target]}"


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
class Draw(Written):
    """Chance: the colour of the next pane from the bag."""

    colour: int

    @property
    def text(self) -> str:
        return f"+{LETTERS[self.colour]}"


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


def why_not(s: State, action: int) -> Message | None:
    """Why a player's action is not legal now; None if it is legal."""
    move = MOVES[action]
    if s.stage == KEEPING:
        if isinstance(move, Keep):
            return _why_not_keep(s, move)
        return msg("First choose the pane to keep: k and its colour.")
    if s.stage == OFFER:
        if isinstance(move, Take):
            return _why_not_take(s, move)
        if isinstance(move, Reset):
            return _why_not_reset(s)
    return msg("Take panes from a factory or from the centre, or move the glazier back.")


def _why_not_keep(s: State, move: Keep) -> Message | None:
    if s.panes[s.to_move, s.glazier[s.to_move], move.colour] > 0:
        return None
    return msg("There is no {colour} on the completed strip.", colour=COLOUR_NAMES[move.colour])


def _why_not_take(s: State, move: Take) -> Message | None:
    colour = COLOUR_NAMES[move.colour]
    places = FACTORIES[s.players]
    missing = why_not_offered(s.factories, s.centre, places, move.source, move.colour, colour)
    if missing is not None:
        return missing
    if move.target == BREAK:
        if not fits_somewhere(s, s.to_move, move.colour):
            return None
        return msg("A strip you can reach has a space for {colour}, so you must place the panes.",
                   colour=colour)
    if not has_strip(s, s.to_move, move.target):
        return msg("There is no longer a strip above window {window}.", window=move.target + 1)
    if not is_reachable(s, s.to_move, move.target):
        return msg("Strip {window} lies to the left of the glazier.", window=move.target + 1)
    if free_spaces(s, s.to_move, move.target, move.colour) == 0:
        return msg("Strip {window} has no free space for {colour}.", window=move.target + 1, colour=colour)
    return None


def _why_not_reset(s: State) -> Message | None:
    leftmost = leftmost_strip(s, s.to_move)
    if leftmost == WINDOWS:
        return msg("There is no strip left to go back to.")
    if leftmost == s.glazier[s.to_move]:
        return msg("The glazier is already above the leftmost strip.")
    if leftmost > s.glazier[s.to_move]:
        return msg("The leftmost strip is to the right of the glazier, who can only go back to the left.")
    return None


def end_reason(s: State) -> Message:
    return msg("Six rounds have been played.")
