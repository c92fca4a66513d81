"""The compiled dialect: rules that run interpreted or compiled; `core.compiler` alone knows the compiler.

Rules are plain Python functions over a structured record, marked with ``@rule``. The same file runs
interpreted (for debugging, coverage and while nothing is compiled yet) and compiled by Numba.

What a function marked ``@rule`` may use:

- integers, booleans, ``for``/``while``/``if``, tuples of integers, module-level tables (NumPy arrays
  or tuples of integers, never changed), fields of the record, arrays given as arguments;
- calls of other ``@rule`` functions, with positional arguments only;
- of NumPy's and the C library's functions of real numbers only those that every machine rounds alike, such
  as ``sqrt`` and ``floor``; the exponential and the logarithm are in `core.elementary`;
- no strings, dicts, keyword arguments, closures, classes, exceptions, printing;
- no new arrays (``np.empty``, slices assigned to slices): a rule is compiled without reference counts,
  which made random games half again as fast. Functions marked ``@loop`` may allocate: they are
  called from Python and loop over the rules. The error "NRT required but not enabled" means: use ``@loop``.

What to remember:

- **Narrow fields.** Fields are widened when compiled and overflow when interpreted: write
  ``int(s.x) * 7`` before arithmetic that may leave the field's range.
- **Unchecked.** An illegal action silently corrupts a state. Call ``legal`` first; public functions check.
- **Bounds.** ``AZULEJOS_BOUNDS=1`` compiles with index checks. ``AZULEJOS_JIT=0`` compiles nothing.
- **Recursion.** Cast arguments to ``int`` or use a stack: differing argument types break the disk cache.

A function is *bound* to a game before it runs: ``Binding.bind(loop)`` copies it with globals in which the
contract's verbs (``core.verbs``) are the game's own rules. That is how one playout loop serves every game
at full speed. Compiled code is kept on disk by the hash of what it came from (`core.fingerprint`), because
the compiler's own cache does not see edits in another file.

What is compiled, and when: a function that Python calls (a *root*, from `bind`) when it is first called and
not on disk, together with all that it calls (its *parts*); or several roots in one library, which costs
less, by `Binding.compile` (`core.readiness` says when). `core.module_builder` makes WebAssembly of the same
functions.
"""

from __future__ import annotations

import functools
import importlib
import os
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar, cast

from azulejos.core import layout
from azulejos.core.fingerprint import fingerprint
from azulejos.core.grid import Table
from azulejos.core.late import np

