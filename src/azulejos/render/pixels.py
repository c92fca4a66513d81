"""Scene -> RGB array for training videos: plain shapes in the theme's colours, without extra packages.

It takes 7 ms; the drawing itself (`render.svg`) takes 160 to 270 ms at this size, and reading the PNG.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.layout import Cells
from azulejos.core.scene import Panel, Point, Scene, Slot
from azulejos.render.svg import arranged
from azulejos.render.themes import themes

UNIT: Final = 20
"""Pixels per tile."""

PIXEL: Final = np.dtype("<u4")
"""A pixel while it is drawn: red in the lowest byte. Numbers are filled three times as fast as bytes."""

ROUND: Final = ("circle", "plate", "dial", "badge", "pill")
HEXAGONS: Final = ("hex", "cell")
DIAMOND: Final = "diamond"
GROUNDS: Final = {"dial": "board", "badge": "badge", "area": "", "group": ""}
PLATE: Final = (
    ("plate-dim", 1.0), ("plate-rim", 0.97), ("paint", 0.9), ("plate-rim", 0.87), ("plate-well", 0.76)
)
"""The layers of a plate: the colour, and its share of the diameter."""
FILLED: Final = 0.94
CORNER: Final = 0.16
"""The radius of a square's corners, as a share of half its side."""
PIECE: Final = (("edge", 0.9, 0.03), ("deep", 0.86, -0.01), ("face", 0.78, -0.02))
"""The layers of a piece: the colour, its size, and how far below the middle it lies, in tiles."""
MARKS: Final = (("second", 0.5), ("ink", 0.34))
"""The diamonds painted on a piece, and their sizes."""


def scene_pixels(scene: Scene, *, dark: bool = False, unit: int = UNIT) -> Cells:
    """uint8 [row, column, RGB]"""
    placed, width, height = arranged(scene.panels)
    colours = themes()[scene.theme].variables(dark=dark)
    picture = np.full((round(height * unit), round(width * unit)), _pixel(colours["stone"]), PIXEL)
    for panel, x, y, scale in placed:
        _draw(_Canvas(picture, x * unit, y * unit, scale * unit), panel, colours)
    return np.ascontiguousarray(picture.view(np.uint8).reshape(*picture.shape, 4)[:, :, :3])


class _Canvas:
    """The area of the picture that shows one panel; `unit` is the size of a tile there."""

    def __init__(self, picture: Cells, x: float, y: float, unit: float) -> None:
        self.picture = picture
        self.x, self.y, self.unit = x, y, unit

    def fill(self, middle: Point, width: float, height: float, colour: str, *, shape: str) -> None:
        """Draw a shape around a point; sizes are in board units."""
        x, y = self.x + middle[0] * self.unit, self.y + middle[1] * self.unit
        w, h = width * self.unit / 2, height * self.unit / 2
        top, left = max(round(y - h), 0), max(round(x - w), 0)
        part = self.picture[top : max(round(y + h), 0), left : max(round(x + w), 0)]
        down, right = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
        across, along = np.abs(right + 0.5 - x), np.abs(down + 0.5 - y)
        part[_inside(across, along, w, h, shape)] = _pixel(colour)


def _inside(across: Cells, along: Cells, w: float, h: float, shape: str) -> Cells:
    """Which pixels belong to a shape, by their distances from its middle line and its middle row."""
    if shape in ROUND:
        return (across / w) ** 2 + (along / h) ** 2 <= 1
    if shape in HEXAGONS:
        return (across <= w) & (along / h <= 1 - across / w / 2)
    if shape == DIAMOND:
        return across / w + along / h <= 1
    corner = CORNER * min(w, h)
    beyond = np.maximum(across - w + corner, 0) ** 2 + np.maximum(along - h + corner, 0) ** 2
    inside: Cells = beyond <= corner**2
    return inside


def _draw(canvas: _Canvas, panel: Panel, colours: dict[str, str]) -> None:
    if panel.seat is not None:
        canvas.fill((panel.width / 2, panel.height / 2), panel.width, panel.height, colours["board"],
                    shape="board")
    for slot in panel.slots:
        for middle, width, height in _wells(slot):
            for colour, share in _layers(slot, colours):
                canvas.fill(middle, width * share, height * share, colour, shape=slot.shape)
    slots = {slot.id: slot for slot in panel.slots}
    for piece in panel.pieces:
        slot = slots[piece.slot]
        shape = "hex" if slot.shape in HEXAGONS else "circle" if slot.shape in ROUND else "square"
        _draw_piece(canvas, slot.at(piece.spot), shape, piece.kind.partition(".")[0], colours)


def _layers(slot: Slot, colours: dict[str, str]) -> list[tuple[str, float]]:
    """The colours of an empty place, from below, and their shares of its size."""
    if slot.shape == "plate":
        return [(colours[name], share) for name, share in PLATE]
    ground = GROUNDS.get(slot.shape, "recess")
    return [(colours.get(f"{slot.mark}-ground", colours[ground]), FILLED)] if ground else []


def _draw_piece(
    canvas: _Canvas, place: tuple[float, float, float], shape: str, kind: str, colours: dict[str, str]
) -> None:
    x, y, size = place
    for part, share, down in PIECE:
        colour = colours.get(f"{kind}-{part}", colours["ink"])
        canvas.fill((x, y + down * size), size * share, size * share, colour, shape=shape)
    for part, share in MARKS:
        colour = colours.get(f"{kind}-{part}", colours["board"])
        canvas.fill((x, y - 0.02 * size), size * share, size * share, colour, shape=DIAMOND)


def _wells(slot: Slot) -> list[tuple[Point, float, float]]:
    if not slot.spots:
        return [((slot.x, slot.y), slot.width, slot.height)]
    spots = map(slot.at, range(len(slot.spots)))
    return [((x, y), size, size) for x, y, size in spots]


def _pixel(colour: str) -> int:
    return int.from_bytes(bytes(rgb(colour)), "little")


def rgb(colour: str) -> tuple[int, int, int]:
    """"#2459a9" as three numbers."""
    red, green, blue = bytes.fromhex(colour[1:7])
    return red, green, blue
