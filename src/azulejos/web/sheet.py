"""What one page shows already, and the moment that it has to show next."""

from __future__ import annotations

from typing import Any

import msgspec

from azulejos.core.position import Position
from azulejos.render import Drawn
from azulejos.web.drawing import drawing_of
from azulejos.web.picture import Viewer, frame
from azulejos.web.tables.table_state import TableState

MAX_FRAMES = 8
"""So many moments are shown one after the other; whoever was away longer jumps to the last ones."""


class Sheet:
    def __init__(self, room: TableState, viewer: Viewer, *, ply: int | None, logged: int | None) -> None:
        """For a page that shows the moment after `ply` actions and so many lines of the log, or nothing."""
        self.viewer = viewer
        self.logged = logged
        self._shown = None if ply is None else room.at(ply)
        self._sent: dict[str, str | Drawn] = {}

    @property
    def ply(self) -> int | None:
        return None if self._shown is None else self._shown.ply

    def next(self, room: TableState, looking: int | None) -> tuple[bytes, bool]:
        """The next moment that was not shown yet (or the one after `looking` actions); is it the last?"""
        missed = self._missed(room) if looking is None else []
        ply = missed[0] if missed else looking
        made = frame(
            room, drawing_of(room), self.viewer, ply=ply, passing=bool(missed), since=self._shown,
            logged=self.logged,
        )
        self.logged = max(made["logged"], self.logged or 0)
        self._shown = self._seen(room) if ply is None else room.at(ply)
        return msgspec.json.encode(made | self._news(made["fragments"])), not missed

    def _missed(self, room: TableState) -> list[int]:
        if self._shown is None:
            return []
        return room.timeline.stops_after(self._shown.ply)[:-1][-MAX_FRAMES:]

    def _seen(self, room: TableState) -> Position:
        return room.seen_by(self.viewer.seats).copy()

    def _news(self, fragments: dict[str, str | Drawn]) -> dict[str, Any]:
        """What the page does not show yet: whole fragments, and the changed parts of drawings."""
        whole, parts = {}, {}
        for name, made in fragments.items():
            before = self._sent.get(name)
            if isinstance(made, str):
                if made != before:
                    whole[name] = made
            elif isinstance(before, Drawn) and (changes := made.changes(before)) is not None:
                if changes:
                    parts[name] = changes
            else:
                whole[name] = made.svg()
        self._sent = fragments
        return {"fragments": whole, "parts": parts}
