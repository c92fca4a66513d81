"""A hash of all that compiled code depends on: functions, tables, and all functions called, at any depth.

File names, dates and comments are not included; a table read from another file is. Code that is kept on
disk is known by the bytecode of its functions, which is quick (`fingerprint`), a module that is shipped by
their text, which is the same for every version of Python (`Sources`).
"""

from __future__ import annotations

import ast
import functools
import hashlib
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from azulejos.core.grid import Table
from azulejos.core.late import np

Globals = Callable[[types.FunctionType], Iterator[tuple[str, object]]]
"""The globals that a function may use: rules as bound functions, everything else as values."""


def fingerprint(function: types.FunctionType, globals_of: Globals) -> str:
    """The hash of a function."""
    numbers = {function: 0}
    waiting = [function]
    digest = hashlib.sha256()
    for each in waiting:
        digest.update(repr(_code(each.__code__)).encode())
        digest.update(repr((each.__module__, each.__qualname__, each.__defaults__)).encode())
        for name, value in sorted(globals_of(each), key=lambda pair: pair[0]):
            if isinstance(value, types.FunctionType) and value not in numbers:
                numbers[value] = len(numbers)
                waiting.append(value)
            text = numbers[value] if isinstance(value, types.FunctionType) else _description(value)
            digest.update(repr((name, text)).encode())
    return digest.hexdigest()


class Sources:
    """Some functions with everything that they call."""

    def __init__(self, functions: Iterable[types.FunctionType], globals_of: Globals) -> None:
        self._functions = list(functions)
        numbers = {function: number for number, function in enumerate(self._functions)}
        digest = hashlib.sha256()
        for each in self._functions:
            digest.update(repr((each.__qualname__, each.__defaults__)).encode())
            for name, value in sorted(globals_of(each), key=lambda pair: pair[0]):
                if isinstance(value, types.FunctionType) and value not in numbers:
                    numbers[value] = len(numbers)
                    self._functions.append(value)
                text = numbers[value] if isinstance(value, types.FunctionType) else _description(value)
                digest.update(repr((name, text)).encode())
        self.values = digest.hexdigest()
        """A hash of which functions call which, and of the tables and numbers that they use."""

    def code(self) -> str:
        """A hash of the text of all functions, without comments and docstrings."""
        digest = hashlib.sha256()
        for each in self._functions:
            digest.update(_functions_of(_file_of(each.__module__))[each.__code__.co_firstlineno].encode())
        return digest.hexdigest()

    def files(self) -> dict[str, str]:
        """The Python modules in which the functions are, each with the hash of its file."""
        names = sorted({each.__module__ for each in self._functions})
        return {name: hashlib.sha256(_file_of(name).read_bytes()).hexdigest() for name in names}


def _file_of(module: str) -> Path:
    return Path(str(sys.modules[module].__file__))


@functools.cache
def _functions_of(path: Path) -> dict[int, str]:
    """The text of every function of a file, by its first line (that of its first decorator)."""
    found = {}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            text = ast.FunctionDef(node.name, node.args, body or node.body, [], lineno=1)
            found[first] = ast.unparse(text)
    return found


def _code(code: types.CodeType) -> tuple[object, ...]:
    """Without strings: the only strings in rules are docstrings."""
    consts = tuple(
        _code(item) if isinstance(item, types.CodeType) else None if isinstance(item, str) else item
        for item in code.co_consts
    )
    return (code.co_code, consts, code.co_names, code.co_varnames, code.co_argcount, code.co_exceptiontable)


def _description(value: Any) -> object:
    """A value as text that differs whenever compiled code could; a TypeError if there is no such text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return type(value).__qualname__, [_description(item) for item in value]
    if isinstance(value, Table):
        return _description(value.array)
    if isinstance(value, np.ndarray):
        layout = (value.shape, value.strides, value.flags.writeable, value.flags.aligned)
        return _description(value.dtype), layout, hashlib.sha256(value.tobytes()).hexdigest()
    if isinstance(value, np.generic):
        return _description(np.asarray(value))
    if isinstance(value, np.dtype):
        return _dtype(value)
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(value, type | types.BuiltinFunctionType):
        return value.__module__, value.__qualname__, getattr(value, "_fields", None)
    raise TypeError(f"compiled code cannot depend on {value!r}: no hash tells when it changes")


def _dtype(dtype: np.dtype[Any]) -> object:
    if dtype.fields is None:
        base = None if dtype.subdtype is None else _dtype(dtype.subdtype[0])
        return dtype.str, dtype.shape, base
    fields = [(name, _dtype(kind), offset) for name, (kind, offset, *_) in dtype.fields.items()]
    return fields, dtype.itemsize, dtype.isalignedstruct
