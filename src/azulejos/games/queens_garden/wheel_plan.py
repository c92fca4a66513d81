"""The wheel as a dial: a quarter for each round, with the three fields that score in it."""

from __future__ import annotations

import functools
import math
from typing import Final

from azulejos.core.message import msg, raw
from azulejos.core.scene import Label, Panel, Point, Slot
from azulejos.games.queens_garden.components import COLOURS, ROUNDS
from azulejos.games.queens_garden.names import FIELD_KINDS, FIELD_NAMES
from azulejos.games.queens_garden.wheel import ROUND_FIELDS, Wheel

KEPT_PLANS: Final = 64
"""Each owner-supplied wheel needs its own plan; the boxes need only a few."""
SIZE: Final = 5.8
FIELD_RADIUS: Final = 1.72
POINTS_RADIUS: Final = 2.5
ROUND_RADIUS: Final = 0.86


def _on_dial(angle: float, radius: float) -> Point:
    """Clockwise from the top."""
    turn = math.radians(angle)
    return SIZE / 2 + radius * math.sin(turn), SIZE / 2 - radius * math.cos(turn)


@functools.cache
def quarter(number: int) -> str:
    """The mark of the dial in a round, counted from 0."""
    return f"quarter{number + 1}"


def _angle(number: int, field: int) -> float:
    return 90.0 * number + 30.0 * (field - (ROUND_FIELDS - 1) / 2)


def dial(wheel: Wheel) -> Panel:
    """The three fields of each round; the current round is highlighted."""
    slots = [Slot("wheel", SIZE / 2, SIZE / 2, msg("Wheel"), SIZE - 0.1, SIZE - 0.1, "dial")]
    for number in range(ROUNDS):
        for i, (field, _) in enumerate(wheel[number]):
            slots.append(Slot(f"wheel.{FIELD_KINDS[field]}", *_on_dial(_angle(number, i), FIELD_RADIUS),
                              FIELD_NAMES[field], 0.8, 0.8, "hex",
                              mark=None if field < COLOURS else FIELD_KINDS[field]))
    labels = tuple(label for number in range(ROUNDS) for label in wheel_labels(wheel, number, "quiet"))
    return Panel("wheel", msg("Wheel"), SIZE, SIZE, tuple(slots), (), labels)


@functools.lru_cache(maxsize=KEPT_PLANS)
def wheel_labels(wheel: Wheel, number: int, style: str) -> tuple[Label, ...]:
    """The number of a round, and what each of its fields scores."""
    n = number + 1
    points = (
        Label(raw(f"+{points}"), *_on_dial(_angle(number, i), POINTS_RADIUS), 0.42, style=style,
              id=f"wheel{n}-{i + 1}")
        for i, (_, points) in enumerate(wheel[number])
    )
    place = _on_dial(90.0 * number, ROUND_RADIUS)
    return (Label(raw(str(n)), *place, 0.5, style=style, id=f"round{n}"), *points)
