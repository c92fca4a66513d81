"""The panels that belong to nobody, empty, in each form: the display with names, supply, pass; the dial."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from azulejos.core.message import msg, raw
from azulejos.core.scene import GROUP, PHONE, Label, Panel, Point, Slot
from azulejos.games.queens_garden.components import COLOURS, FIELDS, HEXAGONS, ROUNDS, STACK
from azulejos.games.queens_garden.moves import FIELD_KINDS, FIELD_NAMES, field_text, hexagon_name, kind
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


ROW: Final = 0.75**0.5
TILE_SPOTS: Final = ((-0.5, -ROW), (0.5, -ROW), (-0.5, ROW), (0.5, ROW))
"""Cells of the expansion: two above and two below its middle."""
SOURCE_SPOTS: Final = (*TILE_SPOTS, (-0.5, -ROW))
NARROW: Final = 7.0
"""A display of this width has a row for the count of the bag."""
OWN_HEXAGON: Final = len(TILE_SPOTS)
"""The spot of an expansion's own hexagon, beside its pavilion."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DisplayForm:
    """Places in hexagons, from the top left corner."""

    plate: float
    across: int
    """Expansions side by side."""
    names_across: int
    name_step: float
    name_size: float
    pass_height: float = 1.0
    reach: float = 1.0


def _form(players: int, form: str) -> DisplayForm:
    if form != PHONE:
        return DisplayForm(plate=3.0, across=2, names_across=6, name_step=1.06, name_size=1.0)
    across = 3 if STACK[players] <= 6 else 4
    width = across * 2.7
    return DisplayForm(plate=2.65, across=across, names_across=FIELDS, name_step=width / FIELDS,
                       name_size=width / FIELDS * 0.98, pass_height=1.2 if across == 3 else 1.5, reach=1.1)


def display(players: int, form: str) -> Panel:
    at = _form(players, form)
    pitch = at.plate + 0.05
    rows = -(-STACK[players] // at.across)
    width = at.across * pitch + 0.1
    names = rows * pitch + 0.1 + max(1.0, at.name_size) / 2
    below = names + (FIELDS // at.names_across - 1) * at.name_step + 0.6 + at.pass_height / 2
    sources = (slot for source in range(STACK[players]) for slot in _source(source, at, pitch))
    slots = (
        *sources, *(_name_slot(field, at, width, names) for field in range(FIELDS)),
        Slot("supply", 0.7, below, msg("supply of face-down expansions"), shape="hex", key="f",
             reach=at.reach),
        Slot("stack", 1.9, below, msg("stack below the top expansion"), shape="hex"),
        Slot("pass", width - 1.5, below, msg("pass"), 2.6, at.pass_height, "pill", key="-"),
    )
    wide = width > NARROW
    labels = (
        Label(raw(""), width - 0.2, below + 0.85, 0.0 if wide else 0.36, "end", "quiet", id="bag"),
        Label(msg("pass"), width - 1.5, below, 0.42, style="strong"),
    )
    height = below + (at.pass_height / 2 + 0.1 if wide else 1.1)
    return Panel("display", msg("Display"), width, height, slots, (), labels)


def _source(source: int, at: DisplayForm, pitch: float) -> Iterator[Slot]:
    """An expansion of the stack, with spots for its hexagon or its tiles."""
    x = 0.05 + (source % at.across + 0.5) * pitch
    y = 0.05 + (source // at.across + 0.5) * pitch
    plate = f"s{source + 1}"
    yield Slot(plate, x, y, msg("expansion {n}", n=source + 1), at.plate, at.plate, "bed",
               caption=str(source + 1), key=plate, optional=True)
    yield Slot(f"{plate}.pavilion", x, y, msg("pavilion"), shape="hex", optional=True)
    for hexagon in range(HEXAGONS):
        yield Slot(f"{plate}.{kind(hexagon)}", x, y, hexagon_name(hexagon), at.plate, at.plate, GROUP,
                   spots=SOURCE_SPOTS, size=1.0, reach=at.reach, optional=True)


def _name_slot(field: int, at: DisplayForm, width: float, top: float) -> Slot:
    row, column = divmod(field, at.names_across)
    x = width / 2 + (column - (at.names_across - 1) / 2) * at.name_step
    drawn = None if field < COLOURS else FIELD_KINDS[field]
    return Slot(f"name.{FIELD_KINDS[field]}", x, top + row * at.name_step,
                msg("acquire {field}", field=FIELD_NAMES[field]), at.name_size, at.name_size, "hex",
                mark=drawn, key=f"a{field_text(field)}")
