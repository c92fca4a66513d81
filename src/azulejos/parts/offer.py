"""The shared offer: factories in a circle and the centre, with tiles as counts per colour."""

from __future__ import annotations

from typing import Final

from azulejos.core.grid import table
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import MARKED
from azulejos.parts.bag import drawn_kind, move_all, total

COLOURS: Final = 5
MAX_FACTORIES: Final = 9
FACTORY_TILES: Final = 4
FACTORIES: Final = (0, 0, 5, 7, 9)
"""Factories by number of players."""

ALL_COLOURS: Final = 2**COLOURS - 1
"""Sets of colours are bit sets: 1 << colour."""

LOW_MARKS: Final = (1 << MARKED) - 1

CENTRE: Final = 0
"""Sources are numbered as in the notation: 0 is the centre, 1 and up are the factories."""


@rule
def tiles_at(factories: Cells, centre: Cells, source: int, colour: int) -> int:
    """The number of tiles of a colour at a source."""
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
    return table([sum(1 << colour * targets for colour in colours) for colours in sets], "i8")


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


def whole_table(targets: int) -> Cells:
    """whole_table(n)[set of colours]: all n bits of each colour of the set."""
    return table([each * (2**targets - 1) for each in spread_table(targets)], "i8")


# --- random play -----------------------------------------------------------------------------------------


def nth_table(targets: int) -> Cells:
    """nth_table(n)[set of targets, i]: the i-th of them; in the last column how many there are."""
    sets = [[target for target in range(targets) if bits >> target & 1] for bits in range(2**targets)]
    return table([each + [0] * (targets - len(each)) + [len(each)] for each in sets], "i1")


@rule
def count_takes(
    factories: Cells, centre: Cells, places: int, open_targets: int, targets: int, nth: Cells
) -> int:
    """How many actions `possible_takes` would list."""
    all_targets = (1 << targets) - 1
    counts = 0
    n = 0
    for colour in range(COLOURS):
        count = int(nth[open_targets >> colour * targets & all_targets, targets])
        counts |= count << 8 * colour
        n += count * int(centre[colour] > 0)
    for place in range(places):
        for colour in range(COLOURS):
            n += (counts >> 8 * colour & 255) * int(factories[place, colour] > 0)
    return n


@rule
def nth_take(
    factories: Cells, centre: Cells, open_targets: int, targets: int, nth: Cells, wanted: int
) -> int:
    """The action number `wanted` of `possible_takes`, from 0."""
    all_targets = (1 << targets) - 1
    for colour in range(COLOURS):
        if centre[colour] > 0:
            open_to_it = open_targets >> colour * targets & all_targets
            if wanted < nth[open_to_it, targets]:
                return colour * targets + int(nth[open_to_it, wanted])
            wanted -= int(nth[open_to_it, targets])
    place = 0
    while True:
        for colour in range(COLOURS):
            if factories[place, colour] > 0:
                open_to_it = open_targets >> colour * targets & all_targets
                if wanted < nth[open_to_it, targets]:
                    return ((1 + place) * COLOURS + colour) * targets + int(nth[open_to_it, wanted])
                wanted -= int(nth[open_to_it, targets])
        place += 1


@rule
def mark_takes(
    factories: Cells, centre: Cells, places: int, open_targets: int, targets: int, spread: Cells,
    marks: Cells,
) -> None:
    """Mark the actions that `possible_takes` lists (`verbs.mark_legal`); `spread` has all targets of a set
    of colours. A source has no more than 63 actions."""
    for cell in range(len(marks)):
        marks[cell] = 0
    at = 0
    for source in range(places + 1):
        there = 0
        for colour in range(COLOURS):
            tiles = centre[colour] if source == CENTRE else factories[source - 1, colour]
            there |= int(tiles > 0) << colour
        found = open_targets & int(spread[there])
        cell = at // MARKED
        low = (found & LOW_MARKS) << at % MARKED
        high = (found >> MARKED) << at % MARKED
        marks[cell] |= low & LOW_MARKS
        marks[cell + 1] |= low >> MARKED | high & LOW_MARKS
        marks[cell + 2] |= high >> MARKED
        at += COLOURS * targets


@rule
def fill_factories(factories: Cells, bag: Cells, used: Cells, laid: int, places: int, rng: Cells) -> int:
    """Lay tiles one by one until all places are full or nothing is left; how many lie there then.

    An empty bag is refilled with the used tiles when another tile is wanted.
    """
    tiles = total(bag)
    while laid < places * FACTORY_TILES:
        if tiles == 0:
            move_all(used, bag)
            tiles = total(bag)
            if tiles == 0:
                break
        colour = drawn_kind(bag, tiles, rng)
        bag[colour] -= 1
        tiles -= 1
        factories[laid // FACTORY_TILES, colour] += 1
        laid += 1
    return laid
