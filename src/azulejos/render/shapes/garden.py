"""Hexagons of a garden: six colours, each with its own ornament at the corners, six patterns."""

from __future__ import annotations

from typing import Final

from azulejos.render.shapes.marks import mark
from azulejos.render.shapes.paths import circle, closed, petal, polar, polygon
from azulejos.render.shapes.tokens import token

RADIUS: Final = 100 / 3**0.5
"""Point up, 100 from side to side."""

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


def seven(width: float, scale: float = 1.0) -> str:
    """Seven hexagons that touch: an expansion of a garden, `width` from side to side."""
    step = width / 3
    cell = [polar(step / 3**0.5 * scale, 60 * i) for i in range(6)]
    middles = [(0.0, 0.0), *(polar(step, 60 * i + 30) for i in range(6))]
    return "".join(closed([(x + dx, y + dy) for dx, dy in cell]) for x, y in middles)


FLOWER: Final = (
    f'<path class="edge" transform="translate(0 2)" d="{seven(103)}"/>'
    f'<path class="face" d="{seven(103, 0.93)}"/>'
)


def piece(kind: str) -> str:
    colour, _, pattern = kind.partition(".")
    if kind == "marker":
        return token(kind)
    if kind == "expansion":
        return FLOWER
    scale = 0.82 if pattern else 0.95
    ornament = f'<path class="ink" fill-rule="evenodd" d="{ORNAMENTS.get(colour, "")}"/>'
    inked = f'<path class="ink" fill-rule="evenodd" transform="scale({scale})" d="{mark(kind)}"/>'
    return f'{BODY}<g transform="translate(0 -2.5)">{ornament}{inked}</g>{GLAZE}'
