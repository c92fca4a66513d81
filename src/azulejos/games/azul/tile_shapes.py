"""Glazed tiles, from bottom to top: shadow, edge, face, corners, motif, flaws, glaze, rim of light."""

from __future__ import annotations

from typing import Final

from azulejos.parts.paths import circle, closed, petals, polar, polygon
from azulejos.parts.shapes import FOUR_ARROWS, inked, painted, rounded, soft_shadow, states, veil

BODY: Final = rounded(48, -48, 48, 10)
FACE: Final = rounded(48, -48, 44.5, 10)
SHADOW: Final = soft_shadow(rounded(47, -47, 47, 11))
MIDDLE: Final = "translate(0 -1.7)"
"""The face is higher than the tile, by half of the edge that shows below it."""

CORNER_ROUNDS: Final = (
    "M-48-24A24 24 0 0 0-24-48M24-48A24 24 0 0 0 48-24M48 20.5A24 24 0 0 0 24 44.5"
    "M-24 44.5A24 24 0 0 0-48 20.5M-48-33A15 15 0 0 0-33-48M33-48A15 15 0 0 0 48-33"
    "M48 29.5A15 15 0 0 0 33 44.5M-33 44.5A15 15 0 0 0-48 29.5"
)


def _hollow_diamond(radius: float, waist: float) -> str:
    """A four-pointed star whose sides curve inwards."""
    tips = [polar(radius, 90 * i) for i in range(5)]
    sides = [polar(waist, 90 * i + 45) for i in range(4)]
    path = f"M{tips[0][0]:.1f} {tips[0][1]:.1f}"
    for (sx, sy), (x, y) in zip(sides, tips[1:], strict=True):
        path += f"Q{sx:.1f} {sy:.1f} {x:.1f} {y:.1f}"
    return path + "Z"


def _kites(inner: float, outer: float, width: float) -> str:
    return "".join(
        closed([polar(inner, t), polar((inner + outer) * 0.55, t - width), polar(outer, t),
                polar((inner + outer) * 0.55, t + width)])
        for t in (45, 135, 225, 315)
    )


def _flames(count: int, outer: float, inner: float, lean: float) -> str:
    """Rays that bend a little to one side."""
    step = 360 / count
    path = ""
    for i in range(count):
        turn = step * i
        points = [polar(inner, turn - step * 0.36), polar((outer + inner) / 2, turn - step * 0.3 + lean),
                  polar(outer, turn + lean), polar((outer + inner) / 2, turn + step * 0.22 + lean),
                  polar(inner, turn + step * 0.36)]
        (a, b), (c, d), (e, f), (g, h), (x, y) = points
        path += f"M{a:.1f} {b:.1f}Q{c:.1f} {d:.1f} {e:.1f} {f:.1f}Q{g:.1f} {h:.1f} {x:.1f} {y:.1f}Z"
    return path


def _needles(count: int, inner: float, outer: float) -> str:
    step = 360 / count
    turns = [step * (i + 0.5) for i in range(count)]
    return "".join(closed([polar(inner, t - 5), polar(outer, t), polar(inner, t + 5)]) for t in turns)


def _beads(count: int, radius: float, size: float) -> str:
    return "".join(circle(size, *polar(radius, 360 / count * i)) for i in range(count))


CORNER_BEADS: Final = "".join(circle(3.4, x, y) for x in (-38, 38) for y in (-36.5, 34))

MOTIFS: Final = {
    "blue": inked(petals(4, 41, 20, 0, 4)) + painted("second", petals(4, 35, 3.2, 0, 13))
    + inked(petals(4, 33, 5.5, 45, 12)) + inked(circle(5)) + painted("second", circle(2.2)),
    "yellow": inked(_flames(8, 41, 20, 4)) + inked(_needles(8, 19, 34)) + inked(circle(22) + circle(19.5))
    + painted("second", circle(18.6), "") + inked(petals(8, 17, 6.5, 0, 4) + circle(3.2)),
    "red": inked(_hollow_diamond(43, 21) + polygon(4, 27.5)) + inked(polygon(4, 21) + polygon(4, 14))
    + painted("second", petals(4, 41, 3, 45, 31)) + inked(polygon(4, 7)),
    "black": inked(circle(39) + circle(29.5)) + painted("edge", _beads(16, 34.2, 2))
    + painted("second", circle(22.5) + circle(20)) + inked(circle(15) + circle(8.5)) + inked(circle(4))
    + painted("second", CORNER_BEADS),
    "white": inked(FOUR_ARROWS) + painted("second", _kites(12, 40, 7.5)) + inked(circle(4.5)),
}
CORNERS: Final = {"blue": "second", "red": "second", "white": "second", "yellow": "second"}
"""The paint of the rounds in the corners; they join with those of the neighbours."""

FLAWS: Final = (
    '<path class="flaw flaw-a" d="M-47-14L-31-9L-27 3L-12 9M-31-9L-24-16"/>'
    '<path class="flaw flaw-b" d="M12 43L17 30L29 25L33 12M17 30L9 23"/>'
    '<path class="flaw flaw-c" d="M46 6L36 1L33-12L40-22M-30 31h.1M22-29h.1"/>'
)
LIGHT: Final = (
    f'<path fill="url(#l-pool)" d="{FACE}"/><path fill="url(#l-glaze)" d="{FACE}"/>'
    '<path class="shine" d="M-45 20V-38Q-45-45-38-45H30"/>'
)

MARKS: Final = {
    "red": polygon(4, 40) + polygon(4, 27) + polygon(4, 14),
    "black": circle(34) + circle(22) + circle(8),
    "yellow": _flames(8, 40, 21, 3) + circle(22) + circle(11) + circle(4.5),
}
"""Silhouettes for the places that wait for a tile."""


BRASS_RIM: Final = (
    '<circle r="43" fill="none" stroke="var(--brass-deep)" stroke-width="8.5"/>'
    '<circle r="43" fill="none" stroke="url(#l-brass)" stroke-width="7"/>'
    '<path class="shine" stroke-width="1.6" d="M-33-31A45 45 0 0 1-12-43.4"/>'
)
"""On the plate of a special factory."""


def tile(kind: str, theme: str) -> str:
    corner = f'<path class="{CORNERS[kind]}-line" d="{CORNER_ROUNDS}"/>' if kind in CORNERS else ""
    return (
        f'{SHADOW}{states(BODY)}<path class="edge" d="{BODY}" transform="translate(0 1.5)"/>'
        f'<path fill="url(#{theme}-{kind})" d="{FACE}"/>{corner}'
        f'<g transform="{MIDDLE}">{MOTIFS[kind]}</g>{FLAWS}{LIGHT}{veil(BODY)}'
    )


