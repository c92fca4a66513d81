"""Parts of observations that several games share (core.observation): the offer, counts, whose turn it is.

Each `write_…` fills `out` from index `at` and returns the index of the next plane.
"""

from __future__ import annotations

from typing import Final

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.observation import Plane
from azulejos.parts.offer import COLOURS, FACTORIES, FACTORY_TILES

FULL_SCORE: Final = 100


def offer_planes(players: int, per_colour: int) -> list[Plane]:
    most = per_colour / FACTORY_TILES
    return [
        Plane("factories", (FACTORIES[players], COLOURS), "[place, colour] tiles / 4", most,
              unit=FACTORY_TILES),
        Plane("centre", (COLOURS,), "[colour] tiles / 4", most, unit=FACTORY_TILES),
    ]


@rule
def write_offer(factories: Cells, centre: Cells, places: int, out: Cells, at: int) -> int:
    for place in range(places):
        for colour in range(COLOURS):
            out[at + colour] = factories[place, colour]
        at += COLOURS
    return write_counts(centre, out, at)


@rule
def write_counts(counts: Cells, out: Cells, at: int) -> int:
    """One number per kind."""
    for kind in range(len(counts)):
        out[at + kind] = counts[kind]
    return at + len(counts)


def turn_planes(players: int) -> list[Plane]:
    return [
        Plane("to_move", (players,), "[turn] is to move; 0 the observer"),
        Plane("starter", (players,), "[turn] started this round"),
    ]


@rule
def write_turn(players: int, to_move: int, starter: int, seat: int, out: Cells, at: int) -> int:
    if to_move >= 0:
        out[at + turns_between(seat, to_move, players)] = 1
    out[at + players + turns_between(seat, starter, players)] = 1
    return at + 2 * players


@rule
def seat_after(seat: int, turns: int, players: int) -> int:
    """The seat so many turns later. A remainder costs 14 ns, a sixth of an observation."""
    later = seat + turns
    return later if later < players else later - players


@rule
def turns_between(seat: int, other: int, players: int) -> int:
    turns = other - seat
    return turns if turns >= 0 else turns + players


def score_plane(turn: int, base: int = 0) -> Plane:
    """Points of the seat `turn` places after the observer; `base` of them may be below 0."""
    low, high = -base / FULL_SCORE, (255 - base) / FULL_SCORE
    about = f"points / 100, from {low:g} to {high:g}"
    return Plane(f"score.{turn}", (1,), about, high, low, unit=FULL_SCORE, base=base)


@rule
def within_a_byte(number: int) -> int:
    return min(max(int(number), 0), 255)
