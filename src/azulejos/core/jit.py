"""The compiled dialect: the only module, with `core.reference`, that knows the compiler.

Rules are plain Python functions over a structured record, marked with ``@rule``. The same file runs
interpreted (for debugging, coverage and while nothing is compiled yet) and compiled by Numba.

What may stand in a function marked ``@rule``:

- integers, booleans, ``for``/``while``/``if``, tuples of integers, module-level tables (NumPy arrays
  or tuples of integers, never changed), fields of the record, arrays given as arguments;
- calls of other ``@rule`` functions, with positional arguments only;
- no strings, dicts, keyword arguments, closures, classes, exceptions, printing;
- no new arrays (``np.empty``, slices assigned to slices): a rule is compiled without reference counts,
  which made random games half again as fast. Functions marked ``@loop`` may allocate: they are the doors
  called from Python and the loops around the rules. "NRT required but not enabled" asks for ``@loop``.

What to remember:

- **Narrow fields.** Fields widen when compiled and wrap when interpreted: write ``int(s.x) * 7`` before
  arithmetic that may leave the field's range.
- **Unchecked.** An illegal action silently corrupts a state. ``legal`` first; public doors check.
- **Bounds.** ``AZULEJOS_BOUNDS=1`` compiles with index checks. ``AZULEJOS_JIT=0`` compiles nothing.
- **Recursion.** Cast arguments to ``int`` or use a stack: differing argument types break the disk cache.

A function is *bound* to a game before it runs: ``Binding.bind(loop)`` copies it with globals in which the
contract's verbs (``core.verbs``) are the game's own rules. That is how one playout loop serves every game
at full speed. Compiled code is cached on disk, in a directory named by the hash of the sources it came
from, because the compiler's own cache does not see edits in another file.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

PACKAGE = Path(__file__).resolve().parent.parent
NOT_COMPILED = {
    f"{name}.py" for name in (
        "guide", "message", "position", "record", "record_first_edition", "record_json", "record_reader",
        "record_tags", "record_writer",
        "registry", "scene", "terminal", "view", "warmth",
    )
}
"""Modules of core and of games in which nothing is compiled, nor anything that compiled code depends on."""
KEPT_CACHES = 40

_rules: set[types.FunctionType] = set()
_loops: set[types.FunctionType] = set()
_verbs: set[types.FunctionType] = set()
_natives: dict[types.FunctionType, tuple[str, ...]] = {}
_twins: dict[types.FunctionType, types.FunctionType] = {}
_references: set[type] = set()


def rule(function: F) -> F:
    """Mark a function as written in the dialect."""
    _rules.add(cast(types.FunctionType, function))
    return function


def loop(function: F) -> F:
    """Mark a function of the dialect that may also make arrays."""
    _loops.add(cast(types.FunctionType, function))
    return rule(function)


def twin_of(compiled: F) -> Callable[[F], F]:
    """Mark a function that does the same as a rule, by whole arrays: used where nothing is compiled."""

    def mark(function: F) -> F:
        _twins[cast(types.FunctionType, compiled)] = cast(types.FunctionType, function)
        return function

    return mark


def by_reference(cls: C) -> C:
    """Mark a named tuple of many arrays: compiled functions hand over where it stands (core.reference)."""
    _references.add(cls)
    return cls


def verb(function: F) -> F:
    """Mark a declaration of the contract: a game may have its own function for it, else this body runs."""
    _verbs.add(cast(types.FunctionType, function))
    return function


def native(symbol: str, result: str, *arguments: str) -> Callable[[F], F]:
    """Mark a function that is one of the C library in compiled code; interpreted, its own body runs."""

    def mark(function: F) -> F:
        _natives[cast(types.FunctionType, function)] = (symbol, result, *arguments)
        return rule(function)

    return mark


def enabled() -> bool:
    return os.environ.get("AZULEJOS_JIT", "1") != "0"


def checks_bounds() -> bool:
    return os.environ.get("AZULEJOS_BOUNDS", "0") == "1"


class Binding:
    """The functions of one game: verbs and loops bound to its rules, compiled or interpreted."""

    def __init__(
        self,
        package: str,
        own: Callable[[Callable[..., Any]], Callable[..., Any]],
        constants: Mapping[str, object],
        *,
        compiled: bool,
        replace: Mapping[Callable[..., Any], Callable[..., Any]] | None = None,
    ) -> None:
        self.package = package
        self.own = own
        """The game's function for a verb."""
        self.constants = constants
        self.compiled = compiled
        self._bound: dict[Callable[..., Any], Callable[..., Any]] = dict(replace or {})
        self._namespaces: dict[int, dict[str, object]] = {}

    def bind(self, function: F) -> F:
        """The function with its verbs, rules and tables taken from this game."""
        original = cast(types.FunctionType, function)
        if original in _verbs:
            original = cast(types.FunctionType, self.own(original))
        if not self.compiled:
            original = _twins.get(original, original)
        if original not in self._bound:
            outside = self.compiled and original in _natives
            self._bound[original] = _native(original) if outside else self._copy(original)
        return cast(F, self._bound[original])

    def _copy(self, original: types.FunctionType) -> Callable[..., Any]:
        namespace = self._namespace(original)
        if original in self._bound:  # met on the way, through a cycle of calls
            return self._bound[original]
        copy = types.FunctionType(
            original.__code__, namespace, original.__name__, original.__defaults__
        )
        game = self.package.rpartition(".")[2]
        copy.__qualname__ = f"{game}.{original.__qualname__}"
        copy.__module__ = original.__module__
        return self._compile(copy, allocates=original in _loops) if self.compiled else copy

    def _namespace(self, original: types.FunctionType) -> dict[str, object]:
        source = original.__globals__
        if id(source) in self._namespaces:
            return self._namespaces[id(source)]
        namespace = dict(source)
        self._namespaces[id(source)] = namespace
        for name, value in source.items():
            if name in self.constants:
                namespace[name] = self.constants[name]
            elif isinstance(value, types.FunctionType) and (value in _rules or value in _verbs):
                namespace[name] = self.bind(value)
        return namespace

    def _compile(self, function: types.FunctionType, *, allocates: bool) -> Callable[..., Any]:
        numba = _numba()
        _reference().register(_references)
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_directory(self.package, function.__module__))
        try:
            decorate = numba.njit(
                cache=True, nogil=True, boundscheck=checks_bounds(), error_model="numpy",
                _nrt=allocates,
            )
            return _widening(decorate(function))
        finally:
            numba.config.CACHE_DIR = before


