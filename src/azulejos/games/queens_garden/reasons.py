"""Reasons for points: numbers for the rules, sentences for people."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Reasons
from azulejos.core.message import Message, msg
from azulejos.games.queens_garden.components import FIELDS
from azulejos.games.queens_garden.moves import FIELD_NAMES

WHEEL_FIELD: Final = 0
"""WHEEL_FIELD + field: a hexagon that matches the wheel; the place is its cell."""
GROUP: Final = WHEEL_FIELD + FIELDS
"""GROUP + field: a group of one colour or pattern; the place is its first cell."""
BONUS: Final = GROUP + FIELDS
"""BONUS + field: a large group; the place is its first cell."""
PAVILION_SEEN: Final = BONUS + FIELDS
BACK_BOUGHT: Final = PAVILION_SEEN + 1
PASSED_FIRST: Final = BACK_BOUGHT + 1
DISCARDED: Final = PASSED_FIRST + 1
JOKERS_LEFT: Final = DISCARDED + 1
PIECES_LEFT: Final = JOKERS_LEFT + 1

NAMES: Final = (
    *("wheel",) * FIELDS, *("group",) * FIELDS, *("bonus",) * FIELDS,
    "pavilion", "face-down", "first-passer", "discard", "jokers", "leftovers",
)


def reason_text(reason: int, place: int) -> Message:
    if reason < GROUP:
        return msg("{field} on the wheel", field=FIELD_NAMES[reason - WHEEL_FIELD])
    if reason < BONUS:
        return msg("group: {field}", field=FIELD_NAMES[reason - GROUP])
    if reason < PAVILION_SEEN:
        return msg("bonus for a large group: {field}", field=FIELD_NAMES[reason - BONUS])
    return {
        PAVILION_SEEN: msg("visible pavilion"),
        BACK_BOUGHT: msg("face-down expansion"),
        PASSED_FIRST: msg("passed first"),
        DISCARDED: msg("discarded hexagon"),
        JOKERS_LEFT: msg("jokers left in the storage"),
        PIECES_LEFT: msg("hexagons left in the storage"),
    }[reason]


def reason_kind(reason: int) -> Message:
    """The heading under which such points are summed up."""
    if reason < GROUP:
        return msg("wheel")
    if reason < BONUS:
        return msg("groups")
    if reason < PAVILION_SEEN:
        return msg("large groups")
    return {
        PAVILION_SEEN: msg("pavilions"),
        BACK_BOUGHT: msg("face-down expansions"),
        DISCARDED: msg("discarded hexagons"),
    }.get(reason) or reason_text(reason, -1)


REASONS: Final = Reasons(names=NAMES, text=reason_text, kind=reason_kind)
