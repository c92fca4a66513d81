"""Names and titles that visitors choose, in the form in which others see them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from azulejos.core.message import msg
from azulejos.core.record import Player, Record
from azulejos.i18n import LANGUAGES, translator

MAX_NAME = 24
MAX_TITLE = 80
MOST_MARKS = 2
"""On one letter: Vietnamese needs two, and stacks of twenty cover the lines above."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""What shows no sign, although Unicode counts it as a letter, mark or symbol; and variation selectors."""
_BLANK |= {chr(code) for start, end in ((0x180B, 0x1810), (0xFE00, 0xFE10)) for code in range(start, end)}
_BLANK |= {chr(code) for code in range(0xE0100, 0xE01F0)}


def read_name(text: str, *, most: int = MAX_NAME) -> str:
    """A name or a title as it is shown: composed letters, nothing invisible, nothing that changes the
    direction or covers its neighbours, single spaces, at most so many characters."""
    composed = unicodedata.normalize("NFC", text[: 8 * most])
    return " ".join("".join(_visible(composed)).split())[:most].strip()


def _visible(text: str) -> Iterator[str]:
    marks = MOST_MARKS  # no mark without a letter before it
    for sign in text:
        kind = unicodedata.category(sign)
        if sign in _BLANK or kind[0] == "C":
            if sign.isspace():
                yield " "
            continue
        marks = marks + 1 if kind[0] == "M" else MOST_MARKS if kind[0] == "Z" else 0
        if marks <= MOST_MARKS:
            yield " " if kind[0] == "Z" else sign


def named(record: Record) -> Record:
    """A record that somebody brings, with the names of its seats as we show them."""
    record.seats = tuple(
        Player(read_name(player.name) or str(number), read_name(player.bot, most=MAX_TITLE))
        for number, player in enumerate(record.seats, start=1)
    )
    return record


def default_name(seat: int, language: str) -> str:
    """What somebody is called who gives no name."""
    return translator(language)(msg("Player {n}", n=seat + 1))


FORMER = msg("a former player")
"""Instead of the name of somebody who was removed."""


def is_default(name: str, seat: int) -> bool:
    """Whether that is a name which nobody gave."""
    return any(name == default_name(seat, language) for language in LANGUAGES)
