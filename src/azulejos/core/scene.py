"""What lies on the table, as data: a game's ``view.py`` makes it, ``render/`` and the browser draw it.

A plan is what is the same in every game of a box with a given number of seats: a few panels (the offer, a
board per seat, tracks) with every slot that can ever exist. Each panel has its own plane in board units
(one tile is 1 x 1), so that a page can arrange panels to its width. A scene is a plan and what a position
adds to it: pieces in slots, slots and labels that differ now, and `choices`, which say what clicks mean
which action. This module knows no particular game and builds no sentences: texts are messages.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from azulejos.core.contract import needed
from azulejos.core.message import Message, raw
from azulejos.core.position import Position, Scored, before_round_end, play_forced

if TYPE_CHECKING:
    from azulejos.core.position import Position


Point = tuple[float, float]
Spot = tuple[float, float] | tuple[float, float, float]
"""The middle of a place within a slot, and the size of a piece there if it differs from the slot's."""

GROUP: Final = "group"
WIDE: Final = "wide"
PHONE: Final = "phone"
SMALL: Final = "small"
BROAD: Final = "broad"
FORMS: Final = (WIDE, PHONE, SMALL, BROAD)
"""The forms of a plan: the same panels, slots and labels in the same order, but other sizes and places.

A page chooses a form for each panel: wide or phone for the shared panels and the board of the person who
looks, small (no words, legible at 8 pixels a tile) for the boards of the others, broad (three times as
wide as high, with room at the top right for a name) for the only other one in a wide window. Where a
high window makes pieces larger that way, the offer has its small form too, which is narrow. Python draws
the wide one.
"""
USUAL: Final = raw("")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where pieces can lie or that can be clicked.

    `shape` is "square", "circle", "hex" (point up, one unit from side to side), "cell" (a hex of a bed),
    "pill", "plate" or "dial" (a round disc that carries other slots), "card" (the same with corners),
    "flower" (the same of seven hexagons), "bed" (a well of that form), "badge" (a small raised disc with a
    sign; one with a caption lies above all pieces), "spot" (not drawn), "area" (not drawn, groups others)
    or "group" (nothing but the pieces that lie in it); `x, y` is its middle. Slots are drawn in their
    order. `mark` is the kind of piece that belongs here, drawn in the empty well. Ids are dotted: a click
    that continues no path counts for the enclosing slot ("F2" encloses "F2.red").
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
    spots: tuple[Spot, ...] = ()
    """The middles of several places in one slot, seen from the slot's own; each gets a well, in a group
    only where a piece lies."""
    size: float = 0.0
    """The size of a piece here, and of the well of each spot; 0: the smaller side of the slot."""
    reach: float = 1.0
    """How much larger than a piece the area around it is that takes clicks."""
    key: str = ""
    """What a person types for it, as in the notation: "2r", "4"."""
    turn: int = 0
    """Rotation of the well in degrees."""
    optional: bool = False
    """Whether it exists only if a scene says so, or if something lies in it."""
    counted: tuple[Message, ...] = ()
    """What a group is called when 1, 2, 3 … pieces lie in it, instead of `name`."""

    def at(self, spot: int) -> tuple[float, float, float]:
        """The middle of a spot on the panel, and how large a piece lies there."""
        dx, dy, *own = self.spots[spot] if self.spots else (0.0, 0.0)
        return self.x + dx, self.y + dy, own[0] if own else self.size or min(self.width, self.height)

    def __hash__(self) -> int:
        """Only the id: drawings are cached by slot and looked up a hundred times a move."""
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece in a slot. `kind` is what a theme draws: "blue", "marker", "glazier", "yellow.bird"."""

    kind: str
    slot: str
    name: Message = USUAL
    """USUAL: what the plan calls its kind. `Scene.panels` and `pieces_in` fill it in."""
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
    """Words or a number on a panel. `size` is the height in board units; 0: not shown in this form."""

    text: Message
    x: float
    y: float
    size: float = 0.5
    anchor: str = "middle"
    style: str = "plain"
    """plain, strong, quiet, score, or caption for words in an empty place."""
    id: str = ""
    """For a label whose text or style changes: unique in the plan."""


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
    turned: bool = False
    """Whether hexagons lie on a side instead of a corner; their marks stay upright."""
    planned: tuple[Slot, ...] = ()
    """In a scene: every slot of the plan, also those that do not exist now."""

    @property
    def ever(self) -> tuple[Slot, ...]:
        """Every slot that can exist."""
        return self.planned or self.slots


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal action and the slots to click, in order; `Position.preview` says what it would do.

    Choices that share the beginning of a path are told apart by the next click.
    """

    action: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """Pieces that a person may mark in any order, although the rules take them one by one.

    `slots` names a place as often as pieces of it can be marked; `marked` is what the table proposes.
    The game's view has ``judge(position, marked)``, which says what the marked pieces mean together.
    """

    slots: tuple[str, ...]
    marked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Marking:
    """What marked pieces mean: in words, what is wrong with them, and the actions once they suffice."""

    text: Message
    problem: Message | None = None
    actions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a move would bring the mover: pieces where they would lie, and points by slot."""

    pieces: tuple[Piece, ...] = ()
    points: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Plan:
    """The empty table of a box for a number of seats, in one form: the same in every game."""

    panels: tuple[Panel, ...]
    """Panels with every slot that can ever exist, and no pieces."""
    theme: str
    kinds: Mapping[str, Message]
    """Every kind of piece that can lie somewhere, and what it is usually called."""
    marks: tuple[tuple[str, str], ...] = ()
    """Marks that places can show in some scene, beside those that the plan's slots have: shape and kind."""

    @functools.cached_property
    def slots(self) -> dict[str, Slot]:
        return {slot.id: slot for panel in self.panels for slot in panel.slots}

    @functools.cached_property
    def keys(self) -> dict[str, str]:
        """What a person types for every slot."""
        return {slot.id: slot.key for panel in self.panels for slot in panel.slots}

    @functools.cached_property
    def panel_of(self) -> dict[str, str]:
        """The panel of every slot."""
        return {slot.id: panel.id for panel in self.panels for slot in panel.slots}


