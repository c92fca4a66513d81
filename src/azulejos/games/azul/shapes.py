"""Drawings of glazed tiles and of pralines: each colour has its own glossy shape with a piped mark."""

from __future__ import annotations

import math
from typing import Final

from azulejos.core.contract import Shapes
from azulejos.parts.paths import circle, number, polar, polygon
from azulejos.parts.shapes import MARKS as SHARED
from azulejos.parts.shapes import coloured, inked, token

CHOCOLATES: Final = "chocolates"
"""The theme with pralines instead of tiles."""

MARKS: Final = {
    **SHARED,
    "red": polygon(4, 36) + polygon(4, 22) + polygon(4, 10),
    "black": circle(31) + circle(20) + circle(8),
}


def mark(kind: str) -> str:
    return MARKS[kind]


def piece(kind: str, theme: str) -> str:
    if kind == "marker":
        return coloured(kind, token(mark(kind)))
    return coloured(kind, _praline(kind) if theme == CHOCOLATES else _tile(kind))


# --- tiles ---------------------------------------------------------------------------------------------

TILE: Final = (
    '<rect class="shadow" x="-44" y="-40" width="92" height="90" rx="9"/>'
    '<rect class="edge" x="-47" y="-47" width="94" height="94" rx="9"/>'
    '<rect class="face" x="-47" y="-47" width="94" height="89" rx="9"/>'
    '<path class="fine" d="M-47-22A25 25 0 0 0-22-47M22-47A25 25 0 0 0 47-22M47 17A25 25 0 0 0 22 42'
    'M-22 42A25 25 0 0 0-47 17"/>'
)
TILE_GLAZE: Final = (
    '<path class="glaze" d="M-42-33Q-42-42-33-42H36Q42-42 42-36C16-34-24-22-42 16Z"/>'
    '<path class="shine" d="M-38-22V-32Q-38-38-32-38H-22"/>'
)


def _tile(kind: str) -> str:
    return TILE + inked(mark(kind), "translate(0 -2.5)") + TILE_GLAZE


# --- pralines ------------------------------------------------------------------------------------------


def _scalloped(bumps: int, radius: float) -> str:
    """A paper cup: arcs around a circle."""
    step = 360 / bumps
    arc = number(radius * math.sin(math.radians(step / 2)) * 1.15)
    points = [polar(radius, step * i) for i in range(bumps + 1)]
    first, *rest = [f"{number(x)} {number(y)}" for x, y in points]
    return f"M{first}" + "".join(f"A{arc} {arc} 0 0 1 {point}" for point in rest) + "Z"


FORMS: Final = {
    "blue": "M-28-46H28Q46-46 46-28V28Q46 46 28 46H-28Q-46 46-46 28V-28Q-46-46-28-46Z",
    "yellow": circle(46),
    "red": polygon(8, 49, 22.5),
    "black": "M-43-40Q0-50 43-40Q50 0 43 40Q0 50-43 40Q-50 0-43-40Z",
    "white": _scalloped(10, 42),
}

GLOSS: Final = (
    '<path class="glaze" d="M-31-19C-31-33-17-38 2-38C18-38 26-36 29-31C10-31-18-24-31 4Z"/>'
    '<path class="shine" d="M-31-13C-31-25-24-32-12-33"/>'
)


def _praline(kind: str) -> str:
    form = FORMS[kind]
    return (
        f'<path class="shadow" transform="translate(3 6)" d="{form}"/><path class="edge" d="{form}"/>'
        f'<path class="face" transform="translate(0 -3) scale(.97 .94)" d="{form}"/>'
        f'<path class="fine" transform="translate(0 -3) scale(.8 .77)" d="{form}"/>'
        f'<g transform="translate(0 -3)">{inked(mark(kind), "scale(.76)")}</g>{GLOSS}'
    )


# --- the signs of special factories --------------------------------------------------------------------

SIGNS: Final = {
    "extra": '<path class="sign" d="M0-24V24M-24 0H24"/>',
    "stay": '<path class="sign" d="M-20-26V10A20 20 0 0 0 20 10V-26M0-26V-4"/>',
    "split": '<path class="sign" d="M0 26V6L-22-16M0 6L22-16M-24-2V-18H-8M24-2V-18H8"/>',
    "zero": '<ellipse class="sign" rx="17" ry="26"/>',
}

ARROWS: Final = '<path class="sign" d="M-56-10L-45 0L-56 10M56-10L45 0L56 10"/>'


def sign(kind: str) -> str:
    """A sign; for "neighbour.blue" the mark of the colour between two arrows."""
    what, dot, colour = kind.partition(".")
    if not dot:
        return SIGNS[what]
    disc = '<circle class="face" r="31"/>' + inked(mark(colour), "scale(.68)")
    return ARROWS + coloured(colour, disc)


SHAPES: Final = Shapes(piece=piece, mark=mark, sign=sign)
