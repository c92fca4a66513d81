"""The part of NumPy with which we think, for where NumPy does not exist: a worker of the browser.

`core.late` gives this module in its place, so that judges, hints, reviews and bots run there as they are.
An `Array` shows bytes of a `Room`: of this process, or those of a WebAssembly module beside it, which
Python can only copy. It calculates item by item: what is large is done by the engine's module, and here
stand a few numbers. Only what is used is here; a test compares all of it with NumPy.
"""

from __future__ import annotations

import ast
import builtins
import io
import itertools
import math
import struct
import types
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from azulejos.core import stored_files

_MASK: Final = (1 << 64) - 1


# --- kinds of items ---------------------------------------------------------------------------------------


class uint64(int):  # noqa: N801 - NumPy's name
    """A word whose arithmetic wraps around."""

    def __new__(cls, value: Any = 0) -> uint64:
        return super().__new__(cls, int(value) & _MASK)


def _wrapping(name: str) -> Callable[[Any, Any], Any]:
    plain = getattr(int, name)
    return lambda one, other: uint64(plain(one, other))


for _name in ("add", "sub", "mul", "xor", "or", "and", "lshift", "rshift"):
    setattr(uint64, f"__{_name}__", _wrapping(f"__{_name}__"))
    setattr(uint64, f"__r{_name}__", _wrapping(f"__r{_name}__"))


class _Bits(int):
    """A number that can be seen as a real one of the same bits."""

    def view(self, kind: ItemKind) -> float:
        return float(kind.one.unpack(struct.pack("<q", self))[0])


class _Real(float):
    def view(self, kind: ItemKind) -> int:
        return int(kind.one.unpack(struct.pack("<d", self))[0])


class ItemKind:
    """What items are, as NumPy's dtype: numbers, or records with fields."""

    fields: dict[str, tuple[ItemKind, int, tuple[int, ...]]] | None = None

    def __init__(self, code: str, width: str, make: Callable[[Any], Any]) -> None:
        self.code, self.str, self._make = code, width, make
        self.itemsize = struct.calcsize(code)
        self.kind = width[1]
        self.one = struct.Struct(f"<{code}")

    def __call__(self, value: Any = 0) -> Any:
        found = self.fitted(value)
        return {"<i8": _Bits, "<f8": _Real}.get(self.str, self._make)(found)

    def fitted(self, value: Any) -> Any:
        """A number as items of this kind have it."""
        if self.kind == "f":
            return float(value)
        if self.kind == "b":
            return bool(value)
        bits = 8 * self.itemsize
        whole = int(value) & (1 << bits) - 1
        return whole - (1 << bits) if self.kind == "i" and whole >> bits - 1 else whole

    def read(self, value: Any) -> Any:
        return self._make(value)

    def unpack(self, content: bytes) -> list[Any]:
        found = struct.unpack(f"<{len(content) // self.itemsize}{self.code}", content)
        return list(map(self._make, found)) if self._make is not _same else list(found)

    def pack(self, values: Sequence[Any]) -> bytes:
        return struct.pack(f"<{len(values)}{self.code}", *map(self.fitted, values))


