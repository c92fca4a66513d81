"""An empty board of Azul, in each form of the plan.

Lines fill from the right, so that the tile that moves to the wall is next to it. On a phone the tiles of a
line overlap: they have one colour, and the wall gets the room.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final

from azulejos.core.message import msg, raw
from azulejos.core.scene import PHONE, SMALL, WIDE, Label, Panel, Point, Slot
from azulejos.games.azul.layout import FLOOR_PENALTY, FLOOR_SPACES, LINES, WALL_COLUMN
from azulejos.games.azul.log_entry import KINDS
from azulejos.parts.offer_scene import MARKER_NAME


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardForm:
    """Places in tiles, from the top left corner of the board."""

    width: float
    height: float
    top: float
    """The middle of the first row."""
    pitch: float
    """From row to row, and from column to column of the wall."""
    line_right: float
    """The middle of the tile that is next to the wall."""
    line_step: float
    wall: float
    floor: Point
    floor_step: float
    floor_size: float
    zero: Point
    hand: Point
    name: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Place and size; size 0: not shown."""
    score: tuple[float, float, float] = (0.0, 0.0, 0.0)
    score_anchor: str = "end"
    penalties: float = 0.0
    """The size of the numbers in the spaces of the floor line."""


BOARDS: Final = {
    WIDE: BoardForm(
        width=12.14, height=8.14, top=1.82, pitch=1.069, line_right=5.24, line_step=1.069, wall=6.79,
        floor=(0.97, 7.3), floor_step=1.036, floor_size=0.94, zero=(8.75, 7.3), hand=(10.0, 7.3),
        name=(0.5, 0.8, 0.5), score=(11.6, 0.85, 0.78), penalties=0.3,
    ),
    PHONE: BoardForm(
        width=8.49, height=6.68, top=0.67, pitch=1.073, line_right=2.207, line_step=0.366,
        wall=3.476, floor=(0.8, 6.06), floor_step=1.141, floor_size=1.0, zero=(0.66, 1.75),
        hand=(0.52, 2.8), score=(0.72, 0.76, 0.8), score_anchor="middle", penalties=0.32,
    ),
    SMALL: BoardForm(
        width=11.14, height=6.85, top=0.65, pitch=1.06, line_right=4.89, line_step=1.06, wall=6.25,
        floor=(0.65, 6.2), floor_step=1.06, floor_size=1.0, zero=(8.5, 6.2), hand=(9.8, 6.2),
    ),
}


def board(seat: int, *, grey: bool, form: str) -> Panel:
    """An empty board."""
    at = BOARDS[form]
    rows = [
        slot for row in range(LINES) for slot in (_line(seat, row, at), *_wall_row(seat, row, grey, at))
    ]
    name = Label(raw(""), *at.name, "start", "strong", id=f"name{seat + 1}")
    labels = (name, score(0, seat, form), *_penalties(at))
    slots = (*rows, _floor(seat, at), *_beside(seat, at))
    return Panel(f"seat{seat + 1}", raw(""), at.width, at.height, slots, (), labels, seat)


@functools.lru_cache(maxsize=1024)
def score(points: int, seat: int, form: str = WIDE) -> Label:
    at = BOARDS[form]
    return Label(raw(str(points)), *at.score, at.score_anchor, "score", id=f"score{seat + 1}")


def _beside(seat: int, at: BoardForm) -> tuple[Slot, Slot]:
    """Slots for a taken ZERO disc and for a marker that found the floor line full."""
    name = msg("ZERO disc: the next piece that falls costs nothing")
    zero = Slot(f"seat{seat + 1}.zero", *at.zero, name, 1.0, 1.0, "badge", mark="zero", size=0.9,
                optional=True)
    hand = Slot(f"seat{seat + 1}.hand", *at.hand, MARKER_NAME, 0.9, 0.9, "area", optional=True)
    return zero, hand


def _line(seat: int, line: int, at: BoardForm) -> Slot:
    right = at.line_right + at.pitch / 2
    left = at.line_right - line * at.line_step - at.pitch / 2
    middle = (left + right) / 2
    return Slot(
        f"seat{seat + 1}.line{line + 1}", middle, at.top + line * at.pitch, msg("line {n}", n=line + 1),
        right - left, at.pitch,
        spots=tuple((at.line_right - i * at.line_step - middle, 0.0) for i in range(line + 1)), size=1.0,
        key=str(line + 1),
    )


def _wall_row(seat: int, row: int, grey: bool, at: BoardForm) -> list[Slot]:
    return [
        Slot(
            f"seat{seat + 1}.wall{row + 1}-{column + 1}",
            at.wall + column * at.pitch, at.top + row * at.pitch,
            msg("wall, row {row}, column {column}", row=row + 1, column=column + 1),
            mark=None if grey else KINDS[WALL_COLUMN[row].index(column)],
            key=f"c{column + 1}" if grey else "",
        )
        for column in range(LINES)
    ]


def _floor(seat: int, at: BoardForm) -> Slot:
    half = (FLOOR_SPACES - 1) / 2
    return Slot(
        f"seat{seat + 1}.floor", at.floor[0] + half * at.floor_step, at.floor[1], msg("floor line"),
        FLOOR_SPACES * at.floor_step, at.pitch, size=at.floor_size,
        spots=tuple(((space - half) * at.floor_step, 0.0) for space in range(FLOOR_SPACES)), key="f",
    )


def _penalties(at: BoardForm) -> list[Label]:
    x, y = at.floor
    return [
        Label(raw(f"−{FLOOR_PENALTY[space + 1] - FLOOR_PENALTY[space]}"), x + space * at.floor_step, y,
              at.penalties, style="caption")
        for space in range(FLOOR_SPACES)
    ]
