"""An empty palace board, in each form of the plan."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from azulejos.core.message import msg, raw, whole
from azulejos.core.scene import BROAD, PHONE, SMALL, WIDE, Label, Panel, Point, Slot
from azulejos.games.stained_glass.components import ORNAMENTS, STRIP_SPACES, WINDOW_POINTS, WINDOWS
from azulejos.parts.offer_scene import MARKER_NAME


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardForm:
    """Places in panes, from the top left corner of the board."""

    width: float
    height: float
    left: float
    """The middle of the first column."""
    column: float
    glazier: float
    back: float
    back_size: float
    strip: float
    """The middle of the first space of a strip."""
    strip_width: float
    """Of the area that takes clicks."""
    pitch: float
    window: float
    points: float
    points_size: float = 0.0
    broken: Point
    """The first step of the broken-glass track."""
    broken_across: int
    """How many steps side by side."""
    broken_room: Point
    """From the first step to the last one, at most."""
    broken_step: float
    broken_height: float
    hand: Point
    name: tuple[float, float, float] = (0.0, 0.0, 0.0)
    score: tuple[float, float, float] = (0.0, 0.0, 0.0)
    score_anchor: str = "end"
    loss_size: float = 0.0


BOARDS: Final = {
    WIDE: BoardForm(
        width=19.6, height=11.1, left=1.3, column=1.66, glazier=1.75, back=2.6, back_size=0.3, strip=3.3,
        strip_width=1.3, pitch=1.0, window=8.75, points=10.6, points_size=0.5, broken=(15.4, 4.0),
        broken_across=3, broken_room=(2.8, 5.6), broken_step=1.4, broken_height=1.2, hand=(15.4, 2.2),
        name=(0.6, 0.8, 0.62), score=(18.9, 0.87, 1.0), loss_size=0.44,
    ),
    PHONE: BoardForm(
        width=10.92, height=10.5, left=0.75, column=1.346, glazier=1.55, back=2.3, back_size=0.28,
        strip=3.1, strip_width=1.34, pitch=1.0, window=8.42, points=10.16, points_size=0.46,
        broken=(3.0, 0.62), broken_across=99, broken_room=(7.4, 0.0), broken_step=0.93, broken_height=1.24,
        hand=(2.15, 0.62), score=(0.85, 0.5, 0.78), score_anchor="middle", loss_size=0.38,
    ),
    SMALL: BoardForm(
        width=10.2, height=9.8, left=0.75, column=1.243, glazier=0.5, back=1.2, back_size=0.24, strip=1.95,
        strip_width=1.2, pitch=1.0, window=7.25, points=0.0, broken=(0.75, 9.25), broken_across=99,
        broken_room=(7.2, 0.0), broken_step=0.9, broken_height=0.9, hand=(9.4, 9.25),
    ),
    BROAD: BoardForm(
        width=26.6, height=9.5, left=1.1, column=2.0, glazier=0.6, back=1.4, back_size=0.27, strip=2.2,
        strip_width=1.5, pitch=1.0, window=7.35, points=9.1, points_size=0.5, broken=(18.8, 6.2),
        broken_across=5, broken_room=(6.6, 2.6), broken_step=1.65, broken_height=1.3, hand=(17.0, 7.85),
        loss_size=0.5,
    ),
}


def board(seat: int, *, side_b: bool, losses: tuple[int, ...], form: str) -> Panel:
    """An empty board."""
    at = BOARDS[form]
    slots = [slot for window in range(WINDOWS) for slot in _column_slots(seat, window, at)]
    if not side_b:
        slots += [ornament(seat, number, 0, form) for number in range(len(ORNAMENTS))]
    hand = Slot(f"seat{seat + 1}.hand", *at.hand, MARKER_NAME, 0.9, 0.9, "area", optional=True)
    slots += [_broken(seat, len(losses), at), hand]
    points = (
        Label(raw(str(WINDOW_POINTS[window])), _x(window, at), at.points, at.points_size, style="strong")
        for window in range(WINDOWS)
    )
    name = Label(raw(""), *at.name, "start", "strong called", id=f"name{seat + 1}")
    labels = (name, score(0, seat, form), *points, *_loss_labels(losses, at))
    return Panel(f"seat{seat + 1}", raw(""), at.width, at.height, tuple(slots), (), labels, seat)


@functools.lru_cache(maxsize=1024)
def score(points: int, seat: int, form: str = WIDE) -> Label:
    at = BOARDS[form]
    return Label(raw(whole(points)), *at.score, at.score_anchor, "score", id=f"score{seat + 1}")


def _x(window: int, at: BoardForm) -> float:
    return at.left + window * at.column


def _column_slots(seat: int, window: int, at: BoardForm) -> Iterator[Slot]:
    """The glazier's place, the strip with its spaces, its other side, the window."""
    mine, n, x = f"seat{seat + 1}", window + 1, _x(window, at)
    yield Slot(f"{mine}.glazier{n}", x, at.glazier, msg("glazier's place above window {n}", n=n), 0.9, 0.9,
               "circle", reach=1.4)
    middle = at.strip + (STRIP_SPACES - 1) * at.pitch / 2
    yield Slot(f"{mine}.strip{n}", x, middle, msg("strip {n}", n=n), at.strip_width,
               STRIP_SPACES * at.pitch, "area", key=str(n), optional=True)
    for place in range(STRIP_SPACES):
        yield Slot(f"{mine}.strip{n}.{place + 1}", x, at.strip + place * at.pitch, msg("strip {n}", n=n),
                   optional=True)
    yield Slot(f"{mine}.back{n}", x, at.back, msg("other side of strip {n}", n=n), 3 * at.back_size,
               2 * at.back_size, spots=_back_spots(at.back_size), size=at.back_size, optional=True)
    yield Slot(f"{mine}.window{n}.upper", x, at.window, msg("upper pane of window {n}", n=n))
    yield Slot(f"{mine}.window{n}.lower", x, at.window + at.pitch, msg("lower pane of window {n}", n=n))


