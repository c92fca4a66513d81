"""The common offer as text for a terminal: letters for tiles, sources in columns, counts of the supply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from azulejos.core.layout import Cells
from azulejos.core.terminal import Ink, Line, Say, width
from azulejos.parts.table import Tiles

COLUMNS: Final = 100
GAP: Final = 3


def tile(tiles: Tiles, colour: int) -> Ink:
    """A tile as its letter; a colour never stands alone."""
    return Ink(tiles.letters[colour].upper(), tiles.kinds[colour])


def heap(tiles: Tiles, counts: Cells) -> Line:
    """Every tile that lies somewhere."""
    letters = [
        ink for colour in range(len(tiles.kinds)) for _ in range(int(counts[colour]))
        for ink in (tile(tiles, colour), Ink(" "))
    ]
    return letters or [Ink("- ", "quiet")]


def counted(tiles: Tiles, counts: Cells) -> Line:
    """How many of each colour there are."""
    return [
        ink for colour in range(len(tiles.kinds))
        for ink in (tile(tiles, colour), Ink(f"{counts[colour]} "))
    ]


def legend(tiles: Tiles, say: Say) -> Line:
    """What the letters mean."""
    return [
        ink for colour, name in enumerate(tiles.names)
        for ink in (tile(tiles, colour), Ink(f" {say(name)}  ", "quiet"))
    ]


def in_columns(cells: Sequence[Line]) -> list[Line]:
    """Short lines side by side, as many as fit."""
    column = max(width(cell) for cell in cells) + GAP
    across = (COLUMNS + GAP) // column
    lines: list[Line] = []
    for first in range(0, len(cells), across):
        row: Line = []
        for cell in cells[first : first + across]:
            row += [*cell, Ink(" " * (column - width(cell)))]
        lines.append(row)
    return lines
