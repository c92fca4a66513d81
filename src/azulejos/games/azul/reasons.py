"""Reasons for points: numbers for the rules, sentences for people."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Reasons
from azulejos.core.message import Message, msg

TILE: Final = 0
FLOOR_LINE: Final = 1
FULL_ROW: Final = 2
FULL_COLUMN: Final = 3
COLOUR: Final = 4

NAMES: Final = ("tile", "floor", "row", "column", "colour")


def reason_text(reason: int, place: int) -> Message:
    if reason == TILE:
        return msg("tile in row {row}, column {column}", row=place // 5 + 1, column=place % 5 + 1)
    return {
        FLOOR_LINE: msg("floor line"),
        FULL_ROW: msg("complete rows"),
        FULL_COLUMN: msg("complete columns"),
        COLOUR: msg("complete colours"),
    }[reason]


def short_text(reason: int, place: int) -> Message:
    """A tile is named by the line it came from: the board shows where it lies."""
    return msg("line {n}", n=place // 5 + 1) if reason == TILE else reason_text(reason, place)


def reason_kind(reason: int) -> Message:
    """The heading under which such points are summed up."""
    return msg("tiles on the wall") if reason == TILE else reason_text(reason, -1)


REASONS: Final = Reasons(names=NAMES, text=reason_text, short=short_text, kind=reason_kind)
