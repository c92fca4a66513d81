"""Positions as one line of text that fits into a URL, or as plain data (docs/notation.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from azulejos.core import layout, registry

if TYPE_CHECKING:
    from azulejos.core.position import Position


@dataclass(frozen=True, slots=True)
class Written:
    """What a text or an object says of a position, not yet checked against the rules."""

    name: str
    players: int
    options: Mapping[str, str]
    values: dict[str, Any]
    """Fields of the state that differ from the start of the game."""


def header(position: Position) -> dict[str, Any]:
    """The name of the box, the number of players and the options that differ from its defaults."""
    usual = position.game.read_options(position.preset.options)
    options = {name: value for name, value in position.options.items() if value != usual[name]}
    return {"game": position.preset.name, "players": position.players, "options": options}


def as_text(position: Position) -> str:
    game = position.game
    options = "".join(f",{k}={v}" for k, v in header(position)["options"].items())
    start = layout.as_dict(game.state, game.start(position.players, position.options))
    now = layout.as_dict(game.state, position.row)
    fields = ",".join(
        f"{name}={layout.encode(_flat(value))}" for name, value in now.items() if value != start[name]
    )
    return f"{position.preset.name},players={position.players}{options}/{fields}"


def read_text(text: str) -> Written:
    """Read the output of `as_text`. A ValueError says what is wrong."""
    head, slash, tail = text.strip().partition("/")
    name, *pairs = head.split(",")
    options = _pairs(pairs)
    players = options.pop("players", "")
    if not slash or not players.isdecimal():
        raise ValueError("a position reads like 'azul,players=2/to_move=0,...'")
    game, _ = registry.find(name)
    shapes = {name: field.shape for name, field in layout.fields_of(game.state).items()}
    values = {}
    for field, code in _pairs(pair for pair in tail.split(",") if pair).items():
        if field not in shapes:
            raise ValueError(f"{name} positions have no field {field!r}")
        count = int(np.prod(shapes[field]))
        values[field] = np.reshape(layout.decode(code, count), shapes[field]).tolist()
    return Written(name, int(players), options, values)


def as_json(position: Position) -> dict[str, Any]:
    return {**header(position), "state": layout.as_dict(position.game.state, position.row)}


def read_json(data: Mapping[str, Any]) -> Written:
    """Read the output of `as_json`. A ValueError says what is wrong."""
    if not isinstance(data, Mapping):
        raise ValueError(f"a position is an object, not {type(data).__name__}")
    options = _part(data, "options", dict) if "options" in data else {}
    if not all(isinstance(value, str) for value in options.values()):
        raise ValueError("the options of a position are texts")
    name, players = _part(data, "game", str), _part(data, "players", int)
    return Written(name, players, options, _part(data, "state", dict))


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


def _flat(value: Any) -> Sequence[int]:
    return [int(number) for number in np.ravel(value)]
