"""Drawings that several games share: SVG fragments in a box of 100 x 100 around the origin.

Colours are classes (edge, face, ink, second, …) or variables defined by a theme. Light falls from the top
left. Gradients are shared (`LIGHTS`); that of a piece's face is ``url(#THEME-KIND)`` (render/themes.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, TypedDict

from azulejos.core.contract import Art
from azulejos.core.scene import Panel, Slot

# --- paths --------------------------------------------------------------------------------------------


def number(value: float) -> str:
    return f"{round(value, 1):g}"


def closed(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def polar(radius: float, degrees: float) -> tuple[float, float]:
    """A point on a circle; 0 degrees is up, angles go clockwise."""
    angle = math.radians(degrees - 90)
    return radius * math.cos(angle), radius * math.sin(angle)


def polygon(corners: int, radius: float, turn: float = 0) -> str:
    return closed([polar(radius, turn + 360 * i / corners) for i in range(corners)])


def star(points: int, outer: float, inner: float, turn: float = 0) -> str:
    step = 180 / points
    return closed([polar(outer if i % 2 == 0 else inner, turn + step * i) for i in range(2 * points)])


def circle(radius: float, x: float = 0, y: float = 0) -> str:
    r = number(radius)
    top, bottom = number(y - radius), number(y + radius)
    return f"M{number(x)} {top}A{r} {r} 0 1 1 {number(x)} {bottom}A{r} {r} 0 1 1 {number(x)} {top}Z"


def petals(count: int, length: float, width: float, turn: float = 0, start: float = 0) -> str:
    """Petals around the origin, each from `start` to `length` away from it."""
    return "".join(petal(length, width, turn + 360 * i / count, start) for i in range(count))


def petal(length: float, width: float, degrees: float, start: float = 0) -> str:
    foot, tip = polar(start, degrees), polar(length, degrees)
    middle = polar(start + (length - start) * 0.55, degrees)
    side = polar(width, degrees + 90)
    left = (middle[0] - side[0], middle[1] - side[1])
    right = (middle[0] + side[0], middle[1] + side[1])
    text = [f"{number(x)} {number(y)}" for x, y in (foot, left, tip, right)]
    return f"M{text[0]}Q{text[1]} {text[2]}Q{text[3]} {text[0]}Z"


def rectangle(width: float, height: float, x: float = 0, y: float = 0) -> str:
    left, top = x - width / 2, y - height / 2
    return f"M{number(left)} {number(top)}h{number(width)}v{number(height)}h{number(-width)}Z"


def seven(width: float, scale: float = 1.0) -> str:
    """Seven touching hexagons, each `width` from side to side."""
    step = width / 3
    cell = [polar(step / 3**0.5 * scale, 60 * i) for i in range(6)]
    middles = [(0.0, 0.0), *(polar(step, 60 * i + 30) for i in range(6))]
    return "".join(closed([(x + dx, y + dy) for dx, dy in cell]) for x, y in middles)


# --- drawings -----------------------------------------------------------------------------------------


# --- grounds ---------------------------------------------------------------------------------------------


UNIT: Final = 100
MARGIN: Final = 10


def sunken(slots: Sequence[Slot], margin: float = MARGIN) -> str:
    """A sunken panel around some places."""
    if not slots:
        return ""
    left, top, right, bottom = bounds(slots)
    box = (
        f'x="{number(left - margin)}" y="{number(top - margin)}"'
        f' width="{number(right - left + 2 * margin)}"'
        f' height="{number(bottom - top + 2 * margin)}" rx="16"'
    )
    return f'<rect class="sunken" {box}/><rect class="sunken-lip" {box}/>'


def bounds(slots: Sequence[Slot]) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of some places."""
    return (
        min(slot.x - slot.width / 2 for slot in slots) * UNIT,
        min(slot.y - slot.height / 2 for slot in slots) * UNIT,
        max(slot.x + slot.width / 2 for slot in slots) * UNIT,
        max(slot.y + slot.height / 2 for slot in slots) * UNIT,
    )


