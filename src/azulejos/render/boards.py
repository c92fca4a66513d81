"""What lies under the places of a panel: for a player's board a slab with a painted line."""

from __future__ import annotations

from typing import Final

from azulejos.core.scene import Panel
from azulejos.parts.shapes import number
from azulejos.render.themes import themes

UNIT: Final = 100
SHADOWS: Final = ((4, 10, 0.16), (10, 20, 0.07), (18, 30, 0.05), (28, 42, 0.03))
"""How far each layer of a board's shadow reaches, how far down it lies, and how dark it is."""
INSET, CORNER, LINE_INSET, SIDE = 3, 30, 14, 8
NARROW: Final = 9.5
"""Tiles; on a narrower board places reach to its edge, and the line lies there too."""


def ground(panel: Panel, theme: str) -> str:
    """The slab of a board, and what the game draws on the panel."""
    drawn = themes()[theme].shapes.ground(panel, theme)
    if panel.seat is None:
        return drawn
    width, height = panel.width * UNIT, panel.height * UNIT
    inset = LINE_INSET if panel.width > NARROW else INSET + 3
    line = f'<rect class="board-line" {_box(width, height, inset, INSET - inset)}/>'
    return f"{_slab(width, height, theme, panel.active)}{drawn}{line}"


def _slab(width: float, height: float, theme: str, active: bool) -> str:
    shadows = "".join(
        f'<rect fill="var(--shade)" opacity="{dark}"'
        f' {_box(width, height, INSET - reach * 0.6, reach, down)}/>'
        for reach, down, dark in SHADOWS
    )
    state = " active" if active else ""
    return (
        f'<g class="slab">{shadows}<rect class="board-side" {_box(width, height, INSET, 0, SIDE)}/></g>'
        f'<rect class="board{state}" fill="url(#{theme}-board)" {_box(width, height, INSET)}/>'
        f'<rect class="board-lit" {_box(width, height, INSET + 1.2, -1)}/>'
    )


def _box(width: float, height: float, inset: float, round_more: float = 0, down: float = 0) -> str:
    w, h = number(width - 2 * inset), number(height - 2 * inset)
    x, y, corner = number(inset), number(inset + down), number(CORNER + round_more)
    return f'x="{x}" y="{y}" width="{w}" height="{h}" rx="{corner}"'
