"""Which drawings a theme uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from azulejos.render.shapes import tiles

LOOKS: Final[dict[str, Callable[[str], str]]] = {
    "tiles": tiles.piece, "chocolates": tiles.piece, "glass": tiles.piece, "garden": tiles.piece,
}
