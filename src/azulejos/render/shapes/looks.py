"""Which drawings a theme uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from azulejos.render.shapes import chocolates, garden, glass, tiles

LOOKS: Final[dict[str, Callable[[str], str]]] = {
    "tiles": tiles.piece, "chocolates": chocolates.piece, "glass": glass.piece, "garden": garden.piece,
}
