"""A bag from which tiles are drawn one by one, and the discard from which it is refilled.

Both are counts per kind without an order, so no search can foresee a draw.
"""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.layout import Cells


@rule
def total(counts: Cells) -> int:
    tiles = 0
    for kind in range(len(counts)):
        tiles += counts[kind]
    return tiles


@rule
def move_all(source: Cells, target: Cells) -> None:
    for kind in range(len(source)):
        target[kind] += source[kind]
        source[kind] = 0


@rule
def can_draw(bag: Cells, used: Cells) -> bool:
    """Whether a tile can be drawn; an empty bag is first refilled with the used tiles."""
    if total(bag) == 0:
        move_all(used, bag)
    return total(bag) > 0


@rule
def possible_draws(bag: Cells, first: int, actions: Cells) -> int:
    """The draw actions (`first` + kind) for every kind in the bag."""
    n = 0
    for kind in range(len(bag)):
        if bag[kind] > 0:
            actions[n] = first + kind
            n += 1
    return n


@rule
def draw_odds(bag: Cells, weights: Cells) -> int:
    """The weights of `possible_draws`: the number of each kind in the bag."""
    n = 0
    tiles = 0
    for kind in range(len(bag)):
        if bag[kind] > 0:
            weights[n] = bag[kind]
            tiles += bag[kind]
            n += 1
    return tiles


@rule
def even_odds(outcomes: int, weights: Cells) -> int:
    """Weights of `outcomes` equally likely outcomes."""
    for i in range(outcomes):
        weights[i] = 1
    return outcomes
