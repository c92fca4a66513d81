"""What all viewers of a table share: its scenes, its log, its points with their reasons.

Everything is computed once and cached, so a move costs the same in a long game.
"""

from __future__ import annotations

import bisect
import operator
import weakref
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeVar

from azulejos.core.contract import needed
from azulejos.core.game import Game, Outcome
from azulejos.core.message import Message, msg, nmsg, raw, whole
from azulejos.core.position import Position, Scored, before_round_end
from azulejos.core.scene import USUAL, Piece, Scene, Slot, scene_of
from azulejos.web.store.saved import OPEN, SavedSeat
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.wire import messages
from azulejos.web.wire.plan import PagePlan

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

FREE = msg("free seat")
KEPT_SCENES = 4
KEPT_TURNS = 64


class Counted(NamedTuple):
    """A kind of piece and how many there are."""

    kind: str
    number: int
    name: Message


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnPart:
    """One part of a turn: pieces, and the name of a place or of what was done with the pieces."""

    pieces: tuple[Counted, ...]
    name: Message


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """A turn up to one of its decisions: `first` is the ply of the first one, `ply` that of the last."""

    first: int
    ply: int
    seat: int
    text: str
    steps: tuple[TurnPart, ...]
    scored: tuple[Scored, ...]

    def after(self, begun: Turn) -> Turn:
        """This turn extended by the steps that came before it in `begun`."""
        return replace(
            self, first=begun.first, text=f"{begun.text} {self.text}",
            steps=joined(begun.steps + self.steps), scored=begun.scored + self.scored,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Scoring:
    """The points of one action, and the scores before it."""

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


class TableAccount:
    """Scenes, log and points of one table."""

    def __init__(self, table: LiveTable) -> None:
        self.table: LiveTable = weakref.proxy(table)
        self.frames: dict[tuple[str, int, object], Any] = {}
        """Frames already sent to spectators, kept by `frame.py`."""
        self._scenes: dict[tuple[bytes, tuple[SavedSeat, ...]], Scene] = {}
        self._turns: dict[int, Turn] = {}
        self._unscored: dict[int, Position | None] = {}
        self._explained = 0
        self._scorings: list[Scoring] = []

    # --- the table ---------------------------------------------------------------------------------

    def scene(self, position: Position) -> Scene:
        seats = self.table.seats
        key = (position.key, seats)
        if key not in self._scenes:
            scene = scene_of(position, self.table.names)
            if any(seat.kind == OPEN for seat in seats):
                scene = replace(scene, names=tuple(map(_name, scene.names, seats)))
            keep(self._scenes, key, scene, KEPT_SCENES)
        return self._scenes[key]

    def unscored(self, ply: int) -> Position | None:
        """The position after `ply` actions as it was before the end of the round that the last of them
        brought; None if no round ended or nothing was scored."""
        if ply < 1 or not self.scored(ply - 1):
            return None
        if ply not in self._unscored:
            position = self.table.log.at(ply)
            before = before_round_end(position)
            keep(self._unscored, ply, None if before is position else before, KEPT_SCENES)
        return self._unscored[ply]

    # --- the log -----------------------------------------------------------------------------------

    def turn(self, ply: int) -> Turn:
        """The turn that the decision at a ply belongs to, up to that decision."""
        if ply not in self._turns:
            keep(self._turns, ply, self._turn(ply), KEPT_TURNS)
        return self._turns[ply]

    def turns(self, decisions: Iterable[int]) -> list[Turn]:
        """The turns of these decisions, each up to the last of the given decisions in it."""
        found = {(turn := self.turn(ply)).first: turn for ply in decisions}
        return list(found.values())

    def _turn(self, ply: int) -> Turn:
        entry, before = self.table.log.entries[ply], self.table.log.at(ply)
        turn = Turn(
            first=ply, ply=ply, seat=entry.seat, text=before.game.moves.text(entry.action),
            scored=self.scored(ply), steps=steps_of(self.scene(before), before, entry.action),
        )
        # One turn is one line. (If the game starts from a position within a turn, nothing precedes it.)
        begun = self.table.log.entries[ply - 1].seat == entry.seat if ply else False
        return turn.after(self.turn(ply - 1)) if begun and before.in_turn else turn

    # --- points ------------------------------------------------------------------------------------

    def scored(self, ply: int) -> tuple[Scored, ...]:
        """The points scored by one action of the log."""
        self._explain(ply + 1)
        at = bisect.bisect_left(self._scorings, ply, key=operator.attrgetter("ply"))
        found = self._scorings[at : at + 1]
        return found[0].terms if found and found[0].ply == ply else ()

    def saved_scorings(self, until: int) -> int:
        """How many actions before a ply scored points."""
        self._explain(until)
        return bisect.bisect_left(self._scorings, until, key=operator.attrgetter("ply"))

    def scorings(self, position: Position, first: int = 0) -> list[Scoring]:
        """Every action that scored on the way to a position, from number `first` on. A draft may put the
        position ahead of the log."""
        saved = self.saved_scorings(min(position.ply, self.table.ply))
        found = self._scorings[first:saved]
        for ply in range(self.table.ply, position.ply):
            terms = position.explain(ply)
            if terms:
                before = found[-1].after if found else tuple(self.table.position.scores)
                found.append(_scoring(position, ply, before, terms))
        return found

    def _explain(self, until: int) -> None:
        """Compute the points of the actions up to `until` that have not been computed yet."""
        position = self.table.position
        for ply in range(self._explained, until):
            terms = position.explain(ply)
            if terms:
                before = self._scorings[-1].after if self._scorings else tuple(self.table.log.at(0).scores)
                self._scorings.append(_scoring(position, ply, before, terms))
        self._explained = max(self._explained, until)


def _scoring(position: Position, ply: int, before: tuple[int, ...], terms: list[Scored]) -> Scoring:
    states = position.at(ply).state, position.at(ply + 1).state
    return Scoring(ply=ply, before=before, terms=tuple(terms), states=states)


def account_of(table: LiveTable) -> TableAccount:
    """The account of a table; it lives as long as the table."""
    if table.account is None:
        table.account = TableAccount(table)
    assert isinstance(table.account, TableAccount)
    return table.account


def _name(name: Message, seat: SavedSeat) -> Message:
    """The name of a board; for an empty seat, a text in the viewer's language."""
    return FREE if seat.kind == OPEN else name


def keep(kept: dict[K, T], key: K, value: T, limit: int) -> None:
    """Add an entry and drop the oldest ones beyond the limit."""
    kept[key] = value
    while len(kept) > limit:
        del kept[next(iter(kept))]


# --- steps of a turn ---------------------------------------------------------------------------------


def container(scene: Scene, slot: Slot) -> Slot:
    """The slot around another one ("F2" around "F2.red"), or the slot itself."""
    return scene.slot(slot.id.rpartition(".")[0]) or slot


def counted(pieces: Iterable[Piece], usual: Mapping[str, Message] | None = None) -> tuple[Counted, ...]:
    """How many there are of each kind; `usual` are the names of pieces without a name of their own."""
    counts: dict[str, Counted] = {}
    for piece in pieces:
        so_far = counts[piece.kind].number if piece.kind in counts else 0
        name = usual[piece.kind] if usual is not None and piece.name is USUAL else piece.name
        counts[piece.kind] = Counted(piece.kind, so_far + piece.count, name)
    return tuple(counts.values())


def joined(steps: tuple[TurnPart, ...]) -> tuple[TurnPart, ...]:
    """Merge successive steps with the same name, so that all payments are shown together."""
    found: list[TurnPart] = []
    for step in steps:
        if found and found[-1].name == step.name:
            step = replace(step, pieces=found.pop().pieces + step.pieces)
        found.append(step)
    return tuple(found)


def steps_of(scene: Scene, before: Position, action: int) -> tuple[TurnPart, ...]:
    """The steps of a move: as the game's view describes them, or the places to click for it."""
    said = needed(before.game, before.game.view, "view.py").log_entry(before, action)
    if said is not None:
        pieces, name = said
        return (TurnPart(pieces=counted(pieces), name=name.renamed(before.preset.names)),)
    path = scene.path(action)
    return tuple(_step(scene, place, first=place == path[0]) for place in path if scene.has(place))


def _step(scene: Scene, place: str, *, first: bool) -> TurnPart:
    """Count the pieces taken out of a group. A place that is not in a group shows one piece of each kind if
    the move begins there."""
    around = scene.slot(place.rpartition(".")[0])
    pieces = counted(scene.lies.get(place, ()), scene.plan.kinds)
    if around is not None:
        return TurnPart(pieces=pieces, name=around.name)
    own = scene.slot(place)
    assert own is not None
    return TurnPart(pieces=tuple(one._replace(number=1) for one in pieces) if first else (), name=own.name)


# --- points as a page shows them ---------------------------------------------------------------------


# --- while they are scored ---------------------------------------------------------------------------


def scoring(plan: PagePlan, game: Game, scored: Scoring) -> messages.ScoredAction:
    """The points of one action, with the places that earned them."""
    reasons = {term.reason: term for term in reversed(scored.terms)}
    numbers = {reason: i for i, reason in enumerate(reasons)}
    return messages.ScoredAction(
        ply=scored.ply, before=list(scored.before), reasons=list(map(plan.say, reasons)),
        short=[plan.say(_short(game, term)) for term in reasons.values()],
        terms=[
            (term.seat, term.points, numbers[term.reason], *_scored_places(plan, game, scored, term))
            for term in scored.terms
        ],
    )


def _short(game: Game, term: Scored) -> Message:
    short = game.reasons.short
    return term.reason if short is None else short(term.code, term.place)


def _scored_places(
    plan: PagePlan, game: Game, scored: Scoring, term: Scored
) -> tuple[int | None, list[int]]:
    """The place from which the number rises, and the places that light up."""
    view = needed(game, game.view, "view.py")
    slot = view.slot_of(term.seat, term.place)
    lit = view.scored_slots(*scored.states, term)
    first = slot or next(iter(lit), None)
    return None if first is None else plan.slots[first], [plan.slots[place] for place in lit]


def score_sentences(scorings: Sequence[Scoring], names: Sequence[str]) -> list[Message]:
    """A short sentence for each seat that scored, for screen readers."""
    if not scorings:
        return []
    before, after = scorings[0].before, scorings[-1].after
    return [
        _score_sentence(name, after[seat] - before[seat], after[seat])
        for seat, name in enumerate(names) if before[seat] != after[seat]
    ]


def _score_sentence(name: str, points: int, total: int) -> Message:
    if points > 0:
        return nmsg("{name} scores {n} point: {total}.", "{name} scores {n} points: {total}.",
                    n=points, name=name, total=total)
    return nmsg("{name} loses {n} point: {total}.", "{name} loses {n} points: {total}.",
                n=-points, name=name, total=total)


# --- at the end --------------------------------------------------------------------------------------


COLON: Final = "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"
"""Between scores, which stay in one line."""


def result(outcome: Outcome, names: Sequence[str], own: frozenset[int]) -> Message:
    """Who won, as told to the holder of the `own` seats."""
    points = raw(COLON.join(whole(score) for score in sorted(outcome.scores, reverse=True)))
    if len(outcome.winners) > 1:
        return msg("A shared win, {points}.", points=points)
    winner = outcome.winners[0]
    even = outcome.scores.count(outcome.scores[winner]) > 1
    if own == {winner}:
        return msg("You won the tie-break, {points}.", points=points) if even \
            else msg("You won, {points}.", points=points)
    return msg("{name} won the tie-break, {points}.", name=names[winner], points=points) if even \
        else msg("{name} won, {points}.", name=names[winner], points=points)


def breakdown(plan: PagePlan, scorings: Sequence[Scoring], first: Sequence[int]) -> messages.Breakdown:
    """All points of a game by heading, in order of appearance; `first` holds the scores at the start."""
    terms = [term for scored in scorings for term in scored.terms]
    kinds = dict.fromkeys(term.kind for term in terms)
    table = [
        [sum(term.points for term in terms if (term.seat, term.kind) == (seat, kind)) for kind in kinds]
        for seat in range(len(first))
    ]
    start = [msg("at the start")] if any(first) else []
    return messages.Breakdown(
        kinds=list(map(plan.say, [*start, *kinds])),
        points=[[*([began] if start else []), *row] for began, row in zip(first, table, strict=True)],
    )