def basin(panel: Panel, theme: str) -> str:
    """The shallow basin in the stone around the centre of an offer."""
    centre = next((slot for slot in panel.slots if slot.id == "C"), None)
    if centre is None:
        return ""
    across, down = centre.width * UNIT, centre.height * UNIT
    wide = max(across, down) * 1.05
    room = min(centre.x, centre.y, panel.width - centre.x, panel.height - centre.y) * UNIT
    if centre.height > 0.6 * centre.width and wide / 2 <= room:
        across = down = wide
    x, y = centre.x * UNIT - across / 2, centre.y * UNIT - down / 2
    return "".join(
        f'<rect class="{paint}" x="{number(x + inset)}" y="{number(y + inset)}"'
        f' width="{number(across - 2 * inset)}"'
        f' height="{number(down - 2 * inset)}" rx="{number(min(across, down) / 2 - inset)}"/>'
        for paint, inset in (("basin", 0), ("basin-lip", 0), ("basin-dots", 14))
    )


# --- covers, friezes and tables --------------------------------------------------------------------------


class Size(TypedDict):
    width: int
    height: int


COVER: Final = Size(width=600, height=280)
FRIEZE_HEIGHT: Final = 18


def shaded(strength: float) -> str:
    """Light from the top left, darker towards the other corner."""
    return (
        '<defs><radialGradient id="room" cx=".3" cy=".2" r="1"><stop stop-color="white"'
        ' stop-opacity=".22"/>'
        '<stop offset=".4" stop-color="white" stop-opacity="0"/><stop offset="1" stop-color="var(--shade)"'
        f' stop-opacity="{strength}"/></radialGradient></defs><rect width="600" height="280"'
        ' fill="url(#room)"/>'
    )


def tumbled(pieces: Sequence[tuple[str, float, float, float, float]]) -> str:
    """Pieces that lie about: kind, place, turn and size."""
    return "".join(
        f'<use href="#piece-{kind}" transform="translate({x} {y}) rotate({turn}) scale({size})"/>'
        for kind, x, y, turn, size in pieces
    )


TABLE: Final = Size(width=1440, height=900)


def _leaf(x: float, y: float, turn: float, length: float) -> str:
    return (
        f'<path transform="translate({x:.0f} {y:.0f}) rotate({turn:.0f})"'
        f' d="M0 0Q{length * 0.45:.0f} {length * -0.24:.0f} {length:.0f} 0Q{length * 0.45:.0f}'
        f' {length * 0.24:.0f} 0 0Z"/>'
    )


def branch(at: str, leaves: int = 13) -> str:
    """The soft shadow of an olive branch: the same leaves three times, each a little larger and paler."""
    middles = [(34 * i, 60 * math.sin(i / 5), 40 + 3 * i) for i in range(leaves)]
    drawn = "".join(
        _leaf(x, y, 20 + side * length * 0.9 + 4 * math.sin(x), 64 - x / 12)
        for x, y, length in middles for side in (-1, 1)
    )
    stem = '<path d="M-40 -8Q120 30 210 52T440 40" fill="none" stroke="var(--shade)" stroke-width="5"/>'
    layers = "".join(
        f'<g opacity="{alpha}" transform="translate({shift} {shift})"'
        f' stroke-width="{width}">{stem}{drawn}</g>'
        for alpha, shift, width in ((0.035, 0, 0), (0.03, 3, 9), (0.022, 6, 20))
    )
    paint = 'fill="var(--shade)" stroke="var(--shade)" stroke-linejoin="round"'
    return f'<g transform="{at}" {paint}>{layers}</g>'


def frieze_art(width: int, body: str) -> Callable[[str], Art]:
    """One repeat of a frieze."""
    return lambda theme: Art(width=width, height=FRIEZE_HEIGHT, body=body)


def arrow_in(turn: float) -> str:
    """A notched arrow that points at the middle."""
    tip, left, notch, right = polar(5, turn), polar(41, turn - 24), polar(31, turn), polar(41, turn + 24)
    return closed([tip, left, notch, right])


FOUR_ARROWS: Final = "".join(arrow_in(turn) for turn in (0, 90, 180, 270))

MARKS: Final = {
    "blue": petals(4, 38, 19),
    "yellow": star(8, 39, 21) + circle(13) + circle(6),
    "white": FOUR_ARROWS,
    "joker": star(5, 37, 15),
    "marker": "M-13 13V-11L-23-3L-28-11L-7-30H5V13H19V26H-27V13Z",
}
"""Path data of marks used by more than one game; they distinguish kinds without colour."""

