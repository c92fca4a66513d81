"""Drawings of garden hexagons: six colours, each with its own corner ornament, and six patterns."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Shapes
from azulejos.parts.paths import circle, closed, petal, petals, polar, polygon, rectangle, seven
from azulejos.parts.shapes import MARKS as SHARED
from azulejos.parts.shapes import coloured, inked, token

MARKS: Final = {
    **SHARED,
    "light-blue": circle(26) + circle(15),
    "light-purple": rectangle(44, 44) + rectangle(24, 24),
    "light-green": polygon(3, 34) + polygon(3, 15),
    "dark-green": polygon(3, 34, 180) + polygon(3, 15, 180),
    "dark-purple": polygon(4, 36) + polygon(4, 20),
    "expansion": polygon(6, 34) + polygon(6, 22) + polygon(6, 10),
    "tree": "M0-36C16-36 24-24 20-14C30-8 26 10 12 10H5V34H-5V10H-12C-26 10-30-8-20-14C-24-24-16-36 0-36Z",
    "bird": "M-36-6C-22-10-14-4-8 2C-6-16 6-30 26-32C22-22 18-12 16-6C22-8 28-8 36-2L26 4C22 20 8 28-6 26"
    "L-22 34L-16 20C-26 14-30 4-36-6Z",
    "butterflies": "".join(
        f"M{x} {y}c-18-20-27 4-11 7c-11 7-2 18 9 7c2 0 2 0 4 0c11 11 20 0 9-7c16-3 7-27-11-7z"
        for x, y in ((0, -27), (-21, 12), (21, 12))
    ),
    "flower": petals(4, 38, 26, 45, 8) + circle(7),
    "plant": petals(5, 38, 14, 0, 6),
    "bells": "".join(
        f"M{x:.0f} {y - 7:.0f}c-6 0-7 10-9 14h18c-2-4-3-14-9-14z"
        for x, y in (polar(24, 60 * i) for i in range(6))
    ),
    "pavilion": "M0-36L32-10H-32ZM-26-8h8v32h-8ZM-4-8h8v32h-8ZM18-8h8v32h-8ZM-32 26h64v8h-64Z",
    "fountain": "M-30 8H30C28 22 14 26 5 26V34H-5V26C-14 26-28 22-30 8Z"
    "M0-34C9-22 9-16 0-10C-9-16-9-22 0-34Z"
    "M-20-18C-13-8-14-4-20 0C-27-4-26-10-20-18ZM20-18C27-8 26-4 20 0C13-4 14-10 20-18Z",
    "statue": circle(10, 0, -26) + "M-14-12H14L10 18H-10ZM-20 20H20V34H-20Z",
    "bench": "M-34-14H34V-6H-34ZM-34 2H34V12H-34ZM-28 12h8v20h-8ZM20 12h8v20h-8Z",
}

RADIUS: Final = 100 / 3**0.5
"""Pointed at the top, 100 from side to side."""

BODY: Final = (
    f'<path class="shadow" transform="translate(3 5)" d="{polygon(6, RADIUS * 0.94)}"/>'
    f'<path class="edge" d="{polygon(6, RADIUS * 0.96)}"/>'
    f'<path class="face" transform="translate(0 -2.5)" d="{polygon(6, RADIUS * 0.92)}"/>'
)
GLAZE: Final = (
    '<path class="glaze" d="M0-52L41-29C14-28-26-14-41 14V-29Z"/>'
    '<path class="shine" d="M-37-4V-25L-18-36"/>'
)


def _bars(inner: float, outer: float) -> str:
    """A band across each corner."""
    return "".join(
        closed([polar(outer, t), polar(inner, t - 12), polar(inner - 4, t), polar(inner, t + 12)])
        for t in range(0, 360, 60)
    )


ORNAMENTS: Final = {
    "light-blue": "".join(circle(3.6, *polar(46, 60 * i)) for i in range(6)),
    "light-purple": "".join(petal(51, 5, 60 * i, 38) for i in range(6)),
    "yellow": "".join(petal(44, 5, 60 * i + 30, 37) for i in range(6)),
    "light-green": _bars(44, 51),
    "dark-green": "".join(circle(3, *polar(44, 60 * i + turn)) for i in range(6) for turn in (-7, 7)),
    "dark-purple": polygon(6, 47) + polygon(6, 43.5),
}

FLOWER: Final = (
    f'<path class="edge" transform="translate(0 2)" d="{seven(103)}"/>'
    f'<path class="face" d="{seven(103, 0.93)}"/>'
)
EXPANSION: Final = "expansion"


def mark(kind: str) -> str:
    """The mark of a kind: for "yellow.bird" the bird."""
    return MARKS[kind.rpartition(".")[2]]


def piece(kind: str, theme: str) -> str:
    """A hexagon, an element, or an expansion that shows a hexagon: "expansion.yellow.bird"."""
    colour, _, rest = kind.partition(".")
    if colour == EXPANSION:
        shown = f'<g transform="scale(.62)">{piece(rest, theme)}</g>' if rest else ""
        return coloured(EXPANSION, FLOWER) + shown
    return coloured(colour, token(mark(kind)) if kind == "marker" else _hexagon(kind))


def _hexagon(kind: str) -> str:
    colour, _, pattern = kind.partition(".")
    drawn = inked(ORNAMENTS.get(colour, "")) + inked(mark(kind), f"scale({0.82 if pattern else 0.95})")
    return f'{BODY}<g transform="translate(0 -2.5)">{drawn}</g>{GLAZE}'


SHAPES: Final = Shapes(piece=piece, mark=mark)
