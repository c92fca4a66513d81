"""Pieces, empty places and signs of a theme as symbols that pictures place with ``<use>``.

They are one tile wide and centred on 0, 0. CSS selectors match only the content of the symbol; variables
are inherited from the place of use.

    piece-KIND        a piece                 mark-SHAPE-KIND   the mark of an empty place
    place-SHAPE       the material of a place mark-badge-KIND   the emblem of a badge
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from html import escape
from typing import Final, TypeVar

from azulejos.core.scene import Panel, Plan, Slot
from azulejos.parts.shapes import BRASS_DISC, coloured, painted, plate, polygon, rounded
from azulejos.render.themes import paints, themes

BADGE: Final = "badge"
PLATE: Final = "plate"
DIAL: Final = "dial"
FRAME: Final = "frame"
"""What a game draws around every place that waits for a kind."""
MARK_SCALE: Final = 0.84
SIGN_SCALE: Final = 0.72
HEXAGON: Final = polygon(6, 47 / 0.75**0.5)
FORMS: Final = {"hex": HEXAGON, "cell": HEXAGON, "circle": "M-47 0a47 47 0 1 0 94 0a47 47 0 1 0-94 0Z"}
SQUARE: Final = rounded(47, -47, 47, 10)

T = TypeVar("T")
USUAL: Final[dict[str, Callable[[str], str]]] = {PLATE: plate, BADGE: lambda theme: BRASS_DISC}
"""The material of places whose game brings none."""
Mark = tuple[str, str]
"""A shape of a place and the kind that belongs there."""


def symbol_of(shape: str, kind: str) -> str:
    """What a place of a shape shows while it is empty."""
    return f"mark-{shape}-{kind}"


def surface(shape: str, theme: str) -> str:
    """The material of a place; empty if it is nothing but a recess."""
    own = themes()[theme].shapes.surface(shape, theme)
    return own or (USUAL[shape](theme) if shape in USUAL else "")


def empty_sign(shape: str, kind: str, theme: str) -> str:
    """What an empty place shows: its colour and mark, or the emblem of a badge."""
    look = themes()[theme]
    if shape == BADGE:
        return f'<g transform="scale({SIGN_SCALE})">{look.shapes.sign(kind)}</g>'
    if shape in (PLATE, DIAL):
        return look.shapes.surface(kind, theme)
    form = FORMS.get(shape, SQUARE)
    tint = f'<path class="tint" stroke="url(#l-lip)" d="{form}"/><path fill="url(#l-inset)" d="{form}"/>'
    mark = painted("mark", look.shapes.mark(kind, theme), f"scale({MARK_SCALE})")
    mark += look.shapes.surface(FRAME, theme)
    return coloured(kind.partition(".")[0], tint + mark)


@functools.cache
def symbols(theme: str, kinds: tuple[str, ...], marks: tuple[Mark, ...], shapes: tuple[str, ...]) -> str:
    """Gradients and symbols for a picture, to be put into ``<defs>``."""
    look = themes()[theme]
    drawn = [(f"piece-{kind}", look.shapes.piece(kind, theme)) for kind in kinds]
    drawn += [(symbol_of(*mark), empty_sign(*mark, theme)) for mark in marks]
    drawn += [(f"place-{shape}", found) for shape in shapes if (found := surface(shape, theme))]
    return paints(theme, *(() if shapes else kinds)) + "".join(
        f'<symbol id="{escape(name)}" overflow="visible"><g'
        f' class="symbol">{shape}</g></symbol>' for name, shape in drawn
    )


def of_plan(plan: Plan) -> str:
    """Everything that a table can ever show."""
    marks = (*plan.marks, *_marks(plan.slots.values()))
    return symbols(plan.theme, tuple(plan.kinds), _once(marks), _once(s.shape for s in plan.slots.values()))


def of_panels(panels: Iterable[Panel], theme: str) -> str:
    """What some panels show now."""
    panels = tuple(panels)
    slots = [slot for panel in panels for slot in panel.slots]
    kinds = _once(piece.kind for panel in panels for piece in panel.pieces)
    return symbols(theme, kinds, _once(_marks(slots)), _once(slot.shape for slot in slots))


def _marks(slots: Iterable[Slot]) -> list[Mark]:
    return [(slot.shape, slot.mark) for slot in slots if slot.mark is not None]


def _once(things: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(things))
