"""A game's functions from its WebAssembly module (`core.module`), run by wasmtime: no compiler is needed.

Where Python itself runs in a browser, the browser runs the module (`core.page_module`).

The memory of a search lies inside the module: `Portable.hold` moves a named tuple of arrays there, into a
memory of its own, and returns the same tuple with arrays that show those bytes. So Python reads and writes
what the module does, a flag too that another thread sets while it runs. Whatever else is given to a
function is copied into the module for the call, and back afterwards.

Two memories are independent: threads that search in one each run at the same time, because wasmtime lets go
of the interpreter's lock. Calls with the same memory wait for one another.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import hashlib
import importlib
import platform
import struct
import sys
import threading
import types
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from typing import Any, Final, Protocol, TypeVar, cast

from azulejos.core import code_cache
from azulejos.core.fingerprint import Sources
from azulejos.core.game import Game
from azulejos.core.jit import Binding
from azulejos.core.late import is_numpy, np
from azulejos.core.layout import Cells
from azulejos.core.module import DESCRIPTION, MODULE, PAGE, ArgumentKind, Description, Export, name_of

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound=tuple[Any, ...])

LINE: Final = 64
"""Bytes to which arrays are aligned: a line of the processor's cache."""
WRITTEN: Final = 8
"""Tuples of a class that a memory remembers to have written down."""
ROOM: Final = 1 << 16
"""Bytes for calls and what is copied, at first."""
MOST: Final = 1 << 29
"""Bytes of one memory at most: a tree of the largest size needs half of that."""


class Unusable(Exception):
    """A game's module cannot be used; the text says why, and what helps."""


class ModuleFailed(RuntimeError):
    """A function of a module failed."""


class Portable(Binding):
    """The functions of one game from its module. What it does not export runs interpreted."""

    def __init__(self, game: Game, description: Description, code: bytes) -> None:
        super().__init__(game, compiled=True)
        self.description = description
        self._start = _maker(description, code)
        self._functions: dict[Callable[..., Any], Callable[..., Any]] = {}
        self._own = threading.local()

    @property
    def native(self) -> bool:
        return False

    def bind(self, function: F) -> F:
        if function not in self._functions:
            name = name_of(self.own(cast(types.FunctionType, function)))
            export = self.description.exports.get(name)
            made = self._interpreted_of(function) if export is None else self._call_of(name, export)
            self._functions[function] = made
        return cast(F, self._functions[function])

    def entry(self, function: F, *arguments: Any) -> F:
        return self.bind(function)

    def hold(self, memory: T, *, empty: tuple[str, ...] = ()) -> T:
        return Memory(self._start(), self.description).hold(memory, empty)

    def _interpreted_of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """What is not in the module: rows of states and numbers suffice for interpreted rules."""
        interpreted = self.game.interpreted.bind(function)

        def call(*arguments: Any) -> Any:
            if any(isinstance(each, tuple) for each in arguments):
                raise ModuleNotFoundError("self-play and training need native code", name="numba")
            return interpreted(*arguments)

        return call

    def _call_of(self, name: str, export: Export) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            memory = next(filter(None, map(memory_of, arguments)), None) or self._memory()
            return memory.call(name, export, arguments)

        return call

    def _memory(self) -> Memory:
        """This thread's, for functions whose arguments are all copied."""
        if not hasattr(self._own, "memory"):
            self._own.memory = Memory(self._start(), self.description)
        return cast(Memory, self._own.memory)


def load(game: Game) -> Portable:
    """The functions from a game's module; raises Unusable."""
    description = described(game)
    try:
        code = (game.folder / MODULE).read_bytes()
        if hashlib.sha256(code).hexdigest() != description.sha256:
            raise Unusable(f"the module of {game.name} is not the one described; {_help(game)}")
        return Portable(game, description, code)
    except ImportError as error:
        raise Unusable("modules run by wasmtime, which is not installed") from error
    except OSError as error:
        raise Unusable(f"the module of {game.name} cannot be read: {error}; {_help(game)}") from error


@functools.cache
def described(game: Game) -> Description:
    """What the module of a game holds, if it was built from these sources; raises Unusable."""
    try:
        description = Description.read((game.folder / DESCRIPTION).read_text("utf-8"))
    except FileNotFoundError as error:
        raise Unusable(f"{game.name} has no module; {_help(game)}") from error
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise Unusable(f"the module of {game.name} cannot be read: {error}; {_help(game)}") from error
    if is_numpy() and is_stale(game, description):  # without it, whoever packed the files has looked
        raise Unusable(f"the module of {game.name} is older than its rules or searches; {_help(game)}")
    return description


