"""Drawings that several games share: SVG fragments in a box of 100 x 100 around the origin.

Colours are classes (shadow, edge, face, ink, fine, glaze, shine, …) defined by a theme's style sheet.
"""

from __future__ import annotations

from typing import Final

from azulejos.parts.paths import circle, closed, petals, polar, star

CROSS: Final = "".join(
    closed([polar(4, turn), polar(33, turn - 19), polar(33, turn + 19)]) for turn in (0, 90, 180, 270)
)

MARKS: Final = {
    "blue": petals(4, 36, 17),
    "yellow": star(8, 34, 19) + circle(9),
    "white": CROSS,
    "joker": star(5, 37, 15),
    "marker": "M-13 13V-11L-23-3L-28-11L-7-30H5V13H19V26H-27V13Z",
}
"""Path data of marks used by more than one game; they distinguish kinds without colour."""


def coloured(colour: str, shapes: str) -> str:
    """Shapes in the colours that a theme gives to a kind of piece."""
    return f'<g class="k-{colour}">{shapes}</g>'


def inked(mark: str, transform: str = "") -> str:
    """A mark in the ink colour of its piece."""
    moved = f' transform="{transform}"' if transform else ""
    return f'<path class="ink" fill-rule="evenodd"{moved} d="{mark}"/>'


def token(mark: str) -> str:
    """A round wooden token, such as the start marker."""
    return (
        '<circle class="shadow" cx="3" cy="5" r="45"/><circle class="edge" r="46"/>'
        '<circle class="face" cy="-3" r="43"/><circle class="fine" cy="-3" r="37"/>'
        f'{inked(mark, "translate(0 -3) scale(.8)")}'
        '<path class="shine" d="M-30-22A37 37 0 0 1-12-37"/>'
    )
