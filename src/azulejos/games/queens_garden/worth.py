"""What the groups of a garden would score if the game ended now."""

from __future__ import annotations

import functools

import numpy as np

from azulejos.core import layout
from azulejos.games.queens_garden.layout import State
from azulejos.games.queens_garden.scoring import score_groups


def worth(s: State, seat: int) -> tuple[int, int]:
    """Total points for all colour groups, and for all pattern groups."""
    return _worth(s.garden[seat].tobytes(), int(s.variant))


@functools.lru_cache(maxsize=1024)
def _worth(garden: bytes, variant: int) -> tuple[int, int]:
    """Applies the scoring rules to a state that holds nothing but this garden."""
    s = layout.view(State, np.zeros(layout.dtype_of(State).itemsize, np.uint8))
    s.variant = variant
    s.garden[0] = np.frombuffer(garden, s.garden.dtype)
    score_groups(s, 0, True)
    colours = int(s.score[0])
    score_groups(s, 0, False)
    return colours, int(s.score[0]) - colours
