"""Drawings of pebbles; theme.toml has their colours."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Shapes
from azulejos.parts.shapes import circle, coloured, inked, polygon, star

STONE: Final = (
    '<ellipse class="shadow" cx="3" cy="6" rx="46" ry="42"/><ellipse class="edge" rx="46" ry="42"/>'
    '<ellipse class="face" cy="-3" rx="43" ry="38"/>'
)
MARKS: Final = {"red": polygon(4, 28), "blue": circle(22), "yellow": star(6, 30, 17)}


def mark(kind: str, theme: str = "") -> str:
    return MARKS[kind]


def piece(kind: str, theme: str) -> str:
    return coloured(kind, STONE + inked(mark(kind), "translate(0 -3)"))


SHAPES: Final = Shapes(piece=piece, mark=mark)
