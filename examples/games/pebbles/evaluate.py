"""Static evaluation of Pebbles for searching bots, in hundredths of a point."""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.contract import Evaluate
from azulejos.core.jit import rule
from azulejos.core.layout import Cells

from .layout import COLOURS, State
from .moves import DRAW, TAKE

POINTS: Final = 0
LARGEST: Final = 1
"""Size of the largest pile in the bowl, for the seat to move."""
TERMS: Final = 2


@rule
def largest(s: State) -> int:
    pebbles = 0
    for colour in range(COLOURS):
        pebbles = max(pebbles, int(s.bowl[colour]))
    return pebbles


@rule
def terms_of(s: State, terms: Cells) -> int:
    for seat in range(s.players):
        terms[seat, POINTS] = s.score[seat]
        terms[seat, LARGEST] = largest(s) if seat == s.to_move else 0
    return 0


@rule
def promise(s: State, action: int) -> int:
    """Move-ordering score: larger piles first."""
    return int(s.bowl[action - TAKE]) if action < DRAW else 0


EVALUATE: Final = Evaluate(
    terms=TERMS, weights={"hand": np.array([[100, 80]], np.int32)}, terms_of=terms_of, promise=promise,
    chance_free_rounds=True,
)