LIGHTS: Final = (
    '<linearGradient id="l-glaze" x1=".12" y1="0" x2=".72" y2=".86"><stop stop-color="white"'
    ' stop-opacity=".5"/>'
    '<stop offset=".24" stop-color="white" stop-opacity=".17"/>'
    '<stop offset=".46" stop-color="white" stop-opacity="0"/></linearGradient>'
    '<radialGradient id="l-pool" cx=".46" cy=".44" r=".74"><stop offset=".6" stop-color="black"'
    ' stop-opacity="0"/><stop offset="1" stop-color="black" stop-opacity=".26"/></radialGradient>'
    '<linearGradient id="l-inset" x1="0" y1="0" x2="0" y2="1"><stop stop-color="var(--shade)"'
    ' stop-opacity=".3"/><stop offset=".1" stop-color="var(--shade)" stop-opacity="0"/></linearGradient>'
    '<linearGradient id="l-lip" x1="0" y1="0" x2="0" y2="1"><stop stop-color="var(--shade)"'
    ' stop-opacity=".34"/><stop offset=".7" stop-color="var(--shade)" stop-opacity=".12"/>'
    '<stop offset="1" stop-color="var(--lip)"/></linearGradient>'
    '<linearGradient id="l-brass" x1="0" y1="0" x2=".7" y2="1"><stop stop-color="var(--brass-lit)"/>'
    '<stop offset=".5" stop-color="var(--brass)"/><stop offset="1" stop-color="var(--brass-deep)"/>'
    "</linearGradient>"
    '<radialGradient id="l-cast"><stop offset=".8" stop-color="var(--shade)" stop-opacity=".5"/>'
    '<stop offset="1" stop-color="var(--shade)" stop-opacity="0"/></radialGradient>'
)
"""Gradients that every theme uses: glaze, the darker rim where it pools, recesses, brass, cast shadows."""


def coloured(colour: str, shapes: str) -> str:
    """Shapes in the colours that a theme gives to a kind of piece."""
    return f'<g class="k-{colour}">{shapes}</g>'


def inked(mark: str, transform: str = "") -> str:
    """A mark in the ink colour of its piece."""
    return painted("ink", mark, transform)


def painted(paint: str, path: str, transform: str = "") -> str:
    moved = f' transform="{transform}"' if transform else ""
    return f'<path class="{paint}" fill-rule="evenodd"{moved} d="{path}"/>'


def soft_shadow(form: str, *, reach: float = 1.0) -> str:
    """Contact shadow and cast shadow of a form, without a filter: three layers, the larger the paler."""
    layers = ((1.5, 6, 1.0, 0.3), (2.5, 8, 1.05, 0.13), (3.5, 10, 1.11, 0.08))
    return "".join(
        f'<path fill="var(--shade)" opacity="{alpha}" transform="translate({number(x * reach)}'
        f' {number(y * reach)}) scale({size})" d="{form}"/>'
        for x, y, size, alpha in layers
    )


def rounded(half_width: float, top: float, bottom: float, radius: float) -> str:
    """A rectangle with round corners, symmetric to the vertical axis."""
    w, r = half_width, radius
    inner, down = number(w - r), number(bottom - r)
    return (
        f"M{number(r - w)} {number(top)}H{inner}Q{number(w)} {number(top)} {number(w)}"
        f" {number(top + r)}V{down}"
        f"Q{number(w)} {number(bottom)} {inner} {number(bottom)}H{number(r - w)}Q{number(-w)}"
        f" {number(bottom)}"
        f" {number(-w)} {down}V{number(top + r)}Q{number(-w)} {number(top)} {number(r - w)} {number(top)}Z"
    )


def scalloped(bumps: int, radius: float, depth: float) -> str:
    """A round form with a wavy edge."""
    step = 360 / bumps
    points = [polar(radius, step * i) for i in range(bumps + 1)]
    tops = [polar(radius + 2 * depth, step * (i + 0.5)) for i in range(bumps)]
    path = f"M{number(points[0][0])} {number(points[0][1])}"
    for (tx, ty), (x, y) in zip(tops, points[1:], strict=True):
        path += f"Q{number(tx)} {number(ty)} {number(x)} {number(y)}"
    return path + "Z"


