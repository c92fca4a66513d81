"""Text for a terminal, as data: a game's ``terminal.py`` writes it, the command line colours it.

``draw(s, names, say, columns)`` of a game returns lines of spans. `style` is the kind of a piece ("blue",
"yellow.bird"), or plain, strong, quiet, good, bad; a theme gives it a colour. Colour is never the only
information: the text itself has a letter or mark for each piece.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from unicodedata import east_asian_width

from azulejos.core.message import Message

COLUMNS: Final = 100
"""Where nobody says how wide the terminal is."""

Say = Callable[[Message], str]


class Span(NamedTuple):
    text: str
    style: str = "plain"


TextLine = list[Span]


def in_rows(
    blocks: Sequence[list[TextLine]], most: int, *, gap: int, between: bool = False
) -> list[TextLine]:
    """Blocks side by side, as many as fit, and the others below, perhaps after an empty line."""
    rows: list[list[TextLine]] = []
    for block in blocks:
        joined = beside(rows[-1], block, gap=gap) if rows else block
        if rows and max(map(width, joined)) <= most:
            rows[-1] = joined
        else:
            rows.append(block)
    return [line for n, row in enumerate(rows) for line in ([[], *row] if between and n else row)]


def folded(lines: list[TextLine], most: int) -> list[TextLine]:
    """Lines that are too long go on below, from a space on."""
    return [part for line in lines for part in _folded(line, most)]


def _folded(line: TextLine, most: int) -> list[TextLine]:
    if width(line) <= most:
        return [line]
    words = [Span(word, span.style) for span in line for word in re.findall(r" +|[^ ]+", span.text)]
    parts: list[TextLine] = [[]]
    for word in words:
        if parts[-1] and width([*parts[-1], word]) > most:
            parts.append([])
        if parts[-1] or len(parts) == 1 or word.text.strip():
            parts[-1].append(word)
    return parts


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
