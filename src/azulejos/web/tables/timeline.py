"""The course of a game, updated as it grows, so that a move costs the same in a long game."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from azulejos.web.tables.saved import SavedAction, SavedTable


class Timeline:
    """An index of the log: the decisions, the moments to show, and the time used by each seat."""

    def __init__(self, saved: SavedTable) -> None:
        self.entries: list[SavedAction] = []
        """The log: every action, by ply."""
        self.decisions: list[int] = []
        """Plies at which a player decided."""
        self.stops: list[int] = [0]
        """Plies at which to stop in a replay: the start, after every decision, after every run of draws."""
        self.used = [0] * saved.players
        """Milliseconds that each seat has used."""
        self.extend(saved.actions)

    def extend(self, entries: Sequence[SavedAction]) -> None:
        """Add actions that were written together; the replay stops after them."""
        for entry in entries:
            if entry.seat >= 0:
                self._rest()
                self.decisions.append(len(self.entries))
                if self.entries:
                    self.used[entry.seat] += entry.at - self.entries[-1].at
            self.entries.append(entry)
            if entry.seat >= 0:
                self._rest()
        self._rest()

    def _rest(self) -> None:
        if self.stops[-1] < len(self.entries):
            self.stops.append(len(self.entries))

    def stops_after(self, ply: int) -> list[int]:
        return self.stops[bisect.bisect_right(self.stops, ply) :]

    def decisions_before(self, ply: int) -> int:
        """How many decisions come before a ply."""
        return bisect.bisect_left(self.decisions, ply)
