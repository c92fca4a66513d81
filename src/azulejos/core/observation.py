"""A state as numbers for learning: what a game's ``observe.py`` writes, and what each number means.

``observe(s, seat, out)`` fills a vector of small whole numbers (0 to 255) from a seat's point of view. The
vector is a sequence of planes, listed by ``planes(players, options)`` in the same file: the seat's own
board first, then the others in turn order, then the table. Nothing is hidden in this family of games, so an
observation holds the whole position. Environments give these numbers as uint8, or as float32 after
subtracting `Plane.base` and dividing by `Plane.unit`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from azulejos.core.jit import door
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.verbs import STATE, observe


@dataclass(frozen=True, slots=True)
class Plane:
    """Consecutive numbers of an observation; `shape` in C order, and `low` and `high` of the floats.

    A float is (whole number - `base`) / `unit`; `unit` is one number for all, or one for each.
    """

    name: str
    shape: tuple[int, ...]
    doc: str
    high: float = 1.0
    low: float = 0.0
    unit: float | tuple[float, ...] = 1.0
    base: int = 0

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


@dataclass(frozen=True, slots=True)
class Scale:
    """From whole numbers to floats: float32 [feature] each."""

    base: Cells
    unit: Cells

    def floats(self, whole: Cells) -> Cells:
        """float32 of the same shape."""
        found: Cells = (whole.astype(np.float32) - self.base) / self.unit
        return found


def scale_of(planes: Iterable[Plane]) -> Scale:
    bases, units = [], []
    for plane in planes:
        bases.append(np.full(plane.size, plane.base, np.float32))
        units.append(np.broadcast_to(np.array(plane.unit, np.float32).ravel(), plane.size))
    return Scale(np.concatenate(bases), np.concatenate(units))


def sliced(planes: Iterable[Plane]) -> Iterator[tuple[Plane, slice]]:
    """Each plane with the part of the observation that it occupies."""
    first = 0
    for plane in planes:
        yield plane, slice(first, first + plane.size)
        first += plane.size


@door
def observe_at(rows: Cells, i: int, seat: int, out: Cells) -> None:
    observe(rows[i].view(STATE)[0], seat, out)
