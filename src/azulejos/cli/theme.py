"""Terminal styles for `core.terminal`: pieces in the colours of the box's theme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from azulejos.core.terminal import TextLine
from azulejos.render.themes import themes

if TYPE_CHECKING:
    from rich.text import Text

GENERAL: Final = {
    "plain": "", "strong": "bold", "quiet": "bright_black", "good": "bold green", "bad": "bold red",
}


def look(style: str, theme: str) -> str:
    """The terminal style for a kind of piece ("blue"; "yellow.bird" is yellow) or of text."""
    paint = themes()[theme].pieces.get(style.partition(".")[0])
    return f"bold {paint.ink} on {paint.face}" if paint else GENERAL.get(style, "")


def painted(lines: list[TextLine], theme: str) -> Text:
    from rich.text import Text

    rows = [Text.assemble(*((span.text, look(span.style, theme)) for span in line)) for line in lines]
    return Text("\n").join(rows)
