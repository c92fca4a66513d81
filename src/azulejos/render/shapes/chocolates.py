"""Pralines: every colour has a form of its own, glossy, with a piped mark."""

from __future__ import annotations

import math
from typing import Final

from azulejos.render.shapes.marks import mark
from azulejos.render.shapes.paths import circle, number, polar, polygon
from azulejos.render.shapes.tokens import token


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


def piece(kind: str) -> str:
    if kind not in FORMS:
        return token(kind)
    form = FORMS[kind]
    piped = f'<path class="ink" fill-rule="evenodd" transform="scale(.76)" d="{mark(kind)}"/>'
    return (
        f'<path class="shadow" transform="translate(3 6)" d="{form}"/><path class="edge" d="{form}"/>'
        f'<path class="face" transform="translate(0 -3) scale(.97 .94)" d="{form}"/>'
        f'<path class="fine" transform="translate(0 -3) scale(.8 .77)" d="{form}"/>'
        f'<g transform="translate(0 -3)">{piped}</g>{GLOSS}'
    )
