"""Text for a terminal, as data: a game's ``terminal.py`` writes it, the command line colours it.

``draw(s, names, say)`` of a game returns lines of spans. `style` is the kind of a piece ("blue",
"yellow.bird"), or plain, strong, quiet, good, bad; a theme gives it a colour. Colour is never the only
information: the text itself has a letter or mark for each piece.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from unicodedata import east_asian_width

from azulejos.core.message import Message

Say = Callable[[Message], str]


class Span(NamedTuple):
    text: str
    style: str = "plain"


TextLine = list[Span]


def plain(lines: list[TextLine]) -> str:
    """The text without its colours."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def columns(text: str) -> int:
    """The number of terminal columns that a text takes; Chinese characters take two."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def width(line: TextLine) -> int:
    return sum(columns(span.text) for span in line)


def beside(left: list[TextLine], right: list[TextLine], gap: int = 3) -> list[TextLine]:
    """Two blocks next to each other."""
    column = max((width(line) for line in left), default=0) + gap
    rows = max(len(left), len(right))
    padded = left + [[]] * (rows - len(left))
    return [
        [*line, Span(" " * (column - width(line))), *(right[row] if row < len(right) else [])]
        for row, line in enumerate(padded)
    ]
