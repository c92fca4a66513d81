"""The shared offer as a scene: factories in a circle with the centre in its middle, or in rows; the bag.

    F2        a factory              C.red      all red tiles in the centre
    F2.red    its red tiles          C.marker   the place of the start marker
    F2.effect a sign on its rim      bag, lid   their tiles, by colour
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg
from azulejos.core.scene import (
    GROUP, PHONE, SMALL, WIDE, Label, Lying, Panel, Piece, Plan, Point, Slot, Spot, by_slot,
)

PITCH: Final = 1.04
"""Distance between the middles of two adjacent tiles."""

WIDE_PLATE: Final = 3.15
PHONE_PLATE: Final = 2.65
MARKER_NAME: Final = msg("start marker")
SPECIAL: Final = "special"
"""The mark of the plate of a special factory."""


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """Names of an offer's colours: kinds of pieces, letters of the notation, names for people."""

    kinds: tuple[str, ...]
    letters: str
    names: tuple[Message, ...]
    count: Callable[[Message, int], Message]
    """Says how many pieces of a colour there are; the game supplies the noun."""

    def counted(self, colour: int, n: int) -> Message:
        return self.count(self.names[colour], n)


@dataclass(frozen=True, slots=True)
class Badge:
    """The sign of a special factory and its meaning."""

    sign: str
    name: Message


@dataclass(frozen=True, slots=True)
class Offer:
    """The tiles on offer. A factory that has been taken is None; badges are keyed by place, from 0."""

    tiles: Tiles
    factories: Sequence[Cells | None]
    centre: Cells
    marker: bool
    badges: Mapping[int, Badge]


# --- the plan ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ground:
    """Where plates and the centre are."""

    width: float
    height: float
    plate: float
    plates: tuple[Point, ...]
    centre: Point
    places: tuple[Point, ...]
    """The places of the colours and of the marker, seen from the middle of the centre."""
    size: float
    """Of a piece in the centre."""
    reach: float
    """The size of the area around a piece on a plate that takes clicks, and in the centre."""
    centre_reach: float = 1.0


def offer_plan(tiles: Tiles, factories: int, form: str = WIDE) -> Panel:
    """A circle that grows with the number of factories, clockwise from the top; rows on a phone."""
    ground = {PHONE: _in_rows, SMALL: _in_three_columns}.get(form, _in_circle)(factories)
    slots = _centre_slots(tiles, ground)
    plates = [_plate(place, at, ground.plate) for place, at in enumerate(ground.plates)]
    for place, at in enumerate(ground.plates):
        slots += _factory_slots(tiles, place, at, ground)
    title = msg("Factories and centre")
    return Panel("offer", title, ground.width, ground.height, (*plates, *slots), ())


