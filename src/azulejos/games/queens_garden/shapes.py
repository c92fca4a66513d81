"""Drawings of enamel hexagons: six colours, each with its own corner ornament, and six patterns."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Shapes
from azulejos.core.scene import Panel
from azulejos.games.queens_garden.art import art
from azulejos.games.queens_garden.board_shapes import bed, cell, dial, empty_bed, quarter
from azulejos.parts.board_shapes import UNIT
from azulejos.parts.paths import circle, closed, number, petal, petals, polar, polygon, rectangle, seven
from azulejos.parts.shapes import MARKS as SHARED
from azulejos.parts.shapes import coloured, inked, painted, soft_shadow, states, token, veil

MARKS: Final = {
    **SHARED,
    "light-blue": circle(26) + circle(15),
    "light-purple": rectangle(44, 44) + rectangle(24, 24),
    "light-green": polygon(3, 34) + polygon(3, 15),
    "dark-green": polygon(3, 34, 180) + polygon(3, 15, 180),
    "dark-purple": polygon(4, 36) + polygon(4, 20),
    "expansion": polygon(6, 34) + polygon(6, 22) + polygon(6, 10),
    "tree": "M0-38C17-38 25-26 21-15C32-8 28 11 13 11H5V35H-5V11H-13C-28 11-32-8-21-15C-25-26-17-38 0-38Z",
    "bird": "M-38-4C-24-9-15-4-8 2C-7-17 6-31 28-34C24-23 19-13 17-6C23-9 30-8 38-2L27 4C23 21 9 30-6 28"
    "L-24 36L-17 21C-28 15-32 6-38-4Z",
    "butterflies": "".join(
        f"M{x} {y}c-19-21-28 4-12 8c-11 7-2 19 10 7c2 0 2 0 4 0c12 12 21 0 10-7c16-4 7-29-12-8z"
        for x, y in ((0, -28), (-21, 12), (21, 12))
    ),
    "flower": petals(5, 37, 24, 0, 5) + circle(6.5),
    "plant": petal(38, 8, 0, -2) + petal(30, 8, 62, 2) + petal(30, 8, -62, 2) + petal(28, 7, 112, -2)
    + petal(28, 7, -112, -2) + "M-2.5 0H2.5V36H-2.5Z",
    "bells": "M-3-39H3V-29C16-29 22-22 22-12H16C16-20 11-23 0-23C-11-23-16-20-16-12H-22C-22-22-16-29-3-29Z"
    + "".join(
        f"M{x} -14c-13 0-13 20-20 31c6 4 11 5 15 5a5.5 5.5 0 0 0 10 0c4 0 9-1 15-5c-7-11-7-31-20-31z"
        for x in (-19, 19)
    ),
    "pavilion": "M0-37L34-11H-34ZM-27-8h9v32h-9ZM-4.5-8h9v32h-9ZM18-8h9v32h-9ZM-34 26h68v9h-68Z",
    "fountain": circle(37) + circle(30) + circle(22) + circle(14) + circle(6),
    "statue": circle(11, 0, -26)
    + "M-7-16H7C15-8 11 8 9 18H-9C-11 8-15-8-7-16ZM-18 20H18V27H-18ZM-23 28H23V36H-23Z",
    "bench": "M-37-14H37V-5H-37ZM-37 3H37V13H-37ZM-29 13h9v20h-9ZM20 13h9v20h-9Z",
}

RADIUS: Final = 100 / 3**0.5
"""Pointed at the top, 100 from side to side."""
BODY: Final = polygon(6, RADIUS * 0.965)
FACE: Final = polygon(6, RADIUS * 0.93)
INNER: Final = polygon(6, RADIUS * 0.78)
UPPER: Final = closed([polar(RADIUS * 0.9, turn) for turn in (-60, 0, 60)]
                      + [polar(RADIUS * 0.82, turn) for turn in (60, 0, -60)])


def _bars(inner: float, outer: float) -> str:
    """A band across each corner."""
    return "".join(
        closed([polar(outer, t), polar(inner, t - 12), polar(inner - 4, t), polar(inner, t + 12)])
        for t in range(0, 360, 60)
    )


ORNAMENTS: Final = {
    "light-blue": "".join(circle(3.4, *polar(47, 60 * i)) for i in range(6)),
    "light-purple": "".join(petal(52, 5, 60 * i, 39) for i in range(6)),
    "yellow": "".join(petal(45, 5, 60 * i + 30, 38) for i in range(6)),
    "light-green": _bars(45, 52),
    "dark-green": "".join(circle(2.8, *polar(45, 60 * i + turn)) for i in range(6) for turn in (-7, 7)),
    "dark-purple": polygon(6, 48.5) + polygon(6, 45),
}
STONE: Final = frozenset({"pavilion", "fountain", "statue", "bench"})
EXPANSION: Final = "expansion"
QUARTER: Final = "quarter"
"""The mark of the dial in round 1: "quarter1"."""
FLOWER: Final = seven(104, 1.0)


def mark(kind: str, theme: str = "") -> str:
    """The mark of a kind: for "yellow.bird" the bird."""
    return MARKS[kind.rpartition(".")[2]]


def piece(kind: str, theme: str) -> str:
    """A hexagon, an element, or an expansion that shows a hexagon: "expansion.yellow.bird"."""
    colour, _, rest = kind.partition(".")
    if colour == EXPANSION:
        shown = f'<g transform="scale(.62)">{piece(rest, theme)}</g>' if rest else ""
        return coloured(EXPANSION, _expansion(theme)) + shown
    return coloured(colour, token(mark(kind)) if kind == "marker" else _hexagon(kind, theme))


def _expansion(theme: str) -> str:
    return (
        f'{soft_shadow(FLOWER)}<path class="side" stroke-width="7" stroke-linejoin="round" d="{FLOWER}"/>'
        f'<path fill="url(#{theme}-expansion)" d="{FLOWER}"/>'
        f'<path class="stroke" stroke-width="1.4" opacity=".35" d="{FLOWER}"/>'
    )


RAISED: Final = 'transform="translate(0 -1)"'


def _hexagon(kind: str, theme: str) -> str:
    """What has class "turns" lies on a side where the garden does; the mark stays upright."""
    colour, _, pattern = kind.partition(".")
    trim = "" if colour in STONE else f'<path class="second-line" d="{INNER}"/>'
    body = (
        f'{soft_shadow(BODY, reach=0.8)}{states(BODY)}<path class="edge" transform="translate(0 2.5)"'
        f' d="{BODY}"/>'
        f'<path fill="url(#{theme}-{colour})" {RAISED} d="{FACE}"/>{trim}{inked(ORNAMENTS.get(colour, ""))}'
    )
    light = (
        f'<path fill="url(#l-glaze)" opacity=".8" {RAISED} d="{FACE}"/>'
        f'<path fill="var(--sheen)" opacity=".5" {RAISED} d="{UPPER}"/>{veil(BODY)}'
    )
    motif = _motif(kind, f"translate(0 -1) scale({0.76 if pattern else 0.84})")
    return f'<g class="turns">{body}</g>{motif}<g class="turns">{light}</g>'


def _motif(kind: str, size: str) -> str:
    """The mark; a fountain has water between its rings."""
    water = painted("second", circle(34), size) if kind == "fountain" else ""
    return water + inked(mark(kind), size)


def surface(shape: str, theme: str) -> str:
    if shape.startswith(QUARTER):
        return quarter(int(shape.removeprefix(QUARTER)) - 1)
    return {"bed": bed, "flower": bed, "cell": cell, "dial": dial}.get(shape, _nothing)(theme)


def _nothing(theme: str) -> str:
    return ""


def ground(panel: Panel, theme: str) -> str:
    """Expansions leave an outline on the display, so that nobody takes the gap for a mistake."""
    return "".join(
        empty_bed(slot.width * UNIT, f"{number(slot.x * UNIT)} {number(slot.y * UNIT)}")
        for slot in panel.slots if slot.shape == "bed" and panel.seat is None
    )


SHAPES: Final = Shapes(piece=piece, mark=mark, surface=surface, ground=ground, art=art)
