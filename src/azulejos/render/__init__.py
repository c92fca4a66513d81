"""Scenes to pictures. Uses shapes and themes, and knows nothing about any particular game."""

from azulejos.render.page_style import page_css
from azulejos.render.svg import own_names, panel_svg, piece_svg, scene_svg
from azulejos.render.themes import themes

__all__ = [
    "own_names", "page_css", "panel_svg", "piece_svg", "scene_svg", "themes",
]
