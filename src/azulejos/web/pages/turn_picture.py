"""The picture of a judged turn: what it had to choose from, with an arrow for each of two turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from azulejos.core.position import Position
from azulejos.core.scene import Point, Scene, scene_of
from azulejos.i18n.catalogue import Say
from azulejos.parts.paths import number
from azulejos.render.boards import UNIT
from azulejos.render.svg import Arrangement, arranged, scene_svg, side_by_side

BEND: Final = 0.14
"""How far an arrow leaves the straight line, as a part of its length."""


@dataclass(frozen=True, kw_only=True)
class Arrow:
    """A turn on the table; told apart by its form, not by its colour alone."""

    actions: tuple[int, ...]
    day: str
    evening: str
    dashes: str = ""
    bend: float = BEND


def played(actions: tuple[int, ...]) -> Arrow:
    return Arrow(actions=actions, day="#b3321f", evening="#ff9c86", dashes="30 26")


def better(actions: tuple[int, ...]) -> Arrow:
    return Arrow(actions=actions, day="#1d4c9b", evening="#8fb5f5", bend=-BEND)


def turn_picture(
    before: Position, names: Sequence[str], arrows: Sequence[Arrow], *, seat: int | None, say: Say,
    dark: bool,
) -> str:
    """The table before a turn, with arrows; with a seat, only its board and what it can choose from."""
    scene = scene_of(before, names) if seat is None else _concerned(before, names, seat)
    arrangement = arranged(scene.panels) if seat is None else side_by_side(scene.panels)
    drawn = "".join(_arrow(before, scene, names, arrow, arrangement, dark=dark) for arrow in arrows)
    return scene_svg(scene, say=say, dark=dark, text=before.text(), above=drawn, arrangement=arrangement)


def turn_picture_size(before: Position, names: Sequence[str], seat: int) -> tuple[int, int]:
    """Width and height of the picture of a turn of a seat, so that a page can keep its place free."""
    _, width, height = side_by_side(_concerned(before, names, seat).panels)
    return round(UNIT * width), round(UNIT * height)


def _concerned(before: Position, names: Sequence[str], seat: int) -> Scene:
    """Only the board of a seat, and the shared panels with a place that can be chosen."""
    scene = scene_of(before, names)
    chosen = {scene.plan.panel_of.get(place) for choice in scene.choices for place in choice.path}
    return replace(scene, shown=tuple(panel.id for panel in scene.panels
                                      if panel.seat == seat or (panel.seat is None and panel.id in chosen)))


def _arrow(
    before: Position, scene: Scene, names: Sequence[str], arrow: Arrow, arrangement: Arrangement, *,
    dark: bool,
) -> str:
    points = [point for place in _places(before, scene, names, arrow.actions)
              if (point := _point(scene, place, arrangement)) is not None]
    if not points:
        return ""
    paint, halo = (arrow.evening, "#14161f") if dark else (arrow.day, "#fffaf0")
    line = _curve(points[0], points[-1], arrow.bend)
    x, y = map(number, points[-1])
    stroke = f'fill="none" stroke-linecap="round" d="{line}"'
    return (
        f'<g class="turn-arrow"><path {stroke} stroke="{halo}" stroke-width="27" opacity=".9"/>'
        f'<path {stroke} stroke="{paint}" stroke-width="16" stroke-dasharray="{arrow.dashes}"/>'
        f'<circle cx="{x}" cy="{y}" r="25" fill="{paint}" stroke="{halo}" stroke-width="7"/></g>'
    )


def _places(
    before: Position, scene: Scene, names: Sequence[str], actions: tuple[int, ...]
) -> tuple[str, ...]:
    """The places to click for the first action, and for the next one if that is a single place."""
    path = scene.path(actions[0])
    if len(path) < 2 and len(actions) > 1:
        after = before.after(actions[:1])
        path += scene_of(after, names).path(actions[1])
    return path


def _point(scene: Scene, place: str, arrangement: Arrangement) -> Point | None:
    """The middle of a place, or of what lies in it, in the picture; None if its panel is not shown."""
    slot = scene.slot(place) or scene.plan.slots.get(place)
    at = next(((x, y, scale) for panel, x, y, scale in arrangement[0]
               if panel.id == scene.plan.panel_of.get(place)), None)
    if slot is None or at is None:
        return None
    lying = [slot.at(piece.spot) for piece in scene.lies.get(place, ())] or [(slot.x, slot.y, 1.0)]
    across, down = (sum(spot[axis] for spot in lying) / len(lying) for axis in (0, 1))
    left, top, scale = at
    return UNIT * (left + across * scale), UNIT * (top + down * scale)


def _curve(start: Point, end: Point, bend: float) -> str:
    (x, y), (to_x, to_y) = start, end
    middle_x, middle_y = (x + to_x) / 2 + bend * (to_y - y), (y + to_y) / 2 - bend * (to_x - x)
    return (f"M{number(x)} {number(y)}Q{number(middle_x)} {number(middle_y)}"
            f" {number(to_x)} {number(to_y)}")
