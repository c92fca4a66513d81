"""A game's functions as one WebAssembly module: where it lies, and what its description says.

`azulejos build GAME` writes both files beside the game's rules (`core.module_builder`): ``engine.wasm`` and
``engine.json``. Python runs the module by `core.portable`, a page by its own worker.

Every exported function takes one address, that of a *call*: 8 bytes for its result, 8 that are left alone,
and then its arguments, each at a multiple of 8 bytes. It returns 0, or another number if it failed.

    int, bool    8 bytes
    float        8 bytes
    array        ARRAY bytes and 16 more for each dimension: two words left 0 (32 bits each), the number of
                 items, the size of an item (64 bits each), the address (32 bits) and 4 bytes of padding,
                 the shape, the strides (64 bits each)
    tuple        the address (32 bits) of its fields, one after the other: arrays as above, tuples as
                 addresses, each at a multiple of its alignment (8 for arrays, 4 for addresses)
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

MODULE: Final = "engine.wasm"
DESCRIPTION: Final = "engine.json"
FORMAT: Final = 1
PAGE: Final = 65536
"""Bytes by which a module's memory grows."""
CALL: Final = 16
"""Bytes before the arguments of a call."""
ARRAY: Final = 32
"""Bytes of an array without its shape and strides."""


@dataclass(frozen=True, slots=True)
class ArgumentKind:
    """What an argument is: int, bool, float or none; an array; a tuple."""

    name: str
    """``int``, ``bool``, ``float``, ``none``; of an array its items (``<i4``, or the name of a record); of
    a tuple its class."""
    dimensions: int = 0
    """Of an array."""
    is_tuple: bool = False

    @property
    def size(self) -> int:
        return ARRAY + 16 * self.dimensions if self.dimensions else 4 if self.is_tuple else 8

    @property
    def alignment(self) -> int:
        return 4 if self.is_tuple else 8

    def written(self) -> str:
        if self.dimensions:
            return f"{self.name}[{self.dimensions}]"
        return f"{self.name}()" if self.is_tuple else self.name

    @classmethod
    def read(cls, text: str) -> ArgumentKind:
        if text.endswith("()"):
            return cls(text[:-2], is_tuple=True)
        name, _, dimensions = text.partition("[")
        return cls(name, int(dimensions[:-1]) if dimensions else 0)


@dataclass(frozen=True)
class Export:
    """A function of a module, named after its file and itself."""

    module: str
    """The Python module from which it is."""
    arguments: tuple[ArgumentKind, ...]
    result: ArgumentKind

    @functools.cached_property
    def layout(self) -> tuple[list[int], int]:
        """Where the arguments lie in a call, and the bytes of all."""
        places, end = [], CALL
        for kind in self.arguments:
            places.append(-(-end // 8) * 8)
            end = places[-1] + kind.size
        return places, end


def name_of(function: Callable[..., Any]) -> str:
    """What a function is called in a module."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Description:
    """What a module holds."""

    game: str
    values: str
    """A hash of the tables and numbers that its functions use (`core.fingerprint`), ..."""
    code: str
    """... and of the text of the functions."""
    sources: dict[str, str]
    """The Python modules of these functions, with the hash of each file: as long as the files are the same,
    so are the functions."""
    built_with: dict[str, str]
    sha256: str
    """Of the module."""
    exports: dict[str, Export]
    tuples: dict[str, tuple[tuple[str, ArgumentKind], ...]]
    """The fields of each class of tuples, in order."""
    records: dict[str, Any]
    """Items of arrays that have fields: size, and where each field lies, of what type and shape."""
    constants: dict[str, int]

    @functools.cache  # noqa: B019 - a description lives as long as its game
    def places(self, name: str) -> tuple[dict[str, int], int]:
        """Where the fields of a tuple lie, and the bytes of all."""
        places, end = {}, 0
        for field, kind in self.tuples[name]:
            places[field] = end = -(-end // kind.alignment) * kind.alignment
            end += kind.size
        return places, end

    def write(self) -> str:
        value = {
            "format": FORMAT, "game": self.game,
            "values": self.values, "code": self.code, "sha256": self.sha256,
            "built_with": self.built_with, "constants": self.constants,
            "exports": {name: [export.module, [kind.written() for kind in export.arguments],
                               export.result.written()]
                        for name, export in sorted(self.exports.items())},
            "tuples": {name: [[field, kind.written()] for field, kind in fields]
                       for name, fields in sorted(self.tuples.items())},
            "records": dict(sorted(self.records.items())), "sources": dict(sorted(self.sources.items())),
        }
        lines = (f"{json.dumps(key)}: {_spread(each)}" for key, each in value.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def read(cls, text: str) -> Description:
        value = json.loads(text)
        if value.pop("format") != FORMAT:
            raise ValueError("the module was built by another version of azulejos")
        kind = ArgumentKind.read
        return cls(**{
            **value,
            "exports": {name: Export(module, tuple(map(kind, arguments)), kind(result))
                        for name, (module, arguments, result) in value["exports"].items()},
            "tuples": {name: tuple((field, kind(text)) for field, text in fields)
                       for name, fields in value["tuples"].items()},
        })


def _spread(value: object) -> str:
    """One line for each entry, so that a change can be read."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value)
    lines = (f"  {json.dumps(key)}: {json.dumps(each)}" for key, each in value.items())
    return "{\n" + ",\n".join(lines) + "\n}"
