"""The wheel: which colours and patterns score in which round, and how much (queens-garden.md 8)."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Final

from azulejos.core.game import Component
from azulejos.core.message import Message, Problem, msg
from azulejos.games.queens_garden.components import (
    COLOURS, FIELDS, MOST_POINTS, ROUNDS, STANDARD_WHEEL, VARIANT_WHEEL, WHEEL_ORDER,
)
from azulejos.games.queens_garden.layout import State
from azulejos.games.queens_garden.moves import FIELD_KINDS, LETTERS, field_text

ROUND_FIELDS: Final = FIELDS // ROUNDS

Wheel = tuple[tuple[tuple[int, int], ...], ...]
"""[round - 1]: the fields that score, with the points for each matching hexagon."""

Points = list[dict[int, int]]
"""[round - 1]: the points by field."""


def wheel_of(options: Mapping[str, str]) -> str:
    """The wheel on the chosen side of the scoring board."""
    return options["wheel"] if options["side"] == "variant" else STANDARD_WHEEL


def set_wheel(s: State, text: str) -> None:
    """Write a wheel, given as text, into a state."""
    for number, fields in enumerate(_parsed(text)):
        for field, points in fields.items():
            s.wheel_round[field] = 1 + number
            s.wheel_points[field] = points


def wheel_on(s: State) -> Wheel:
    """The wheel of a state."""
    return _wheel(tuple(s.wheel_round.tolist()), tuple(s.wheel_points.tolist()))


@functools.lru_cache(maxsize=64)
def _wheel(rounds: tuple[int, ...], points: tuple[int, ...]) -> Wheel:
    return tuple(
        tuple((field, points[field]) for field in WHEEL_ORDER if rounds[field] == number)
        for number in range(1, 1 + ROUNDS)
    )


# --- the text of the option --------------------------------------------------------------------------


def check_wheel(text: str) -> str:
    """The canonical text of a wheel; raises a Problem that explains what is wrong with it."""
    return _text(_checked(_parsed(text.strip().lower())))


def read_wheel(text: str) -> Wheel:
    return tuple(tuple(fields.items()) for fields in _parsed(text))


def _parsed(text: str) -> Points:
    wheel: Points = []
    for part in text.split("."):
        fields = [re.fullmatch(rf"([{LETTERS}1-6]):([0-9]{{1,3}})", word) for word in part.split("-")]
        if not all(fields):
            raise Problem(msg("wheel must be four rounds like {sample}, not {text}",
                              sample=VARIANT_WHEEL, text=repr(text)[:80]))
        wheel.append({_field(match[1]): int(match[2]) for match in fields if match})
    return wheel


def _field(letter: str) -> int:
    return LETTERS.index(letter) if letter in LETTERS else COLOURS + int(letter) - 1


def _text(wheel: Points) -> str:
    return ".".join(
        "-".join(f"{field_text(field)}:{fields[field]}" for field in WHEEL_ORDER if field in fields)
        for fields in wheel
    )


def _checked(wheel: Points) -> Points:
    if len(wheel) != ROUNDS:
        raise Problem(msg("the wheel has {n} rounds, not {found}", n=ROUNDS, found=len(wheel)))
    seen: set[int] = set()
    for number, fields in enumerate(wheel, 1):
        _check_round(number, fields, seen)
        seen |= fields.keys()
    return wheel


def _check_round(number: int, fields: dict[int, int], seen: Iterable[int]) -> None:
    if len(fields) != ROUND_FIELDS:
        raise Problem(msg("round {n} of the wheel has {fields} colours or patterns, not {found}",
                          n=number, fields=ROUND_FIELDS, found=len(fields)))
    for field, points in fields.items():
        if field in seen:
            raise Problem(msg("{name} stands twice on the wheel, the second time in round {n}",
                              name=FIELD_KINDS[field], n=number))
        if not 1 <= points <= MOST_POINTS:
            raise Problem(msg("{name} in round {n} of the wheel scores 1 to {most} points, not {points}",
                              name=FIELD_KINDS[field], n=number, most=MOST_POINTS, points=points))


# --- the components file -----------------------------------------------------------------------------


def wheel_from_file(value: object) -> str:
    """Convert ``[{dark-green = 1, tree = 1, light-blue = 1}, …]`` to the text of the option."""
    if not isinstance(value, list) or not all(isinstance(fields, dict) for fields in value):
        raise Problem(_shape())
    return _text(_checked([_fields(number, fields) for number, fields in enumerate(value, 1)]))


def _fields(number: int, named: dict[str, object]) -> dict[int, int]:
    fields = {}
    for name, points in named.items():
        if name not in FIELD_KINDS:
            raise Problem(msg("round {n} of the wheel has {name}; known are {names}",
                              n=number, name=repr(name), names=", ".join(FIELD_KINDS)))
        if type(points) is not int:
            raise Problem(_shape())
        fields[FIELD_KINDS.index(name)] = points
    return fields


def _shape() -> Message:
    sample = "[{dark-green = 1, tree = 1, light-blue = 1}, ...]"
    return msg("variant_wheel must be a list of four rounds like {sample}", sample=sample)


def wheel_for_file(text: str) -> str:
    rounds = (
        ", ".join(f"{FIELD_KINDS[field]} = {points}" for field, points in fields.items())
        for fields in _parsed(text)
    )
    return "[\n" + "".join(f"    {{{fields}}},\n" for fields in rounds) + "]"


COMPONENT: Final = Component(
    key="variant_wheel", read=wheel_from_file, write=wheel_for_file,
    about=msg("The points on the variant side of the wheel are stand-ins: each pattern scores its value. "
              "Known from pictures: each colour and each pattern is there once, three in each round."),
)
