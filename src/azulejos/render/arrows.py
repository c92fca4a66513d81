"""Arrows for the pieces that a move carried, drawn on a panel of the table after the move."""

from __future__ import annotations

import math
from typing import Final

from azulejos.core.scene import Flight, Panel, Point, Scene, flights
from azulejos.parts.shapes import number
from azulejos.render.boards import UNIT

RING: Final = 54
HEAD: Final = 34


def arrows(panel: Panel, before: Scene, after: Scene) -> str:
    """An arrow for pieces that moved within the panel, a ring for those that left or entered it."""
    return "".join(_drawn(panel, before, after, flight) for flight in flights(before, after))


def _drawn(panel: Panel, before: Scene, after: Scene, flight: Flight) -> str:
    where = after.plan.panel_of
    left = _places(before, after, flight.kind, flight.source)
    come = _places(after, before, flight.kind, flight.target)
    leaves, arrives = where[flight.source] == panel.id, where[flight.target] == panel.id
    if leaves and arrives:
        return _arrow(_middle(left), _middle(come))
    rings = [_ring(at, "left") for at in left if leaves] + [_ring(at, "come") for at in come if arrives]
    return "".join(rings)


def _places(scene: Scene, other: Scene, kind: str, slot: str) -> list[Point]:
    """Positions of the pieces of a kind in a slot, except those that are there in the other scene too."""
    lying, others = (
        {piece.spot for piece in each.lies.get(slot, ()) if piece.kind == kind} for each in (scene, other)
    )
    place = scene.slot(slot) or scene.plan.slots[slot]
    return [(x * UNIT, y * UNIT) for x, y, _ in map(place.at, sorted(lying - others or lying))]


def _middle(places: list[Point]) -> Point:
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def _ring(at: Point, style: str) -> str:
    return f'<circle class="moved {style}" cx="{number(at[0])}" cy="{number(at[1])}" r="{RING}"/>'


def _arrow(source: Point, target: Point) -> str:
    (x, y), (to_x, to_y) = source, target
    length = math.hypot(to_x - x, to_y - y) or 1.0
    dx, dy = (to_x - x) / length * HEAD, (to_y - y) / length * HEAD
    foot_x, foot_y = to_x - dx, to_y - dy
    head = (
        f"M{number(to_x)} {number(to_y)}L{number(foot_x - dy * 0.6)} {number(foot_y + dx * 0.6)}"
        f"L{number(foot_x + dy * 0.6)} {number(foot_y - dx * 0.6)}Z"
    )
    shaft = f"M{number(x)} {number(y)}L{number(foot_x)} {number(foot_y)}"
    return f'<path class="moved" d="{shaft}"/><path class="moved-head" d="{head}"/>'
