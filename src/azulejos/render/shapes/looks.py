"""Which drawings a theme uses, and in which colours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from azulejos.render.shapes import chocolates, garden, glass, tiles

LOOKS: Final[dict[str, Callable[[str], str]]] = {
    "tiles": tiles.piece, "chocolates": chocolates.piece, "glass": glass.piece, "garden": garden.piece,
}

EXPANSION: Final = "expansion"


def drawing(kind: str, theme: str) -> str:
    """A piece with its colours: "blue", "yellow.bird", or an expansion that shows one."""
    colour, _, rest = kind.partition(".")
    if colour == EXPANSION and rest:
        return coloured(EXPANSION, garden.FLOWER) + f'<g transform="scale(.62)">{drawing(rest, theme)}</g>'
    return coloured(colour, LOOKS[theme](kind))


def coloured(colour: str, shapes: str) -> str:
    return f'<g class="k-{colour}">{shapes}</g>'
