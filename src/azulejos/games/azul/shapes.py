"""Drawings of both themes: glazed tiles on painted plates, and chocolates on doilies."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Shapes
from azulejos.games.azul.art import art
from azulejos.games.azul.board_shapes import ground
from azulejos.games.azul.chocolate_shapes import CUP, DISC, chocolate, doily, sign
from azulejos.games.azul.chocolate_shapes import MARKS as CHOCOLATE_MARKS
from azulejos.games.azul.tile_shapes import BRASS_RIM, tile
from azulejos.games.azul.tile_shapes import MARKS as TILE_MARKS
from azulejos.parts.offer_scene import SPECIAL
from azulejos.parts.shapes import MARKS as SHARED
from azulejos.parts.shapes import coloured, token

CHOCOLATES: Final = "chocolates"
"""The theme with chocolates instead of tiles."""
MARKS: Final = {**SHARED, **TILE_MARKS}


def mark(kind: str, theme: str) -> str:
    return {**MARKS, **CHOCOLATE_MARKS}[kind] if theme == CHOCOLATES else MARKS[kind]


def piece(kind: str, theme: str) -> str:
    if kind == "marker":
        return coloured(kind, token(SHARED[kind]))
    return coloured(kind, chocolate(kind, theme) if theme == CHOCOLATES else tile(kind, theme))


def surface(shape: str, theme: str) -> str:
    if theme != CHOCOLATES:
        return BRASS_RIM if shape == SPECIAL else ""
    return {"plate": doily(theme), "square": CUP, SPECIAL: DISC}.get(shape, "")


SHAPES: Final = Shapes(piece=piece, mark=mark, sign=sign, surface=surface, ground=ground, art=art)
