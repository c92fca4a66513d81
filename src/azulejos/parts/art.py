"""What the covers of several games share: their size, a shade around the light, tumbled pieces."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, TypedDict

from azulejos.core.contract import Art


class Size(TypedDict):
    width: int
    height: int


COVER: Final = Size(width=600, height=280)
FRIEZE_HEIGHT: Final = 18


def shaded(strength: float) -> str:
    """Light from the top left, darker towards the other corner."""
    return (
        '<defs><radialGradient id="room" cx=".3" cy=".2" r="1"><stop stop-color="white"'
        ' stop-opacity=".22"/>'
        '<stop offset=".4" stop-color="white" stop-opacity="0"/><stop offset="1" stop-color="var(--shade)"'
        f' stop-opacity="{strength}"/></radialGradient></defs><rect width="600" height="280"'
        ' fill="url(#room)"/>'
    )


def tumbled(pieces: Sequence[tuple[str, float, float, float, float]]) -> str:
    """Pieces that lie about: kind, place, turn and size."""
    return "".join(
        f'<use href="#piece-{kind}" transform="translate({x} {y}) rotate({turn}) scale({size})"/>'
        for kind, x, y, turn, size in pieces
    )


TABLE: Final = Size(width=1440, height=900)


def _leaf(x: float, y: float, turn: float, length: float) -> str:
    return (
        f'<path transform="translate({x:.0f} {y:.0f}) rotate({turn:.0f})"'
        f' d="M0 0Q{length * 0.45:.0f} {length * -0.24:.0f} {length:.0f} 0Q{length * 0.45:.0f}'
        f' {length * 0.24:.0f} 0 0Z"/>'
    )


def branch(at: str, leaves: int = 13) -> str:
    """The soft shadow of an olive branch: the same leaves three times, each a little larger and paler."""
    middles = [(34 * i, 60 * math.sin(i / 5), 40 + 3 * i) for i in range(leaves)]
    drawn = "".join(
        _leaf(x, y, 20 + side * length * 0.9 + 4 * math.sin(x), 64 - x / 12)
        for x, y, length in middles for side in (-1, 1)
    )
    stem = '<path d="M-40 -8Q120 30 210 52T440 40" fill="none" stroke="var(--shade)" stroke-width="5"/>'
    layers = "".join(
        f'<g opacity="{alpha}" transform="translate({shift} {shift})"'
        f' stroke-width="{width}">{stem}{drawn}</g>'
        for alpha, shift, width in ((0.035, 0, 0), (0.03, 3, 9), (0.022, 6, 20))
    )
    paint = 'fill="var(--shade)" stroke="var(--shade)" stroke-linejoin="round"'
    return f'<g transform="{at}" {paint}>{layers}</g>'


def frieze_art(width: int, body: str) -> Callable[[str], Art]:
    """One repeat of a frieze."""
    return lambda theme: Art(width=width, height=FRIEZE_HEIGHT, body=body)
