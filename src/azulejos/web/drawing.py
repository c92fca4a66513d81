"""What a table has to show, independent of who looks: scenes, the log in pictures, points with reasons."""

from __future__ import annotations

import asyncio
import weakref
from dataclasses import dataclass

from azulejos.core.message import Message
from azulejos.core.position import Position, Scored
from azulejos.core.scene import Flight, Panel, Piece, Scene, Slot, flights
from azulejos.i18n import translator
from azulejos.render import panel_svg
from azulejos.web.pages import fragment
from azulejos.web.room import Room

KEPT_SCENES = 4


@dataclass(frozen=True, kw_only=True)
class Step:
    """One click of a move in the log: the pieces that lay there, and the name of the place."""

    pieces: tuple[tuple[str, int], ...]
    name: Message


@dataclass(frozen=True, kw_only=True)
class LogLine:
    ply: int
    seat: int
    text: str
    steps: tuple[Step, ...]
    scored: tuple[Scored, ...]


class Drawing:
    """Scenes and log of one room, kept as long as they are worth keeping."""

    def __init__(self, room: Room) -> None:
        self._room = weakref.ref(room)
        self._scenes: dict[tuple[bytes, tuple[str, ...]], Scene] = {}
        self._lines: dict[int, LogLine] = {}
        self._scored: dict[int, tuple[Scored, ...]] = {}
        self._html: dict[tuple[int, str, str], str] = {}
        self._panels: dict[tuple[str, str], tuple[Panel, str]] = {}

    @property
    def room(self) -> Room:
        room = self._room()
        if room is None:
            raise ReferenceError("the table of this drawing is gone")
        return room

    def scene(self, position: Position) -> Scene:
        key = (position.row.tobytes(), tuple(self.room.names))
        if key not in self._scenes:
            view = position.game.module("view")
            self._scenes[key] = view.scene(position, names=self.room.names)
            while len(self._scenes) > KEPT_SCENES:
                del self._scenes[next(iter(self._scenes))]
        return self._scenes[key]

    def flights(self, before: Position, after: Position) -> list[Flight]:
        return flights(self.scene(before), self.scene(after))

    def scored(self, ply: int) -> tuple[Scored, ...]:
        """The points that one action brought."""
        if ply not in self._scored:
            self._scored[ply] = tuple(self.room.position.explain(ply))
        return self._scored[ply]

    def decisions(self) -> list[int]:
        """Plies at which a player decided."""
        return [ply for ply, entry in enumerate(self.room.table.actions) if entry.seat >= 0]

    def panel(self, panel: Panel, theme: str, language: str) -> str:
        """A panel as SVG. A move changes few of them, and everybody who speaks a language sees the same."""
        key = (panel.id, language)
        last, svg = self._panels.get(key, (None, ""))
        if panel != last:
            svg = panel_svg(panel, theme=theme, say=translator(language))
            self._panels[key] = (panel, svg)
        return svg

    def line_html(self, line: LogLine, language: str, theme: str) -> str:
        """A line of the log as it stands on the page, drawn once for each language."""
        key = (line.ply, language, self.room.names[line.seat])
        if key not in self._html:
            say = translator(language)
            self._html[key] = fragment("_line.html", say, line=line, name=key[2], theme=theme)
        return self._html[key]

    async def prepare(self, lines: int) -> None:
        """Draw the end of the log, a line at a time, so that other tables are not held up."""
        for ply in self.decisions()[-lines:]:
            self.line(ply)
            await asyncio.sleep(0)

    def line(self, ply: int) -> LogLine:
        if ply not in self._lines:
            self._lines[ply] = self._line(ply)
        return self._lines[ply]

    def _line(self, ply: int) -> LogLine:
        entry = self.room.table.actions[ply]
        text = self.room.position.game.moves.text(entry.action)
        scene = self.scene(self.room.at(ply))
        path = next((choice.path for choice in scene.choices if choice.action == entry.action), ())
        slots = scene.slots()
        return LogLine(
            ply=ply, seat=entry.seat, text=text, scored=self.scored(ply),
            steps=tuple(_step(scene, slots[slot]) for slot in path if slot in slots),
        )

    def tally(self, since: int, until: int) -> list[Scored]:
        return [scored for ply in range(since, until) for scored in self.scored(ply)]


def container(scene: Scene, slot: Slot) -> Slot:
    """The slot around another one ("F2" around "F2.red"), or the slot itself."""
    return scene.slots().get(slot.id.rpartition(".")[0], slot)


def pieces_in(scene: Scene, slot: str) -> list[Piece]:
    return [piece for panel in scene.panels for piece in panel.pieces if piece.slot == slot]


def counted(pieces: list[Piece]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for piece in pieces:
        counts[piece.kind] = counts.get(piece.kind, 0) + piece.count
    return tuple(counts.items())


def _step(scene: Scene, slot: Slot) -> Step:
    around = container(scene, slot)
    pieces = counted(pieces_in(scene, slot.id)) if around is not slot else ()
    return Step(pieces=pieces, name=around.name)
