"""What a table has to show, independent of who looks: scenes, the log in pictures, points with reasons.

Everything is kept as long as it is worth keeping: a move redraws only what it has changed.
"""

from __future__ import annotations

import asyncio
import bisect
import functools
import operator
import weakref
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from markupsafe import Markup, escape

from azulejos.core.message import Message, msg
from azulejos.core.part import needed
from azulejos.core.position import Position, Scored
from azulejos.core.scene import Flight, Panel, Piece, Scene, Slot, flights, scene_of
from azulejos.i18n import translator
from azulejos.i18n.catalogue import Say
from azulejos.render import Drawn, draw_panel, ground
from azulejos.web.pages.templates import fragment
from azulejos.web.tables.saved import OPEN, SavedSeat
from azulejos.web.tables.table_state import TableState

T = TypeVar("T")

FREE = msg("free seat")
KEPT_SCENES = 4
KEPT_LINES = 64


class Counted(NamedTuple):
    """So many pieces of a kind."""

    kind: str
    number: int
    name: Message


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One part of a turn in the log: pieces, and the name of the place or of what was done with them."""

    pieces: tuple[Counted, ...]
    name: Message


@dataclass(frozen=True, kw_only=True, slots=True)
class LogLine:
    """A turn up to one of its decisions: `first` is the ply of its first one, `ply` that of the last."""

    first: int
    ply: int
    seat: int
    text: str
    steps: tuple[Step, ...]
    scored: tuple[Scored, ...]

    def after(self, begun: LogLine) -> LogLine:
        """This decision behind those that its turn began with."""
        return replace(
            self, first=begun.first, text=f"{begun.text} {self.text}",
            steps=joined(begun.steps + self.steps), scored=begun.scored + self.scored,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """What a seat scored in one part of the game: every term, and the sum before and after."""

    before: int
    scored: tuple[Scored, ...]

    @property
    def after(self) -> int:
        return self.before + sum(scored.points for scored in self.scored)

    @property
    def reasons(self) -> dict[Message, list[int]]:
        """The points for each reason, in the order of the terms."""
        found: dict[Message, list[int]] = {}
        for scored in self.scored:
            found.setdefault(scored.reason, []).append(scored.points)
        return found


class Drawing:
    """Scenes and log of one room, kept as long as they are worth keeping."""

    def __init__(self, room: TableState) -> None:
        self._room = weakref.ref(room)
        self.kinds: set[str] = set()
        """Of all pieces that were seen: the log tells of some that have left the table."""
        self._scenes: dict[tuple[bytes, tuple[SavedSeat, ...]], Scene] = {}
        self._panels: dict[tuple[str, str], tuple[Panel, Drawn]] = {}
        self._lines: dict[int, LogLine] = {}
        self._html: dict[tuple[int, str, str], str] = {}
        self._kept: dict[Hashable, tuple[object, str]] = {}
        self._explained = 0
        self._scored: dict[int, tuple[Scored, ...]] = {}
        self._tally: list[tuple[int, tuple[Terms, ...]]] = []

    @property
    def room(self) -> TableState:
        room = self._room()
        if room is None:
            raise ReferenceError("the table of this drawing is gone")
        return room

    # --- the table ---------------------------------------------------------------------------------

    def scene(self, position: Position) -> Scene:
        seats = self.room.seats
        key = (position.row.tobytes(), seats)
        if key not in self._scenes:
            scene = scene_of(position, self.room.names)
            scene = replace(scene, names=tuple(map(_name, scene.names, seats)))
            self.kinds.update(piece.kind for panel in scene.panels for piece in panel.pieces)
            _keep(self._scenes, key, scene, KEPT_SCENES)
        return self._scenes[key]

    def flights(self, before: Position, after: Position) -> list[Flight]:
        return flights(self.scene(before), self.scene(after))

    def panel(self, panel: Panel, theme: str, language: str) -> Drawn:
        """A panel as SVG. Everybody who speaks a language sees the same; whose turn it is lies below it."""
        key, resting = (panel.id, language), replace(panel, active=False) if panel.active else panel
        last, drawn = self._panels.get(key, (None, None))
        if drawn is None or resting != last:
            drawn = draw_panel(resting, theme=theme, say=translator(language), before=drawn)
            self._panels[key] = (resting, drawn)
        return replace(drawn, layers={**drawn.layers, "ground": ground(panel)}) if panel.active else drawn

    def kept(self, what: Hashable, made_of: object, make: Callable[[], str]) -> str:
        """A piece of the page as it was made last, unless what it is made of has changed."""
        last, html = self._kept.get(what, (None, ""))
        if last != made_of:
            html = make()
            self._kept[what] = (made_of, html)
        return html

    # --- the log -----------------------------------------------------------------------------------

    def line_html(self, ply: int, language: str, theme: str) -> str:
        """A line of the log as it stands on the page, drawn once for each language."""
        line = self.line(ply)
        key = (ply, language, self.room.names[line.seat])
        if key not in self._html:
            say = translator(language)
            html = fragment("_line.html", say, line=line, name=key[2], move=move_html(line, theme, say))
            _keep(self._html, key, html, KEPT_LINES)
        return self._html[key]

    async def prepare(self, lines: int) -> None:
        """Draw the end of the log, a line at a time, so that other tables are not held up."""
        for ply in self.room.timeline.decisions[-lines:]:
            self.line(ply)
            await asyncio.sleep(0)

    def line(self, ply: int) -> LogLine:
        if ply not in self._lines:
            _keep(self._lines, ply, self._line(ply), KEPT_LINES)
        return self._lines[ply]

    def _line(self, ply: int) -> LogLine:
        entry, before = self.room.table.actions[ply], self.room.at(ply)
        text = before.game.moves.text(entry.action)
        line = LogLine(
            first=ply, ply=ply, seat=entry.seat, text=text, scored=self.scored(ply),
            steps=_steps(self.scene(before), before, entry.action),
        )
        # One turn is one line. (A position can begin within a turn: then there is nothing before.)
        begun = self.room.table.actions[ply - 1].seat == entry.seat if ply else False
        return line.after(self.line(ply - 1)) if begun and before.in_turn else line

    # --- points ------------------------------------------------------------------------------------

    def scored(self, ply: int) -> tuple[Scored, ...]:
        """The points that one action brought."""
        self._explain(ply + 1)
        return self._scored.get(ply, ())

    def explain(self, position: Position, ply: int) -> Sequence[Scored]:
        """The same for a position that may be ahead of the log, by a draft."""
        return self.scored(ply) if ply < self.room.ply else position.explain(ply)

    def tally(self, until: int) -> list[tuple[Terms, ...]]:
        """For every action that scored before a ply, newest first: what each seat got for what."""
        self._explain(until)
        end = bisect.bisect_left(self._tally, until, key=operator.itemgetter(0))
        return [terms for _, terms in self._tally[:end]][::-1]

    def _explain(self, until: int) -> None:
        """Find the points of actions that were not asked for yet."""
        for ply in range(self._explained, until):
            scored = self.room.position.explain(ply)
            if scored:
                self._scored[ply] = tuple(scored)
                self._tally.append((ply, self._terms(scored)))
        self._explained = max(self._explained, until)

    def _terms(self, scored: list[Scored]) -> tuple[Terms, ...]:
        totals = [t.after for t in self._tally[-1][1]] if self._tally else self.room.at(0).scores
        return tuple(
            Terms(before=total, scored=tuple(s for s in scored if s.seat == seat))
            for seat, total in enumerate(totals)
        )


_drawings: weakref.WeakKeyDictionary[TableState, Drawing] = weakref.WeakKeyDictionary()


def drawing_of(room: TableState) -> Drawing:
    if room not in _drawings:
        _drawings[room] = Drawing(room)
    return _drawings[room]


K = TypeVar("K", bound=Hashable)


def _name(name: Message, seat: SavedSeat) -> Message:
    """A board at which nobody sits says so, in the language of whoever looks."""
    return FREE if seat.kind == OPEN else name


def _keep(kept: dict[K, T], key: K, value: T, limit: int) -> None:
    """Put something where the longest kept ones make room for it."""
    kept[key] = value
    while len(kept) > limit:
        del kept[next(iter(kept))]


ARROW = ' <span class="arrow" aria-hidden="true">&rarr;</span> '


def move_html(line: LogLine, theme: str, say: Say) -> Markup:
    """A turn in pictures: what was taken, the places that were clicked, what was paid."""
    if not line.steps:
        return Markup(f"<code>{escape(line.text)}</code>")
    return Markup(ARROW.join(
        f"{_icons(step.pieces, theme, say)}<span>{escape(say(step.name))}</span>" for step in line.steps
    ))


@functools.lru_cache(maxsize=1024)
def _icons(pieces: tuple[Counted, ...], theme: str, say: Say) -> str:
    """Up to five pieces side by side, more as a number; with their names for whoever listens."""
    shown = []
    for kind, count, name in pieces:
        use = f'<use href="#icon-{escape(kind)}"/>'
        icon = f'<svg class="icon theme-{theme}" aria-hidden="true">{use}</svg>'
        spoken = say(msg("{count} {piece}", count=count, piece=name))
        drawn = icon * count if count <= 5 else f'<span aria-hidden="true">{count}×</span>{icon}'
        shown.append(f'<span class="pieces" role="img" aria-label="{escape(spoken)}">{drawn}</span>')
    return "".join(shown)


def container(scene: Scene, slot: Slot) -> Slot:
    """The slot around another one ("F2" around "F2.red"), or the slot itself."""
    return scene.slots().get(slot.id.rpartition(".")[0], slot)


def counted(pieces: Iterable[Piece]) -> tuple[Counted, ...]:
    counts: dict[str, Counted] = {}
    for piece in pieces:
        so_far = counts[piece.kind].number if piece.kind in counts else 0
        counts[piece.kind] = Counted(piece.kind, so_far + piece.count, piece.name)
    return tuple(counts.values())


def joined(steps: tuple[Step, ...]) -> tuple[Step, ...]:
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
        names = before.preset.names
        pieces = [replace(piece, name=piece.name.renamed(names)) for piece in pieces]
        return (Step(pieces=counted(pieces), name=name.renamed(names)),)
    path = next((choice.path for choice in scene.choices if choice.action == action), ())
    slots = scene.slots()
    return tuple(_step(scene, slots[slot], first=slot == path[0]) for slot in path if slot in slots)


def _step(scene: Scene, slot: Slot, *, first: bool) -> Step:
    """Pieces out of a place are counted; of a place that begins a move by itself one shows what it is."""
    around, pieces = container(scene, slot), counted(scene.pieces_in(slot.id))
    if around is slot:
        pieces = tuple(one._replace(number=1) for one in pieces) if first else ()
    return Step(pieces=pieces, name=around.name)
