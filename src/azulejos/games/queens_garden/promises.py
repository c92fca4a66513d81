"""Move-ordering scores for Queen's Garden, and which moves the search skips as foolish."""

from __future__ import annotations

from typing import Final

from azulejos.core.jit import rule
from azulejos.games.queens_garden.components import HEXAGONS, ROUNDS
from azulejos.games.queens_garden.garden import value_of
from azulejos.games.queens_garden.layout import ACTING, DISCARDING, PIECES, State
from azulejos.games.queens_garden.moves import BUY, CELL, JOKERS, PASS, PIECE, SOURCE
from azulejos.games.queens_garden.prospects import (
    cell_promise,
    kinds_stored,
    lacking,
    wheel_from_now,
    wheel_now,
)
from azulejos.games.queens_garden.rules import may_pick
from azulejos.games.queens_garden.shortlist import is_burden
from azulejos.games.queens_garden.storage import hexagon_of, may_pay

NONSENSE: Final = -40
"""Moves that score lower (giving up points that cost nothing) are skipped if a better one exists."""
FOOLISH: Final = -50


@rule
def promise(s: State, action: int) -> int:
    """Placing scores higher than acquiring, and a cell with matching neighbours higher than one without."""
    if action < PIECE:
        return 4
    if action < CELL:
        return piece_promise(s, action - PIECE)
    if action < SOURCE:
        return cell_promise(s, action - CELL)
    if action == BUY:
        return -15
    if action == JOKERS:
        return FOOLISH if a_twin_pays(s) else -4 * int(s.due)
    if action == PASS and s.stage == ACTING:
        return FOOLISH if points_lie_ready(s) else -12
    return 0


@rule
def piece_promise(s: State, piece: int) -> int:
    """Score of a piece to place, pay or discard; pieces that score on the wheel are best placed."""
    hexagon = hexagon_of(s, s.seat, piece)
    likes = wheel_from_now(s, hexagon)
    if s.stage == ACTING:
        return 8 + 3 * likes + value_of(hexagon)
    if s.stage == DISCARDING:
        return -20 if is_burden(s, s.seat, piece) else FOOLISH
    return -3 * likes


@rule
def points_lie_ready(s: State) -> bool:
    """Whether passing wastes points: a piece can be paid for without jokers and scores in this round.

    In the last round any piece counts, because stored pieces cost points at the end."""
    kinds = kinds_stored(s, s.seat)
    for piece in range(PIECES):
        hexagon = hexagon_of(s, s.seat, piece)
        if hexagon < 0 or lacking(kinds, 0, hexagon) > 0:
            continue
        if (s.round == ROUNDS or wheel_now(s, hexagon) > 0) and may_pick(s, s.seat, piece):
            return True
    return False


@rule
def a_twin_pays(s: State) -> bool:
    """Whether a tile can pay that the storage holds twice."""
    for hexagon in range(HEXAGONS):
        if s.stored[s.seat, hexagon] > 1 and may_pay(s, s.seat, hexagon):
            return True
    return False
