"""The shared offer as a scene: factories in a circle, the centre in its middle, the bag.

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
from azulejos.core.scene import GROUP, Label, Lying, Panel, Piece, Plan, Point, Slot, Spot, by_slot

PITCH: Final = 1.04
"""Distance between the middles of two adjacent tiles."""

PLATE: Final = 3.0
CENTRE_PLACES: Final = ((-1.1, -0.58), (0.0, -0.58), (1.1, -0.58), (-1.1, 0.58), (0.0, 0.58), (1.1, 0.58))
MARKER_NAME: Final = msg("start marker")


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


def offer_plan(tiles: Tiles, factories: int) -> Panel:
    """A circle that grows with the number of factories, clockwise from the top."""
    radius = max(3.55, (PLATE + 0.15) / 2 / math.sin(math.pi / factories))
    middle = radius + PLATE / 2 + 0.3
    plates: list[Slot] = []
    slots = _centre_slots(tiles, middle)
    for place in range(factories):
        angle = 2 * math.pi * place / factories - math.pi / 2
        at = (middle + radius * math.cos(angle), middle + radius * math.sin(angle))
        plates.append(_plate(place, at))
        slots += _factory_slots(tiles, place, at)
    return Panel("offer", msg("Factories and centre"), 2 * middle, 2 * middle, (*plates, *slots), ())


def _plate(place: int, at: Point) -> Slot:
    number = place + 1
    name = msg("factory {n}", n=number)
    return Slot(f"F{number}", *at, name, PLATE, PLATE, "plate", caption=str(number))


def _factory_slots(tiles: Tiles, place: int, at: Point) -> list[Slot]:
    number = place + 1
    x, y = at[0] - PLATE * 0.425, at[1] - PLATE * 0.425
    name = msg("factory {n}", n=number)
    badge = Slot(f"F{number}.effect", x, y, name, 0.92, 0.92, "badge", optional=True)
    return [badge, *(_heap(tiles, place, colour, at) for colour in range(len(tiles.kinds)))]


def _heap(tiles: Tiles, place: int, colour: int, at: Point) -> Slot:
    """The tiles of one colour on a factory."""
    return Slot(
        f"F{place + 1}.{tiles.kinds[colour]}", *at, tiles.names[colour], PLATE, PLATE, GROUP, spots=HUDDLE,
        size=1.0, key=f"{place + 1}{tiles.letters[colour]}", optional=True,
        counted=tuple(tiles.counted(colour, n) for n in range(1, MOST + 1)),
    )


MOST: Final = 25
"""Tiles that fit side by side on a plate; further ones are drawn on top of the last."""


def _huddle(tiles: int) -> tuple[int, int]:
    """Columns and rows for a number of tiles on a plate."""
    columns = max(1, min(tiles, 2) if tiles <= 4 else math.ceil(math.sqrt(tiles)))
    return columns, math.ceil(tiles / columns)


def _spots(columns: int, rows: int) -> list[Spot]:
    size = min(1.0, 0.95 * PLATE / math.hypot(columns, rows))
    pitch = size * PITCH
    return [
        ((i % columns - (columns - 1) / 2) * pitch, (i // columns - (rows - 1) / 2) * pitch, size)
        for i in range(columns * rows)
    ]


LAYOUTS: Final = tuple(dict.fromkeys(_huddle(tiles) for tiles in range(1, MOST + 1)))
HUDDLE: Final = tuple(spot for layout in LAYOUTS for spot in _spots(*layout))
"""The spots of all layouts, concatenated."""
FIRST: Final = {
    layout: sum(columns * rows for columns, rows in LAYOUTS[:i]) for i, layout in enumerate(LAYOUTS)
}


def _centre_slots(tiles: Tiles, middle: float) -> list[Slot]:
    slots = [Slot("C", middle, middle, msg("centre"), 3.5, 2.4, "area")]
    for colour, kind in enumerate(tiles.kinds):
        dx, dy = CENTRE_PLACES[colour]
        name = msg("{colour} in the centre", colour=tiles.names[colour])
        slots.append(
            Slot(f"C.{kind}", middle + dx, middle + dy, name, mark=kind, key=f"0{tiles.letters[colour]}")
        )
    dx, dy = CENTRE_PLACES[-1]
    slots.append(Slot("C.marker", middle + dx, middle + dy, MARKER_NAME, shape="circle", mark="marker"))
    return slots


def supply_plan(tiles: Tiles, title: Message, stores: Sequence[tuple[str, Message]]) -> Panel:
    """The bag and the discard."""
    slots, labels = [], []
    for index, (slot, name) in enumerate(stores):
        x = 0.2 + 6.4 * index
        spots = tuple((colour * 0.92 - 1.84, 0.0) for colour in range(len(tiles.kinds)))
        slots.append(Slot(slot, x + 3.8, 0.6, name, 4.6, 0.9, spots=spots))
        labels.append(Label(name, x, 0.6, 0.46, "start", "quiet"))
    return Panel("supply", title, 6.4 * len(stores), 1.2, tuple(slots), (), tuple(labels))


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
            planned = plan.slots[f"F{place + 1}.effect"]
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
