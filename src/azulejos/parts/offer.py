"""The shared offer: factories in a circle and the centre, with tiles as counts per colour."""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg
from azulejos.parts.bag import move_all

COLOURS: Final = 5
MAX_FACTORIES: Final = 9
FACTORY_TILES: Final = 4
FACTORIES: Final = (0, 0, 5, 7, 9)
"""Factories by number of players."""

ALL_COLOURS: Final = 2**COLOURS - 1
"""Sets of colours are bit sets: 1 << colour."""

CENTRE: Final = 0
"""Sources are numbered as in the notation: 0 is the centre, 1 and up are the factories."""


@rule
def tiles_at(factories: Cells, centre: Cells, source: int, colour: int) -> int:
    """The number of tiles of a colour at a source."""
    if source == CENTRE:
        return int(centre[colour])
    return int(factories[source - 1, colour])


@rule
def is_offered(factories: Cells, centre: Cells, places: int, source: int, colour: int) -> bool:
    """Whether a source is in play and has tiles of a colour."""
    return source <= places and tiles_at(factories, centre, source, colour) > 0


def why_not_offered(
    factories: Cells, centre: Cells, places: int, source: int, colour: int, name: Message
) -> Message | None:
    """Why a colour cannot be taken from a source; None if it can."""
    if source > places:
        return msg("There are only {n} factories.", n=places)
    if tiles_at(factories, centre, source, colour) > 0:
        return None
    if source == CENTRE:
        return msg("There is no {colour} in the centre.", colour=name)
    return msg("There is no {colour} on factory {factory}.", colour=name, factory=source)


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
    """Remove all tiles of a colour from a source and return their number; other colours stay."""
    tiles = tiles_at(factories, centre, source, colour)
    if source == CENTRE:
        centre[colour] = 0
    else:
        factories[source - 1, colour] = 0
    return tiles


@rule
def sweep(factories: Cells, centre: Cells, place: int) -> None:
    """Move the remaining tiles of a factory to the centre."""
    move_all(factories[place], centre)


def spread_table(targets: int) -> Cells:
    """spread_table(n)[set of colours]: the same set with n bits per colour."""
    sets = [[colour for colour in range(COLOURS) if bits >> colour & 1] for bits in range(2**COLOURS)]
    return np.array([sum(1 << colour * targets for colour in colours) for colours in sets], np.int64)


@rule
def possible_takes(
    factories: Cells, centre: Cells, places: int, open_targets: int, targets: int, actions: Cells
) -> int:
    """Every colour at every source with the targets open to it, numbered (source, colour, target) from 0.

    `open_targets` has the bit colour * targets + target. The inner loop has no branch, because targets are
    unpredictable; this halved the time. It may overwrite one element after the last action.
    """
    n = 0
    action = 0
    for source in range(places + 1):
        for colour in range(COLOURS):
            tiles = centre[colour] if source == CENTRE else factories[source - 1, colour]
            if tiles > 0:
                open_to_it = open_targets >> colour * targets
                for target in range(targets):
                    actions[n] = action + target
                    n += open_to_it >> target & 1
            action += targets
    return n