Lying = tuple[Piece, ...]


@dataclass(frozen=True)
class Scene:
    """A complete position as a person sees it."""

    plan: Plan
    lies: Mapping[str, Lying]
    """What lies in each slot; slots without pieces need not be named."""
    choices: tuple[Choice, ...]
    status: Message
    """What is going on, in one sentence."""
    names: tuple[Message, ...]
    """Of the players: titles of their boards, and what the labels "name1", "name2" say."""
    to_move: int
    """The seat to move, or something negative."""
    places: Mapping[str, Slot | None] = field(default_factory=dict)
    """Slots that differ from the plan now; an optional one that exists; None for one that does not."""
    labels: Mapping[str, Label] = field(default_factory=dict)
    """Labels that differ from the plan now."""
    prompt: Message | None = None
    """What the player to move is asked to do, in words to them: "Pick tiles and a line for them."."""
    notice: Message | None = None
    """Something that everybody should know: "Last round: Ana completes a row."."""
    selection: Selection | None = None
    pale: tuple[tuple[str, int], ...] = ()
    """Slots whose pieces the player to move cannot use, each with an action whose refusal says why."""
    shown: tuple[str, ...] = ()
    """The panels to show, in this order; none: all."""

    @property
    def theme(self) -> str:
        return self.plan.theme

    @functools.cached_property
    def panels(self) -> tuple[Panel, ...]:
        """The panels with everything on them now."""
        by_id = {panel.id: panel for panel in self.plan.panels}
        return tuple(map(self._panel, map(by_id.__getitem__, self.shown or by_id)))

    def _panel(self, panel: Panel) -> Panel:
        slots = tuple(slot for slot in map(self._slot, panel.slots) if slot is not None)
        return replace(
            panel,
            title=panel.title if panel.seat is None else self.names[panel.seat],
            slots=slots,
            planned=panel.slots,
            pieces=tuple(piece for slot in slots for piece in self.pieces_in(slot.id)),
            labels=tuple(label for label in map(self._label, panel.labels) if str(label.text)),
            active=panel.seat is not None and panel.seat == self.to_move,
        )

    def _slot(self, planned: Slot) -> Slot | None:
        lying = self.lies.get(planned.id, ())
        slot = self.places.get(planned.id, None if planned.optional and not lying else planned)
        if slot is None or not lying or not slot.counted:
            return slot
        return replace(slot, name=slot.counted[min(len(lying), len(slot.counted)) - 1])

    def _label(self, planned: Label) -> Label:
        if planned.id.startswith(NAME_LABEL):
            return replace(planned, text=self.names[int(planned.id[len(NAME_LABEL) :]) - 1])
        return self.labels.get(planned.id, planned) if planned.id else planned

    def panel(self, id: str) -> Panel:  # noqa: A002 - the field's name
        return next(panel for panel in self.panels if panel.id == id)

    def slots(self) -> dict[str, Slot]:
        return self._slots

    def has(self, id: str) -> bool:  # noqa: A002 - the field's name
        """Whether a slot exists now."""
        planned = self.plan.slots.get(id)
        if planned is None:
            return False
        hidden = planned.optional and not self.lies.get(id)
        return self.places.get(id, None if hidden else planned) is not None

    def slot(self, id: str) -> Slot | None:  # noqa: A002 - the field's name
        """A slot as it is now, or None if it does not exist."""
        planned = self.plan.slots.get(id)
        return None if planned is None else self._slot(planned)

    def path(self, action: int) -> tuple[str, ...]:
        """The slots to click for an action; of several ways the first; none if it cannot be chosen here."""
        return next((choice.path for choice in self.choices if choice.action == action), ())

    def pieces_in(self, slot: str) -> list[Piece]:
        kinds = self.plan.kinds
        return [
            piece if piece.name is not USUAL else replace(piece, name=kinds[piece.kind])
            for piece in self.lies.get(slot, ())
        ]

    @functools.cached_property
    def _slots(self) -> dict[str, Slot]:
        return {slot.id: slot for panel in self.panels for slot in panel.slots}

    @functools.cached_property
    def lying(self) -> dict[tuple[str, str], int]:
        """How many pieces of each kind lie in each slot, by kind and slot."""
        counts: dict[tuple[str, str], int] = {}
        for slot, pieces in self.lies.items():
            for piece in pieces:
                counts[piece.kind, slot] = counts.get((piece.kind, slot), 0) + piece.count
        return counts


