"""The fingerprint of a side of Queen's Garden: while it is unchanged, the terms are not recomputed."""

from __future__ import annotations

from typing import Final

from azulejos.core.jit import rule
from azulejos.games.queens_garden.components import CELLS, EXPANSION_SPACES, HEXAGONS, PLACES
from azulejos.games.queens_garden.layout import State
from azulejos.parts.fingerprints import MIX, fingerprint

# First index of each part in the fingerprint.
STORED: Final = CELLS
PLACED: Final = STORED + HEXAGONS
SLOTS: Final = PLACED + PLACES
OTHERS: Final = SLOTS + EXPANSION_SPACES


@rule
def mark_of(s: State, seat: int) -> int:
    """Fingerprint of everything that the terms of a side depend on; never 0."""
    mark = fingerprint(s.garden[seat], 0) + fingerprint(s.stored[seat], STORED)
    mark += fingerprint(s.places[seat], PLACED) + fingerprint(s.slots[seat], SLOTS)
    mark += int(s.jokers[seat]) * MIX[OTHERS] + int(s.score[seat]) * MIX[OTHERS + 1]
    mark += ((s.round * 2 + s.variant) * 2 + int(s.passed[seat])) * MIX[OTHERS + 2]
    if s.seat == seat:
        mark += (1 + 6 * int(s.held) + int(s.due)) * MIX[OTHERS + 3]
    return int(mark + (2 if s.marker == seat else 1) * MIX[OTHERS + 4])
