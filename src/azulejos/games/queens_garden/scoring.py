"""Scoring after each round and at the end (queens-garden.md 8, 10-11)."""

from __future__ import annotations

import functools

from azulejos.core import plain
from azulejos.core.jit import rule
from azulejos.core.points import award
from azulejos.games.queens_garden.components import (
    CELLS, COLOURS, FIELDS, GROUP_BONUS, HEXAGONS, PATTERNS, PAVILION_POINTS, PLACES, SMALLEST_GROUP,
    WHEEL_ORDER,
)
from azulejos.games.queens_garden.garden import centre_of, gather, lowest, on_field, value_of
from azulejos.games.queens_garden.layout import BACK, EMPTY, PIECES, State
from azulejos.games.queens_garden.reasons import (
    BONUS, GROUP, JOKERS_LEFT, PAVILION_SEEN, PIECES_LEFT, WHEEL_FIELD,
)
from azulejos.games.queens_garden.storage import hexagon_of

# --- what groups are worth -------------------------------------------------------------------------------


def worth(s: State, seat: int) -> tuple[int, int]:
    """Total points for all colour groups, and for all pattern groups."""
    return _worth(s.garden[seat].tobytes(), int(s.variant))


@functools.lru_cache(maxsize=1024)
def _worth(garden: bytes, variant: int) -> tuple[int, int]:
    """Applies the scoring rules to a state that holds nothing but this garden."""
    s = plain.empty(State)
    s.variant = variant
    s.garden[0].cast("B")[:] = garden
    score_groups(s, 0, True)
    colours = int(s.score[0])
    score_groups(s, 0, False)
    return colours, int(s.score[0]) - colours


@rule
def score_round(s: State) -> None:
    """Score each hexagon for each field of the wheel that it matches, and each visible pavilion."""
    for seat in range(s.players):
        for i in range(FIELDS):
            if s.wheel_round[WHEEL_ORDER[i]] == s.round:
                score_field(s, seat, WHEEL_ORDER[i])
        for place in range(PLACES):
            if s.places[seat, place] > BACK:
                award(s, seat, PAVILION_POINTS, PAVILION_SEEN, centre_of(place))


@rule
def score_field(s: State, seat: int, field: int) -> None:
    for cell in range(CELLS):
        if s.garden[seat, cell] != EMPTY and on_field(int(s.garden[seat, cell]) - 1, field):
            award(s, seat, int(s.wheel_points[field]), WHEEL_FIELD + field, cell)


@rule
def score_end(s: State) -> None:
    for seat in range(s.players):
        score_storage(s, seat)
        score_groups(s, seat, True)
        score_groups(s, seat, False)


@rule
def score_storage(s: State, seat: int) -> None:
    """A point for each joker, minus the values of the stored hexagons."""
    award(s, seat, int(s.jokers[seat]), JOKERS_LEFT, -1)
    values = 0
    for piece in range(PIECES):
        hexagon = hexagon_of(s, seat, piece)
        if hexagon >= 0:
            values += value_of(hexagon) * (int(s.stored[seat, piece]) if piece < HEXAGONS else 1)
    award(s, seat, -values, PIECES_LEFT, -1)


@rule
def score_groups(s: State, seat: int, by_colour: bool) -> None:
    """The values of each group of at least three, and the bonus for a large group."""
    counted = 0
    for cell in range(CELLS):
        if s.garden[seat, cell] == EMPTY or counted >> cell & 1:
            continue
        hexagon = int(s.garden[seat, cell]) - 1
        group = gather(s.garden[seat], cell, hexagon, by_colour)
        counted |= group
        size = 0
        values = 0
        while group:
            size += 1
            values += value_of(int(s.garden[seat, lowest(group)]) - 1)
            group &= group - 1
        if size >= SMALLEST_GROUP:
            field = hexagon // PATTERNS if by_colour else COLOURS + hexagon % PATTERNS
            award(s, seat, values, GROUP + field, cell)
            award(s, seat, GROUP_BONUS[s.variant][min(size, COLOURS)], BONUS + field, cell)