def _native(function: types.FunctionType) -> Callable[..., Any]:
    """Found by its name when the code is loaded, so it can be cached."""
    symbol, *names = _natives[function]
    result, *arguments = (getattr(_numba().types, name) for name in names)
    return cast(Callable[..., Any], _numba().types.ExternalFunction(symbol, result(*arguments)))


def _widening(dispatcher: Any) -> Callable[..., Any]:
    """Compile once for all integers: the compiler would do it again for every width and constant.

    Narrow fields and literals are cast to int64 at the call. Compiling the search for Azul took 47 s
    without this, 21 s with it, and the code is as fast.
    """
    types_ = _numba().types
    narrow = (types_.int8, types_.int16, types_.int32)
    compile_exactly = dispatcher.compile

    def widened(kind: Any) -> Any:
        literal = isinstance(kind, types_.IntegerLiteral)
        return types_.int64 if literal or kind in narrow else kind

    def compile_widened(signature: Any) -> Any:
        return compile_exactly(tuple(widened(kind) for kind in signature))

    dispatcher.compile = compile_widened
    return cast(Callable[..., Any], dispatcher)


@functools.cache
def _numba() -> Any:
    import numba

    return numba


@functools.cache
def _reference() -> Any:
    from azulejos.core import reference

    return reference


def cache_root() -> Path:
    """Where compiled code is kept; ``AZULEJOS_CACHE`` moves it."""
    chosen = os.environ.get("AZULEJOS_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "azulejos" / "compiled"


@functools.cache
def cache_directory(package: str, module: str) -> Path:
    """A directory named by everything that the module's functions can depend on.

    Where the sources lie and when they were written belongs to it: the compiler asks for both, too, so
    what another copy of the same sources has compiled is not ready for this one.
    """
    rooms = [PACKAGE / "core", PACKAGE / "parts", _folder(package)]
    room = _folder(module)
    if room not in rooms:
        above = PACKAGE / "engine"
        rooms += [above] if room == above else [above, room]
    digest = hashlib.sha256(repr((_compiler_version(), checks_bounds())).encode())
    for folder in rooms:
        for path in sorted(folder.glob("*.py")):
            if path.name not in NOT_COMPILED:
                digest.update(repr((str(path), path.stat().st_mtime_ns)).encode())
                digest.update(path.read_bytes())
    return cache_root() / f"{_folder(package).name}-{room.name}-{digest.hexdigest()[:16]}"


def _folder(module: str) -> Path:
    return Path(str(sys.modules[module].__file__)).resolve().parent


def _compiler_version() -> tuple[str, ...]:
    from importlib.metadata import version

    return (version("numba"), version("numpy"), sys.version)


def is_warm(package: str, module: str) -> bool:
    """Whether everything in the module was compiled for this game by an earlier `mark_warm`."""
    return (cache_directory(package, module) / "warm").exists()


def mark_warm(package: str, module: str) -> None:
    directory = cache_directory(package, module)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "warm").touch()
    _prune()


def _prune() -> None:
    """Forget the caches of old sources, newest kept."""
    directories = sorted(
        (path for path in cache_root().iterdir() if path.is_dir()),
        key=lambda path: path.stat().st_mtime,
        reverse=True,
    )
    for path in directories[KEPT_CACHES:]:
        shutil.rmtree(path, ignore_errors=True)
