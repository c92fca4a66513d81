"""Declaring a state record once, for the type checker, the compiler and the reader.

A game's ``layout.py`` writes a class whose annotations are its fields::

    class State:
        to_move: Annotated[int, cell(-2, 3, "seat, CHANCE or OVER")]
        wall: Annotated[Cells, cells((4, 5, 5), 0, 5, "[seat, row, column]: 0 empty, else 1 + colour")]

mypy sees ``int`` and arrays; `dtype_of` makes the NumPy record from the bounds.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

Cells: TypeAlias = NDArray[Any]
Row: TypeAlias = NDArray[np.uint8]

FORMATS = {"i1": "b", "i2": "h", "i4": "i"}
"""Widths of fields in the words of `array` and `memoryview`."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Field:
    """One field: inclusive bounds of every value, shape, and meaning.

    `rows=False`: rules index single cells of an array and never take a row of it, which makes interpreted
    rules faster (`core.state`).
    """

    low: int
    high: int
    doc: str
    shape: tuple[int, ...] = ()
    rows: bool = True

    @property
    def width(self) -> str:
        """The narrowest signed integer type, with one spare bit against silent overflow."""
        reach = max(-self.low, self.high)
        return "i1" if reach < 64 else "i2" if reach < 2**14 else "i4"


def cell(low: int, high: int, doc: str) -> Field:
    return Field(low, high, doc)


def cells(shape: int | tuple[int, ...], low: int, high: int, doc: str, *, rows: bool = True) -> Field:
    return Field(low, high, doc, (shape,) if isinstance(shape, int) else shape, rows)


@functools.cache
def fields_of(state: type) -> dict[str, Field]:
    found = {}
    for name, hint in get_type_hints(state, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{state.__qualname__}.{name} has no cell(...) or cells(...)")
        found[name] = next(arg for arg in get_args(hint) if isinstance(arg, Field))
    return found


@functools.cache
def dtype_of(state: type) -> np.dtype[np.void]:
    """The structured dtype; wide fields first, so that no padding is needed between them."""
    fields = sorted(fields_of(state).items(), key=lambda item: -int(item[1].width[1]))
    return np.dtype([(name, field.width, field.shape) for name, field in fields], align=True)


@functools.cache
def record_dtype_of(state: type) -> np.dtype[Any]:
    """The same bytes with fields as attributes, for interpreted rules."""
    bare = dtype_of(state)
    fields = {name: _attribute(name, scalar=not field.shape) for name, field in fields_of(state).items()}
    return np.dtype((type(state.__name__, (np.void,), {"__slots__": (), **fields}), bare))


def _attribute(name: str, *, scalar: bool) -> property:
    """A field as an attribute; scalars read as plain integers, as in compiled code.

    Properties, not `np.record`: 0.7 µs for an access instead of 3.5, and interpreted rules do little else.
    """

    def change(record: Any, value: Any) -> None:
        record[name] = value

    if scalar:
        return property(lambda record: int(record[name]), change)
    return property(lambda record: record[name], change)


def view(state: type, row: Row) -> Any:
    """A record that shares the row's bytes: fields are attributes, changes go to the row."""
    return row.view(record_dtype_of(state))[0]


@functools.cache
def _snapshot_of(state: type) -> Any:
    return collections.namedtuple(state.__name__, dtype_of(state).names or ())


@functools.lru_cache(maxsize=512)
def snapshot(state: type, row: bytes) -> Any:
    """The fields of a row, to be read only: numbers are read at once, 0.04 µs for each look at one of them
    instead of 0.7 in a `view`. Kept, because whatever shows a position asks for it several times."""
    return _snapshot_of(state)(*np.frombuffer(row, dtype_of(state))[0].item())


@functools.cache
def bytes_of(state: type, name: str) -> tuple[int, int]:
    """Where a field begins in a row, and where it ends."""
    kind, start, *_ = dtype_of(state).fields[name]  # type: ignore[index]  # a record has fields
    return start, start + kind.itemsize


def as_dict(state: type, row: Row) -> dict[str, Any]:
    record = row.view(dtype_of(state))[0]
    return {name: record[name].tolist() for name in fields_of(state)}


def fill(state: type, row: Row, values: dict[str, Any]) -> None:
    """Set fields from plain numbers and lists; a ValueError names the field that does not fit."""
    record = row.view(dtype_of(state))[0]
    fields = fields_of(state)
    for name, value in values.items():
        if name not in fields:
            raise ValueError(f"unknown field {name!r}; the fields are {', '.join(fields)}")
        field = fields[name]
        try:
            numbers = np.array(value)
        except (ValueError, OverflowError):
            numbers = np.array(None)
        if numbers.dtype.kind not in "iu":
            raise ValueError(f"field {name!r} needs whole numbers, shape {field.shape}")
        if numbers.shape != field.shape:
            raise ValueError(f"field {name!r} needs shape {field.shape}, not {numbers.shape}")
        if numbers.size and (numbers.min() < field.low or numbers.max() > field.high):
            raise ValueError(f"field {name!r} must stay within {field.low}..{field.high}")
        record[name] = numbers


def out_of_bounds(state: type, row: Row) -> str | None:
    """The name of a field with a value outside its declared bounds, if there is one."""
    record = row.view(dtype_of(state))[0]
    for name, field in fields_of(state).items():
        values = np.asarray(record[name])
        if values.size and (values.min() < field.low or values.max() > field.high):
            return name
    return None


def encode(numbers: Sequence[int]) -> str:
    """Small numbers as one character each; if any is not small, all joined by dots."""
    if len(numbers) > 1 and all(0 <= n < len(DIGITS) for n in numbers):
        return "".join(DIGITS[n] for n in numbers)
    return ".".join(str(n) for n in numbers)


def decode(text: str, count: int) -> list[int]:
    if count > 1 and len(text) == count and "." not in text:
        try:
            return [DIGITS.index(character) for character in text]
        except ValueError:
            raise ValueError(f"{text!r} has a character that is no digit") from None
    try:
        numbers = [int(part) for part in text.split(".")]
    except ValueError:
        raise ValueError(f"{text!r} is not {count} numbers") from None
    if len(numbers) != count:
        raise ValueError(f"{text!r} holds {len(numbers)} numbers, not {count}")
    return numbers
