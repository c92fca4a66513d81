"""What a move carried from where to where, drawn above a panel of the table after it."""

from __future__ import annotations

import math
from typing import Final

from azulejos.core.scene import Flight, Panel, Point, Scene, flights
from azulejos.parts.paths import number
from azulejos.render.svg import UNIT

RING: Final = 54
HEAD: Final = 34


def arrows(panel: Panel, before: Scene, after: Scene) -> str:
    """An arrow for what moved within the panel, a ring for what left it or came from another one."""
    return "".join(_drawn(panel, before, after, flight) for flight in flights(before, after))


def _drawn(panel: Panel, before: Scene, after: Scene, flight: Flight) -> str:
    where = after.plan.panel_of
    source = _middle(before, flight.kind, flight.source)
    target = _middle(after, flight.kind, flight.target)
    leaves, arrives = where[flight.source] == panel.id, where[flight.target] == panel.id
    if leaves and arrives:
        return _arrow(source, target)
    return _ring(source, "left") if leaves else _ring(target, "come") if arrives else ""


def _middle(scene: Scene, kind: str, slot: str) -> Point:
    """Between the pieces of a kind in a slot."""
    place = scene.slot(slot) or scene.plan.slots[slot]
    found = [place.at(piece.spot) for piece in scene.lies.get(slot, ()) if piece.kind == kind]
    return (
        sum(x for x, _, _ in found) / len(found) * UNIT,
        sum(y for _, y, _ in found) / len(found) * UNIT,
    )


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
