"""What lies on the table, as data: a game's ``view.py`` makes it, ``render/`` draws it, the web moves it.

A scene is a few panels (the offer, a board per seat, tracks). Each panel has its own plane in board units
(one tile is 1 x 1), so that a page can arrange panels to its width. Slots have ids that are stable from
state to state and unique in the scene; pieces lie in slots; `choices` say which clicks mean which action.
Nothing here knows a game, and no sentence is built here: texts are messages.
"""

from __future__ import annotations

from dataclasses import dataclass

from azulejos.core.message import Message

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where pieces can lie or that can be clicked.

    `shape` is "square", "circle", "hex" (point up, one unit from side to side), "pill", "plate" (a round
    disc that carries other slots), "badge" (a small raised disc with its mark) or "area" (invisible,
    groups others); `x, y` is its middle.
    `mark` is the kind of piece that belongs here, drawn as a thin mark in the empty well.
    Ids are dotted: a click that goes on no path counts for the slot around it ("F2" around "F2.red").
    """

    id: str
    x: float
    y: float
    name: Message
    width: float = 1.0
    height: float = 1.0
    shape: str = "square"
    mark: str | None = None
    caption: str | None = None
    """A short text drawn in the well: a penalty, a number."""
    spots: tuple[Point, ...] = ()
    """The middles of several places in one slot, seen from the slot's own; each gets a well."""
    size: float = 1.0
    """How large each of the spots is."""
    key: str = ""
    """What a person types for it; the keys along a path make the move's text."""
    turn: int = 0
    """Rotation of the well in degrees."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece in a slot. `kind` is what a theme draws: "blue", "marker", "glazier", "yellow.bird"."""

    kind: str
    slot: str
    name: Message
    count: int = 1
    """More than 1: a stack, drawn once with its number."""
    turn: int = 0
    """Rotation in degrees."""
    spot: int = 0
    """Which of the slot's spots it lies on."""


@dataclass(frozen=True, slots=True)
class Label:
    """Words or a number on a panel. `size` is the height in board units."""

    text: Message
    x: float
    y: float
    size: float = 0.5
    anchor: str = "middle"
    style: str = "plain"
    """plain, strong, quiet or score."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A piece of the table with its own plane. `seat` is set for a player's own board."""

    id: str
    title: Message
    width: float
    height: float
    slots: tuple[Slot, ...]
    pieces: tuple[Piece, ...]
    labels: tuple[Label, ...] = ()
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal action: the slots to click, in order, and what it would do.

    Choices that share the beginning of a path are told apart by the next click.
    """

    action: int
    path: tuple[str, ...]
    effect: Message
    """For example "2 of 3 fit, 1 falls (-1)"."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A complete position as a person sees it."""

    panels: tuple[Panel, ...]
    choices: tuple[Choice, ...]
    theme: str
    status: Message
    """What is going on, in one sentence."""

    def panel(self, id: str) -> Panel:  # noqa: A002 - the field's name
        return next(panel for panel in self.panels if panel.id == id)

    def slots(self) -> dict[str, Slot]:
        return {slot.id: slot for panel in self.panels for slot in panel.slots}


@dataclass(frozen=True, slots=True)
class Flight:
    """Pieces of one kind that left one slot and arrived in another."""

    kind: str
    source: str
    target: str
    count: int


def flights(before: Scene, after: Scene) -> list[Flight]:
    """What moved between two scenes, matched by kind in the order of the slots."""
    gone = _difference(before, after)
    come = _difference(after, before)
    moved = []
    for kind, targets in come.items():
        sources = gone.get(kind, [])
        while targets and sources:
            (source, leaving), (target, arriving) = sources[0], targets[0]
            count = min(leaving, arriving)
            moved.append(Flight(kind, source, target, count))
            sources[0] = (source, leaving - count)
            targets[0] = (target, arriving - count)
            sources[:] = [entry for entry in sources if entry[1]]
            targets[:] = [entry for entry in targets if entry[1]]
    return moved


def _difference(one: Scene, other: Scene) -> dict[str, list[tuple[str, int]]]:
    """What lies in each slot of one scene beyond what lies there in the other, by kind."""
    there: dict[tuple[str, str], int] = {}
    for panel in other.panels:
        for piece in panel.pieces:
            there[piece.slot, piece.kind] = there.get((piece.slot, piece.kind), 0) + piece.count
    more: dict[str, list[tuple[str, int]]] = {}
    for panel in one.panels:
        for piece in panel.pieces:
            known = there.get((piece.slot, piece.kind), 0)
            there[piece.slot, piece.kind] = max(0, known - piece.count)
            if piece.count > known:
                more.setdefault(piece.kind, []).append((piece.slot, piece.count - known))
    return more
