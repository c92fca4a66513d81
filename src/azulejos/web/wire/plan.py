"""The plan of a table for a page: places, kinds and labels by number, in one language.

It is the same in every game of a box with the same options and number of seats. There is a file for each
form; their numbers are the same, so frames do not depend on the form. The address of a file contains its
digest, so browsers cache it for ever. Lengths are in units of the picture: one tile is 100.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar
from urllib.parse import urlencode

import msgspec

from azulejos.core.contract import needed
from azulejos.core.message import Message
from azulejos.core.position import Position, new
from azulejos.core.scene import (
    FORMS, NAME_LABEL, USUAL, WIDE, Label, Lying as Pieces, Panel, Piece, Plan, Scene, Slot, Spot,
)
from azulejos.core.writing import header
from azulejos.i18n import translator
from azulejos.i18n.catalogue import Say
from azulejos.parts.shapes import number as written
from azulejos.render.svg import UNIT, baseline, caption_y, empty_wells, ground, is_raised
from azulejos.render.symbols import of_plan, symbol_of
from azulejos.render.themes import digest
from azulejos.web.wire.messages import LabelText, Lying, News, SlotChange


def sprite(plan: Plan) -> bytes:
    """Every piece, mark and material of a plan as one SVG file. A page embeds it and places its
    symbols with ``<use>`` (render/drawings.py)."""
    start = f'<svg xmlns="http://www.w3.org/2000/svg" class="sprite theme-{plan.theme}">'
    return f"{start}<defs>{of_plan(plan)}</defs></svg>".encode()


T = TypeVar("T", bound=Hashable)


class PlanPanel(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    title: str
    width: float
    height: float
    seat: int | None
    ground: str
    """Markup of what lies under the places."""
    turned: bool = False
    """Hexagons lie on a side."""


class PlanSlot(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    panel: int
    x: float
    y: float
    shape: str
    outline: int
    name: str
    key: str = ""
    mark: str | None = None
    """A symbol of the sprite."""
    caption: str | None = None
    caption_y: float = 12
    spots: int | None = None
    size: float = 1
    turn: int = 0
    counted: int | None = None
    optional: bool = False
    raised: bool = False
    """Drawn above the pieces."""


class PlanLabel(msgspec.Struct, frozen=True):
    panel: int
    x: float
    y: float
    size: float
    anchor: str
    style: str
    text: str


class PlanFile(msgspec.Struct, frozen=True, kw_only=True):
    """The file that a page reads once."""

    theme: str
    sprite: str
    """The address of the sprite, after that of the home page."""
    kinds: list[tuple[str, str]]
    """Every kind of piece and its name."""
    outlines: list[str]
    """Markup of empty places."""
    spots: list[list[list[float]]]
    """The positions within a place, relative to its centre: [dx, dy] or [dx, dy, size]."""
    counted: list[list[str]]
    """The name of a group that holds 1, 2, 3 … pieces."""
    panels: list[PlanPanel]
    slots: list[PlanSlot]
    labels: list[PlanLabel]


class Numbered(dict[T, int]):
    """Distinct values and their numbers, in order of first appearance."""

    def number(self, thing: T) -> int:
        return self.setdefault(thing, len(self))


@dataclass(frozen=True, slots=True)
class FormFile:
    """The file of one form."""

    digest: str
    address: str
    body: bytes


class Typed(NamedTuple):
    """A path of clicks: the numbers of its places, and what a person types for it by the plan."""

    numbers: tuple[int, ...]
    keys: str


MAX_PATHS = 20_000


@dataclass(frozen=True, eq=False, kw_only=True)
class PagePlan:
    """A plan as the pages in one language use it."""

    plan: Plan
    """The wide form."""
    say: Say
    digest: str
    """Of all forms together: a page with another one is outdated."""
    forms: Mapping[str, FormFile]
    boxes: Mapping[str, Mapping[str, str]]
    """The viewBox of every panel, by form: a page reserves its room before the plan arrives."""
    sprite: bytes
    slots: Mapping[str, int]
    """The number of every place."""
    ids: tuple[str, ...]
    """The place of every number."""
    kinds: Mapping[str, int]
    labels: Mapping[str, int]
    """The number of every label that can change."""
    styles: Mapping[str, str]
    """The usual styles of these labels."""

    typed: dict[tuple[str, ...], Typed] = field(default_factory=dict)
    """Paths that were offered before, at most MAX_PATHS."""

    def path(self, places: tuple[str, ...]) -> Typed:
        found = self.typed.get(places)
        if found is None:
            if len(self.typed) >= MAX_PATHS:
                self.typed.clear()
            numbers, keys = map(self.slots.__getitem__, places), map(self.plan.keys.__getitem__, places)
            found = self.typed[places] = Typed(tuple(numbers), "".join(keys))
        return found

    def change(self, now: Slot) -> SlotChange:
        """How a place differs from the plan."""
        planned = self.plan.slots[now.id]
        found: dict[str, str] = {}
        if now is not planned:
            if now.name is not planned.name and now.name != planned.name:
                found["name"] = self.say(now.name)
            if now.key != planned.key:
                found["key"] = now.key
            if now.mark is not None and now.mark != planned.mark:
                found["mark"] = symbol_of(now.shape, now.mark)
            if now.caption is not None and now.caption != planned.caption:
                found["caption"] = now.caption
        return SlotChange(**found)


def plan_of(position: Position, language: str) -> PagePlan:
    """The plan of a table in a language."""
    options = tuple(sorted(header(position)["options"].items()))
    return plan_for(position.preset.name, position.players, options, language)


@functools.lru_cache(maxsize=256)
def plan_for(box: str, players: int, options: tuple[tuple[str, str], ...], language: str) -> PagePlan:
    """The plan of a box in a language. Raises ValueError if the box or its options are wrong."""
    position = new(box, players=players, **dict(options))
    view = needed(position.game, position.game.view, "view.py")
    query = urlencode({"box": box, "players": players, **dict(options)})
    return _page_plan({form: view.plan(position, form) for form in FORMS}, language, query)


def _page_plan(plans: Mapping[str, Plan], language: str, query: str) -> PagePlan:
    say, plan = translator(language), plans[WIDE]
    drawn = sprite(plan)
    sprite_address = f"sprite/{digest(drawn)}?{query}"
    bodies = {form: msgspec.json.encode(_file(one, say, sprite_address)) for form, one in plans.items()}
    labels = [label for panel in plan.panels for label in panel.labels]
    return PagePlan(
        plan=plan, say=say, digest=digest(b"".join(bodies.values())), sprite=drawn,
        forms={form: _form_file(body, language, f"{query}&form={form}") for form, body in bodies.items()},
        boxes={form: {panel.id: _box(panel) for panel in one.panels} for form, one in plans.items()},
        ids=tuple(plan.slots),
        slots={slot: number for number, slot in enumerate(plan.slots)},
        kinds={kind: number for number, kind in enumerate(plan.kinds)},
        labels={label.id: number for number, label in enumerate(labels) if label.id},
        styles={label.id: label.style for label in labels if label.id},
    )


def _box(panel: Panel) -> str:
    return f"0 0 {written(panel.width * UNIT)} {written(panel.height * UNIT)}"


def _form_file(body: bytes, language: str, query: str) -> FormFile:
    found = digest(body)
    return FormFile(found, f"plan/{found}/{language}?{query}", body)


def _file(plan: Plan, say: Say, sprite_address: str) -> PlanFile:
    outlines: Numbered[str] = Numbered()
    spots: Numbered[tuple[Spot, ...]] = Numbered()
    counted: Numbered[tuple[Message, ...]] = Numbered()
    return PlanFile(
        theme=plan.theme, sprite=sprite_address,
        kinds=[(kind, say(name)) for kind, name in plan.kinds.items()],
        panels=[
            PlanPanel(panel.id, say(panel.title), _px(panel.width), _px(panel.height), panel.seat,
                      ground(panel, plan.theme), panel.turned)
            for panel in plan.panels
        ],
        slots=[
            PlanSlot(
                id=slot.id, panel=number, x=_px(slot.x), y=_px(slot.y), shape=slot.shape,
                name=say(slot.name), outline=outlines.number(empty_wells(slot, plan.theme)), key=slot.key,
                caption=slot.caption, caption_y=_rounded(caption_y(slot)), turn=slot.turn,
                size=_scale(slot.at(0)[2]),
                mark=None if slot.mark is None else symbol_of(slot.shape, slot.mark),
                spots=spots.number(slot.spots) if slot.spots else None,
                counted=counted.number(slot.counted) if slot.counted else None,
                optional=slot.optional, raised=is_raised(slot),
            )
            for number, panel in enumerate(plan.panels) for slot in panel.slots
        ],
        labels=[
            PlanLabel(number, _px(label.x), _rounded(baseline(label)), _px(label.size), label.anchor,
                      label.style, say(label.text))
            for number, panel in enumerate(plan.panels) for label in panel.labels
        ],
        outlines=list(outlines),
        spots=[[[_px(x), _px(y), *map(_scale, size)] for x, y, *size in table] for table in spots],
        counted=[list(map(say, names)) for names in counted],
    )


def _px(units: float) -> float:
    return _rounded(units * UNIT)


def _rounded(length: float) -> float:
    """Rounded as in the pictures that Python draws."""
    return float(written(length))


def _scale(size: float) -> float:
    return float(f"{size:.3g}")


# --- the differences between two scenes --------------------------------------------------------------


class Changes(NamedTuple):
    lies: dict[int, list[Lying]]
    places: dict[int, SlotChange | None]
    labels: dict[int, LabelText | None]


def changes(plan: PagePlan, before: Scene | None, after: Scene) -> Changes:
    """All changes for a page that shows the scene `before`, or nothing yet."""
    if before is after:
        return Changes({}, {}, {})
    return Changes(
        _lies(plan, before.lies if before else {}, after.lies),
        _places(plan, before.places if before else {}, after.places),
        _labels(plan, before, after),
    )


def news(plan: PagePlan, before: Scene | None, after: Scene) -> News:
    """What changes on a page that shows the scene `before`, or nothing yet."""
    found = changes(plan, before, after)
    return News(whole=before is None, lies=found.lies, places=found.places, labels=found.labels)


def _lies(
    plan: PagePlan, before: Mapping[str, Pieces], after: Mapping[str, Pieces]
) -> dict[int, list[Lying]]:
    found: dict[int, list[Lying]] = {}
    for slot, pieces in after.items():
        was = before.get(slot, ())
        if pieces is not was and pieces != was:
            found[plan.slots[slot]] = [lying(plan, piece) for piece in pieces]
    for slot, pieces in before.items():
        if pieces and slot not in after:
            found[plan.slots[slot]] = []
    return found


def lying(plan: PagePlan, piece: Piece) -> Lying:
    name = "" if piece.name is USUAL else plan.say(piece.name)
    return cut([plan.kinds[piece.kind], piece.spot, piece.count, piece.turn, name])


DEFAULTS: Lying = [-1, 0, 1, 0, ""]


def cut(lying: Lying) -> Lying:
    """Drop default values at the end."""
    length = len(lying)
    while lying[length - 1] == DEFAULTS[length - 1]:
        length -= 1
    return lying[:length]


def _places(
    plan: PagePlan, before: Mapping[str, Slot | None], after: Mapping[str, Slot | None]
) -> dict[int, SlotChange | None]:
    found: dict[int, SlotChange | None] = {}
    for place, slot in after.items():
        was = before.get(place, UNSAID)
        if was is not slot and was != slot:
            found[plan.slots[place]] = None if slot is None else plan.change(slot)
    for place in before.keys() - after.keys():
        found[plan.slots[place]] = None if plan.plan.slots[place].optional else SlotChange()
    return found


UNSAID = object()


def _labels(plan: PagePlan, before: Scene | None, after: Scene) -> dict[int, LabelText | None]:
    found: dict[int, LabelText | None] = {}
    for name, label in after.labels.items():
        was = before.labels.get(name) if before else None
        if label is not was and label != was:
            found[plan.labels[name]] = _label_text(plan, label)
    for name in (before.labels.keys() - after.labels.keys()) if before else ():
        found[plan.labels[name]] = None
    if before is None or before.names != after.names:
        for seat, name_of in enumerate(after.names):
            found[plan.labels[f"{NAME_LABEL}{seat + 1}"]] = LabelText(text=plan.say(name_of))
    return found


def _label_text(plan: PagePlan, label: Label) -> LabelText:
    text = plan.say(label.text)
    usual = label.style == plan.styles[label.id]
    return LabelText(text=text) if usual else LabelText(text=text, style=label.style)
