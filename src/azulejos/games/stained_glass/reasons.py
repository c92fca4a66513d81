"""Reasons for points: numbers for the rules, sentences for people."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Reasons
from azulejos.core.message import Message, msg
from azulejos.games.stained_glass.components import WINDOWS

BONUS_COLOUR: Final = 0
WINDOW: Final = 1
TRACK_END: Final = 2
PANES_LEFT: Final = 3
BROKEN: Final = 4
ORNAMENT: Final = 5
BEST_COLOUR: Final = 6

NAMES: Final = ("bonus", "window", "track end", "panes left", "broken", "ornament", "best colour")


def reason_text(reason: int, place: int) -> Message:
    """The place is a window, WINDOWS + an ornament, or -1."""
    return {
        BONUS_COLOUR: msg("bonus colour on strip {window}", window=place + 1),
        WINDOW: msg("window {window} and those to its right", window=place + 1),
        TRACK_END: msg("end of the broken-glass track"),
        PANES_LEFT: msg("panes left on strips"),
        BROKEN: msg("broken glass"),
        ORNAMENT: msg("ornament {ornament}", ornament=place - WINDOWS + 1),
        BEST_COLOUR: msg("complete windows times panes of the most frequent colour"),
    }[reason]


def short_text(reason: int, place: int) -> Message:
    """The board shows which windows and panes count."""
    if reason == WINDOW:
        return msg("window {n}", n=place + 1)
    return msg("strip {n}", n=place + 1) if reason == BONUS_COLOUR else reason_kind(reason)


def reason_kind(reason: int) -> Message:
    """The heading under which such points are summed up."""
    return {
        BONUS_COLOUR: msg("bonus colours"),
        WINDOW: msg("windows"),
        TRACK_END: msg("broken glass"),
        ORNAMENT: msg("ornaments"),
    }.get(reason) or reason_text(reason, -1)


REASONS: Final = Reasons(names=NAMES, text=reason_text, short=short_text, kind=reason_kind)
