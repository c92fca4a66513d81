"""Chocolates with a pressed mark, their paper cups, doilies, and the discs of special factories."""

from __future__ import annotations

from typing import Final

from azulejos.parts.paths import circle, closed, number, petals, polar
from azulejos.parts.shapes import coloured, inked, painted, rounded, scalloped, soft_shadow, states, veil

BODY: Final = rounded(47, -47, 48, 20)
FACE: Final = rounded(47, -47, 43, 20)
BEVEL: Final = rounded(38, -38.5, 34, 14)
SHADOW: Final = soft_shadow(rounded(46, -46, 47, 20))


def _stripes() -> str:
    return "".join(
        f"M{x - 15} {y + 21}L{x + 13} {y - 21}A5 5 0 0 1 {x + 21} {y - 15}L{x - 7} {y + 27}A5 5 0 0 1"
        f" {x - 15}"
        f" {y + 21}Z" for x, y in ((-22, -9), (-3, -3), (16, 3))
    )


def _waves() -> str:
    crest = "c6-10 11-10 17 0s11 10 17 0s11-10 17 0v8c-6-10-11-10-17 0s-11 10-17 0s-11-10-17 0Z"
    return "".join(f"M-25.5 {y}{crest}" for y in (-22, -4, 14))


SPIRAL: Final = (
    "M-2 3C-7 0-6-9 2-10C13-11 19-1 17 9C14 22-2 27-14 20C-29 11-30-11-17-23C-2-36 23-31 32-13C36-4"
    " 36 6 32 15"
    "L26 12C29 4 29-3 26-10C18-25-2-28-13-18C-23-8-22 9-11 15C-2 20 9 16 11 8C12 1 8-4 3-3C1-2 3 1 5 2Z"
)
HEART: Final = "M0 33C-46 2-36-31-14-30C-5-29.5 0-22 0-16C0-22 5-29.5 14-30C36-31 46 2 0 33Z"

MARKS: Final = {
    "blue": _stripes(),
    "yellow": _waves(),
    "red": petals(6, 37, 11, 0, 7) + circle(4.5),
    "black": SPIRAL,
    "white": HEART,
}
"""Stripes, waves, an almond flower, a spiral, a heart."""


def chocolate(kind: str, theme: str) -> str:
    pressed = painted("edge", MARKS[kind], "translate(-1.2 -3.4) scale(.92)")
    return (
        f'{SHADOW}{states(BODY)}<path class="edge" transform="translate(0 1)" d="{BODY}"/>'
        f'<path fill="url(#{theme}-{kind})" d="{FACE}"/><path class="second-line" d="{BEVEL}"/>'
        f'<g opacity=".5">{pressed}</g>{inked(MARKS[kind], "translate(0 -2) scale(.92)")}'
        f'<path fill="url(#l-pool)" opacity=".7" d="{FACE}"/><path fill="url(#l-glaze)" opacity=".84"'
        f' d="{FACE}"/>'
        f'<path class="shine" d="M-43 6V-26Q-43-43-26-43H14"/>{veil(BODY)}'
    )


# --- places ------------------------------------------------------------------------------------------


def _pleats(count: int, inner: float, outer: float) -> str:
    rays = []
    for i in range(count):
        (x, y), (dx, dy) = polar(inner, 360 / count * i), polar(1, 360 / count * i)
        reach = min(outer / max(abs(dx), abs(dy)), outer * 1.26)
        rays.append(f"M{number(x)} {number(y)}L{number(dx * reach)} {number(dy * reach)}")
    return "".join(rays)


CUP: Final = (
    f'<path fill="var(--recess)" stroke="url(#l-lip)" d="{rounded(46, -46, 46, 19)}"/>'
    f'<path class="pleat" d="{_pleats(40, 33, 44.5)}"/>'
    '<circle r="33.5" fill="var(--plate-well)"/><circle r="33.5" fill="url(#l-inset)"/>'
)


def _lace(holes: int, radius: float, size: float) -> str:
    return "".join(circle(size, *polar(radius, 360 / holes * (i + 0.5))) for i in range(holes))


EDGE: Final = scalloped(28, 46.4, 2.1)
ALMOND: Final = petals(6, 17, 5, 0, 3) + circle(1.6)


def doily(theme: str) -> str:
    """A factory: a lace doily with a flower drawn on it."""
    return (
        f'<circle cx="1.5" cy="4" r="51" fill="url(#l-cast)" opacity=".55"/>'
        f'<path fill="url(#{theme}-plate)" fill-rule="evenodd" d="{EDGE}{_lace(28, 45.4, 1.25)}"/>'
        f'<path class="paint" opacity=".55" d="{_lace(56, 41.2, 0.55)}"/>'
        '<circle class="paint-line" r="43" opacity=".25"/><circle class="paint-line" r="33.5"'
        ' opacity=".35"/>'
        f'<circle r="38.5" fill="url(#{theme}-well)" opacity=".8"/>'
        f'<circle class="paint-line" r="35" opacity=".5"/><path class="paint-line" d="{ALMOND}"/>'
    )


DIAMONDS: Final = "".join(
    closed([polar(43.5, t - 2.2), polar(45.7, t), polar(43.5, t + 2.2), polar(41.3, t)])
    for t in (360 / 28 * i for i in range(28))
)
DISC: Final = (
    '<circle cx="1.5" cy="4" r="52" fill="url(#l-cast)" opacity=".8"/><circle r="49.5"'
    ' fill="url(#l-brass)"/>'
    '<circle r="48" fill="var(--board-side)"/><circle r="47" fill="var(--board-low)"/>'
    f'<path fill="url(#l-brass)" d="{DIAMONDS}"/><circle r="39.5" fill="none" stroke="url(#l-brass)"/>'
    '<circle r="38" fill="var(--board-side)"/><circle r="37" fill="var(--board-low)"/>'
    '<circle r="37" fill="url(#l-pool)"/><path class="shine" d="M-34-33A47.5 47.5 0 0 1-8-46.8"/>'
)
"""A disc of dark chocolate with a brass rim: a special factory, under its doily's place."""


# --- the signs of special factories ------------------------------------------------------------------

SIGNS: Final = {
    "extra": '<path class="sign" d="M0-24V24M-24 0H24"/>',
    "stay": '<path class="sign" d="M0 4V30M-14-26H14L10-6Q18 0 18 6H-18Q-18 0-10-6Z"/>',
    "split": '<path class="sign" d="M0 28V8L-20-14M0 8L20-14M-22 0V-17H-6M22 0V-17H6"/>',
    "zero": '<ellipse class="sign" rx="16" ry="25"/>',
}
EMBLEM: Final = (
    '<circle cx="2" cy="5" r="68" fill="url(#l-cast)"/><circle r="63" fill="url(#l-brass)"/>'
    '<circle r="53" fill="var(--brass-deep)"/>'
    '<circle r="51.5" fill="var(--badge)"/><path class="shine" d="M-52-26A58 58 0 0 1-20-54"/>'
)
ARROWS: Final = '<path class="sign" d="M-46-9L-36 0L-46 9M46-9L36 0L46 9"/>'


def sign(kind: str) -> str:
    """A brass emblem; for "neighbour.blue" the mark of the colour between two arrows."""
    what, dot, colour = kind.partition(".")
    if not dot:
        return EMBLEM + SIGNS[what]
    disc = '<circle class="face" r="30"/>' + inked(MARKS[colour], "scale(.6)")
    return EMBLEM + ARROWS + coloured(colour, disc)
