"""Position -> PNG, for programs that show a link with a picture: drawn with NumPy alone."""

from __future__ import annotations

import struct
import zlib
from typing import Final

import numpy as np

from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.core.scene import scene_of
from azulejos.render.pixels import rgb, scene_pixels
from azulejos.render.svg import arranged
from azulejos.render.themes import themes

WIDTH: Final = 1200
HEIGHT: Final = 630
"""Pixels: the size for which such programs ask."""
FINER: Final = 2
"""Everything is drawn twice as large and then reduced, so that edges are smooth."""
RGB: Final = 2
"""How the PNG format calls pixels of three bytes."""


def preview_png(position: Position) -> bytes:
    """The whole table, as large as the picture allows."""
    scene = scene_of(position, [""] * position.players)
    _, width, height = arranged(scene.panels)
    unit = int(FINER * min(WIDTH / width, HEIGHT / height))
    table = _reduced(scene_pixels(scene, unit=unit))
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    picture[:] = rgb(themes()[scene.theme].variables(dark=False)["stone"])
    rows, columns = table.shape[:2]
    top, left = (HEIGHT - rows) // 2, (WIDTH - columns) // 2
    picture[top : top + rows, left : left + columns] = table
    return png(picture)


def _reduced(pixels: Cells) -> Cells:
    """The means of squares of 2 × 2 pixels."""
    rows, columns = (size // FINER * FINER for size in pixels.shape[:2])
    wide = pixels[:rows, :columns].astype(np.uint16)
    lines = wide[::FINER] + wide[1::FINER]
    return ((lines[:, ::FINER] + lines[:, 1::FINER]) // FINER**2).astype(np.uint8)


def png(pixels: Cells) -> bytes:
    """uint8 [row, column, RGB] as a PNG file."""
    height, width = pixels.shape[:2]
    lines = np.zeros((height, 1 + 3 * width), np.uint8)  # a line that begins with 0 holds plain values
    lines[:, 1:] = pixels.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, RGB, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
