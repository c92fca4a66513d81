"""What a table has to tell, whoever looks: its scenes, its log, its points with their reasons.

All of it is found once and kept as long as it is worth keeping, so that a
move costs the same in a long game.
"""

from __future__ import annotations

import bisect
import operator
import weakref
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from azulejos.core.message import Message, msg
from azulejos.core.part import needed
from azulejos.core.position import Position, Scored
from azulejos.core.scene import Piece, Scene, Slot, scene_of
from azulejos.web.tables.saved import OPEN, SavedSeat
from azulejos.web.tables.table_state import TableState

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

FREE = msg("free seat")
KEPT_SCENES = 4
KEPT_TURNS = 64


class Counted(NamedTuple):
    """How many pieces of a kind."""

    kind: str
    number: int
    name: Message


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One part of a turn: pieces, and the name of the place or of what was done with them."""

    pieces: tuple[Counted, ...]
    name: Message


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """A turn up to one of its decisions: `first` is the ply of its first one, `ply` that of the last."""

    first: int
    ply: int
    seat: int
    text: str
    steps: tuple[Step, ...]
    scored: tuple[Scored, ...]

    def after(self, begun: Turn) -> Turn:
        """This decision behind those that its turn began with."""
        return replace(
            self, first=begun.first, text=f"{begun.text} {self.text}",
            steps=_joined(begun.steps + self.steps), scored=begun.scored + self.scored,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Scoring:
    """What one action scored, and the scores before it."""

    ply: int
    before: tuple[int, ...]
    terms: tuple[Scored, ...]
    states: tuple[Any, Any]
    """Before and after the action."""

    @property
    def after(self) -> tuple[int, ...]:
        return tuple(
            score + sum(term.points for term in self.terms if term.seat == seat)
            for seat, score in enumerate(self.before)
        )


class Account:
    """Scenes, log and points of one table."""

    def __init__(self, table: TableState) -> None:
        self.table: TableState = weakref.proxy(table)
        self.frames: dict[tuple[str, int, object], Any] = {}
        """What spectators were shown, kept by `frame.py`."""
        self._scenes: dict[tuple[bytes, tuple[SavedSeat, ...]], Scene] = {}
        self._turns: dict[int, Turn] = {}
        self._explained = 0
        self._scorings: list[Scoring] = []

    # --- the table ---------------------------------------------------------------------------------

    def scene(self, position: Position) -> Scene:
        seats = self.table.seats
        key = (position.row.tobytes(), seats)
        if key not in self._scenes:
            scene = scene_of(position, self.table.names)
            scene = replace(scene, names=tuple(map(_name, scene.names, seats)))
            keep(self._scenes, key, scene, KEPT_SCENES)
        return self._scenes[key]

    # --- the log -----------------------------------------------------------------------------------

    def turn(self, ply: int) -> Turn:
        """The turn that the decision at a ply belongs to, up to that decision."""
        if ply not in self._turns:
            keep(self._turns, ply, self._turn(ply), KEPT_TURNS)
        return self._turns[ply]

    def turns(self, decisions: Iterable[int]) -> list[Turn]:
        """The turns of these decisions, each as far as the last of them goes."""
        found = {(turn := self.turn(ply)).first: turn for ply in decisions}
        return list(found.values())

    def _turn(self, ply: int) -> Turn:
        entry, before = self.table.timeline.entries[ply], self.table.at(ply)
        turn = Turn(
            first=ply, ply=ply, seat=entry.seat, text=before.game.moves.text(entry.action),
            scored=self.scored(ply), steps=_steps(self.scene(before), before, entry.action),
        )
        # One turn is one line. (A position can begin within a turn: then there is nothing before.)
        begun = self.table.timeline.entries[ply - 1].seat == entry.seat if ply else False
        return turn.after(self.turn(ply - 1)) if begun and before.in_turn else turn

    # --- points ------------------------------------------------------------------------------------

    def scored(self, ply: int) -> tuple[Scored, ...]:
        """The points that one action of the log brought."""
        self._explain(ply + 1)
        at = bisect.bisect_left(self._scorings, ply, key=operator.attrgetter("ply"))
        found = self._scorings[at : at + 1]
        return found[0].terms if found and found[0].ply == ply else ()

    def saved_scorings(self, until: int) -> int:
        """How many actions of the log scored before a ply."""
        self._explain(until)
        return bisect.bisect_left(self._scorings, until, key=operator.attrgetter("ply"))

    def scorings(self, position: Position, first: int = 0) -> list[Scoring]:
        """Every action on the way to a position that scored, without the first few; it may be ahead of the
        log, by a draft."""
        saved = self.saved_scorings(min(position.ply, self.table.ply))
        found = self._scorings[first:saved]
        for ply in range(self.table.ply, position.ply):
            terms = position.explain(ply)
            if terms:
                before = found[-1].after if found else tuple(self.table.position.scores)
                found.append(_scoring(position, ply, before, terms))
        return found

    def _explain(self, until: int) -> None:
        """Find the points of actions that were not asked for yet."""
        position = self.table.position
        for ply in range(self._explained, until):
            terms = position.explain(ply)
            if terms:
                before = self._scorings[-1].after if self._scorings else tuple(self.table.at(0).scores)
                self._scorings.append(_scoring(position, ply, before, terms))
        self._explained = max(self._explained, until)


def _scoring(position: Position, ply: int, before: tuple[int, ...], terms: list[Scored]) -> Scoring:
    states = position.at(ply).state, position.at(ply + 1).state
    return Scoring(ply=ply, before=before, terms=tuple(terms), states=states)


def account_of(table: TableState) -> Account:
    """The account of a table; it is dropped with it."""
    if table.account is None:
        table.account = Account(table)
    assert isinstance(table.account, Account)
    return table.account


def _name(name: Message, seat: SavedSeat) -> Message:
    """A board at which nobody sits says so, in the language of whoever looks."""
    return FREE if seat.kind == OPEN else name


def keep(kept: dict[K, T], key: K, value: T, limit: int) -> None:
    """Put something where the longest kept ones make room for it."""
    kept[key] = value
    while len(kept) > limit:
        del kept[next(iter(kept))]


# --- steps of a turn ---------------------------------------------------------------------------------


def container(scene: Scene, slot: Slot) -> Slot:
    """The slot around another one ("F2" around "F2.red"), or the slot itself."""
    return scene.slot(slot.id.rpartition(".")[0]) or slot


def counted(pieces: Iterable[Piece]) -> tuple[Counted, ...]:
    counts: dict[str, Counted] = {}
    for piece in pieces:
        so_far = counts[piece.kind].number if piece.kind in counts else 0
        counts[piece.kind] = Counted(piece.kind, so_far + piece.count, piece.name)
    return tuple(counts.values())


def _joined(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Steps of one name that follow each other are one: all that was paid stands together."""
    found: list[Step] = []
    for step in steps:
        if found and found[-1].name == step.name:
            step = replace(step, pieces=found.pop().pieces + step.pieces)
        found.append(step)
    return tuple(found)


def _steps(scene: Scene, before: Position, action: int) -> tuple[Step, ...]:
    """What a move did: as the game's view tells it, or the places to click for it."""
    said = needed(before.game, before.game.view, "view.py").log_entry(before, action)
    if said is not None:
        pieces, name = said
        return (Step(pieces=counted(pieces), name=name.renamed(before.preset.names)),)
    path = next((choice.path for choice in scene.choices if choice.action == action), ())
    return tuple(
        _step(scene, slot, first=place == path[0]) for place in path if (slot := scene.slot(place))
    )


def _step(scene: Scene, slot: Slot, *, first: bool) -> Step:
    """Pieces out of a place are counted; of a place that begins a move by itself one shows what it is."""
    around, pieces = container(scene, slot), counted(scene.pieces_in(slot.id))
    if around is slot:
        pieces = tuple(one._replace(number=1) for one in pieces) if first else ()
    return Step(pieces=pieces, name=around.name)
