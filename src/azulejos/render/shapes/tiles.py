"""Glazed tiles."""

from __future__ import annotations

from typing import Final

from azulejos.render.shapes.marks import mark
from azulejos.render.shapes.tokens import token

BODY: Final = (
    '<rect class="shadow" x="-44" y="-40" width="92" height="90" rx="9"/>'
    '<rect class="edge" x="-47" y="-47" width="94" height="94" rx="9"/>'
    '<rect class="face" x="-47" y="-47" width="94" height="89" rx="9"/>'
    '<path class="fine" d="M-47-22A25 25 0 0 0-22-47M22-47A25 25 0 0 0 47-22M47 17A25 25 0 0 0 22 42'
    'M-22 42A25 25 0 0 0-47 17"/>'
)
GLAZE: Final = (
    '<path class="glaze" d="M-42-33Q-42-42-33-42H36Q42-42 42-36C16-34-24-22-42 16Z"/>'
    '<path class="shine" d="M-38-22V-32Q-38-38-32-38H-22"/>'
)
ROUND: Final = frozenset({"marker"})


def piece(kind: str) -> str:
    if kind in ROUND:
        return token(kind)
    inked = f'<path class="ink" fill-rule="evenodd" transform="translate(0 -2.5)" d="{mark(kind)}"/>'
    return BODY + inked + GLAZE
