"""Round wooden tokens: the start marker and other things that are no tiles."""

from __future__ import annotations

from azulejos.render.shapes.marks import mark


def token(kind: str) -> str:
    return (
        '<circle class="shadow" cx="3" cy="5" r="45"/><circle class="edge" r="46"/>'
        '<circle class="face" cy="-3" r="43"/><circle class="fine" cy="-3" r="37"/>'
        f'<path class="ink" fill-rule="evenodd" transform="translate(0 -3) scale(.8)" d="{mark(kind)}"/>'
        '<path class="shine" d="M-30-22A37 37 0 0 1-12-37"/>'
    )