class FieldsKind(ItemKind):
    """Items with fields; `cls` makes them."""

    def __init__(self, fields: Sequence[tuple[Any, ...]], cls: type[FieldsItem]) -> None:
        found, end, widest = dict[str, tuple[ItemKind, int, tuple[int, ...]]](), 0, 1
        for name, kind, *rest in fields:
            inner, shape = dtype(kind), tuple(rest[0]) if rest else ()
            start = -(-end // inner.itemsize) * inner.itemsize
            found[name] = inner, start, shape
            end, widest = start + inner.itemsize * math.prod(shape), max(widest, inner.itemsize)
        self.fields, self.cls, self.given = found, cls, fields
        self.itemsize = -(-end // widest) * widest
        self.kind = self.str = "V"


def _same(value: Any) -> Any:
    return value


_KINDS: Final = {
    "i1": ItemKind("b", "|i1", _same), "i2": ItemKind("h", "<i2", _same), "i4": ItemKind("i", "<i4", _same),
    "i8": ItemKind("q", "<i8", _same), "u1": ItemKind("B", "|u1", _same),
    "u8": ItemKind("Q", "<u8", uint64),
    "f4": ItemKind("f", "<f4", _same), "f8": ItemKind("d", "<f8", _same), "b1": ItemKind("?", "|b1", _same),
}
int8, int16, int32, int64 = (_KINDS[f"i{width}"] for width in (1, 2, 4, 8))
uint8, float32, float64, bool_ = (_KINDS[name] for name in ("u1", "f4", "f8", "b1"))


def dtype(given: Any, *, align: bool = True) -> ItemKind:
    """The kind that NumPy would make of this."""
    if isinstance(given, ItemKind):
        return given
    if isinstance(given, list):
        return FieldsKind(given, FieldsItem)
    if isinstance(given, tuple):
        cls, bare = given
        return FieldsKind(bare.given, cls)
    named = {int: "i8", float: "f8", bool: "b1", uint64: "u8"}
    return _KINDS[named[given] if isinstance(given, type) else given.lstrip("<|=")]


class FieldsItem:
    """An item with fields."""

    __slots__ = ("_kind", "_room", "_start")

    def __init__(self, room: Room, start: int, kind: FieldsKind) -> None:
        self._room, self._start, self._kind = room, start, kind

    def _field(self, name: str) -> Array:
        kind, offset, shape = self._kind.fields[name]  # type: ignore[index]  # records have fields
        return Array(self._room, self._start + offset, shape, kind)

    def __getitem__(self, name: str) -> Any:
        return self._field(name)[()]

    def __setitem__(self, name: str, value: Any) -> None:
        self._field(name)[...] = value

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


void = record = FieldsItem


class generic:  # noqa: N801 - NumPy's name
    """No number here is one: they are Python's own."""



# --- where the bytes are ----------------------------------------------------------------------------------


class Room(Protocol):
    base: int
    """An address of its own, so that bounds of arrays in different rooms do not overlap."""
    size: int

    def read(self, start: int, size: int) -> bytes: ...

    def write(self, start: int, content: bytes) -> None: ...


_bases = itertools.count(1)


def new_base() -> int:
    return next(_bases) << 40


class Local:
    """Bytes of this process; zeros take no room until something is written."""

    def __init__(self, size: int, content: Any = None) -> None:
        self.base, self.size = new_base(), size
        self._view = None if content is None else memoryview(content).cast("B")

    @property
    def is_fixed(self) -> bool:
        return self._view is not None and self._view.readonly

    def read(self, start: int, size: int) -> bytes:
        return bytes(size) if self._view is None else self._view[start : start + size].tobytes()

    def write(self, start: int, content: bytes) -> None:
        if self._view is None:
            self._view = memoryview(bytearray(self.size))
        self._view[start : start + len(content)] = content


# --- arrays -----------------------------------------------------------------------------------------------


def _steps(shape: Sequence[int], size: int) -> tuple[int, ...]:
    return tuple(size * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _offsets(shape: Sequence[int], strides: Sequence[int]) -> Iterator[int]:
    axes = ([n * step for n in range(count)] for count, step in zip(shape, strides, strict=True))
    return map(sum, itertools.product(*axes))


class Array:
    """Items of a room."""

    __slots__ = ("dtype", "room", "shape", "start", "strides")

    def __init__(
        self, room: Room, start: int, shape: tuple[int, ...], dtype: ItemKind,
        strides: tuple[int, ...] | None = None,
    ) -> None:
        self.room, self.start, self.shape, self.dtype = room, start, shape, dtype
        self.strides = _steps(shape, dtype.itemsize) if strides is None else strides

    # --- what it is ----------------------------------------------------------------------------------

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    @property
    def base(self) -> Any:
        """What owns its bytes."""
        return self.room

    @property
    def data(self) -> Array:
        return self

    @property
    def is_contiguous(self) -> bool:
        return self.size < 2 or self.strides == _steps(self.shape, self.itemsize)

    @property
    def flags(self) -> types.SimpleNamespace:
        writeable = not getattr(self.room, "is_fixed", False)
        return types.SimpleNamespace(c_contiguous=self.is_contiguous, writeable=writeable)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {"data": (self.room.base + self.start, False)}

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"array({self.tolist()})"

    # --- all items -----------------------------------------------------------------------------------

    def tobytes(self) -> bytes:
        if self.is_contiguous:
            return self.room.read(self.start, self.nbytes)
        size, last = self.itemsize, self.strides[-1] == self.itemsize
        shape, strides = (self.shape[:-1], self.strides[:-1]) if last else (self.shape, self.strides)
        width = self.shape[-1] * size if last else size
        return b"".join(self.room.read(self.start + each, width) for each in _offsets(shape, strides))

    __bytes__ = tobytes

    def items(self) -> list[Any]:
        """In one row."""
        return self.dtype.unpack(self.tobytes())

    def tolist(self) -> Any:
        items = [int(each) for each in self.items()] if self.dtype.str == "<u8" else self.items()
        return _nested(items, self.shape)

    def set_bytes(self, content: bytes) -> None:
        if self.is_contiguous:
            self.room.write(self.start, content)
            return
        size = self.itemsize
        for number, each in enumerate(_offsets(self.shape, self.strides)):
            self.room.write(self.start + each, content[number * size : (number + 1) * size])

    # --- parts ---------------------------------------------------------------------------------------

    def _chosen(self, key: Any) -> Array | tuple[list[int], tuple[int, ...]]:
        """A part that shows the same bytes; or, for lists of indices, where its items begin."""
        parts = key if type(key) is tuple else (key,)
        if Ellipsis in [part for part in parts if part is Ellipsis]:
            at = next(i for i, part in enumerate(parts) if part is Ellipsis)
            missing = self.ndim - sum(part is not None for part in parts) + 1
            parts = (*parts[:at], *(slice(None),) * missing, *parts[at + 1 :])
        start, shape, strides, axis = self.start, list[int](), list[int](), 0
        listed: tuple[int, list[int]] | None = None
        for part in parts:
            if part is None:
                shape.append(1)
                strides.append(0)
                continue
            count, step = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(part, slice):
                begin, end, by = part.indices(count)
                shape.append(len(range(begin, end, by)))
                strides.append(step * by)
                start += begin * step
            elif isinstance(part, Array | list):
                numbers = _numbers_of(part)
                listed = len(shape), [(each + count if each < 0 else each) * step for each in numbers]
                shape.append(len(numbers))
                strides.append(0)
            else:
                at = int(part)
                if not -count <= at < count:
                    raise IndexError(f"{at} is not an index of {count}")
                start += (at % count) * step
        shape += self.shape[axis:]
        strides += self.strides[axis:]
        if listed is None:
            return Array(self.room, start, tuple(shape), self.dtype, tuple(strides))
        where, more = listed
        axes = [[n * step for n in range(count)] for count, step in zip(shape, strides, strict=True)]
        axes[where] = more
        return [start + sum(each) for each in itertools.product(*axes)], tuple(shape)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            kind, offset, shape = self.dtype.fields[key]  # type: ignore[index]  # records have fields
            return Array(self.room, self.start + offset, self.shape + shape, kind,
                         self.strides + _steps(shape, kind.itemsize))
        found = self._chosen(key)
        if isinstance(found, tuple):
            content = b"".join(self.room.read(at, self.itemsize) for at in found[0])
            return Array(Local(len(content), bytearray(content)), 0, found[1], self.dtype)
        if found.shape or Ellipsis is key:
            return found
        if isinstance(self.dtype, FieldsKind):
            return self.dtype.cls(self.room, found.start, self.dtype)
        return self.dtype.read(self.dtype.one.unpack(self.room.read(found.start, self.itemsize))[0])

    def __setitem__(self, key: Any, value: Any) -> None:
        found = self._chosen(key)
        if isinstance(found, tuple):
            items = _broadcast_items(value, found[1])
            for at, item in zip(found[0], items, strict=True):
                self.room.write(at, self.dtype.pack([item]))
        elif isinstance(value, Array) and value.dtype is self.dtype and value.shape == found.shape:
            found.set_bytes(value.tobytes())
        elif isinstance(value, int | float):
            found.set_bytes(self.dtype.pack([value]) * found.size)
        else:
            found.set_bytes(self.dtype.pack(_broadcast_items(value, found.shape)))

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 1 and self.dtype.fields is None:
            return iter(self.items())
        return map(self.__getitem__, range(self.shape[0]))

    def view(self, kind: Any) -> Array:
        """The same bytes as other items."""
        kind = dtype(kind)
        count, odd = divmod(self.shape[-1] * self.itemsize, kind.itemsize)
        if odd or (self.shape[-1] > 1 and self.strides[-1] != self.itemsize):
            raise ValueError("the last axis cannot be seen so")
        shape, strides = (*self.shape[:-1], count), (*self.strides[:-1], kind.itemsize)
        return Array(self.room, self.start, shape, kind, strides)

    def reshape(self, *shape: Any) -> Array:
        wanted = tuple(shape[0]) if isinstance(shape[0], tuple) else shape
        known = math.prod(each for each in wanted if each >= 0)
        wanted = tuple(each if each >= 0 else self.size // max(1, known) for each in wanted)
        own = self if self.is_contiguous else self.copy()
        return Array(own.room, own.start, wanted, own.dtype)

    def ravel(self) -> Array:
        return self.reshape(-1)

    def swapaxes(self, one: int, other: int) -> Array:
        order = list(range(self.ndim))
        order[one], order[other] = other, one
        return self._ordered(order)

    @property
    def T(self) -> Array:  # noqa: N802 - NumPy's name
        return self._ordered(range(self.ndim)[::-1])

    def _ordered(self, axes: Sequence[int]) -> Array:
        shape, strides = (tuple(each[axis] for axis in axes) for each in (self.shape, self.strides))
        return Array(self.room, self.start, shape, self.dtype, strides)

    def copy(self) -> Array:
        return Array(Local(self.nbytes, bytearray(self.tobytes())), 0, self.shape, self.dtype)

    def astype(self, kind: Any) -> Array:
        kind = dtype(kind)
        return self.copy() if kind is self.dtype else _made(self.items(), self.shape, kind)

    # --- sums and the like ---------------------------------------------------------------------------

    def _along(self, axis: int | None, fold: Callable[[list[Any]], Any]) -> Any:
        """Fold all items, or those along an axis."""
        if axis is None:
            return fold(self.items())
        order = [*(i for i in range(self.ndim) if i != axis % self.ndim), axis % self.ndim]
        turned, count = self._ordered(order), self.shape[axis]
        items = turned.items()
        found = [fold(items[at : at + count]) for at in range(0, len(items), count)]
        return _made(found, turned.shape[:-1])

    def sum(self, axis: int | None = None) -> Any:
        return self._along(axis, sum)

    def mean(self, axis: int | None = None) -> Any:
        return self._along(axis, _mean)

    def var(self, axis: int | None = None, ddof: int = 0) -> Any:
        def fold(items: list[Any]) -> float:
            middle = _mean(items)
            return float(sum((each - middle) ** 2 for each in items) / (len(items) - ddof))

        return self._along(axis, fold)

    def any(self, axis: int | None = None) -> Any:
        return self._along(axis, any)

    def all(self, axis: int | None = None) -> Any:
        return self._along(axis, all)

    def max(self, axis: int | None = None) -> Any:
        return self._along(axis, max)

    def min(self, axis: int | None = None) -> Any:
        return self._along(axis, min)

    def argmax(self) -> int:
        items = self.items()
        return items.index(max(items))

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("several items are neither true nor false")
        return bool(self.items()[0])

    def __int__(self) -> int:
        return int(self.items()[0])

    def __float__(self) -> float:
        return float(self.items()[0])


def _nested(items: list[Any], shape: tuple[int, ...]) -> Any:
    if len(shape) < 2:
        return items if shape else items[0]
    width = math.prod(shape[1:])
    return [_nested(items[row * width : (row + 1) * width], shape[1:]) for row in range(shape[0])]


def _mean(items: list[Any]) -> float:
    return float(sum(items) / len(items))


def _numbers_of(part: Any) -> list[int]:
    """Of a list of indices, or of a mask."""
    items = part.items() if isinstance(part, Array) else part
    if items and isinstance(items[0], bool):
        return [number for number, chosen in enumerate(items) if chosen]
    return [int(each) for each in items]


# --- calculating item by item -----------------------------------------------------------------------------


def _shape_of(value: Any) -> tuple[int, ...]:
    if isinstance(value, Array):
        return value.shape
    if isinstance(value, list | tuple):
        return len(value), *(_shape_of(value[0]) if value else ())
    return ()


def _flat(value: Any) -> list[Any]:
    if isinstance(value, Array):
        return value.items()
    if isinstance(value, list | tuple):
        return [item for each in value for item in _flat(each)]
    return [value]


def _longer(shape: tuple[int, ...], axes: int) -> tuple[int, ...]:
    return (1,) * (axes - len(shape)) + shape


def _common(shapes: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    found: tuple[int, ...] = ()
    for shape in shapes:
        longest, both = max(len(found), len(shape)), []
        for one, other in zip(_longer(found, longest), _longer(shape, longest), strict=True):
            if one != other and 1 not in (one, other):
                raise ValueError(f"shapes {found} and {shape} do not fit")
            both.append(other if one == 1 else one)
        found = tuple(both)
    return found


def _broadcast_items(value: Any, shape: tuple[int, ...]) -> list[Any]:
    """As many items as a shape has."""
    own, items = _shape_of(value), _flat(value)
    if own == shape:
        return items
    if _common((own, shape)) != shape:
        raise ValueError(f"{own} does not fit into {shape}")
    padded = _longer(own, len(shape))
    pairs = zip(padded, _steps(padded, 1), strict=True)
    return [items[at] for at in _offsets(shape, [0 if count == 1 else step for count, step in pairs])]


def _made(items: Sequence[Any], shape: tuple[int, ...], kind: ItemKind | None = None) -> Array:
    kind = kind or _kind_of(items, int64)
    content = kind.pack(items)
    return Array(Local(len(content), bytearray(content)), 0, shape, kind)


def _kind_of(items: Sequence[Any], whole: ItemKind) -> ItemKind:
    """What holds some numbers; `whole` if all of them are."""
    found = set(map(type, items))
    if found in ({bool}, {uint64}):
        return bool_ if found == {bool} else _KINDS["u8"]
    return whole if found and found <= {int, bool} else float64


def _each(calculate: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numbers, for arrays too."""

    def run(*values: Any) -> Any:
        shapes = [_shape_of(value) for value in values]
        shape = _common(shapes)
        if not shape and not any(isinstance(value, Array) for value in values):
            return calculate(*values)
        lists = (_broadcast_items(value, shape) for value in values)
        items = [calculate(*each) for each in zip(*lists, strict=True)]
        kinds = {value.dtype for value in values if isinstance(value, Array)} - {bool_}
        return _made(items, shape, _kind_of(items, kinds.pop() if len(kinds) == 1 else int64))

    return run


def _operator(calculate: Callable[..., Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    run = _each(calculate)
    return run, lambda one, other: run(other, one)


for _name, _calculate in {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "truediv": lambda a, b: a / b, "floordiv": lambda a, b: a // b, "pow": lambda a, b: a**b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "rshift": lambda a, b: a >> b,
    "mod": lambda a, b: a % b,
}.items():
    _forward, _backward = _operator(_calculate)
    setattr(Array, f"__{_name}__", _forward)
    setattr(Array, f"__r{_name}__", _backward)

for _name, _calculate in {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}.items():
    setattr(Array, f"__{_name}__", _each(_calculate))
Array.__hash__ = None  # type: ignore[assignment]

setattr(Array, "__neg__", _each(lambda a: -a))  # noqa: B010 - as the others
setattr(Array, "__invert__", _each(lambda a: not a if isinstance(a, bool) else ~a))  # noqa: B010


def _in_place(name: str) -> Callable[[Array, Any], Array]:
    def change(self: Array, other: Any) -> Array:
        self[...] = getattr(self, name)(other)
        return self

    return change


for _name in ("add", "sub", "mul", "truediv"):
    setattr(Array, f"__i{_name}__", _in_place(f"__{_name}__"))

sqrt, exp, log = (_each(each) for each in (math.sqrt, math.exp, math.log))
hypot, maximum, minimum = _each(math.hypot), _each(builtins.max), _each(builtins.min)
where = _each(lambda condition, one, other: one if condition else other)


def clip(values: Any, low: Any, high: Any) -> Any:
    return minimum(maximum(values, low), high)


def right_shift(values: Array, by: int, *, out: Array) -> None:
    content = values.tobytes()
    if any(content):
        out.set_bytes(out.dtype.pack([each >> by for each in values.dtype.unpack(content)]))


# --- making arrays ----------------------------------------------------------------------------------------


def _shape(given: Any) -> tuple[int, ...]:
    return tuple(map(int, given)) if isinstance(given, tuple | list) else (int(given),)


def zeros(shape: Any, kind: Any = float64) -> Array:
    kind, shape = dtype(kind), _shape(shape)
    return Array(Local(math.prod(shape) * kind.itemsize), 0, shape, kind)


empty = zeros


def zeros_like(other: Array) -> Array:
    return zeros(other.shape, other.dtype)


def full(shape: Any, value: Any, kind: Any = None) -> Array:
    shape = _shape(shape)
    found = zeros(shape, kind or (int64 if isinstance(value, int) else float64))
    found[...] = value
    return found


def ones(shape: Any, kind: Any = float64) -> Array:
    return full(shape, 1, kind)


def array(value: Any, kind: Any = None) -> Array:
    if isinstance(value, Array):
        return value.astype(kind or value.dtype)
    shape, items = _shape_of(value), _flat(value)
    return _made(items, shape, None if kind is None else dtype(kind))


def asarray(value: Any) -> Array:
    """What an array shows, the bytes of a room, or new numbers."""
    if isinstance(value, Array):
        return value
    return Array(value, 0, (value.size,), uint8) if hasattr(value, "base") else array(value)


def ascontiguousarray(value: Any, kind: Any = None) -> Array:
    found: Array = asarray(value)
    kind = found.dtype if kind is None else dtype(kind)
    return found if found.is_contiguous and found.dtype is kind else found.astype(kind)


def arange(*bounds: int) -> Array:
    items = list(range(*map(int, bounds)))
    return _made(items, (len(items),), int64)


def frombuffer(content: Any, kind: Any) -> Array:
    kind = dtype(kind)
    size = memoryview(content).nbytes
    return Array(Local(size, content), 0, (size // kind.itemsize,), kind)


class _Ndarray(type):
    """``np.ndarray(shape, dtype, buffer, offset, strides)``, and its instances."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Array)

    def __call__(
        cls, shape: Any, kind: Any, buffer: Any, offset: int = 0, strides: tuple[int, ...] | None = None
    ) -> Array:
        if isinstance(buffer, Array):
            return Array(buffer.room, buffer.start + offset, _shape(shape), dtype(kind), strides)
        room = Local(memoryview(buffer).nbytes, buffer)
        return Array(room, offset, _shape(shape), dtype(kind), strides)


class ndarray(metaclass=_Ndarray):  # noqa: N801 - NumPy's name
    pass


def concatenate(parts: Sequence[Array]) -> Array:
    parts = list(parts)
    shape = (sum(map(len, parts)), *parts[0].shape[1:])
    return _made([item for part in parts for item in part.items()], shape, parts[0].dtype)


def stack(parts: Sequence[Array]) -> Array:
    return concatenate([part[None] for part in parts])


def repeat(values: Any, times: Any) -> Array:
    items = _flat(values)
    counts = _broadcast_items(times, (len(items),))
    found = [item for item, count in zip(items, counts, strict=True) for _ in range(count)]
    return _made(found, (len(found),), values.dtype if isinstance(values, Array) else None)


def tile(values: Any, times: tuple[int, ...]) -> Array:
    """Only in front, as often as `times` says: its last numbers, one for each axis of the array, are 1."""
    found = asarray(values)
    front = times[: len(times) - found.ndim] if len(times) > found.ndim else ()
    if math.prod(times) != math.prod(front):
        front, rest = times[:1], found.shape[1:]
        return _made(found.items() * times[0], (times[0] * len(found), *rest), found.dtype)
    return _made(found.items() * math.prod(front), (*front, *found.shape), found.dtype)


def broadcast_to(value: Any, shape: Any) -> Array:
    found, shape = asarray(value), _shape(shape)
    return _made(_broadcast_items(found, shape), shape, found.dtype)


def pad(values: Array, widths: Sequence[tuple[int, int]]) -> Array:
    if not any(map(any, widths)):
        return values.copy()
    shape = tuple(count + sum(pair) for count, pair in zip(values.shape, widths, strict=True))
    found, places = zeros(shape, values.dtype), zip(values.shape, widths, strict=True)
    found[tuple(slice(low, low + count) for count, (low, _) in places)] = values
    return found


def diff(values: Array) -> Array:
    found: Array = values[1:] - values[:-1]
    return found


def interp(x: float, known: Array, values: Array) -> float:
    xs, ys = known.items(), values.items()
    if x <= xs[0] or x >= xs[-1]:
        return float(ys[0] if x <= xs[0] else ys[-1])
    at = builtins.max(i for i, each in enumerate(xs) if each <= x)
    return float((ys[at + 1] - ys[at]) / (xs[at + 1] - xs[at]) * (x - xs[at]) + ys[at])


def isin(values: Array, known: Sequence[Any]) -> Array:
    return _made([each in known for each in values.items()], values.shape, bool_)


def lexsort(keys: Any) -> Array:
    """By the last key, then by the one before."""
    rows = [_flat(key) for key in keys]
    order = sorted(range(len(rows[0])), key=lambda i: [row[i] for row in reversed(rows)])
    return _made(order, (len(order),), int64)


def argsort(values: Array, axis: int = -1, kind: str = "stable") -> Array:
    """Of the rows of an array of two dimensions."""
    rows = [sorted(range(len(row)), key=row.__getitem__) for row in values.tolist()]
    return array(rows, int64)


def count_nonzero(values: Array, axis: int) -> Array:
    return array([sum(map(bool, row)) for row in values.tolist()], int64)


def take_along_axis(values: Array, places: Array, axis: int) -> Array:
    rows = zip(values.tolist(), places.tolist(), strict=True)
    return array([[row[at] for at in where_] for row, where_ in rows], values.dtype)


def errstate(**how: str) -> Callable[[Any], Any]:
    """Nothing here warns."""
    return _same


# --- files, bounds, random numbers ------------------------------------------------------------------------

class load(dict[str, Array]):  # noqa: N801 - NumPy's name
    """The arrays of a file (.npz)."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(io.BytesIO(stored_files.read(path))) as archive:
            names = archive.namelist()
            super().__init__({name.removesuffix(".npy"): _read_npy(archive.read(name)) for name in names})

    @property
    def files(self) -> list[str]:
        return list(self)

    def __enter__(self) -> load:
        return self

    def __exit__(self, *how: object) -> None:
        pass


def _read_npy(content: bytes) -> Array:
    size = int.from_bytes(content[8:10], "little")
    head = ast.literal_eval(content[10 : 10 + size].decode("latin-1"))
    kind = dtype(head["descr"])
    if head["fortran_order"]:
        raise ValueError("columns come first")
    return Array(Local(len(content), bytearray(content)), 10 + size, head["shape"], kind)


def _byte_bounds(values: Array) -> tuple[int, int]:
    low = high = values.room.base + values.start
    if not values.size:
        return low, low
    for count, step in zip(values.shape, values.strides, strict=True):
        low, high = low + builtins.min(0, (count - 1) * step), high + builtins.max(0, (count - 1) * step)
    return low, high + values.itemsize


class _Permutations:
    """NumPy's default generator with the seed 1, as far as orders need it (PCG64, XSL-RR)."""

    def __init__(self, seed: int) -> None:
        if seed != 1:
            raise ValueError("only the seed 1 is known here")
        self._state = 207833532711051698738587646355624148094
        self._step = 194290289479364712180083596243593368443
        self._half: int | None = None

    def _next(self) -> int:
        """32 bits."""
        if self._half is not None:
            half, self._half = self._half, None
            return half
        self._state = (self._state * 0x2360ED051FC65DA44385DF649FCCF645 + self._step) & (1 << 128) - 1
        word, turn = (self._state >> 64 ^ self._state) & _MASK, self._state >> 122
        word = (word >> turn | word << (-turn & 63)) & _MASK
        self._half = word >> 32
        return word & 0xFFFFFFFF

    def permutation(self, count: int) -> Array:
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            mask = (1 << last.bit_length()) - 1
            while (other := self._next() & mask) > last:
                pass
            order[last], order[other] = order[other], order[last]
        return _made(order, (count,), int64)


lib: Final = types.SimpleNamespace(array_utils=types.SimpleNamespace(byte_bounds=_byte_bounds))
random: Final = types.SimpleNamespace(default_rng=_Permutations)
