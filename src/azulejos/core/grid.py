"""Arrays of whole numbers without NumPy: fields of a state, and tables of the rules.

An array of one dimension is a memoryview, which is quicker than anything else that Python has.
"""

from __future__ import annotations

import functools
import math
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from azulejos.core.late import np

if TYPE_CHECKING:
    from azulejos.core.layout import Cells

FORMATS: Final = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "f8": "d"}
"""Widths of numbers in the words of `array` and `memoryview`."""


class Grid:
    """An array of several dimensions: ``grid[1, 2]`` is a cell, ``grid[1]`` a row.

    A memoryview alone has no rows; for fields with ``rows=False`` it suffices.
    """

    __slots__ = ("_cells", "_flat", "shape")

    def __init__(self, flat: memoryview, shape: tuple[int, ...]) -> None:
        self._flat = flat
        self.shape = shape
        self._cells = shaped(flat, shape)

    def __getitem__(self, key: Any) -> Any:
        if type(key) is tuple:
            try:
                return self._cells[key]
            except NotImplementedError:  # too few indices for a cell
                pass
        return self._row(*key) if type(key) is tuple else self._row(key)

    def _row(self, first: Any, *rest: Any) -> Any:
        width = math.prod(self.shape[1:])
        row = self._flat[first * width : (first + 1) * width]
        below = self._part(row, self.shape[1:])
        return below[rest] if rest else below

    def _part(self, flat: memoryview, shape: tuple[int, ...]) -> Any:
        return array_of(flat, shape)

    def __setitem__(self, key: Any, value: Any) -> None:
        if type(key) is tuple and len(key) == len(self.shape):
            self._cells[key] = value
        else:
            fill(self._flat if key == slice(None) else self[key], value)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return map(self._row, range(self.shape[0]))

    @property
    def cells(self) -> memoryview:
        """All of them in one row."""
        return self._flat

    def tolist(self) -> list[Any]:
        return cast(list[Any], self._cells.tolist())

    def tobytes(self) -> bytes:
        return self._flat.tobytes()


class Seen(Grid):
    """An array to be read only, with what people write in a hurry: sums, parts, NumPy's arrays of it."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            first, last, _ = key.indices(len(self))
            width = math.prod(self.shape[1:])
            return Seen(self._flat[first * width : last * width], (last - first, *self.shape[1:]))
        return self._flat[key] if len(self.shape) == 1 else super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._flat) if len(self.shape) == 1 else super().__iter__()

    def _part(self, flat: memoryview, shape: tuple[int, ...]) -> Any:
        return Seen(flat, shape)

    def __contains__(self, number: object) -> bool:
        return number in self._flat.tolist()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Cells:
        return np.array(self._cells, dtype)

    def __repr__(self) -> str:
        return f"<array {self.tolist()}>"

    def sum(self) -> int:
        return sum(self._flat)

    def any(self) -> bool:
        return any(self._flat)

    def max(self) -> int:
        return max(self._flat)

    def min(self) -> int:
        return min(self._flat)


def shaped(flat: memoryview, shape: tuple[int, ...]) -> Any:
    return flat.cast("B").cast(flat.format, shape)  # type: ignore[call-overload]  # formats are variable here


def array_of(flat: memoryview, shape: tuple[int, ...]) -> Any:
    """An array over some numbers."""
    return flat if len(shape) == 1 else Grid(flat, shape)


def fill(cells: Any, value: Any) -> None:
    """Set all numbers of an array: each to the same, or each to its own."""
    flat = cells.cells if isinstance(cells, Grid) else cells
    if isinstance(value, int):
        flat[:] = memoryview(array(flat.format, [value]) * len(flat))
    else:
        flat[:] = memoryview(array(flat.format, flattened(value)))


def flattened(values: Any) -> list[int]:
    """The numbers of lists in lists."""
    if isinstance(values, Grid):
        return values.cells.tolist()
    rows = list(values)
    if rows and hasattr(rows[0], "__len__"):
        return [number for row in rows for number in flattened(row)]
    return rows


class Table:
    """A table of the rules, never changed: interpreted rules index it, compiled ones get `array`."""

    def __init__(self, values: Sequence[Any], width: str) -> None:
        shape, inner = [], values
        while hasattr(inner, "__len__"):
            shape.append(len(inner))
            inner = inner[0]
        self.shape = tuple(shape)
        self.width = width
        cells = memoryview(array(FORMATS[width], flattened(values)))
        self._array = array_of(cells, self.shape)
        self._lookup = self._array.__getitem__

    def __getitem__(self, key: Any) -> Any:
        try:
            return self._lookup(key)
        except TypeError:  # an array of indices
            return self.array[key]

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._array)

    def tolist(self) -> list[Any]:
        return cast(list[Any], self._array.tolist())

    @functools.cached_property
    def array(self) -> Cells:
        """The same as NumPy's array."""
        return np.array(self.tolist(), self.width)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Cells:
        return self.array if dtype is None else self.array.astype(dtype)


def table(values: Sequence[Any], width: str) -> Cells:
    """A table of whole numbers of a width such as "i2", which rules index as they would an array."""
    return cast("Cells", Table(values, width))
