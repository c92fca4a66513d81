"""Positions as one line of text that fits into a URL, or as plain data (docs/notation.md)."""

from __future__ import annotations

import functools
import math
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from azulejos.core import layout
from azulejos.core.game import Game
from azulejos.core.grid import FORMATS

if TYPE_CHECKING:
    from azulejos.core.position import Position

NONE: Final = 255
"""No digit, and no value of one."""
DIGITS: Final = bytes(ord(digit) for digit in layout.DIGITS).ljust(256, bytes([NONE]))
VALUES: Final = bytes(layout.DIGITS.find(chr(code)) % 256 for code in range(256))
"""What a digit becomes in a table of 256, and back: whole fields are translated at once."""


@dataclass(frozen=True, slots=True)
class PositionText:
    """What a text or an object says of a position."""

    name: str
    players: int
    options: Mapping[str, str]
    fill: Callable[[Game, bytearray], None]
    """Set the fields of the first state that are told; a ValueError says what is wrong with them."""


def header(position: Position) -> dict[str, Any]:
    """The name of the box, the number of players and the options that differ from its defaults."""
    usual = position.game.read_options(position.preset.options)
    options = {name: value for name, value in position.options.items() if value != usual[name]}
    return {"game": position.preset.name, "players": position.players, "options": options}


# --- one line of text --------------------------------------------------------------------------------


def as_text(position: Position) -> str:
    head, first = _beginning(position.preset.name, position.players, tuple(position.options.items()))
    row = position.packed
    fields = []
    for part, before, encode in first:
        raw = row[part]
        if raw != before:
            fields.append(encode(raw))
    return head + ",".join(fields)


@functools.lru_cache(maxsize=256)
def _beginning(
    name: str, players: int, options: tuple[tuple[str, str], ...]
) -> tuple[str, list[tuple[slice, bytes, Callable[[bytes], str]]]]:
    """How the text of a game's positions begins; and of its fields, their bytes in the first state."""
    from azulejos.core.position import new

    start = new(name, players=players, **dict(options))
    row, places = start.packed, _places(start.game).values()
    given = "".join(f",{k}={v}" for k, v in header(start)["options"].items())
    return f"{name},players={players}{given}/", [(p.part, row[p.part], p.encode) for p in places]


def read_text(text: str) -> PositionText:
    """Read the output of `as_text`. A ValueError says what is wrong."""
    head, slash, tail = text.strip().partition("/")
    name, *pairs = head.split(",")
    options = _pairs(pairs)
    players = options.pop("players", "")
    if not slash or not players.isdecimal():
        raise ValueError("a position reads like 'azul,players=2/to_move=0,...'")
    codes = _pairs(pair for pair in tail.split(",") if pair)
    return PositionText(name, int(players), options, functools.partial(_fill_codes, codes))


def _fill_codes(codes: Mapping[str, str], game: Game, memory: bytearray) -> None:
    places = _places(game)
    for name, code in codes.items():
        if name not in places:
            raise ValueError(f"{game.name} positions have no field {name!r}")
        memory[places[name].part] = places[name].decode(code)


@dataclass(frozen=True, slots=True)
class _Place:
    """A field of a state: which bytes of the row, and how many numbers of which format."""

    name: str
    field: layout.Field
    part: slice
    kind: str
    count: int

    def encode(self, raw: bytes) -> str:
        if self.kind == "b" and self.count > 1 and NONE not in (digits := raw.translate(DIGITS)):
            return f"{self.name}={digits.decode('ascii')}"
        return f"{self.name}={layout.encode(array(self.kind, raw))}"

    def decode(self, code: str) -> bytes:
        numbers: bytes | list[int] = b""
        if self.count > 1 and len(code) == self.count and code.isascii():
            numbers = code.encode("ascii").translate(VALUES)
        if not numbers or NONE in numbers:
            numbers = layout.decode(code, self.count)
        if min(numbers) < self.field.low or max(numbers) > self.field.high:
            raise ValueError(f"field {self.name!r} must stay within {self.field.low}..{self.field.high}")
        return array(self.kind, numbers if isinstance(numbers, list) else [*numbers]).tobytes()


@functools.cache
def _places(game: Game) -> dict[str, _Place]:
    return {
        name: _Place(name, field, slice(*layout.bytes_of(game.state, name)),
                     FORMATS[field.width], math.prod(field.shape))
        for name, field in layout.fields_of(game.state).items()
    }


# --- plain data --------------------------------------------------------------------------------------


def as_json(position: Position) -> dict[str, Any]:
    return {**header(position), "state": layout.as_dict(position.game.state, position.packed)}


def read_json(data: Mapping[str, Any]) -> PositionText:
    """Read the output of `as_json`. A ValueError says what is wrong."""
    if not isinstance(data, Mapping):
        raise ValueError(f"a position is an object, not {type(data).__name__}")
    options = _part(data, "options", dict) if "options" in data else {}
    if not all(isinstance(value, str) for value in options.values()):
        raise ValueError("the options of a position are texts")
    name, players = _part(data, "game", str), _part(data, "players", int)
    values = _part(data, "state", dict)
    return PositionText(name, players, options, functools.partial(_fill_values, values))


def _fill_values(values: dict[str, Any], game: Game, memory: bytearray) -> None:
    layout.fill(game.state, memory, values)


def _pairs(texts: Iterable[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"{text!r} should read name=value")
        if name in pairs:
            raise ValueError(f"{name} stands there twice")
        pairs[name] = value
    return pairs


def _part(data: Mapping[str, Any], name: str, kind: type) -> Any:
    if not isinstance(data.get(name), kind):
        raise ValueError(f"a position needs {name!r}, as {kind.__name__}")
    return data[name]