def _grid(columns: int, rows: int, pitch: float) -> tuple[Point, ...]:
    """The middles of places side by side, around 0, 0."""
    return tuple(
        ((column - (columns - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch)
        for row in range(rows) for column in range(columns)
    )


EDGE: Final = 0.12


def _in_circle(factories: int) -> Ground:
    radius = max(3.48, (WIDE_PLATE + 0.15) / 2 / math.sin(math.pi / factories))
    angles = [2 * math.pi * place / factories - math.pi / 2 for place in range(factories)]
    around = [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]
    left, top = (min(at[axis] for at in around) - WIDE_PLATE / 2 - EDGE for axis in (0, 1))
    right, bottom = (max(at[axis] for at in around) + WIDE_PLATE / 2 + EDGE for axis in (0, 1))
    return Ground(
        width=right - left, height=bottom - top, plate=WIDE_PLATE,
        plates=tuple((x - left, y - top) for x, y in around), centre=(-left, -top),
        places=_ring(min(1.5, 0.6 * (radius - WIDE_PLATE / 2))), size=1.0, reach=1.0,
    )


def _ring(radius: float) -> tuple[Point, ...]:
    """Five colours clockwise from the upper right, and the marker at the top."""
    angles = [math.radians(60 * place - 30) for place in range(6)]
    return tuple((radius * math.cos(angle), radius * math.sin(angle)) for angle in angles)


ROW: Final = 2.75
COLUMNS: Final = {5: (2.75, 2.75, 3.6), 7: (2.75, 2.75, 2.75, 3.6), 9: (3.2, 3.6, 3.6, 3.6)}
"""Widths of the columns of a phone's offer, by the number of factories; the centre gets what is left."""


def _in_rows(factories: int) -> Ground:
    """Plates row by row, at the end the centre: one cell, or the rest of a row with larger pieces."""
    widths = COLUMNS[factories]
    columns, left = len(widths), factories % len(widths)
    rows = factories // columns + 1
    middles = [sum(widths[:i]) + width / 2 for i, width in enumerate(widths)]
    start = sum(widths[:left])
    one_cell = columns - left == 1
    return Ground(
        width=sum(widths), height=rows * ROW, plate=PHONE_PLATE,
        plates=tuple((middles[i % columns], (i // columns + 0.5) * ROW) for i in range(factories)),
        centre=((start + sum(widths)) / 2, (rows - 0.5) * ROW),
        places=_grid(3, 2, 1.2) if one_cell else _grid(6, 1, 1.8), size=1.0 if one_cell else 1.4,
        reach=1.32, centre_reach=1.28 if one_cell else 1.4,
    )


COLUMN: Final = 2.85
CENTRE_ROW: Final = 1.9


def _in_three_columns(factories: int) -> Ground:
    """For a tall phone: more and narrower rows, so that plates are larger. Few factories need them not."""
    if factories < 7:
        return _in_rows(factories)
    rows, left = divmod(factories, 3)
    below = left == 0  # the centre has a row for itself, or what is left beside the last plate
    height = rows * ROW + (CENTRE_ROW if below else ROW)
    return Ground(
        width=3 * COLUMN, height=height, plate=PHONE_PLATE,
        plates=tuple(((i % 3 + 0.5) * COLUMN, (i // 3 + 0.5) * ROW) for i in range(factories)),
        centre=((left + 3) / 2 * COLUMN, (height + rows * ROW) / 2),
        places=_grid(6, 1, 1.4) if below else _grid(3, 2, 1.3), size=1.25 if below else 1.1,
        reach=1.32, centre_reach=1.12 if below else 1.18,
    )


def _plate(place: int, at: Point, size: float) -> Slot:
    number = place + 1
    name = msg("factory {n}", n=number)
    return Slot(f"F{number}", *at, name, size, size, "plate", caption=str(number))


def _factory_slots(tiles: Tiles, place: int, at: Point, ground: Ground) -> list[Slot]:
    number = place + 1
    x, y = at[0] - ground.plate * 0.405, at[1] - ground.plate * 0.405
    name = msg("factory {n}", n=number)
    badge = Slot(f"F{number}.effect", x, y, name, 0.92, 0.92, "badge", optional=True)
    return [badge, *(_heap(tiles, place, colour, at, ground) for colour in range(len(tiles.kinds)))]


def _heap(tiles: Tiles, place: int, colour: int, at: Point, ground: Ground) -> Slot:
    """The tiles of one colour on a factory."""
    return Slot(
        f"F{place + 1}.{tiles.kinds[colour]}", *at, tiles.names[colour], ground.plate, ground.plate, GROUP,
        spots=_heap_spots(ground.plate), size=1.0, reach=ground.reach,
        key=f"{place + 1}{tiles.letters[colour]}", optional=True,
        counted=tuple(tiles.counted(colour, n) for n in range(1, MOST + 1)),
    )


FILL: Final = 1.07
"""The diagonal of the tiles on a plate, in plates: their corners may lie on its rim."""
MOST: Final = 25
"""Tiles that fit side by side on a plate; further ones are drawn on top of the last."""


def _huddle(tiles: int) -> tuple[int, int]:
    """Columns and rows for a number of tiles on a plate."""
    columns = max(1, min(tiles, 2) if tiles <= 4 else math.ceil(math.sqrt(tiles)))
    return columns, math.ceil(tiles / columns)


def _spots(columns: int, rows: int, plate: float) -> list[Spot]:
    size = min(1.0, FILL * plate / math.hypot(columns, rows))
    pitch = size * PITCH
    return [
        ((i % columns - (columns - 1) / 2) * pitch, (i // columns - (rows - 1) / 2) * pitch, size)
        for i in range(columns * rows)
    ]


LAYOUTS: Final = tuple(dict.fromkeys(_huddle(tiles) for tiles in range(1, MOST + 1)))
FIRST: Final = {
    layout: sum(columns * rows for columns, rows in LAYOUTS[:i]) for i, layout in enumerate(LAYOUTS)
}


@functools.cache
def _heap_spots(plate: float) -> tuple[Spot, ...]:
    """The spots of all layouts, concatenated."""
    return tuple(spot for layout in LAYOUTS for spot in _spots(*layout, plate))


def _centre_slots(tiles: Tiles, ground: Ground) -> list[Slot]:
    x, y = ground.centre
    across, down = (2 * max(at[axis] for at in ground.places) + ground.size for axis in (0, 1))
    slots = [Slot("C", x, y, msg("centre"), across + 0.2, down + 0.2, "area")]
    for colour, kind in enumerate(tiles.kinds):
        dx, dy = ground.places[colour]
        name = msg("{colour} in the centre", colour=tiles.names[colour])
        slots.append(Slot(f"C.{kind}", x + dx, y + dy, name, ground.size, ground.size, "spot",
                          reach=ground.centre_reach, key=f"0{tiles.letters[colour]}"))
    dx, dy = ground.places[-1]
    slots.append(Slot("C.marker", x + dx, y + dy, MARKER_NAME, ground.size, ground.size, "spot"))
    return slots


STORE: Final = 8.7
"""The width of the bag or the discard with its name."""
STORED: Final = 1.16
"""Between two colours in it: their numbers do not touch."""


def supply_plan(tiles: Tiles, title: Message, stores: Sequence[tuple[str, Message]]) -> Panel:
    """The bag and the discard."""
    slots, labels = [], []
    middle = (len(tiles.kinds) - 1) / 2
    for index, (slot, name) in enumerate(stores):
        x = 0.2 + STORE * index
        spots = tuple(((colour - middle) * STORED, 0.0) for colour in range(len(tiles.kinds)))
        slots.append(Slot(slot, x + 5.1, 0.65, name, 5.6, 0.9, spots=spots))
        labels.append(Label(name, x, 0.65, 0.45, "start", "quiet"))
    return Panel("supply", title, STORE * len(stores), 1.3, tuple(slots), (), tuple(labels))


# --- the pieces --------------------------------------------------------------------------------------
# Cached: factories have few different contents, and a move changes one or two of them.


def lay_offer(offer: Offer, lies: dict[str, Lying], places: dict[str, Slot | None], plan: Plan) -> None:
    for place, counts in enumerate(offer.factories):
        if counts is None:
            places[f"F{place + 1}"] = None
        else:
            lies.update(_on_factory(offer.tiles, place, tuple(counts.tolist())))
    for place, badge in offer.badges.items():
        if offer.factories[place] is not None:
            plate, planned = plan.slots[f"F{place + 1}"], plan.slots[f"F{place + 1}.effect"]
            places[plate.id] = replace(plate, mark=SPECIAL)
            places[planned.id] = replace(planned, name=badge.name, mark=badge.sign)
    lies.update(_in_centre(offer.tiles, tuple(offer.centre.tolist())))
    if offer.marker:
        lies["C.marker"] = MARKER_LIES


@functools.lru_cache(maxsize=8192)
def _on_factory(tiles: Tiles, place: int, counts: tuple[int, ...]) -> dict[str, Lying]:
    """Each tile is slightly rotated, always by the same angle in the same place."""
    lying = [colour for colour, n in enumerate(counts) for _ in range(n)]
    first = FIRST[_huddle(min(len(lying), MOST))] if lying else 0
    return by_slot(*(
        Piece(tiles.kinds[colour], f"F{place + 1}.{tiles.kinds[colour]}", spot=first + min(at, MOST - 1),
              turn=(place * 5 + colour * 3 + lying[:at].count(colour) * 4) % 7 - 3)
        for at, colour in enumerate(lying)
    ))


@functools.lru_cache(maxsize=8192)
def _in_centre(tiles: Tiles, counts: tuple[int, ...]) -> dict[str, Lying]:
    return {
        f"C.{kind}": (Piece(kind, f"C.{kind}", count=n),)
        for kind, n in zip(tiles.kinds, counts, strict=True) if n
    }


MARKER_LIES: Final = (Piece("marker", "C.marker"),)


@functools.lru_cache(maxsize=8192)
def stored(tiles: Tiles, slot: str, counts: tuple[int, ...]) -> Lying:
    """The contents of the bag or the discard: public, because players can work them out."""
    return tuple(
        Piece(kind, slot, count=counts[colour], spot=colour)
        for colour, kind in enumerate(tiles.kinds) if counts[colour]
    )
