"""Panes of stained glass between strips of lead; the glazier is a wooden figure."""

from __future__ import annotations

from typing import Final

from azulejos.render.shapes.marks import mark
from azulejos.render.shapes.tokens import token

PANE: Final = (
    '<rect class="shadow" x="-42" y="-40" width="90" height="90" rx="4"/>'
    '<rect class="face" x="-45" y="-45" width="90" height="90" rx="4"/>'
    '<path class="deep" d="M-45 45L0 12L45 45Z"/><path class="deep" d="M45-45L12 0L45 45Z"/>'
    '<path class="glaze" d="M-45-45L0-12L45-45Z"/><path class="glaze" d="M-45-45L-12 0L-45 45Z"/>'
)
FRAME: Final = '<rect class="lead" x="-45" y="-45" width="90" height="90" rx="4"/>'
GLINT: Final = '<path class="shine" d="M-36-14V-36H-14"/>'
FIGURE: Final = (
    '<ellipse class="shadow" cx="3" cy="40" rx="34" ry="9"/>'
    '<path class="edge" d="M-30 42C-30 10-18-2-10-6A19 19 0 1 1 10-6C18-2 30 10 30 42Z"/>'
    '<path class="face" d="M-26 37C-26 10-14-4-6-7A16 16 0 1 1 6-7C14-4 26 10 26 37Z"/>'
    '<path class="ink" d="M-13 14H13V36H-13ZM-9 18V24H-2V18ZM2 18V24H9V18ZM-9 28V33H-2V28ZM2 28V33H9V28Z"'
    ' fill-rule="evenodd"/><path class="shine" d="M-9-26A12 12 0 0 1 0-33"/>'
)
CHIP: Final = '<rect class="face" x="-47" y="-47" width="94" height="94" rx="12"/>'
BACK: Final = ".back"
"""A kind that is printed on the other side of a strip: flat, without lead."""
NO_PANES: Final = frozenset({"marker", "broken"})


def piece(kind: str) -> str:
    if kind == "glazier":
        return FIGURE
    if kind in NO_PANES:
        return token(kind)
    if kind.endswith(BACK):
        return f'{CHIP}<path class="ink" fill-rule="evenodd" d="{mark(kind.removesuffix(BACK))}"/>'
    inked = f'<path class="ink" fill-rule="evenodd" transform="scale(.86)" d="{mark(kind)}"/>'
    return PANE + inked + FRAME + GLINT
