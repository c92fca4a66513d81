"""Terminal text that the games share: whose turn it is, letters for tiles, sources in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg
from azulejos.core.terminal import Say, Span, TextLine, width
from azulejos.core.verbs import CHANCE, OVER, State
from azulejos.parts.offer_scene import Tiles

GAP: Final = 3
NAME_WIDTH: Final = 13


def status(
    s: State, names: Sequence[str], say: Say, drawn: Message, task: Message | None = None
) -> TextLine:
    """The round and the seat to move with its task, or what is being drawn."""
    if s.to_move == OVER:
        who = say(msg("The game is over."))
    elif s.to_move == CHANCE:
        who = say(drawn)
    else:
        who = say(msg("To move: {name}", name=short(names[s.to_move])))
        who += f"   {say(task)}" if task else ""
    return [Span(say(msg("Round {round}", round=s.round)), "strong"), Span("   "), Span(who)]


def short(name: str, most: int = NAME_WIDTH) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def tile(tiles: Tiles, colour: int) -> Span:
    """A tile as its letter, so that colour is never the only distinction."""
    return Span(tiles.letters[colour].upper(), tiles.kinds[colour])


def heap(tiles: Tiles, counts: Cells) -> TextLine:
    """One letter for each tile."""
    letters = [
        span for colour in range(len(tiles.kinds)) for _ in range(int(counts[colour]))
        for span in (tile(tiles, colour), Span(" "))
    ]
    return letters or [Span("- ", "quiet")]


def counted(tiles: Tiles, counts: Cells) -> TextLine:
    """The number of tiles of each colour."""
    return [
        span for colour in range(len(tiles.kinds))
        for span in (tile(tiles, colour), Span(f"{counts[colour]} "))
    ]


def legend(tiles: Tiles, say: Say) -> TextLine:
    """The meaning of the letters."""
    return [
        span for colour, name in enumerate(tiles.names)
        for span in (tile(tiles, colour), Span(f" {say(name)}  ", "quiet"))
    ]


def in_columns(cells: Sequence[TextLine], most: int) -> list[TextLine]:
    """Short lines side by side, as many as fit."""
    column = max(width(cell) for cell in cells) + GAP
    across = max(1, (most + GAP) // column)
    lines: list[TextLine] = []
    for first in range(0, len(cells), across):
        row: TextLine = []
        for cell in cells[first : first + across]:
            row += [Span(" " * (-width(row) % column)), *cell]
        lines.append(row)
    return lines
