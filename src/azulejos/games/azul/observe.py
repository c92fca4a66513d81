"""Observations of Azul for machine learning; `planes` gives the meaning of each number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azulejos.core.contract import Observe
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.observation import Plane
from azulejos.games.azul.layout import (
    CAUGHT, DIVIDING, DRY_ROUNDS, EFFECTS, EMPTY, FLOOR_SPACES, LINES, MARKER, OFFER, OPEN_DISC, PLAIN,
    TILES_PER_COLOUR, TILING, State,
)
from azulejos.parts.offer import COLOURS, FACTORIES
from azulejos.parts.planes import (
    offer_planes, score_plane, seat_after, turn_planes, within_a_byte, write_counts, write_offer,
    write_turn,
)

MANY_ROUNDS: Final = 10


def planes(players: int, options: Mapping[str, str]) -> tuple[Plane, ...]:
    boards = [plane for turn in range(players) for plane in _board(turn, options)]
    return (*boards, *_table(players, options))


def _board(turn: int, options: Mapping[str, str]) -> list[Plane]:
    """`turn` 0 is the observer, 1 the next seat clockwise."""
    wall = (LINES, LINES, COLOURS) if options["wall"] == "grey" else (LINES, LINES)
    found = [
        Plane(f"wall.{turn}", wall, "[row, column] tiled; grey wall: [row, column, colour]"),
        Plane(f"lines.{turn}", (LINES, COLOURS), "[line, colour] part of the pattern line that is filled",
              unit=tuple(line + 1.0 for line in range(LINES) for _ in range(COLOURS))),
        Plane(f"floor.{turn}", (FLOOR_SPACES,), "[space] occupied"),
        Plane(f"fallen.{turn}", (COLOURS,), "[colour] tiles in the floor line / 7", unit=FLOOR_SPACES),
        Plane(f"marker.{turn}", (1,), "took the starting player marker in this round"),
        score_plane(turn),
    ]
    if options["factories"] == "special":
        found.append(Plane(f"disc.{turn}", (1 + MARKER,),
                           "the ZERO disc: [0] open, [1 + colour] with a tile, [6] with the marker"))
    return found


def _table(players: int, options: Mapping[str, str]) -> list[Plane]:
    places = FACTORIES[players]
    found = [
        *offer_planes(players, TILES_PER_COLOUR),
        Plane("marker.centre", (1,), "the marker lies in the centre"),
        Plane("bag", (COLOURS,), "[colour] tiles / 20", unit=TILES_PER_COLOUR),
        Plane("lid", (COLOURS,), "[colour] tiles / 20", unit=TILES_PER_COLOUR),
        *turn_planes(players),
        Plane("stage", (3,), "taking tiles, dividing a SPLIT disc, choosing a column"),
        Plane("round", (1,), "round / 10, at most 1", unit=MANY_ROUNDS),
        Plane("dry", (1,), "rounds in a row without a new wall tile / 5", unit=DRY_ROUNDS),
    ]
    if options["factories"] == "special":
        found += [
            Plane("effects", (places, EFFECTS), "[place, effect] NEIGHBOUR of each colour, EXTRA, STAY, "
                                                "SPLIT, ZERO"),
            Plane("gone", (places,), "[place] its ZERO disc was taken"),
            Plane("dividing", (places,), "[place] its tiles are being divided"),
        ]
    return found


@rule
def observe(s: State, seat: int, out: Cells) -> None:
    for feature in range(len(out)):
        out[feature] = 0
    at = 0
    for turn in range(s.players):
        at = write_board(s, seat_after(seat, turn, int(s.players)), out, at)
    at = write_table(s, seat, out, at)
    if s.special:
        write_discs(s, out, at)


@rule
def write_board(s: State, seat: int, out: Cells, at: int) -> int:
    """Write the planes of one board from index `at`; returns the index of the next plane."""
    at = write_wall(s, seat, out, at)
    for line in range(LINES):
        out[at + int(s.line_colour[seat, line])] = s.line_tiles[seat, line]
        at += COLOURS
    at = write_floor(s, seat, out, at)
    out[at] = s.marker == seat
    out[at + 1] = within_a_byte(s.score[seat])
    at += 2
    if s.special:
        if s.disc[seat] >= OPEN_DISC:
            out[at + int(s.disc[seat]) - CAUGHT] = 1
        at += 1 + MARKER
    return at


@rule
def write_floor(s: State, seat: int, out: Cells, at: int) -> int:
    """No branch: an empty space is counted where the last space is, the marker behind the colours, and both
    are written afterwards."""
    for space in range(FLOOR_SPACES):
        out[at + FLOOR_SPACES - 1 + int(s.floor[seat, space])] += 1
    for space in range(FLOOR_SPACES):
        out[at + space] = s.floor[seat, space] != EMPTY
    return at + FLOOR_SPACES + COLOURS


@rule
def write_wall(s: State, seat: int, out: Cells, at: int) -> int:
    if not s.grey:
        for row in range(LINES):
            for column in range(LINES):
                out[at + column] = s.wall[seat, row, column] != EMPTY
            at += LINES
        return at
    for row in range(LINES):
        for column in range(LINES):
            piece = int(s.wall[seat, row, column])
            if piece != EMPTY:
                out[at + piece - 1] = 1
            at += COLOURS
    return at


@rule
def write_table(s: State, seat: int, out: Cells, at: int) -> int:
    at = write_offer(s.factories, s.centre, FACTORIES[s.players], out, at)
    out[at] = s.marker < 0
    at = write_counts(s.bag, out, at + 1)
    at = write_counts(s.lid, out, at)
    at = write_turn(s.players, s.to_move, s.starter, seat, out, at)
    out[at] = s.stage == OFFER
    out[at + 1] = s.stage == DIVIDING
    out[at + 2] = s.stage == TILING
    out[at + 3] = min(int(s.round), MANY_ROUNDS)
    out[at + 4] = s.dry_rounds
    return at + 5


@rule
def write_discs(s: State, out: Cells, at: int) -> None:
    places = FACTORIES[s.players]
    for place in range(places):
        if s.effects[place] != PLAIN:
            out[at + place * EFFECTS + int(s.effects[place]) - 1] = 1
    at += places * EFFECTS
    if s.gone >= 0:
        out[at + s.gone] = 1
    if s.dividing >= 0:
        out[at + places + s.dividing] = 1


OBSERVE: Final = Observe(planes=planes, observe=observe)
