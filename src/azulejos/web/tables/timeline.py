"""The course of a game, updated as it grows, so that a move costs the same in a long game."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import NamedTuple

from azulejos.web.store.saved import BACK, NOTES, PLAYED, SavedAction, SavedTable


class Branch(NamedTuple):
    """A line that was taken back after `ply` actions: all of its entries, from the beginning."""

    ply: int
    entries: tuple[SavedAction, ...]


class Timeline:
    """An index of the log: the actions that stand, the decisions and moments to show among them, and the
    time used by each seat."""

    def __init__(self, saved: SavedTable) -> None:
        self.log: list[SavedAction] = []
        """Everything that happened, take-backs included."""
        self.entries: list[SavedAction] = []
        """The actions that stand, by ply."""
        self.decisions: list[int] = []
        """Plies at which a player decided."""
        self.stops: list[int] = [0]
        """Plies at which to stop in a replay: the start, after every decision, after every run of draws."""
        self.deals: list[int] = []
        """Which of these stops come after a run of draws."""
        self.used = [0] * saved.players
        """Milliseconds that each seat has used, also for moves that were taken back."""
        self.branches: list[Branch] = []
        """What was taken back, oldest first."""
        self.course = 0
        """How often the game was changed: the entries of the log without notes about help."""
        self.extend(saved.actions)

    def extend(self, entries: Sequence[SavedAction]) -> None:
        """Add actions that were written together; the replay stops after them."""
        for entry in entries:
            if entry.seat >= 0 and self.log:
                self.used[entry.seat] += max(0, entry.at - self.log[-1].at)
            self.log.append(entry)
            self.course += entry.event not in NOTES
            if entry.event == BACK:
                self._take_back(entry.action)
            elif entry.event == PLAYED:
                self._play(entry)
        self._rest()

    def _play(self, entry: SavedAction) -> None:
        if entry.seat >= 0:
            self._rest()
            self.decisions.append(len(self.entries))
        self.entries.append(entry)
        if entry.seat >= 0:
            self._rest()

    def _take_back(self, ply: int) -> None:
        self.branches.append(Branch(ply, tuple(self.entries)))
        del self.entries[ply:]
        del self.decisions[bisect.bisect_left(self.decisions, ply) :]
        del self.stops[bisect.bisect_right(self.stops, ply) :]
        del self.deals[bisect.bisect_left(self.deals, len(self.stops)) :]

    def _rest(self) -> None:
        if self.stops[-1] < len(self.entries):
            if self.entries[-1].seat < 0:
                self.deals.append(len(self.stops))
            self.stops.append(len(self.entries))

    def stops_after(self, ply: int) -> list[int]:
        return self.stops[bisect.bisect_right(self.stops, ply) :]

    def decisions_before(self, ply: int) -> int:
        """How many decisions come before a ply."""
        return bisect.bisect_left(self.decisions, ply)
