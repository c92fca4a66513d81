"""Drawings of leaded panes that cast coloured light, of the glazier, and of the material around them."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Shapes
from azulejos.games.stained_glass.art import art
from azulejos.games.stained_glass.board_shapes import ground, pewter
from azulejos.parts.paths import circle, closed, polygon
from azulejos.parts.shapes import MARKS as SHARED
from azulejos.parts.shapes import coloured, inked, medal, painted, rounded, soft_shadow, states, token, veil

HEART: Final = "M0 34C-46 2-35-31-13-30C-4-29 0-21 0-16C0-21 4-29 13-30C35-31 46 2 0 34Z"
MARKS: Final = {
    **SHARED,
    "pink": HEART,
    "orange": polygon(3, 40) + polygon(3, 27) + polygon(3, 12),
    "glazier": circle(13, 0, -19) + "M-24 34C-24 4-12-4 0-4C12-4 24 4 24 34Z",
    "broken": closed([(-30, -26), (-4, -30), (-10, -6), (4, -2), (-6, 28), (-30, 24)])
    + closed([(6, -30), (30, -28), (30, 26), (4, 30), (16, -4), (2, -10)]),
}
LOWER: Final = {"orange": " translate(0 6)", "pink": " translate(0 1)"}
"""Marks whose middle is not the middle of their form."""

FRAME: Final = rounded(47, -47, 47, 4)
GLASS: Final = rounded(43, -43, 43, 2)
CAST: Final = rounded(46, -46, 46, 6)
REFLECTIONS: Final = "M-43-12L-12-43H10L-43 10ZM-43 24L24-43H32L-43 32Z"
LEADED: Final = f'<path class="lead" opacity=".8" d="{rounded(47, -47, 47, 3)}"/>'
"""The lead around a place of a strip."""
CHIP: Final = '<path class="face" d="' + rounded(47, -47, 47, 12) + '"/>'
FIGURE: Final = "M-31 44C-31 12-19 0-11-5A20 20 0 1 1 11-5C19 0 31 12 31 44Z"
WINDOW: Final = "M-14 12H14V37H-14ZM-10 16V23H-2V16ZM2 16V23H10V16ZM-10 27V33H-2V27ZM2 27V33H10V27Z"
BACK: Final = ".back"
"""Suffix of kinds printed on the other side of a strip: drawn flat, without lead."""


def mark(kind: str, theme: str = "") -> str:
    return MARKS[kind]


def piece(kind: str, theme: str) -> str:
    return coloured(kind.removesuffix(BACK), _drawn(kind, theme))


def _drawn(kind: str, theme: str) -> str:
    if kind == "glazier":
        return _figure(theme)
    if kind == "marker":
        return token(mark(kind))
    if kind == "broken":
        return medal(mark(kind))
    if kind.endswith(BACK):
        return CHIP + inked(mark(kind.removesuffix(BACK)))
    return _pane(kind, theme)


def _pane(kind: str, theme: str) -> str:
    """Coloured light on the table instead of a grey shadow, glass, mark, reflections, lead."""
    light = "".join(
        painted("face", CAST, f"translate({x} {y}) scale({size})").replace("/>", f' opacity="{alpha}"/>')
        for x, y, size, alpha in ((7, 9, 1.0, 0.3), (11, 14, 1.04, 0.16), (15, 19, 1.1, 0.09))
    )
    return (
        f'{light}{states(FRAME)}<path fill="url(#{theme}-{kind})" d="{GLASS}"/>'
        f'{inked(mark(kind), "scale(.86)" + LOWER.get(kind, ""))}'
        f'<path fill="var(--sheen)" opacity=".22" d="{REFLECTIONS}"/><path class="lead" d="{FRAME}"/>'
        f'<path class="shine" opacity=".5" d="M-46.5 30V-46.5H30"/>{veil(FRAME)}'
    )


def _figure(theme: str) -> str:
    return (
        f'{soft_shadow(FIGURE, reach=0.7)}{states(FIGURE)}<path class="edge" d="{FIGURE}"/>'
        f'<path fill="url(#{theme}-glazier)" transform="translate(0 -1) scale(.92)" d="{FIGURE}"/>'
        f'{inked(WINDOW)}<path class="shine" d="M-10-27A14 14 0 0 1 1-35"/>{veil(FIGURE)}'
    )


def surface(shape: str, theme: str) -> str:
    return {"plate": pewter(theme), "frame": LEADED}.get(shape, "")


SHAPES: Final = Shapes(piece=piece, mark=mark, surface=surface, ground=ground, art=art)
