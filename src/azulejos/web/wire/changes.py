"""The differences between two scenes of a table, by the numbers of the plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from azulejos.core.scene import NAME_LABEL, USUAL, Label, Piece, Scene, Slot
from azulejos.core.scene import Lying as Pieces
from azulejos.web.wire.messages import LabelText, Lying, SlotChange
from azulejos.web.wire.plan import PagePlan


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
            found[plan.labels[name]] = _words(plan, label)
    for name in (before.labels.keys() - after.labels.keys()) if before else ():
        found[plan.labels[name]] = None
    if before is None or before.names != after.names:
        for seat, name_of in enumerate(after.names):
            found[plan.labels[f"{NAME_LABEL}{seat + 1}"]] = LabelText(text=plan.say(name_of))
    return found


def _words(plan: PagePlan, label: Label) -> LabelText:
    text = plan.say(label.text)
    usual = label.style == plan.styles[label.id]
    return LabelText(text=text) if usual else LabelText(text=text, style=label.style)
