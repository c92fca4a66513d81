"""Observations of Queen's Garden for machine learning; `planes` gives the meaning of each number.

A hexagon is 12 numbers: one of six for its colour, one of six for its pattern. All 0 means no hexagon.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azulejos.core.contract import Observe
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.observation import Plane
from azulejos.games.queens_garden.components import (
    CELLS, COLOURS, COPIES, EXPANSION_SPACES, EXPANSIONS, FIELDS, HEXAGONS, MAX_STACK, PATTERNS, PLACES,
    RIM, ROUNDS, STACK_TILES, STORAGE_SPACES,
)
from azulejos.games.queens_garden.layout import (
    ACTING, BACK, BY_COLOUR, BY_PATTERN, DISCARDING, FACE_DOWN, HELD_BACK, HELD_EXPANSION, HELD_TILE,
    NO_EXPANSION, NOTHING, PIECES, TAKEN, State,
)
from azulejos.parts.planes import (
    score_plane, seat_after, turn_planes, turns_between, within_a_byte, write_counts,
)

BELOW: Final = 50
"""Points below 0 that are told apart."""
DUE: Final = 5
PLACE_STATES: Final = BACK + RIM
STAGES: Final = DISCARDING - ACTING + 1


def planes(players: int, options: Mapping[str, str]) -> tuple[Plane, ...]:
    boards = [plane for turn in range(players) for plane in _board(turn)]
    return (*boards, *_display(), *_turn(players))


def _board(turn: int) -> list[Plane]:
    """`turn` 0 is the observer, 1 the next seat clockwise."""
    return [
        Plane(f"garden.{turn}", (CELLS, FIELDS), "[cell] hexagon"),
        Plane(f"places.{turn}", (PLACES, PLACE_STATES),
              "[place] a face-down expansion, or the direction of its printed hexagon"),
        Plane(f"stored.{turn}", (HEXAGONS,), "[hexagon] tiles in the storage / 3", unit=COPIES),
        Plane(f"slots.{turn}", (EXPANSION_SPACES, FIELDS), "[slot] hexagon of a stored expansion"),
        Plane(f"jokers.{turn}", (1,), "jokers / 12", unit=STORAGE_SPACES),
        Plane(f"passed.{turn}", (1,), "passed in this round"),
        score_plane(turn, BELOW),
    ]


def _display() -> list[Plane]:
    return [
        Plane("tiles", (MAX_STACK, STACK_TILES, FIELDS), "[source, i] hexagon of a tile on an expansion"),
        Plane("faces", (MAX_STACK, FIELDS), "[source] hexagon of an expansion that is face up"),
        Plane("down", (MAX_STACK,), "[source] is face down"),
        Plane("taken", (MAX_STACK,), "[source] was taken"),
        Plane("top", (MAX_STACK + 1,), "[source] is the stack's top; the last: the stack is used up"),
        Plane("bag", (HEXAGONS,), "[hexagon] tiles / 3", unit=COPIES),
        Plane("tower", (HEXAGONS,), "[hexagon] tiles / 3", unit=COPIES),
        Plane("unseen", (HEXAGONS,), "[hexagon] its expansion was never turned up"),
        Plane("supply", (1,), "expansions in the supply / 36", unit=EXPANSIONS),
    ]


def _turn(players: int) -> list[Plane]:
    first, second = turn_planes(players)
    return [
        first,
        Plane("first", second.shape, "[turn] passed first in this round"),
        Plane("round", (ROUNDS,), "[round] is being played"),
        Plane("stage", (STAGES,), "acting, choosing a copy, placing, paying, discarding"),
        Plane("named", (FIELDS,), "choosing: the colour or pattern being acquired"),
        Plane("choosing", (FIELDS,), "choosing: hexagon of which one copy is chosen"),
        Plane("lifted", (1,), "a tile of the stack's top was taken in this turn"),
        Plane("held.tile", (FIELDS,), "placing, paying: hexagon of the tile"),
        Plane("held.expansion", (FIELDS,), "placing, paying: hexagon of the expansion"),
        Plane("held.back", (1,), "placing: a face-down expansion"),
        Plane("laid_at", (CELLS,), "[cell] paying: where the piece was laid"),
        Plane("due", (1,), "paying: pieces still to pay / 5", unit=DUE),
        Plane("pay_by", (2,), "paying: with one pattern, with one colour"),
        Plane("used", (COLOURS,), "paying: colours or patterns that were paid already"),
        Plane("last", (PIECES,), "[piece] paying, discarding: the last one"),
    ]


@rule
def observe(s: State, seat: int, out: Cells) -> None:
    out[:] = 0
    at = 0
    for turn in range(s.players):
        at = write_board(s, seat_after(seat, turn, int(s.players)), out, at)
    at = write_display(s, out, at)
    at = write_turn_of(s, seat, out, at)
    write_choice(s, out, at)


@rule
def write_hexagon(hexagon: int, out: Cells, at: int) -> int:
    """Write the colour and pattern of a hexagon; all 0 if it is negative."""
    if hexagon >= 0:
        out[at + hexagon // PATTERNS] = 1
        out[at + COLOURS + hexagon % PATTERNS] = 1
    return at + FIELDS


@rule
def write_one(index: int, size: int, out: Cells, at: int) -> int:
    """Write `size` numbers with a 1 at the index; all 0 if the index is negative."""
    if index >= 0:
        out[at + index] = 1
    return at + size


@rule
def write_board(s: State, seat: int, out: Cells, at: int) -> int:
    for cell in range(CELLS):
        at = write_hexagon(int(s.garden[seat, cell]) - 1, out, at)
    for place in range(PLACES):
        at = write_one(int(s.places[seat, place]) - 1 - NO_EXPANSION, PLACE_STATES, out, at)
    at = write_counts(s.stored[seat], out, at)
    for slot in range(EXPANSION_SPACES):
        at = write_hexagon(int(s.slots[seat, slot]) - 1, out, at)
    out[at] = s.jokers[seat]
    out[at + 1] = s.passed[seat]
    out[at + 2] = within_a_byte(s.score[seat] + BELOW)
    return at + 3


@rule
def write_display(s: State, out: Cells, at: int) -> int:
    for source in range(MAX_STACK):
        for i in range(STACK_TILES):
            at = write_hexagon(int(s.tiles[source, i]) - 1, out, at)
    for source in range(MAX_STACK):
        face = int(s.face[source])
        at = write_hexagon(face - 1 if face != TAKEN else -1, out, at)
    for source in range(MAX_STACK):
        out[at + source] = s.face[source] == FACE_DOWN
        out[at + MAX_STACK + source] = s.face[source] == TAKEN
    at = write_one(s.top, MAX_STACK + 1, out, at + 2 * MAX_STACK)
    at = write_counts(s.bag, out, at)
    at = write_counts(s.tower, out, at)
    at = write_counts(s.unseen, out, at)
    out[at] = s.supply
    return at + 1


@rule
def write_turn_of(s: State, seat: int, out: Cells, at: int) -> int:
    players = int(s.players)
    at = write_one(turns_between(seat, int(s.to_move), players) if s.to_move >= 0 else -1, players, out, at)
    at = write_one(turns_between(seat, int(s.marker), players) if s.marker >= 0 else -1, players, out, at)
    at = write_one(s.round - 1, ROUNDS, out, at)
    stage = s.stage - ACTING
    return write_one(stage if stage < STAGES else -1, STAGES, out, at)


@rule
def write_choice(s: State, out: Cells, at: int) -> None:
    """Write the unfinished choice of the seat to move."""
    at = write_one(s.named, FIELDS, out, at)
    at = write_hexagon(s.choosing, out, at)
    out[at] = s.lifted
    held = s.held
    at = write_hexagon(held - HELD_TILE if NOTHING < held < HELD_EXPANSION else -1, out, at + 1)
    at = write_hexagon(held - HELD_EXPANSION if HELD_EXPANSION <= held < HELD_BACK else -1, out, at)
    out[at] = held == HELD_BACK
    at = write_one(s.laid_at, CELLS, out, at + 1)
    out[at] = s.due
    out[at + 1] = s.pay_by == BY_PATTERN
    out[at + 2] = s.pay_by == BY_COLOUR
    at += 3
    for i in range(COLOURS):
        out[at + i] = s.used >> i & 1
    write_one(s.last, PIECES, out, at + COLOURS)


OBSERVE: Final = Observe(planes=planes, observe=observe)
