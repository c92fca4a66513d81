"""Scene -> pictures. Knows shapes and themes, no game."""

from azulejos.render.svg import panel_svg, piece_svg, scene_svg
from azulejos.render.themes import theme_css, themes

__all__ = [
    "panel_svg", "piece_svg", "scene_svg", "theme_css", "themes",
]
