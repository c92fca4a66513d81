"""What a style of `core.terminal` looks like on a terminal: colours as data, by the theme of the box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from azulejos.core.terminal import Line

if TYPE_CHECKING:
    from rich.text import Text

GENERAL: Final = {
    "plain": "", "strong": "bold", "quiet": "bright_black", "good": "bold green", "bad": "bold red",
    "marker": "bold black on bright_cyan",
    "blue": "bold white on #1f5fae", "yellow": "bold black on #f0b429", "red": "bold white on #c0392b",
    "black": "bold white on #30343b", "white": "bold black on #e8eef2", "green": "bold white on #2e8b57",
    "orange": "bold black on #e67e22", "purple": "bold white on #7d3c98", "brown": "bold white on #6d4c35",
    "glass": "bold black on #d8e8ee", "pink": "bold black on #f2a7c3", "teal": "bold white on #157a7a",
}

THEMES: Final[dict[str, dict[str, str]]] = {
    "chocolates": {
        "blue": "bold black on #8ec9e8", "yellow": "bold white on #8a5a33", "red": "bold black on #f3e3c3",
        "black": "bold white on #3a2318", "white": "bold white on #b3202c",
    },
}


def look(style: str, theme: str) -> str:
    """The terminal's style of a kind; "yellow.bird" and "light-blue" look like the colour they name."""
    table = {**GENERAL, **THEMES.get(theme, {})}
    words = style.replace(".", " ").replace("-", " ").replace("_", " ").split()
    return next((table[word] for word in [style, *words] if word in table), "")


def painted(lines: list[Line], theme: str) -> Text:
    from rich.text import Text

    rows = [Text.assemble(*((ink.text, look(ink.style, theme)) for ink in line)) for line in lines]
    return Text("\n").join(rows)
