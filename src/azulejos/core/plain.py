"""A state as interpreted rules see it: plain integers over the bytes of a row.

Scalars are fields of a C structure and arrays are memoryviews, so that rules read and write Python integers
in the row itself. Random games by interpreted rules are five times as fast as with NumPy's records, whose
fields take 0.3 µs to look up and whose integers calculate slowly (bench/position.py).
"""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Callable
from typing import Any, Final

from azulejos.core import layout
from azulejos.core.points import Points

KINDS: Final[dict[str, Any]] = {"i1": ctypes.c_int8, "i2": ctypes.c_int16, "i4": ctypes.c_int32}


class Grid:
    """An array of several dimensions: ``grid[1, 2]`` is a cell, ``grid[1]`` a row.

    A memoryview alone has no rows; for fields with ``rows=False`` it suffices.
    """

    __slots__ = ("_cells", "_flat", "_shape")

    def __init__(self, flat: memoryview, shape: tuple[int, ...]) -> None:
        self._flat = flat
        self._shape = shape
        self._cells = shaped(flat, shape)

    def __getitem__(self, key: Any) -> Any:
        if type(key) is tuple:
            try:
                return self._cells[key]
            except NotImplementedError:  # too few indices for a cell
                pass
        return self._row(*key) if type(key) is tuple else self._row(key)

    def _row(self, first: int, *rest: int) -> Any:
        width = math.prod(self._shape[1:])
        row = self._flat[first * width : (first + 1) * width]
        if len(self._shape) == 2:
            return row
        below = Grid(row, self._shape[1:])
        return below[tuple(rest)] if rest else below

    def __setitem__(self, key: tuple[int, ...], value: int) -> None:
        self._cells[key] = value

    def __len__(self) -> int:
        return self._shape[0]


def shaped(flat: memoryview, shape: tuple[int, ...]) -> Any:
    return flat.cast("B").cast(flat.format, shape)  # type: ignore[call-overload]  # formats are variable here


@functools.cache
def record_of(state: type) -> Callable[[bytearray], Any]:
    """What makes the record over the bytes of one row. Its `notes` are for scores (`core.points.award`)."""
    fields, kind = layout.fields_of(state), layout.dtype_of(state)
    places = {name: slice(*layout.bytes_of(state, name)) for name in fields}
    formats: dict[str, Any] = {name: layout.FORMATS[field.width] for name, field in fields.items()}

    def array(s: Any, name: str) -> Any:
        """Called when an array is first looked up: few questions need all of them."""
        if name not in fields:
            raise AttributeError(f"{state.__qualname__} has no field {name!r}")
        flat, shape = s.view[places[name]].cast(formats[name]), fields[name].shape
        several, rows = len(shape) > 1, fields[name].rows
        plain = shaped(flat, shape) if several and not rows else flat
        found = Grid(flat, shape) if several and rows else plain
        setattr(s, name, found)
        return found

    structure: Any = type(state.__name__, (ctypes.Structure,), {"__getattr__": array, "_fields_": [
        (name, KINDS[fields[name].width]) if not fields[name].shape
        else (f"_{name}", KINDS[fields[name].width] * math.prod(fields[name].shape))
        for name in kind.names or ()
    ]})
    if ctypes.sizeof(structure) != kind.itemsize:
        raise TypeError(f"{state.__qualname__} is {kind.itemsize} bytes, not {ctypes.sizeof(structure)}")

    def record(memory: bytearray) -> Any:
        s = structure.from_buffer(memory)
        s.view = memoryview(memory)
        notes: list[Points] = []
        s.notes = notes
        return s

    return record
