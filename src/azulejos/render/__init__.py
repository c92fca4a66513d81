"""Scenes to pictures. Uses shapes and themes, and knows nothing about any particular game."""

from azulejos.render.svg import panel_svg, piece_svg, scene_svg
from azulejos.render.themes import theme_css, themes

__all__ = [
    "panel_svg", "piece_svg", "scene_svg", "theme_css", "themes",
]
