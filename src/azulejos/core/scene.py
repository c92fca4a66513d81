"""What lies on the table, as data: a game's ``view.py`` makes it, ``render/`` draws it, the web moves it.

A scene is a few panels (the offer, a board per seat, tracks). Each panel has its own plane in board units
(one tile is 1 x 1), so that a page can arrange panels to its width. Slots have ids that are stable from
state to state and unique in the scene; pieces lie in slots; `choices` say which clicks mean which action.
Nothing here knows a game, and no sentence is built here: texts are messages.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from azulejos.core.message import Message
from azulejos.core.part import needed

if TYPE_CHECKING:
    from azulejos.core.position import Position

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where pieces can lie or that can be clicked.

    `shape` is "square", "circle", "hex" (point up, one unit from side to side), "pill", "plate" (a round
    disc that carries other slots), "card" (the same with corners), "flower" (the same of seven hexagons),
    "bed" (a well of that form), "badge" (a small raised disc with a sign; one with a caption lies above all
    pieces) or "area" (invisible, groups others); `x, y` is its middle. Slots are drawn in their order.
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
    size: float = 0.0
    """How large a piece lies here, and the well of each spot; 0: as large as the slot is narrow."""
    key: str = ""
    """What a person types for it, as in the notation: "2r", "4"."""
    turn: int = 0
    """Rotation of the well in degrees."""

    def __hash__(self) -> int:
        """Of the id alone: drawings are kept by slot and looked up a hundred times a move."""
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece in a slot. `kind` is what a theme draws: "blue", "marker", "glazier", "yellow.bird".

    "expansion.yellow.bird" is an expansion that shows this hexagon, "expansion" one that lies face down.
    """

    kind: str
    slot: str
    name: Message
    count: int = 1
    """More than 1: a stack, drawn once with its number."""
    turn: int = 0
    """Rotation in degrees."""
    spot: int = 0
    """Which of the slot's spots it lies on."""

    def __hash__(self) -> int:
        return hash((self.kind, self.slot, self.spot))


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
    active: bool = False
    """Whether this board's player is to move."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal action and the slots to click, in order; `Position.preview` says what it would do.

    Choices that share the beginning of a path are told apart by the next click.
    """

    action: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """Pieces that a person may mark in any order, where the rules would ask for them one by one.

    `slots` names a place as often as pieces of it can be marked; `marked` is what the table proposes.
    The game's view has ``judge(position, marked)``, which tells what some of them mean together.
    """

    slots: tuple[str, ...]
    marked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What marked pieces mean: in words, what is wrong with them, and once they suffice the actions."""

    text: Message
    problem: Message | None = None
    actions: tuple[int, ...] = ()


@dataclass(frozen=True)
class Scene:
    """A complete position as a person sees it."""

    panels: tuple[Panel, ...]
    choices: tuple[Choice, ...]
    theme: str
    status: Message
    """What is going on, in one sentence."""
    prompt: Message | None = None
    """What the player to move is asked to do, in words to them: "Pick tiles and a line for them."."""
    notice: Message | None = None
    """Something that everybody should know: "Last round: Ana completes a row."."""
    selection: Selection | None = None
    pale: tuple[tuple[str, int], ...] = ()
    """Slots whose pieces are of no use to the player to move, each with an action that tells why not."""

    def panel(self, id: str) -> Panel:  # noqa: A002 - the field's name
        return next(panel for panel in self.panels if panel.id == id)

    def slots(self) -> dict[str, Slot]:
        return self._slots

    def pieces_in(self, slot: str) -> list[Piece]:
        return self._pieces.get(slot, [])

    @functools.cached_property
    def _slots(self) -> dict[str, Slot]:
        return {slot.id: slot for panel in self.panels for slot in panel.slots}

    @functools.cached_property
    def _pieces(self) -> dict[str, list[Piece]]:
        found: dict[str, list[Piece]] = {}
        for panel in self.panels:
            for piece in panel.pieces:
                found.setdefault(piece.slot, []).append(piece)
        return found

    @functools.cached_property
    def lying(self) -> dict[tuple[str, str], int]:
        """How many pieces of each kind lie in each slot, by kind and slot."""
        counts: dict[tuple[str, str], int] = {}
        for slot, pieces in self._pieces.items():
            for piece in pieces:
                counts[piece.kind, slot] = counts.get((piece.kind, slot), 0) + piece.count
        return counts

    @functools.cached_property
    def places(self) -> dict[str, tuple[str, Slot]]:
        """Every slot with the id of its panel."""
        return {slot.id: (panel.id, slot) for panel in self.panels for slot in panel.slots}


def scene_of(position: Position, names: Sequence[str]) -> Scene:
    """A position as its game's view.py shows it."""
    return needed(position.game, position.game.view, "view.py").scene(position, names)


def renamed(scene: Scene, names: Mapping[str, Message]) -> Scene:
    """The same table with other words for its pieces (`Preset.names`)."""

    def panel(old: Panel) -> Panel:
        return replace(
            old,
            slots=tuple(replace(slot, name=slot.name.renamed(names)) for slot in old.slots),
            pieces=tuple(replace(piece, name=piece.name.renamed(names)) for piece in old.pieces),
            labels=tuple(replace(label, text=label.text.renamed(names)) for label in old.labels),
        )

    if not names:
        return scene
    return replace(
        scene,
        panels=tuple(panel(old) for old in scene.panels),
        status=scene.status.renamed(names),
        prompt=scene.prompt.renamed(names) if scene.prompt is not None else None,
    )


@dataclass(frozen=True, slots=True)
class Flight:
    """Pieces of one kind that left one slot and arrived in another."""

    kind: str
    source: str
    target: str
    count: int


def flights(before: Scene, after: Scene) -> list[Flight]:
    """What moved between two scenes: kind by kind, what left joins what arrived, the nearest first."""
    was, now = before.lying, after.lying
    gone = {key: count - now.get(key, 0) for key, count in was.items() if count > now.get(key, 0)}
    come = {key: count - was.get(key, 0) for key, count in now.items() if count > was.get(key, 0)}
    moved = []
    for kind in dict.fromkeys(kind for kind, _ in gone):
        pairs = [(s, t) for s in gone if s[0] == kind for t in come if t[0] == kind]
        if len(pairs) > 1:
            pairs.sort(key=lambda pair: _apart(before.places[pair[0][1]], after.places[pair[1][1]]))
        for source, target in pairs:
            count = min(gone[source], come[target])
            gone[source] -= count
            come[target] -= count
            if count:
                moved.append(Flight(kind, source[1], target[1], count))
    return moved


def _apart(one: tuple[str, Slot], other: tuple[str, Slot]) -> float:
    """The distance within a panel; other panels are farther than anything."""
    if one[0] != other[0]:
        return math.inf
    return math.hypot(one[1].x - other[1].x, one[1].y - other[1].y)
