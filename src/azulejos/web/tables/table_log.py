"""The log of a table: everything that happened, the position after it, and an index that grows with the
game, so that a move costs the same in a long one."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from azulejos.core.position import Position
from azulejos.web.store.saved import (
    BACK, NOTES, NUMBERS, PLAYS, TIME_UP, SavedAction, SavedTable, now, replayed,
)
from azulejos.web.tables import fair_deal


class Branch(NamedTuple):
    """A line that was taken back after `ply` actions: all of its entries, from the beginning."""

    ply: int
    entries: tuple[SavedAction, ...]


class TableLog:
    def __init__(self, saved: SavedTable) -> None:
        """The log of a saved table. Unreplayable if it does not replay."""
        found = replayed(saved)
        self.position = found.position
        """The position after the log."""
        self.everything: list[SavedAction] = []
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
        self.numbers: tuple[str, ...] = ()
        """What the players have added to the seed, by seat."""
        self.course = 0
        """How often the game was changed: the entries of the log without notes about help."""
        self._start = replace(saved, actions=())
        self._dealt: tuple[int, fair_deal.Dealer] | None = None
        """The dealer of this table, and the ply up to which it has followed the game."""
        self.extend(found.entries)
        self._ahead = max(0, self.everything[-1].at - now()) if self.everything else 0

    # --- growing ------------------------------------------------------------------------------------

    def extend(self, entries: Sequence[SavedAction], position: Position | None = None) -> None:
        """Add actions that were written together, and the position after them if it has changed. The replay
        stops after them."""
        for entry in entries:
            if entry.seat >= 0 and self.everything:
                self.used[entry.seat] += max(0, entry.at - self.everything[-1].at)
            self.everything.append(entry)
            self.course += entry.event not in NOTES
            if entry.event == BACK:
                self._take_back(entry.action)
            elif entry.event in PLAYS:
                self._play(entry)
            elif entry.event == NUMBERS:
                self.numbers = tuple(entry.move.split())
        self._rest()
        if position is not None:
            self.position = position
            self._dealt = None

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

    # --- what follows by itself ---------------------------------------------------------------------

    def dealer(self) -> fair_deal.Dealer:
        """The dealer at the current ply. After a restart or another server's move, it catches up once."""
        ply = self.position.ply
        if self._dealt is None or self._dealt[0] != ply:
            start = self._start
            key = fair_deal.key_of(start.seed, self.numbers)
            self._dealt = ply, fair_deal.dealer_of(self.position, key, dealt_from=start.dealt_from)
        return self._dealt[1]

    def has_dealt(self, dealer: fair_deal.Dealer) -> None:
        """What this dealer has drawn was written."""
        self._dealt = (self.position.ply, dealer)

    def new_entries(self, ahead: Position) -> list[SavedAction]:
        """What leads from the log to a position, with the seat that decided each action."""
        at, moves, ply = self.now(), ahead.game.moves, self.position.ply
        return [
            SavedAction(action=action, seat=ahead.mover(when), at=at, move=moves.text(action))
            for when, action in enumerate(ahead.history.actions_from(ply), start=ply)
        ]

    # --- looking up ---------------------------------------------------------------------------------

    def now(self) -> int:
        """The time at this table. It never lies before the last entry of the log, whatever the clocks of
        the servers that wrote it show."""
        return now() + self._ahead

    def at(self, ply: int) -> Position:
        """The position after `ply` actions."""
        return self.position.at(ply)

    def stops_after(self, ply: int) -> list[int]:
        return self.stops[bisect.bisect_right(self.stops, ply) :]

    def decisions_before(self, ply: int) -> int:
        """How many decisions come before a ply."""
        return bisect.bisect_left(self.decisions, ply)

    def last_turn_of(self, seats: frozenset[int]) -> int | None:
        """The ply at which the last turn of these seats began; None if they have not played here."""
        entries = self.entries
        ply = next((ply for ply in reversed(self.decisions) if entries[ply].seat in seats), None)
        while ply and entries[ply - 1].seat == entries[ply].seat and self.at(ply).in_turn:
            ply -= 1
        return None if ply is None or ply < self._start.dealt_from else ply

    def lost_on_time(self) -> int | None:
        """The seat that has lost because its time was up."""
        last = self.everything[-1] if self.everything else None
        return last.seat if last is not None and last.event == TIME_UP else None
