"""The panels that belong to nobody, empty, in each form: the display with names, supply, pass; the dial."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from azulejos.core.message import msg, raw
from azulejos.core.scene import GROUP, PHONE, Label, Panel, Point, Slot
from azulejos.games.queens_garden.components import (
    COLOURS,
    FACE_DOWN_PRICE,
    FIELDS,
    HEXAGONS,
    ROUNDS,
    STACK,
)
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
                              FIELD_NAMES[field], 0.8, 0.8, "hex"))
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
OWN_HEXAGON: Final = len(TILE_SPOTS)
"""The spot of an expansion's own hexagon, beside its pavilion."""
CHIPS: Final = 6
"""Chips side by side: the colours, and below them the patterns."""
FIRST_CHIP: Final = 0.05
"""Where the first of them begins."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DisplayForm:
    """Places in hexagons, from the top left corner."""

    plate: float
    across: int
    """Expansions side by side."""
    chip: float
    """From the middle of one chip to the next: no less than a finger."""
    heads: tuple[float, float]
    """Room above both rows of chips for what they are."""
    compact: bool = False
    """Whether supply and pass lie beside the chips instead of below."""
    reach: float = 1.0

    @property
    def pitch(self) -> float:
        return self.plate + 0.05

    @property
    def width(self) -> float:
        return self.across * self.pitch + 0.1


def _form(players: int, form: str) -> DisplayForm:
    if form != PHONE:
        return DisplayForm(plate=3.0, across=2, chip=1.02, heads=(0.5, 0.46))
    if STACK[players] <= 6:
        return DisplayForm(plate=2.65, across=3, chip=1.06, heads=(0.48, 0.0), compact=True, reach=1.1)
    return DisplayForm(plate=2.65, across=4, chip=1.42, heads=(0.62, 0.0), compact=True, reach=1.1)


def display(players: int, form: str) -> Panel:
    """Expansions, what may be named, and below or beside that what else may be done."""
    at = _form(players, form)
    colours = -(-STACK[players] // at.across) * at.pitch + 0.1 + at.heads[0] + at.chip / 2
    patterns = colours + at.chip + at.heads[1]
    if at.compact:
        left = FIRST_CHIP + CHIPS * at.chip
        room = at.width - left - 0.1
        supply, passing = (left + at.chip / 2 + 0.08, patterns), (left + room / 2, colours)
        end = patterns + at.chip / 2 + 0.1
    else:
        row = patterns + at.chip + 0.1
        room, supply, passing = 2.6, (0.7, row), (at.width - 1.5, row)
        end = row + 1.1
    others = _others(at, supply=supply, passing=passing, room=room)
    sources = (slot for source in range(STACK[players]) for slot in _source(source, at))
    chips = (_chip(field, at, patterns if field >= COLOURS else colours) for field in range(FIELDS))
    labels = (*_words(at, others[-1], end), *_headings(at, colours, patterns))
    return Panel("display", msg("Display"), at.width, end, (*sources, *chips, *others), (), labels)


def _headings(at: DisplayForm, colours: float, patterns: float) -> tuple[Label, Label]:
    """What the chips are."""
    size, above = 0.64 * at.heads[0], at.chip / 2 + 0.24
    one = msg("Take all of one colour or pattern") if at.compact else msg("Take all of one colour …")
    return (
        Label(one, FIRST_CHIP + 0.05, colours - above, size, "start", "quiet"),
        Label(msg("… or all of one pattern"), FIRST_CHIP + 0.05, patterns - above,
              0.0 if at.compact else size, "start", "quiet"),
    )


def _others(at: DisplayForm, *, supply: Point, passing: Point, room: float) -> tuple[Slot, Slot, Slot]:
    stack = (supply[0] + at.chip / 2 + 0.35, supply[1]) if at.compact else (supply[0] + 1.2, supply[1])
    size = 0.6 if at.compact else 1.0
    bought = msg("face-down expansion, for {n} points", n=FACE_DOWN_PRICE)
    pile, high = (round(0.95 * at.chip, 2), round(1.08 * at.chip, 2)) if at.compact else (1.0, 1.0)
    return (
        Slot("supply", *supply, bought, pile, pile, shape="hex", key="f", reach=at.reach),
        Slot("stack", *stack, msg("stack below the top expansion"), size, size, shape="hex"),
        Slot("pass", *passing, msg("pass"), room, high, "pill", key="-"),
    )


def _words(at: DisplayForm, passing: Slot, end: float) -> tuple[Label, Label]:
    return (
        Label(raw(""), at.width - 0.2, end - 0.25, 0.0 if at.compact else 0.32, "end", "quiet", id="bag"),
        Label(msg("Pass"), passing.x, passing.y, 0.42, style="strong"),
    )


def _source(source: int, at: DisplayForm) -> Iterator[Slot]:
    """An expansion of the stack, with spots for its hexagon or its tiles."""
    x = 0.05 + (source % at.across + 0.5) * at.pitch
    y = 0.05 + (source // at.across + 0.5) * at.pitch
    plate = f"s{source + 1}"
    yield Slot(plate, x, y, msg("expansion {n}", n=source + 1), at.plate, at.plate, "bed",
               caption=str(source + 1), key=plate, optional=True)
    yield Slot(f"{plate}.pavilion", x, y, msg("pavilion"), shape="hex", optional=True)
    for hexagon in range(HEXAGONS):
        yield Slot(f"{plate}.{kind(hexagon)}", x, y, hexagon_name(hexagon), at.plate, at.plate, GROUP,
                   spots=SOURCE_SPOTS, size=1.0, reach=at.reach, optional=True)


def _chip(field: int, at: DisplayForm, y: float) -> Slot:
    x = FIRST_CHIP + (field % CHIPS + 0.5) * at.chip
    size = round(at.chip * 0.98, 2)
    return Slot(f"name.{FIELD_KINDS[field]}", x, y, msg("take all: {field}", field=FIELD_NAMES[field]),
                size, size, "hex", key=f"a{field_text(field)}", reach=at.reach)
