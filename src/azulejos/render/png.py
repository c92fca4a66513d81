"""Pictures as PNG: our own SVG, painted by resvg with our own fonts."""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import Final

from azulejos.core.position import Position
from azulejos.core.scene import scene_of
from azulejos.render.svg import scene_svg
from azulejos.render.themes import themes

WIDTH: Final = 1200
HEIGHT: Final = 630
"""Pixels of a preview: the size for which programs ask that show a link with a picture."""


def preview_png(position: Position) -> bytes:
    """The whole table without names, as large as the picture allows."""
    scene = scene_of(position, [""] * position.players)
    drawn = re.sub(' width="[0-9]+" height="[0-9]+">', f' width="{WIDTH}" height="{HEIGHT}">',
                   scene_svg(scene), count=1)
    return svg_to_png(drawn, background=themes()[scene.theme].variables(dark=False)["stone"])


def svg_to_png(svg: str, *, scale: float = 1, background: str | None = None, others: bool = False) -> bytes:
    """Paint a picture at its own size times `scale`. `others`: letters that our fonts lack are looked for
    in those of the system, which takes longer."""
    import resvg_py  # an extra: whoever draws no PNG needs none

    return bytes(resvg_py.svg_to_bytes(
        svg_string=svg, zoom=scale, background=background, font_files=_fonts(),
        skip_system_fonts=not others,
    ))


@functools.cache
def _fonts() -> list[str]:
    folder = resources.files(__package__).joinpath("fonts")
    return sorted(str(file) for file in folder.iterdir())
