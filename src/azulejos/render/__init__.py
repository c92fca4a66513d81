"""Scenes to pictures. Uses shapes and themes, and knows nothing about any particular game."""

from azulejos.render.page_style import page_css
from azulejos.render.svg import panel_svg, piece_svg, scene_svg
from azulejos.render.themes import themes

__all__ = [
    "page_css", "panel_svg", "piece_svg", "scene_svg", "themes",
]
