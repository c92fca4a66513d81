"""Moves of Pebbles: their numbers, their texts, and why one is not legal.

    r     take all red pebbles      b  blue      y  yellow
    +r    chance: a red pebble is drawn
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from azulejos.core.contract import Refused
from azulejos.core.message import Message, msg
from azulejos.core.notation import MoveTable, Written

from .layout import COLOURS, State

LETTERS: Final = "rby"
NAMES: Final = (msg("red"), msg("blue"), msg("yellow"))
KINDS: Final = ("red", "blue", "yellow")
"""Kinds of pieces, drawn in the theme's colours."""

TAKE: Final = 0
DRAW: Final = TAKE + COLOURS

# Why a move is refused.
TAKE_NOW: Final = 1
NOT_IN_BOWL: Final = 2
NOT_IN_BAG: Final = 3


@dataclass(frozen=True, slots=True)
class Take(Written):
    colour: int

    @property
    def text(self) -> str:
        return LETTERS[self.colour]


@dataclass(frozen=True, slots=True)
class Draw(Written):
    colour: int

    @property
    def text(self) -> str:
        return f"+{LETTERS[self.colour]}"


MOVES: Final = MoveTable([Take(c) for c in range(COLOURS)] + [Draw(c) for c in range(COLOURS)])


REFUSED: Final[Refused] = {
    TAKE_NOW: lambda s, move: msg("Take pebbles from the bowl."),
    NOT_IN_BOWL: lambda s, move: msg("There is no {colour} in the bowl.", colour=NAMES[move.colour]),
}
"""What each refusal of `rules.refusal` says."""


def end_reason(s: State) -> Message:
    return msg("The bag is used up.")
