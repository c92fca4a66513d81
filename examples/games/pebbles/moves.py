"""Moves of Pebbles: their numbers, their texts, and why one is not legal.

    r     take all red pebbles      b  blue      y  yellow
    +r    chance: a red pebble is drawn
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from azulejos.core.message import Message, msg
from azulejos.core.notation import MoveTable, Written

from .layout import COLOURS, State

LETTERS: Final = "rby"
NAMES: Final = (msg("red"), msg("blue"), msg("yellow"))
KINDS: Final = ("red", "blue", "yellow")
"""Kinds of pieces, drawn in the theme's colours."""

TAKE: Final = 0
DRAW: Final = TAKE + COLOURS


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


def why_not(s: State, action: int) -> Message | None:
    if action >= DRAW:
        return msg("Take pebbles from the bowl.")
    if s.bowl[action - TAKE] == 0:
        return msg("There is no {colour} in the bowl.", colour=NAMES[action - TAKE])
    return None


def end_reason(s: State) -> Message:
    return msg("The bag is used up.")
