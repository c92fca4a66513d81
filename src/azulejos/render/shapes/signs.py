"""Signs on badges: what a special place does."""

from __future__ import annotations

from typing import Final

from azulejos.render.shapes.marks import mark

SIGNS: Final = {
    "extra": '<path class="sign" d="M0-24V24M-24 0H24"/>',
    "stay": '<path class="sign" d="M-20-26V10A20 20 0 0 0 20 10V-26M0-26V-4"/>',
    "split": '<path class="sign" d="M0 26V6L-22-16M0 6L22-16M-24-2V-18H-8M24-2V-18H8"/>',
    "zero": '<ellipse class="sign" rx="17" ry="26"/>',
}

ARROWS: Final = '<path class="sign" d="M-56-10L-45 0L-56 10M56-10L45 0L56 10"/>'


def sign(kind: str) -> str:
    """A sign, or the mark of a colour between two arrows for "neighbour.blue"."""
    what, dot, colour = kind.partition(".")
    if not dot:
        return SIGNS[what]
    inked = f'<path class="ink" fill-rule="evenodd" transform="scale(.68)" d="{mark(colour)}"/>'
    return f'{ARROWS}<g class="k-{colour}"><circle class="face" r="31"/>{inked}</g>'
