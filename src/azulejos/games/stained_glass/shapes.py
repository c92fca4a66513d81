"""Drawings of stained-glass panes between strips of lead; the glazier is a wooden figure."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Shapes
from azulejos.parts.paths import circle, closed, polygon
from azulejos.parts.shapes import MARKS as SHARED
from azulejos.parts.shapes import coloured, inked, token

HEART: Final = "M0 30C-40 0-30-30-12-28C-4-27 0-20 0-15C0-20 4-27 12-28C30-30 40 0 0 30Z"
MARKS: Final = {
    **SHARED,
    "pink": HEART,
    "orange": polygon(3, 36) + polygon(3, 15),
    "glazier": circle(13, 0, -19) + "M-24 34C-24 4-12-4 0-4C12-4 24 4 24 34Z",
    "broken": closed([(-30, -26), (-4, -30), (-10, -6), (4, -2), (-6, 28), (-30, 24)])
    + closed([(6, -30), (30, -28), (30, 26), (4, 30), (16, -4), (2, -10)]),
}

PANE: Final = (
    '<rect class="shadow" x="-42" y="-40" width="90" height="90" rx="4"/>'
    '<rect class="face" x="-45" y="-45" width="90" height="90" rx="4"/>'
    '<path class="deep" d="M-45 45L0 12L45 45Z"/><path class="deep" d="M45-45L12 0L45 45Z"/>'
    '<path class="glaze" d="M-45-45L0-12L45-45Z"/><path class="glaze" d="M-45-45L-12 0L-45 45Z"/>'
)
FRAME: Final = '<rect class="lead" x="-45" y="-45" width="90" height="90" rx="4"/>'
GLINT: Final = '<path class="shine" d="M-36-14V-36H-14"/>'
FIGURE: Final = (
    '<ellipse class="shadow" cx="3" cy="40" rx="34" ry="9"/>'
    '<path class="edge" d="M-30 42C-30 10-18-2-10-6A19 19 0 1 1 10-6C18-2 30 10 30 42Z"/>'
    '<path class="face" d="M-26 37C-26 10-14-4-6-7A16 16 0 1 1 6-7C14-4 26 10 26 37Z"/>'
    '<path class="ink" d="M-13 14H13V36H-13ZM-9 18V24H-2V18ZM2 18V24H9V18ZM-9 28V33H-2V28ZM2 28V33H9V28Z"'
    ' fill-rule="evenodd"/><path class="shine" d="M-9-26A12 12 0 0 1 0-33"/>'
)
CHIP: Final = '<rect class="face" x="-47" y="-47" width="94" height="94" rx="12"/>'
BACK: Final = ".back"
"""Suffix of kinds printed on the other side of a strip: drawn flat, without lead."""
NO_PANES: Final = frozenset({"marker", "broken"})


def mark(kind: str) -> str:
    return MARKS[kind]


def piece(kind: str, theme: str) -> str:
    return coloured(kind.removesuffix(BACK), _drawn(kind))


def _drawn(kind: str) -> str:
    if kind == "glazier":
        return FIGURE
    if kind in NO_PANES:
        return token(mark(kind))
    if kind.endswith(BACK):
        return CHIP + inked(mark(kind.removesuffix(BACK)))
    return PANE + inked(mark(kind), "scale(.86)") + FRAME + GLINT


SHAPES: Final = Shapes(piece=piece, mark=mark)