NAME_LABEL: Final = "name"
"""A label "name2" says who sits on seat 2."""


def scene_of(position: Position, names: Sequence[str]) -> Scene:
    """A position as its game's view.py shows it."""
    return needed(position.game, position.game.view, "view.py").scene(position, names)


def marks_pieces(position: Position) -> bool:
    """Whether pieces are to be marked now, such as a payment: shown even if there is only one way."""
    view = position.game.view
    return view is not None and view.scene(position, [""] * position.players).selection is not None


def by_slot(*pieces: Piece) -> dict[str, Lying]:
    """Pieces as a scene holds them."""
    lies: dict[str, Lying] = {}
    for piece in pieces:
        lies[piece.slot] = (*lies.get(piece.slot, ()), piece)
    return lies


def renamed(plan: Plan, names: Mapping[str, Message]) -> Plan:
    """The same table with other words for its pieces (`Preset.names`)."""

    def slot(old: Slot) -> Slot:
        return replace(
            old, name=old.name.renamed(names), counted=tuple(name.renamed(names) for name in old.counted)
        )

    def panel(old: Panel) -> Panel:
        labels = tuple(replace(label, text=label.text.renamed(names)) for label in old.labels)
        return replace(old, slots=tuple(map(slot, old.slots)), labels=labels)

    if not names:
        return plan
    kinds = {kind: name.renamed(names) for kind, name in plan.kinds.items()}
    return replace(plan, panels=tuple(map(panel, plan.panels)), kinds=kinds)


@dataclass(frozen=True, slots=True)
class Flight:
    """Pieces of one kind that left one slot and arrived in another."""

    kind: str
    source: str
    target: str
    count: int


def flights(before: Scene, after: Scene) -> list[Flight]:
    """What moved between two scenes: kind by kind, each piece that left is matched with the nearest
    arrival."""
    was, now = before.lying, after.lying
    gone = {key: count - now.get(key, 0) for key, count in was.items() if count > now.get(key, 0)}
    come = {key: count - was.get(key, 0) for key, count in now.items() if count > was.get(key, 0)}
    moved = []
    for kind in dict.fromkeys(kind for kind, _ in gone):
        pairs = [(s, t) for s in gone if s[0] == kind for t in come if t[0] == kind]
        if len(pairs) > 1:
            pairs.sort(key=lambda pair: _apart(before.plan, pair[0][1], pair[1][1]))
        for source, target in pairs:
            count = min(gone[source], come[target])
            gone[source] -= count
            come[target] -= count
            if count:
                moved.append(Flight(kind, source[1], target[1], count))
    return moved