def _help(game: Game) -> str:
    return f"`azulejos build {game.name}` makes it (pip install 'azulejos[build]')"


def is_stale(game: Game, description: Description) -> bool:
    """Whether a module was built from other functions than these.

    Their text is only looked at if a file differs: that takes a tenth of a second.
    """
    try:
        sources = sources_of(game, description.exports)
    except (ImportError, AttributeError):  # an exported function is no more
        return True
    if sources.values != description.values:
        return True
    return sources.files() != description.sources and sources.code() != description.code


def sources_of(game: Game, exports: Mapping[str, Export]) -> Sources:
    """The functions of these names with everything that they call."""
    binding = game.interpreted
    functions = (
        getattr(importlib.import_module(export.module), name.rpartition(".")[2])
        for name, export in sorted(exports.items())
    )
    return Sources(map(binding.own, functions), binding.globals_of)


# --- one memory -------------------------------------------------------------------------------------------


class Memory:
    """An instance of a module with its memory, used by one thread at a time.

    It lives as long as any array that shows a part of it. Nothing in it is ever freed by itself: it is as
    large as what it was made for.
    """

    def __init__(self, machine: Machine, description: Description) -> None:
        self._machine, self._description = machine, description
        self._end = machine.end
        self._lock = threading.Lock()
        self._written: dict[str, OrderedDict[int, tuple[Any, int]]] = {}
        self._copied: list[tuple[Cells, Cells]] = []
        self._grow(self._end)
        self._room = self._free = self._take(ROOM)
        self._room_end = self._end

    def _grow(self, size: int) -> None:
        """Make the memory at least so large."""
        if size > self._machine.size:
            self._machine.grow(-(-(size - self._machine.size) // PAGE))

    def cells(self) -> Cells:
        """All bytes."""
        return np.asarray(_Bytes(self, self._machine))

    def _take(self, size: int) -> int:
        """The address of so many more bytes."""
        start = -(-self._end // LINE) * LINE
        self._end = start + size
        self._grow(self._end)
        return start

    # --- what lies in it -------------------------------------------------------------------------------

    def hold(self, held: T, empty: tuple[str, ...]) -> T:
        """The same tuple with arrays in this memory. Arrays that share bytes share them here, too.

        Those that are named as `empty` hold nothing but zeros.
        """
        blocks: list[tuple[int, int, int]] = []
        for array in sorted(_arrays(held), key=lambda each: -each.nbytes):
            low, high = np.lib.array_utils.byte_bounds(array)
            if not any(first <= low and high <= last for first, last, _ in blocks):
                blocks.append((low, high, self._take(high - low) - low))
        return cast(T, self._shown(held, blocks, empty, self.cells()))

    def _shown(
        self, held: Any, blocks: list[tuple[int, int, int]], empty: tuple[str, ...], room: Cells
    ) -> Any:
        shown = []
        for field, value in zip(held._fields, held, strict=True):
            if not isinstance(value, np.ndarray):
                shown.append(self._shown(value, blocks, empty, room))
                continue
            low, high = np.lib.array_utils.byte_bounds(value)
            away = next(away for first, last, away in blocks if first <= low and high <= last)
            place = value.__array_interface__["data"][0] + away
            array: Cells = np.ndarray(value.shape, value.dtype, room, place, value.strides)
            if field not in empty:
                array[...] = value
            shown.append(array)
        return type(held)(*shown)

    # --- calls -----------------------------------------------------------------------------------------

    def call(self, name: str, export: Export, arguments: tuple[Any, ...]) -> Any:
        """Call an exported function."""
        with self._lock:
            start = self.prepare(name, export, arguments)
            try:
                failed = self._machine.call(name, start)
            except Exception as error:  # there are several, and no common one for traps and errors
                raise ModuleFailed(f"{name} of {self._description.game} failed: {error}") from error
            finally:
                for outside, inside in self._copied:
                    if outside.flags.writeable:
                        outside[...] = inside
                self._copied.clear()
            if failed:
                raise ModuleFailed(f"{name} of {self._description.game} failed")
            if export.result.name == "none":
                return None
            return RESULTS[export.result.name].unpack_from(self._machine.read(start, 8))[0]

    def prepare(self, name: str, export: Export, arguments: tuple[Any, ...]) -> int:
        """Write down a call; returns its address."""
        if len(arguments) != len(export.arguments):
            raise TypeError(f"{name} takes {len(export.arguments)} arguments, not {len(arguments)}")
        self._copied.clear()
        self._free = self._room
        places, size = export.layout
        start, written = self._scratch(size), bytearray(size)
        for kind, value, place in zip(export.arguments, arguments, places, strict=True):
            self._put(kind, value, written, place)
        self._machine.write(start, written)
        return start

    def _scratch(self, size: int) -> int:
        """Room until the end of a call."""
        start = -(-self._free // 8) * 8
        if start + size > self._room_end:
            self._room = start = self._take(2 * max(size, self._room_end - self._room))
            self._room_end = self._end
        self._free = start + size
        return start

    def _put(self, kind: ArgumentKind, value: Any, written: bytearray, at: int) -> None:
        if kind.is_tuple:
            POINTER.pack_into(written, at, self._address_of(kind.name, value))
        elif kind.dimensions:
            self._put_array(kind, value, written, at)
        else:
            RESULTS["float" if kind.name == "float" else "int"].pack_into(written, at, value)

    def _put_array(self, kind: ArgumentKind, array: Cells, written: bytearray, at: int) -> None:
        if array.ndim != kind.dimensions or array.dtype.itemsize != self._item_size(kind.name):
            raise TypeError(f"an array {kind.written()} is needed, not {array.dtype.str}[{array.ndim}]")
        if memory_of(array) is not self:
            array = self._copy(array)
        _array_of(kind.dimensions).pack_into(
            written, at, 0, 0, array.size, array.itemsize, _address(array) - self._machine.base,
            *array.shape, *array.strides,
        )

    def _copy(self, array: Cells) -> Cells:
        place = self._scratch(array.nbytes)
        copy: Cells = np.ndarray(array.shape, array.dtype, self.cells(), place)
        copy[...] = array
        self._copied.append((array, copy))
        return copy

    def _item_size(self, name: str) -> int:
        record = self._description.records.get(name)
        return int(name[2:]) if record is None else int(record["size"])

    def _address_of(self, name: str, value: Any) -> int:
        """Where the fields of a tuple are written; those of the last few tuples are not written again."""
        known = self._written.setdefault(name, OrderedDict())
        if id(value) in known:
            known.move_to_end(id(value))
            return known[id(value)][1]
        size = self._size_of(name)
        if any(memory_of(array) is not self for array in _arrays(value)):
            place = self._scratch(size)
        else:
            place = known.popitem(last=False)[1][1] if len(known) == WRITTEN else self._take(size)
            known[id(value)] = value, place
        written = bytearray(size)
        self._write(name, value, written, 0, place)
        self._machine.write(place, written)
        return place

    def _write(self, name: str, value: Any, written: bytearray, at: int, place: int) -> int:
        """Write the fields, and behind them those of tuples within; returns where they end. What is written
        will lie at `place`."""
        places, size = self._description.places(name)
        end = at + size
        for (field, kind), each in zip(self._description.tuples[name], value, strict=True):
            if kind.is_tuple:
                end = -(-end // 8) * 8
                POINTER.pack_into(written, at + places[field], place + end)
                end = self._write(kind.name, each, written, end, place)
            else:
                self._put_array(kind, each, written, at + places[field])
        return end

    def _size_of(self, name: str) -> int:
        within = (kind.name for _, kind in self._description.tuples[name] if kind.is_tuple)
        return self._description.places(name)[1] + sum(8 + self._size_of(each) for each in within)


POINTER: Final = struct.Struct("<I")
RESULTS: Final = {"int": struct.Struct("<q"), "float": struct.Struct("<d"), "bool": struct.Struct("<?")}


@functools.cache
def _array_of(dimensions: int) -> struct.Struct:
    return struct.Struct(f"<IIqqI4x{2 * dimensions}q")


def _address(array: Cells) -> int:
    return int(array.__array_interface__["data"][0])


def _arrays(held: Any) -> Iterator[Cells]:
    for value in held:
        if isinstance(value, np.ndarray):
            yield value
        else:
            yield from _arrays(value)


def memory_of(value: Any) -> Memory | None:
    """The memory in which an array lies, or the first array of a tuple."""
    array = value[0] if isinstance(value, tuple) else value
    base = array.base if isinstance(array, np.ndarray) else None
    if isinstance(base, np.ndarray):
        base = base.base
    memory = getattr(base, "memory", None)
    return memory if isinstance(memory, Memory) else None


# --- what runs a module -----------------------------------------------------------------------------------


class Machine(Protocol):
    """A module that runs, with its memory."""

    base: int
    """Where it begins, in addresses of arrays."""
    size: int
    end: int
    """Where its own data ends."""

    def grow(self, pages: int) -> None: ...

    def read(self, start: int, size: int) -> bytes | memoryview: ...

    def write(self, start: int, content: bytearray) -> None: ...

    def call(self, name: str, at: int) -> int: ...


class _Bytes:
    """All bytes of a machine, for NumPy or what stands in for it (`core.arrays`): every array that shows a
    part of them keeps the memory alive."""

    def __init__(self, memory: Memory, machine: Machine) -> None:
        self.memory, self._machine = memory, machine
        self.base, self.size = machine.base, machine.size
        self.write = machine.write
        self.__array_interface__ = {
            "version": 3, "typestr": "|u1", "shape": (self.size,), "data": (self.base, False),
        }

    def read(self, start: int, size: int) -> bytes:
        return bytes(self._machine.read(start, size))


def _maker(description: Description, code: bytes) -> Callable[[], Machine]:
    """What starts a module."""
    if sys.platform == "emscripten":
        from azulejos.core import page_module

        return page_module.maker(code)
    module = _compiled(description, code)
    return lambda: _Wasmtime(module)


# --- wasmtime ---------------------------------------------------------------------------------------------


class _Wasmtime:
    """A module in a store of its own. Its memory stays where it is when it grows (`_engine`)."""

    def __init__(self, module: Any) -> None:
        import wasmtime

        self._store = _lasting(wasmtime.Store(_engine()))
        self._store.set_limits(memory_size=MOST)
        self._store.set_wasi(wasmtime.WasiConfig())
        self._exports: Any = _linker().instantiate(self._store, module).exports(self._store)
        self._memory: Any = self._exports["memory"]
        self.end = int(self._exports["__heap_base"].value(self._store))
        self._look()

    def _look(self) -> None:
        self.size = int(self._memory.data_len(self._store))
        self.base = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        self._view = memoryview((ctypes.c_ubyte * self.size).from_address(self.base)).cast("B")

    def grow(self, pages: int) -> None:
        self._memory.grow(self._store, pages)
        self._look()

    def read(self, start: int, size: int) -> memoryview:
        return self._view[start : start + size]

    def write(self, start: int, content: bytearray) -> None:
        self._view[start : start + len(content)] = content

    def call(self, name: str, at: int) -> int:
        return int(self._exports[name](self._store, at))


_lasts: weakref.WeakSet[Any] = weakref.WeakSet()


def _lasting(thing: Any) -> Any:
    """At the end of the process the system frees what is left: the package would fail to, loudly, because
    its functions are gone by then, and another thread may still search."""
    _lasts.add(thing)
    return thing


@atexit.register
def _leave_to_the_system() -> None:
    for thing in _lasts:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


@functools.cache
def _engine() -> Any:
    """Memories stay where they are when they grow, so that arrays that show them remain valid.

    Addresses for 4 GiB are set aside for each, of which only what is used needs memory: then no address has
    to be checked. Where a process may not have so many, each has what it may use at most, with checks.
    """
    import wasmtime

    config = wasmtime.Config()
    config.memory_may_move = False
    if _is_confined():
        config.memory_reservation = MOST
        config.memory_guard_size = PAGE
    return _lasting(wasmtime.Engine(config))


def _is_confined() -> bool:
    """Whether the addresses of this process are limited (``ulimit -v``)."""
    try:
        import resource
    except ImportError:  # no such limits on this system
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


@functools.cache
def _linker() -> Any:
    """What modules may import: a clock."""
    import wasmtime

    linker = _lasting(wasmtime.Linker(_engine()))
    linker.define_wasi()
    return linker


def _compiled(description: Description, code: bytes) -> Any:
    """The module as code for this machine: a quarter of a second, then kept on disk."""
    import wasmtime

    key = code_cache.key_of(description.sha256, version("wasmtime"), sys.platform, platform.machine(),
                            _is_confined())
    if (kept := code_cache.load(key)) is not None:
        with contextlib.suppress(wasmtime.WasmtimeError):  # of another processor
            return _lasting(wasmtime.Module.deserialize(_engine(), kept))
    module = _lasting(wasmtime.Module(_engine(), code))
    with contextlib.suppress(OSError):  # no place for compiled code
        code_cache.save(f"{description.game}-module", [key], bytes(module.serialize()))
    return module
