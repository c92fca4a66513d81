"""The common offer as a scene: factories in a circle, the centre in its middle, the bag.

    F2        a factory              C.red      all red tiles in the centre
    F2.red    its red tiles          C.marker   where the start marker lies
    F2.effect a sign on its rim      bag, lid   what waits there, by colour
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.scene import Label, Panel, Piece, Point, Slot

PITCH: Final = 1.04
"""From one tile to the next."""

PLATE: Final = 3.0
CENTRE_PLACES: Final = ((-1.1, -0.58), (0.0, -0.58), (1.1, -0.58), (-1.1, 0.58), (0.0, 0.58), (1.1, 0.58))
MARKER_NAME: Final = msg("start marker")


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """What the colours of an offer are called: kinds of pieces, letters of the notation, names."""

    kinds: tuple[str, ...]
    letters: str
    names: tuple[Message, ...]

    def counted(self, colour: int, n: int) -> Message:
        return nmsg("{n} {colour} tile", "{n} {colour} tiles", n=n, colour=self.names[colour])


@dataclass(frozen=True, slots=True)
class Badge:
    """What is special about a factory: its sign and what it means."""

    sign: str
    name: Message


@dataclass(frozen=True, slots=True)
class Offer:
    """What is offered. A factory that is gone is None; badges by place, from 0."""

    tiles: Tiles
    factories: Sequence[Cells | None]
    centre: Cells
    marker: bool
    badges: Mapping[int, Badge]


def offer_panel(offer: Offer) -> Panel:
    """A circle that grows with the number of factories, the first at the top, clockwise."""
    number = len(offer.factories)
    radius = max(3.55, (PLATE + 0.15) / 2 / math.sin(math.pi / number))
    middle = radius + PLATE / 2 + 0.3
    plates: list[Slot] = []
    slots = [*_centre_slots(offer.tiles, middle)]
    pieces = _centre_pieces(offer)
    for place, counts in enumerate(offer.factories):
        angle = 2 * math.pi * place / number - math.pi / 2
        at = (middle + radius * math.cos(angle), middle + radius * math.sin(angle))
        if counts is not None:
            lying = tuple(counts.tolist())
            plates.append(_plate(place, at))
            slots += _factory_slots(offer.tiles, place, lying, at, offer.badges.get(place))
            pieces += _factory_pieces(offer.tiles, place, lying)
    return Panel("offer", msg("Offer"), 2 * middle, 2 * middle, (*plates, *slots), tuple(pieces))


# What lies on a factory is one of few things, and a move changes one or two of them: they are kept.


@functools.cache
def _plate(place: int, at: Point) -> Slot:
    number = place + 1
    name = msg("factory {n}", n=number)
    return Slot(f"F{number}", *at, name, PLATE, PLATE, "plate", caption=str(number))


@functools.lru_cache(maxsize=8192)
def _factory_slots(
    tiles: Tiles, place: int, counts: tuple[int, ...], at: Point, badge: Badge | None
) -> tuple[Slot, ...]:
    number = place + 1
    slots = []
    if badge is not None:
        x, y = at[0] - PLATE * 0.425, at[1] - PLATE * 0.425
        slots.append(Slot(f"F{number}.effect", x, y, badge.name, 0.92, 0.92, "badge", mark=badge.sign))
    lying = _lying(counts)
    spots, size = _huddle(len(lying))
    for colour in dict.fromkeys(lying):
        mine = tuple(spot for spot, tile in zip(spots, lying, strict=True) if tile == colour)
        slots.append(Slot(
            f"F{number}.{tiles.kinds[colour]}", *at, tiles.counted(colour, len(mine)), PLATE, PLATE, "area",
            spots=mine, size=size, key=f"{number}{tiles.letters[colour]}",
        ))
    return tuple(slots)


@functools.lru_cache(maxsize=8192)
def _factory_pieces(tiles: Tiles, place: int, counts: tuple[int, ...]) -> tuple[Piece, ...]:
    """Tiles lie a little askew, each in its own way and always the same."""
    kinds, names = tiles.kinds, tiles.names
    return tuple(
        Piece(kinds[colour], f"F{place + 1}.{kinds[colour]}", names[colour],
              turn=(place * 5 + colour * 3 + i * 4) % 7 - 3, spot=i)
        for colour in range(len(kinds)) for i in range(counts[colour])
    )


def _lying(counts: tuple[int, ...]) -> list[int]:
    return [colour for colour in range(len(counts)) for _ in range(counts[colour])]


def _huddle(tiles: int) -> tuple[list[Point], float]:
    """Places for so many tiles side by side on a plate, and their size."""
    columns = max(1, min(tiles, 2) if tiles <= 4 else math.ceil(math.sqrt(tiles)))
    rows = math.ceil(tiles / columns)
    size = min(1.0, 0.95 * PLATE / math.hypot(columns, rows))
    pitch = size * PITCH
    spots = [
        ((i % columns - (columns - 1) / 2) * pitch, (i // columns - (rows - 1) / 2) * pitch)
        for i in range(tiles)
    ]
    return spots, size


@functools.cache
def _centre_slots(tiles: Tiles, middle: float) -> tuple[Slot, ...]:
    slots = [Slot("C", middle, middle, msg("centre"), 3.5, 2.4, "area")]
    for colour, kind in enumerate(tiles.kinds):
        dx, dy = CENTRE_PLACES[colour]
        name = msg("{colour} in the centre", colour=tiles.names[colour])
        slots.append(
            Slot(f"C.{kind}", middle + dx, middle + dy, name, mark=kind, key=f"0{tiles.letters[colour]}")
        )
    dx, dy = CENTRE_PLACES[-1]
    slots.append(Slot("C.marker", middle + dx, middle + dy, MARKER_NAME, shape="circle", mark="marker"))
    return tuple(slots)


def _centre_pieces(offer: Offer) -> list[Piece]:
    tiles = offer.tiles
    pieces = [
        Piece(kind, f"C.{kind}", tiles.names[colour], count=int(offer.centre[colour]))
        for colour, kind in enumerate(tiles.kinds) if offer.centre[colour]
    ]
    return pieces + [Piece("marker", "C.marker", MARKER_NAME)] * offer.marker


def supply_panel(tiles: Tiles, title: Message, stores: Sequence[tuple[str, Message, Cells]]) -> Panel:
    """What the bag and the place for used tiles hold: public, because it can be counted."""
    return _supply(tiles, title, tuple((slot, name, tuple(held.tolist())) for slot, name, held in stores))


@functools.lru_cache(maxsize=512)
def _supply(
    tiles: Tiles, title: Message, stores: tuple[tuple[str, Message, tuple[int, ...]], ...]
) -> Panel:
    slots, pieces, labels = [], [], []
    for index, (slot, name, counts) in enumerate(stores):
        x = 0.2 + 6.4 * index
        spots = tuple((colour * 0.92 - 1.84, 0.0) for colour in range(len(tiles.kinds)))
        slots.append(Slot(slot, x + 3.8, 0.6, name, 4.6, 0.9, spots=spots))
        labels.append(Label(name, x, 0.6, 0.46, "start", "quiet"))
        pieces += [
            Piece(kind, slot, tiles.names[colour], count=counts[colour], spot=colour)
            for colour, kind in enumerate(tiles.kinds) if counts[colour]
        ]
    width = 6.4 * len(stores)
    return Panel("supply", title, width, 1.2, tuple(slots), tuple(pieces), tuple(labels))
