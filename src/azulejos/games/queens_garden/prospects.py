"""Prospects of a hexagon in Queen's Garden: wheel points, the groups it can join, its price."""

from __future__ import annotations

from typing import Final

from azulejos.core.grid import table
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.games.queens_garden.components import (
    COLOURS, EXPANSION_SPACES, FIELD_BITS, FIELDS, GROUP_BONUS, HEXAGONS, NEIGHBOURS, PATTERNS, RIM,
    SMALLEST_GROUP,
)
from azulejos.games.queens_garden.garden import matches, value_of
from azulejos.games.queens_garden.layout import EMPTY, HELD_BACK, HELD_EXPANSION, HELD_TILE, State
from azulejos.games.queens_garden.storage import count


def _values(field: int, members: int) -> int:
    if field >= COLOURS:
        return members.bit_count() * (field - COLOURS + 1)
    return sum(pattern + 1 for pattern in range(PATTERNS) if members >> pattern & 1)


VALUES: Final[Cells] = table(
    [[_values(field, members) for members in range(64)] for field in range(FIELDS)], "i2"
)
"""[field, members]: total value of a group, given as a bit set of patterns (for a colour) or of colours."""
SIZE: Final[Cells] = table([members.bit_count() for members in range(64)], "i1")


def _worth(variant: int, field: int, members: int) -> int:
    size = members.bit_count()
    return _values(field, members) + GROUP_BONUS[variant][size] if size >= SMALLEST_GROUP else 0


WORTH: Final[Cells] = table(
    [[[_worth(variant, field, members) for members in range(64)] for field in range(FIELDS)]
     for variant in range(2)], "i2",
)
"""[variant, field, members]: points for such a group at the end."""


@rule
def likely(variant: int, field: int, members: int) -> int:
    """Half points: the score of a group; for a pair half its values, because a third hexagon may follow."""
    if SIZE[members] == 2:
        return int(VALUES[field, members])
    return 2 * int(WORTH[variant, field, members])


@rule
def wheel_from_now(s: State, hexagon: int) -> int:
    """Wheel points of a hexagon placed now, in this round and all later ones."""
    colour, pattern = hexagon // PATTERNS, COLOURS + hexagon % PATTERNS
    points = 0
    if s.wheel_round[colour] >= s.round:
        points += int(s.wheel_points[colour])
    if s.wheel_round[pattern] >= s.round:
        points += int(s.wheel_points[pattern])
    return points


@rule
def wheel_now(s: State, hexagon: int) -> int:
    """Wheel points of a hexagon in this round."""
    now, points = max(s.round, 1), 0
    colour, pattern = hexagon // PATTERNS, COLOURS + hexagon % PATTERNS
    if s.wheel_round[colour] == now:
        points += int(s.wheel_points[colour])
    if s.wheel_round[pattern] == now:
        points += int(s.wheel_points[pattern])
    return points


# --- prices ---------------------------------------------------------------------------------------------


@rule
def kinds_stored(s: State, seat: int) -> int:
    """The different hexagons in the storage, as a bit set."""
    kinds = 0
    for hexagon in range(HEXAGONS):
        if s.stored[seat, hexagon] > 0:
            kinds |= 1 << hexagon
    for slot in range(EXPANSION_SPACES):
        if s.slots[seat, slot] != EMPTY:
            kinds |= 1 << (int(s.slots[seat, slot]) - 1)
    return kinds


@rule
def lacking(kinds: int, jokers: int, hexagon: int) -> int:
    """Number of pieces missing to pay for a stored hexagon."""
    others = kinds & ~(1 << hexagon)
    by_colour = count(others & FIELD_BITS[hexagon // PATTERNS])
    by_pattern = count(others & FIELD_BITS[COLOURS + hexagon % PATTERNS])
    return value_of(hexagon) - 1 - jokers - max(by_colour, by_pattern)


# --- the piece in the hand ------------------------------------------------------------------------------


@rule
def held_hexagon(s: State) -> int:
    """The hexagon in the hand; -1 if there is none."""
    if HELD_TILE <= s.held < HELD_EXPANSION:
        return s.held - HELD_TILE
    return s.held - HELD_EXPANSION if HELD_EXPANSION <= s.held < HELD_BACK else -1


@rule
def cell_promise(s: State, cell: int) -> int:
    """Counts the neighbours that share the colour or pattern of the piece in the hand."""
    hexagon = held_hexagon(s)
    look = 0
    for i in range(RIM):
        near = int(NEIGHBOURS[cell, i])
        if near < 0 or hexagon < 0:
            break
        if s.garden[s.seat, near] != EMPTY:
            other = int(s.garden[s.seat, near]) - 1
            if matches(hexagon, other, True) or matches(hexagon, other, False):
                look += 8
            else:
                look -= 1
    return look