def states(form: str) -> str:
    """What a piece shows only in some states, below its body: rings, and the shadow of a lifted piece."""
    return (
        f'<path class="high-shadow" transform="translate(4 34) scale(1.03)" d="{form}"/>'
        f'<path class="ring-glow" d="{form}"/><path class="ring-halo" d="{form}"/>'
    )


def veil(form: str) -> str:
    """Over a piece that is not chosen, while another is."""
    return f'<path class="veil" d="{form}"/>'


MEDAL: Final = scalloped(12, 42, 3)


def token(mark: str) -> str:
    """A brass medal with a cream disc, such as the start marker."""
    beads = "".join(circle(1.5, *polar(37, 15 * i)) for i in range(24))
    return (
        f'{soft_shadow(MEDAL)}{states(MEDAL)}<path class="edge" transform="translate(0 4)" d="{MEDAL}"/>'
        f'<path fill="url(#l-brass)" d="{MEDAL}"/><path class="edge" opacity=".5" d="{beads}"/>'
        '<circle class="edge" r="32.5" opacity=".6"/><circle class="face" cy=".8" r="31"/>'
        f'{inked(mark, "translate(2 1.5) scale(.82)")}'
        '<path class="shine" d="M-34-20A40 40 0 0 1-10-38.5"/>' + veil(MEDAL)
    )


def medal(mark: str) -> str:
    """A dark disc with a mark, that counts something."""
    return (
        f'{soft_shadow(circle(44))}<circle class="edge" cy="3" r="45"/><circle class="face" r="45"/>'
        f'<circle class="fine" r="39"/>{inked(mark, "scale(.82)")}'
        '<path class="shine" d="M-30-24A38 38 0 0 1-10-37"/>'
    )


# --- a painted plate ---------------------------------------------------------------------------------


def _leaves(count: int, first: int) -> str:
    """Every second leaf of a wreath, leaning outwards and inwards in turn."""
    path = ""
    for i in range(first, count, 2):
        turn = 360 / count * i
        lean = 3.4 if i % 4 < 2 else -3.4
        (ax, ay), (bx, by) = polar(43 - lean * 0.5, turn - 4.3), polar(43 + lean * 0.5, turn + 4.3)
        (cx, cy), (dx, dy) = polar(45.6, turn), polar(40.4, turn)
        ends = [number(value) for value in (ax, ay, cx, cy, bx, by, dx, dy, ax, ay)]
        path += "M{} {}Q{} {} {} {}Q{} {} {} {}Z".format(*ends)
    return path


BRASS_DISC: Final = (
    '<circle cx="2" cy="4" r="52" fill="url(#l-cast)"/><circle r="47" fill="url(#l-brass)"/>'
    '<circle r="39" fill="var(--brass-deep)"/><circle r="38" fill="var(--badge)"/>'
    '<path class="shine" d="M-38-19A43 43 0 0 1-15-40"/>'
)
"""A small raised disc, for a sign or a number."""
BLOOM: Final = petals(4, 15, 7, 0, 2) + petals(4, 11, 2.2, 45, 3)


def plate(theme: str) -> str:
    """A faience plate; empty, it shows a painted flower."""
    return (
        '<circle cx="1.5" cy="4" r="53.5" fill="url(#l-cast)" opacity=".5"/>'
        '<circle cx=".7" cy="1.8" r="50.6" fill="url(#l-cast)" opacity=".9"/>'
        f'<circle r="49.5" fill="url(#{theme}-plate)"/>'
        '<circle r="48.6" fill="none" stroke="var(--plate-lit)" stroke-width="1.2"/>'
        '<circle class="paint-line" r="46.4" stroke-width="1.3"/><circle class="paint-line" r="39.6"/>'
        f'<path class="paint" d="{_leaves(30, 0)}"/><path class="paint" opacity=".55"'
        f' d="{_leaves(30, 1)}"/>'
        f'<circle r="38" fill="url(#{theme}-well)"/><circle r="36.8" fill="none" stroke="var(--plate-lit)"'
        ' stroke-opacity=".6" stroke-width=".8"/>'
        f'<path class="paint-line" opacity=".7" d="{BLOOM}"/><circle class="paint" r="1.5" opacity=".8"/>'
        '<path class="shine" stroke-width="1.6" d="M-33-34.5A48 48 0 0 1-14-46"/>'
    )
