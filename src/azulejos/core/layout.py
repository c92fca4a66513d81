"""Declaring a state record once, for the type checker, the compiler and the reader.

A game's ``layout.py`` writes a class whose annotations are its fields::

    class State:
        to_move: Annotated[int, cell(-2, 3, "seat, CHANCE or OVER")]
        wall: Annotated[Cells, cells((4, 5, 5), 0, 5, "[seat, row, column]: 0 empty, else 1 + colour")]

mypy sees ``int`` and arrays; `places_of` says from the bounds where each field lies in a row of bytes, and
`dtype_of` makes the NumPy record of it.
"""

from __future__ import annotations

import collections
import functools
import itertools
import math
import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, cast, get_args, get_origin, get_type_hints

from azulejos.core.grid import FORMATS, Seen, flattened
from azulejos.core.late import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Cells: TypeAlias = NDArray[Any]
    Row: TypeAlias = NDArray[np.uint8]
else:
    Cells = Row = Any

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
def places_of(state: type) -> dict[str, slice]:
    """Which bytes of a row a field has; wide fields first, so that no padding is needed between them."""
    fields = dict(sorted(fields_of(state).items(), key=lambda item: -int(item[1].width[1])))
    sizes = (int(field.width[1]) * math.prod(field.shape) for field in fields.values())
    ends = list(itertools.accumulate(sizes))
    return dict(zip(fields, itertools.starmap(slice, zip([0, *ends], ends, strict=False)), strict=True))


@functools.cache
def size_of(state: type) -> int:
    """Bytes of a row: a multiple of its widest number, so that rows can follow one another."""
    widest = max(int(field.width[1]) for field in fields_of(state).values())
    end = max(int(place.stop) for place in places_of(state).values())
    return -(-end // widest) * widest


@functools.cache
def dtype_of(state: type) -> np.dtype[np.void]:
    """The structured dtype."""
    fields = {name: fields_of(state)[name] for name in places_of(state)}
    return np.dtype([(name, field.width, field.shape) for name, field in fields.items()], align=True)


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
    return collections.namedtuple(state.__name__, places_of(state))


@functools.lru_cache(maxsize=512)
def snapshot(state: type, row: bytes) -> Any:
    """The fields of a row, to be read only: numbers are read at once, 0.04 µs for each look at one of them
    instead of 0.7 in a `view`. Kept, because whatever shows a position asks for it several times."""
    return _snapshot_of(state)(*_values(state, memoryview(row)))


def _values(state: type, row: memoryview) -> Iterator[Any]:
    """Numbers, and arrays over the bytes of a row."""
    fields = fields_of(state)
    for name, place in places_of(state).items():
        field = fields[name]
        if field.shape:
            yield Seen(row[place].cast(FORMATS[field.width]), field.shape)  # type: ignore[call-overload]
        else:
            yield int.from_bytes(row[place], sys.byteorder, signed=True)


def bytes_of(state: type, name: str) -> tuple[int, int]:
    """Where a field begins in a row, and where it ends."""
    place = places_of(state)[name]
    return place.start, place.stop


def as_dict(state: type, row: bytes | Row) -> dict[str, Any]:
    found = snapshot(state, bytes(row))
    return {name: getattr(found, name).tolist() if field.shape else getattr(found, name)
            for name, field in fields_of(state).items()}


def fill(state: type, row: bytearray | Row, values: dict[str, Any]) -> None:
    """Set fields from plain numbers and lists; a ValueError names the field that does not fit."""
    fields, places = fields_of(state), places_of(state)
    for name, value in values.items():
        if name not in fields:
            raise ValueError(f"unknown field {name!r}; the fields are {', '.join(fields)}")
        field = fields[name]
        shape, numbers = _shape_of(value), _numbers_in(value)
        if not all(type(number) is int for number in numbers):
            raise ValueError(f"field {name!r} needs whole numbers, shape {field.shape}")
        if shape != field.shape:
            raise ValueError(f"field {name!r} needs shape {field.shape}, not {shape}")
        if numbers and (min(numbers) < field.low or max(numbers) > field.high):
            raise ValueError(f"field {name!r} must stay within {field.low}..{field.high}")
        memoryview(cast(bytearray, row))[places[name]] = array(FORMATS[field.width], numbers).tobytes()


def _shape_of(value: Any) -> tuple[int, ...] | None:
    """Of lists in lists; None if they are not all of the same length."""
    if not isinstance(value, list | tuple):
        return ()
    below = {_shape_of(each) for each in value}
    if len(below) > 1 or None in below:
        return None
    return len(value), *next(iter(below), ())  # type: ignore[misc]  # None is not below


def _numbers_in(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        return [value]
    return [number for each in value for number in _numbers_in(each)]


def out_of_bounds(state: type, row: bytes | Row) -> str | None:
    """The name of a field with a value outside its declared bounds, if there is one."""
    found = snapshot(state, bytes(row))
    for name, field in fields_of(state).items():
        value = getattr(found, name)
        numbers = flattened(value) if field.shape else [value]
        if numbers and (min(numbers) < field.low or max(numbers) > field.high):
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
