"""Scene -> RGB array, for training videos: plain shapes in the theme's colours, without extra packages."""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.layout import Cells
from azulejos.core.scene import Panel, Point, Scene, Slot
from azulejos.render.svg import arranged
from azulejos.render.themes import themes

UNIT: Final = 20
"""Pixels per tile."""

ROUND: Final = ("circle", "plate", "dial", "badge", "pill")
HEXAGONS: Final = ("hex", "cell")
GROUNDS: Final = {"plate": "board", "dial": "board", "badge": "badge", "area": "", "group": ""}
FILLED: Final = 0.94
PIECE: Final = {"edge": 0.9, "face": 0.76}


def scene_pixels(scene: Scene, *, dark: bool = False) -> Cells:
    """uint8 [row, column, RGB]"""
    placed, width, height = arranged(scene.panels)
    colours = themes()[scene.theme].variables(dark=dark)
    picture = np.empty((round(height * UNIT), round(width * UNIT), 3), np.uint8)
    picture[:] = _rgb(colours["stone"])
    for panel, x, y, scale in placed:
        _draw(_Canvas(picture, x, y, scale), panel, colours)
    return picture


class _Canvas:
    """The area of the picture that shows one panel."""

    def __init__(self, picture: Cells, x: float, y: float, scale: float) -> None:
        self.picture = picture
        self.x, self.y, self.unit = x * UNIT, y * UNIT, scale * UNIT

    def fill(self, middle: Point, width: float, height: float, colour: str, *, shape: str) -> None:
        """Draw a shape around a point; sizes are in board units."""
        x, y = self.x + middle[0] * self.unit, self.y + middle[1] * self.unit
        w, h = width * self.unit / 2, height * self.unit / 2
        top, left = max(round(y - h), 0), max(round(x - w), 0)
        part = self.picture[top : max(round(y + h), 0), left : max(round(x + w), 0)]
        down, right = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
        across, along = np.abs(right + 0.5 - x) / w, np.abs(down + 0.5 - y) / h
        if shape in ROUND:
            part[across**2 + along**2 <= 1] = _rgb(colour)
        elif shape in HEXAGONS:
            part[(across <= 1) & (along <= 1 - across / 2)] = _rgb(colour)
        else:
            part[:] = _rgb(colour)


def _draw(canvas: _Canvas, panel: Panel, colours: dict[str, str]) -> None:
    if panel.seat is not None:
        canvas.fill((panel.width / 2, panel.height / 2), panel.width, panel.height, colours["board"],
                    shape="square")
    for slot in panel.slots:
        ground = GROUNDS.get(slot.shape, "recess")
        for middle, width, height in _wells(slot):
            if ground:
                canvas.fill(middle, width * FILLED, height * FILLED, colours[ground], shape=slot.shape)
    slots = {slot.id: slot for slot in panel.slots}
    for piece in panel.pieces:
        slot = slots[piece.slot]
        kind = piece.kind.partition(".")[0]
        shape = "hex" if slot.shape in HEXAGONS else "circle" if slot.shape in ROUND else "square"
        for part, share in PIECE.items():
            x, y, size = slot.at(piece.spot)
            colour = colours.get(f"{kind}-{part}", colours["ink"])
            canvas.fill((x, y), size * share, size * share, colour, shape=shape)


def _wells(slot: Slot) -> list[tuple[Point, float, float]]:
    if not slot.spots:
        return [((slot.x, slot.y), slot.width, slot.height)]
    spots = map(slot.at, range(len(slot.spots)))
    return [((x, y), size, size) for x, y, size in spots]


def _rgb(colour: str) -> tuple[int, int, int]:
    """"#2459a9" as three numbers."""
    red, green, blue = bytes.fromhex(colour[1:7])
    return red, green, blue
