"""Parts of observations that several games share (core.observation): the offer, counts, whose turn it is.

Each `write_…` fills `out` from index `at` and returns the index of the next plane.
"""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.observation import Plane
from azulejos.parts.offer import COLOURS, FACTORIES, FACTORY_TILES


def offer_planes(players: int, per_colour: int) -> list[Plane]:
    most = per_colour / FACTORY_TILES
    return [
        Plane("factories", (FACTORIES[players], COLOURS), "[place, colour] tiles / 4", most),
        Plane("centre", (COLOURS,), "[colour] tiles / 4", most),
    ]


@rule
def write_offer(factories: Cells, centre: Cells, places: int, out: Cells, at: int) -> int:
    for place in range(places):
        for colour in range(COLOURS):
            out[at + colour] = factories[place, colour] / FACTORY_TILES
        at += COLOURS
    return write_counts(centre, FACTORY_TILES, out, at)


@rule
def write_counts(counts: Cells, unit: int, out: Cells, at: int) -> int:
    """One number per kind, divided by `unit`."""
    for kind in range(len(counts)):
        out[at + kind] = counts[kind] / unit
    return at + len(counts)


def turn_planes(players: int) -> list[Plane]:
    return [
        Plane("to_move", (players,), "[turn] is to move; 0 the observer"),
        Plane("starter", (players,), "[turn] started this round"),
    ]


@rule
def write_turn(players: int, to_move: int, starter: int, seat: int, out: Cells, at: int) -> int:
    if to_move >= 0:
        out[at + (to_move - seat) % players] = 1.0
    out[at + players + (starter - seat) % players] = 1.0
    return at + 2 * players