@functools.cache
def _back_spots(size: float) -> tuple[Point, ...]:
    """Three spaces above two."""
    return tuple((x * size, y * size) for y, row in ((-0.5, 3), (0.5, 2))
                 for x in (i - (row - 1) / 2 for i in range(row)))


@functools.cache
def ornament(seat: int, number: int, points: int, form: str = WIDE) -> Slot:
    """Side A: between two windows, with the points it is worth now."""
    at, (left, right) = BOARDS[form], ORNAMENTS[number]
    return Slot(
        f"seat{seat + 1}.ornament{number + 1}", (_x(left, at) + _x(right, at)) / 2,
        at.window + at.pitch / 2,
        msg("ornament {n}", n=number + 1), 0.62, 0.62, "badge", caption=str(points),
    )


# --- the broken-glass track --------------------------------------------------------------------------


@functools.cache
def _track(steps: int, at: BoardForm) -> tuple[Point, ...]:
    """The steps, row by row; a long track is drawn in the same room."""
    across = min(at.broken_across, steps)
    rows = math.ceil(steps / across)
    right = min(at.broken_step, at.broken_room[0] / max(1, across - 1))
    down = min(at.broken_step, at.broken_room[1] / max(1, rows - 1))
    x, y = at.broken
    return tuple((x + step % across * right, y + step // across * down) for step in range(steps))


def _broken(seat: int, steps: int, at: BoardForm) -> Slot:
    track = _track(steps, at)
    (left, top), (right, bottom) = track[0], (max(x for x, _ in track), track[-1][1])
    x, y = (left + right) / 2, (top + bottom) / 2
    return Slot(
        f"seat{seat + 1}.broken", x, y, msg("broken-glass track"), right - left + 1.0,
        bottom - top + at.broken_height, "circle", spots=tuple((dx - x, dy - y) for dx, dy in track),
        size=min(0.95, at.broken_step * 0.9), key="x",
    )


def _loss_labels(losses: tuple[int, ...], at: BoardForm) -> list[Label]:
    return [
        Label(raw(f"−{loss}" if loss else "0"), x, y, at.loss_size, style="caption")
        for loss, (x, y) in zip(losses, _track(len(losses), at), strict=True)
    ]
