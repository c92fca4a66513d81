"""The common offer: factories in a circle and the centre, with tiles as counts per colour."""

from __future__ import annotations

from typing import Final

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.parts.bag import move_all

COLOURS: Final = 5
MAX_FACTORIES: Final = 9
FACTORY_TILES: Final = 4
FACTORIES: Final = (0, 0, 5, 7, 9)
"""Factories by number of players."""

CENTRE: Final = 0
"""Sources are numbered as in the notation: 0 the centre, 1.. the factories."""


@rule
def tiles_at(factories: Cells, centre: Cells, source: int, colour: int) -> int:
    """How many tiles of a colour lie at a source."""
    if source == CENTRE:
        return int(centre[colour])
    return int(factories[source - 1, colour])


@rule
def offer_is_empty(factories: Cells, centre: Cells) -> bool:
    for colour in range(COLOURS):
        if centre[colour] > 0:
            return False
        for place in range(MAX_FACTORIES):
            if factories[place, colour] > 0:
                return False
    return True


@rule
def lift(factories: Cells, centre: Cells, source: int, colour: int) -> int:
    """Take all tiles of a colour from a source, leaving the others there; how many."""
    tiles = tiles_at(factories, centre, source, colour)
    if source == CENTRE:
        centre[colour] = 0
    else:
        factories[source - 1, colour] = 0
    return tiles


@rule
def sweep(factories: Cells, centre: Cells, place: int) -> None:
    """What is left on a factory goes to the centre."""
    move_all(factories[place], centre)