def _apart(plan: Plan, one: str, other: str) -> float:
    """The distance within a panel; other panels are farther than anything."""
    if plan.panel_of[one] != plan.panel_of[other]:
        return math.inf
    source, target = plan.slots[one], plan.slots[other]
    return math.hypot(source.x - target.x, source.y - target.y)


# --- what a move leads to -----------------------------------------------------------------------------
# Worked out from the scenes before and after the move; a game adds what only the end of the round or of
# the game brings (`Preview.ahead`). One move costs about as much as drawing two scenes.


def prospect(position: Position, action: int, scene: Scene, path: Sequence[str]) -> Prospect:
    """What an action would do; `scene` shows the position, `path` are the slots clicked for the action."""
    part = position.game.preview
    ahead = part.ahead(position, action) if part and part.ahead else Prospect()
    panels = _panels(scene, position.to_move, path)
    points, pieces = Counter(dict(ahead.points)), list(ahead.pieces)
    before, last = scene, position
    for last in _steps(position, action):
        after = _scene(last)
        pieces += [piece for piece in arrivals(before, after) if scene.plan.panel_of[piece.slot] in panels]
        before = after
    for slot, gained in _points(position, last, path[-1]):
        points[slot] += gained
    return Prospect(tuple(pieces), tuple((slot, n) for slot, n in points.items() if n))


def _steps(position: Position, action: int) -> Iterator[Position]:
    """The position after the action, and after the forced steps that follow it, without the round's end."""
    ahead = position.copy()
    ahead.play(action)
    first = ahead.copy()
    play_forced(ahead, position.to_move)
    if ahead.ply > first.ply:
        yield first
    yield before_round_end(ahead)


def _scene(position: Position) -> Scene:
    names = [""] * position.players
    return needed(position.game, position.game.view, "view.py").scene(position, names)


def _panels(scene: Scene, seat: int, path: Sequence[str]) -> set[str]:
    """Where pieces are shown: on the mover's board and where the last click was."""
    return {panel.id for panel in scene.plan.panels if panel.seat == seat} | {scene.plan.panel_of[path[-1]]}


def arrivals(before: Scene, after: Scene) -> Iterator[Piece]:
    """The pieces that came to a slot. Those that only moved within it are not among them."""
    for slot, pieces in after.lies.items():
        was = before.lies.get(slot, ())
        if pieces is not was:
            yield from _more(was, pieces)


def _more(was: Lying, now: Lying) -> Iterator[Piece]:
    """By kind, as many pieces as there are more; they lie on spots that were free, if there are such."""
    there = {(piece.kind, piece.spot): piece.count for piece in was}
    more = Counter({piece.kind: 0 for piece in now})
    for piece in now:
        more[piece.kind] += piece.count
    for piece in was:
        more[piece.kind] -= piece.count
    for piece in sorted(now, key=lambda one: (one.kind, one.spot) in there):
        count = min(more[piece.kind], piece.count)
        if count > 0:
            more[piece.kind] -= count
            yield replace(piece, count=count)


def _points(before: Position, after: Position, clicked: str) -> Iterator[tuple[str, int]]:
    """Points that the mover scores at once, by slot; those without a slot count for the last click."""
    seat = before.to_move
    gained = after.scores[seat] - before.scores[seat]
    if gained:
        for ply in range(before.ply, after.ply):
            for scored in after.explain(ply):
                if scored.seat == seat:
                    gained -= scored.points
                    yield _slot(before, after, scored) or clicked, scored.points
        yield clicked, gained  # by the last step, if the round ends with it: it is not in the history


def _slot(before: Position, after: Position, scored: Scored) -> str | None:
    view = needed(before.game, before.game.view, "view.py")
    lit = view.scored_slots(before.state, after.state, scored)
    return view.slot_of(scored.seat, scored.place) or next(iter(lit), None)
