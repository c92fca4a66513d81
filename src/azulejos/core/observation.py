"""A state as numbers for learning: what a game's ``observe.py`` writes, and what each number means.

``observe(s, seat, out)`` fills a float32 vector from a seat's point of view. The vector is a sequence of
planes, listed by ``planes(players, options)`` in the same file: the seat's own board first, then the
others in turn order, then the table. Nothing is hidden in this family of games, so an observation holds
the whole position.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from azulejos.core.jit import door
from azulejos.core.layout import Cells
from azulejos.core.verbs import STATE, observe


@dataclass(frozen=True, slots=True)
class Plane:
    """Consecutive numbers of an observation, each between `low` and `high`; `shape` in C order."""

    name: str
    shape: tuple[int, ...]
    doc: str
    high: float = 1.0
    low: float = 0.0

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def size(planes: Iterable[Plane]) -> int:
    """The number of features in an observation."""
    return sum(plane.size for plane in planes)


def bounds(planes: Sequence[Plane]) -> tuple[Cells, Cells]:
    """float32 [feature]: the smallest and the largest value of every number."""
    sizes = [plane.size for plane in planes]
    lows = np.array([plane.low for plane in planes], np.float32)
    highs = np.array([plane.high for plane in planes], np.float32)
    return np.repeat(lows, sizes), np.repeat(highs, sizes)


def sliced(planes: Iterable[Plane]) -> Iterator[tuple[Plane, slice]]:
    """Each plane with the part of the observation that it occupies."""
    first = 0
    for plane in planes:
        yield plane, slice(first, first + plane.size)
        first += plane.size


@door
def observe_at(rows: Cells, i: int, seat: int, out: Cells) -> None:
    observe(rows[i].view(STATE)[0], seat, out)