if TYPE_CHECKING:
    from azulejos.core.compiler import Root
    from azulejos.core.game import Game

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)
T = TypeVar("T", bound=tuple[Any, ...])
Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function, and arguments of the kinds that Python calls it with."""

_rules: set[types.FunctionType] = set()
_loops: set[types.FunctionType] = set()
_doors: set[types.FunctionType] = set()
_verbs: set[types.FunctionType] = set()
_natives: dict[types.FunctionType, tuple[str, ...]] = {}
_missing: set[types.FunctionType] = set()
_twins: dict[types.FunctionType, types.FunctionType] = {}
_references: set[type] = set()
_wrapping: set[types.FunctionType] = set()


def rule(function: F) -> F:
    """Mark a function as written in the dialect."""
    _rules.add(cast(types.FunctionType, function))
    return function


def loop(function: F) -> F:
    """Mark a function of the dialect that may also make arrays."""
    _loops.add(cast(types.FunctionType, function))
    return rule(function)


def door(function: F) -> F:
    """Mark a loop that takes about a microsecond: it keeps the interpreter's lock.

    Releasing and acquiring the lock again takes a tenth of that.
    """
    _doors.add(cast(types.FunctionType, function))
    return loop(function)


def wrapping(function: F) -> F:
    """Mark a rule whose unsigned arithmetic wraps around on purpose: interpreted, NumPy would warn."""
    _wrapping.add(cast(types.FunctionType, function))
    return rule(function)


def twin_of(compiled: F) -> Callable[[F], F]:
    """Mark a function that does the same as a rule with whole arrays: used when nothing is compiled."""

    def mark(function: F) -> F:
        _twins[cast(types.FunctionType, compiled)] = cast(types.FunctionType, function)
        return function

    return mark


def by_reference(cls: C) -> C:
    """Mark a named tuple of many arrays: compiled functions pass it by reference (core.reference)."""
    _references.add(cls)
    return cls


def verb(function: F) -> F:
    """Mark a declaration of the contract: a game may have its own function; otherwise this body runs."""
    _verbs.add(cast(types.FunctionType, function))
    return function


def native(symbol: str, result: str, *arguments: str, exists: bool = True) -> Callable[[F], F]:
    """Mark a function that calls the C library in compiled code; interpreted, its own body runs.

    Where that does not exist, compiled code gets 0 instead of calling it.
    """

    def mark(function: F) -> F:
        _natives[cast(types.FunctionType, function)] = (symbol, result, *arguments)
        if not exists:
            _missing.add(cast(types.FunctionType, function))
        return rule(function)

    return mark


def enabled() -> bool:
    return os.environ.get("AZULEJOS_JIT", "1") != "0"


@functools.cache
def has_compiler() -> bool:
    """Whether native code can be made: the extra `fast` is installed."""
    return find_spec("numba") is not None


def checks_bounds() -> bool:
    return os.environ.get("AZULEJOS_BOUNDS", "0") == "1"


class Binding:
    """The functions of one game: verbs and loops bound to its rules, compiled or interpreted."""

    def __init__(
        self, game: Game, *, compiled: bool, allocates: bool = True,
        replace: Mapping[Callable[..., Any], Callable[..., Any]] | None = None,
    ) -> None:
        self.game = game
        self.compiled = compiled
        self._allocates = allocates
        self._sizes = {"MAX_LEGAL": game.max_legal, "NUM_ACTIONS": game.num_actions}
        self._lock = threading.RLock()  # another thread must not see namespaces that are half filled
        self._bound: dict[Callable[..., Any], Callable[..., Any]] = dict(replace or {})
        self._roots: dict[types.FunctionType, Root] = {}
        self._namespaces: dict[int, dict[str, object]] = {}

    @functools.cached_property
    def record(self) -> Any:
        """The dtype of a state, as these functions see it."""
        state = layout.dtype_of if self.compiled else layout.record_dtype_of
        return state(self.game.state)

    def constant(self, name: str, value: object) -> object:
        """What a global of the dialect's functions is for this game."""
        return self.record if name == "STATE" else self._sizes.get(name, value)

    @property
    def native(self) -> bool:
        """Whether this is code for this machine, which several threads may run on the same memory."""
        return self.compiled

    def hold(self, memory: T, *, empty: tuple[str, ...] = ()) -> T:
        """A named tuple of arrays, where these functions can use it; those named as `empty` are zero."""
        return memory

    def bind(self, function: F) -> F:
        """The function with its verbs, rules and tables taken from this game, to be called from Python."""
        return cast(F, self._root(function).call) if self.compiled else self.part(function)

    def entry(self, function: F, *arguments: Any) -> F:
        """The same for arguments of exactly these kinds: they are not looked at again."""
        return cast(F, self._root(function).entry(arguments)) if self.compiled else self.part(function)

    def compile(self, calls: Iterable[Call], *, name: str) -> None:
        """Compile several functions into one library of this name."""
        if self.native:
            wanted = [(self._root(function), arguments) for function, arguments in calls]
            _compiler().compile_together(f"{self.game.name}-{name}", wanted)

    def fingerprint(self, function: Callable[..., Any]) -> str:
        """A hash of everything that the compiled function depends on."""
        return fingerprint(self.own(cast(types.FunctionType, function)), self.globals_of)

    def records(self, fields: Sequence[tuple[Any, ...]]) -> Any:
        """A structured dtype, as these functions see it: interpreted ones ask for fields as attributes."""
        dtype = np.dtype(list(fields), align=True)
        return dtype if self.compiled else np.dtype((np.record, dtype))

    def _root(self, function: Callable[..., Any]) -> Root:
        original = self.own(cast(types.FunctionType, function))
        if original not in self._roots:
            self._roots[original] = _compiler().Root(
                self._copy(original), allocates=original in _loops, nogil=original not in _doors,
                mark=self.fingerprint(original), name=self.game.name,
            )
        return self._roots[original]

    def part(self, function: F) -> F:
        """The function, to be called by other bound functions."""
        original = self.own(cast(types.FunctionType, function))
        if not self.compiled:
            original = _twins.get(original, original)
        with self._lock:
            self._namespace(original)  # which may bind it on the way, in a cycle of calls
            if original not in self._bound:
                make = self._compiled if self.compiled else self._interpreted
                self._bound[original] = make(original)
        return cast(F, self._bound[original])

    def _compiled(self, original: types.FunctionType) -> Callable[..., Any]:
        if original in _missing:
            return cast(Callable[..., Any], _compiler().part(_zero, allocates=False))
        if original in _natives:
            return cast(Callable[..., Any], _compiler().external(*_natives[original]))
        copy = self._copy(original)
        allocates = self._allocates and original in _loops
        return cast(Callable[..., Any], _compiler().part(copy, allocates=allocates))

    def _interpreted(self, original: types.FunctionType) -> Callable[..., Any]:
        copy = self._copy(original)
        return np.errstate(over="ignore")(copy) if original in _wrapping else copy

    def own(self, declared: types.FunctionType) -> types.FunctionType:
        """The game's function for a verb; any other function itself."""
        return cast(types.FunctionType, self.game.own(declared)) if declared in _verbs else declared

    def _copy(self, original: types.FunctionType) -> types.FunctionType:
        namespace = self._namespace(original)
        if "STATE" in _names(original.__code__):  # only those who need it: it is made by NumPy
            namespace["STATE"] = self.record
        copy = types.FunctionType(
            original.__code__, namespace, original.__name__, original.__defaults__
        )
        copy.__qualname__ = f"{self.game.name}.{original.__qualname__}"
        copy.__module__ = original.__module__
        return copy

    def _namespace(self, original: types.FunctionType) -> dict[str, object]:
        source = original.__globals__
        if id(source) in self._namespaces:
            return self._namespaces[id(source)]
        namespace = dict(source)
        self._namespaces[id(source)] = namespace
        for name, value in source.items():
            if _is_rule(value):
                namespace[name] = self.part(value)
            elif self.compiled and isinstance(value, Table):
                namespace[name] = value.array
            elif self.compiled and value is np:
                namespace[name] = importlib.import_module("numpy")
            else:
                namespace[name] = self._sizes.get(name, value)
        return namespace

    def globals_of(self, function: types.FunctionType) -> Iterator[tuple[str, object]]:
        """What the compiled code of a function depends on, for `core.fingerprint`."""
        yield "allocates", function in _loops
        yield "keeps the lock", function in _doors
        yield "native", _natives.get(function)
        for name in set(_names(function.__code__)) & function.__globals__.keys():
            value = self.constant(name, function.__globals__[name])
            if _is_rule(value):
                yield name, self.own(value)
            elif isinstance(value, types.FunctionType):  # an attribute of that name is meant
                yield name, None
            else:
                yield name, value


def _zero(*arguments: int) -> int:
    """In the place of what the C library does not have."""
    return 0


def _is_rule(value: object) -> TypeGuard[types.FunctionType]:
    return isinstance(value, types.FunctionType) and (value in _rules or value in _verbs)


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _compiler() -> Any:
    """Loaded when compiled code is first needed: half a second."""
    from azulejos.core import compiler

    compiler.pass_by_reference(_references)
    return compiler
