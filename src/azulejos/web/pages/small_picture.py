"""Small pictures of boards, for lists: flat shapes in the colours of the pieces, without any detail."""

from __future__ import annotations

import functools

from azulejos.core.position import Position, new
from azulejos.core.scene import Panel, Piece, Scene, Slot, scene_of
from azulejos.parts.paths import number as written
from azulejos.render import themes
from azulejos.render.themes import Theme

UNIT = 10
GAP = 6.0
WELLS = ("square", "hex", "circle", "pill")
"""Shapes of places that look like places even when they are empty."""


def boards_picture(position: Position) -> str:
    """The boards of all players, side by side."""
    scene = scene_of(position, [""] * position.players)
    boards = [panel for panel in scene.panels if panel.seat is not None]
    return _picture(scene, boards)


@functools.cache
def variant_picture(preset: str) -> str:
    """The empty board of a variant."""
    scene = scene_of(new(preset), ["", ""])
    return _picture(scene, [next(panel for panel in scene.panels if panel.seat == 0)])


def _picture(scene: Scene, panels: list[Panel]) -> str:
    theme, parts, left = themes()[scene.theme], [], 0.0
    for panel in panels:
        drawn = "".join(_slot(slot, theme) for slot in panel.slots)
        drawn += "".join(_piece(piece, panel, theme) for piece in panel.pieces)
        parts.append(f'<g transform="translate({written(left)} 0)">{drawn}</g>')
        left += panel.width * UNIT + GAP
    height = max(panel.height for panel in panels) * UNIT
    return (
        f'<svg class="small" viewBox="0 0 {written(left - GAP)} {written(height)}" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )


def _slot(slot: Slot, theme: Theme) -> str:
    if slot.shape not in WELLS or slot.optional:
        return ""
    marked = theme.pieces.get(slot.mark or "")
    fill = "" if marked is None else f' fill="{marked.face}" fill-opacity=".28"'
    return "".join(_shape(*slot.at(spot), slot.shape, f' class="w"{fill}')
                   for spot in range(max(1, len(slot.spots))))


def _piece(piece: Piece, panel: Panel, theme: Theme) -> str:
    slot = next(slot for slot in panel.slots if slot.id == piece.slot)
    paint = theme.pieces.get(piece.kind) or theme.pieces.get(piece.kind.partition(".")[0])
    if paint is None:
        return ""
    return _shape(*slot.at(piece.spot), slot.shape, f' fill="{paint.face}" stroke="{paint.edge}"')


def _shape(x: float, y: float, size: float, shape: str, look: str) -> str:
    half = size * UNIT / 2 * 0.92
    if shape in ("hex", "circle"):
        return f'<circle cx="{written(x * UNIT)}" cy="{written(y * UNIT)}" r="{written(half)}"{look}/>'
    left, top, edge = (written(value) for value in (x * UNIT - half, y * UNIT - half, 2 * half))
    return f'<rect x="{left}" y="{top}" width="{edge}" height="{edge}" rx="1"{look}/>'
