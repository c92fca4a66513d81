"""The current state of a table, and what each viewer can see of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from azulejos.core.game import Action
from azulejos.core.position import Position, before_round_end
from azulejos.web.tables.saved import FINISHED, OPEN, PLAYING, WAITING, SavedSeat, SavedTable, replayed
from azulejos.web.tables.timeline import Timeline


@dataclass(frozen=True, kw_only=True)
class Thinking:
    """A bot that is thinking: its seat, when it began (milliseconds since 1970) and its time limit."""

    seat: int
    since: int
    seconds: float
    waiting: bool = False
    """It has not begun, because other bots are thinking."""
    shortened: bool = False
    """It gets less time than usual, because other bots are waiting."""


class TableState:
    def __init__(self, saved: SavedTable) -> None:
        self.thinking: Thinking | None = None
        self.last_search: tuple[int, int] | None = None
        """The ply of the last bot search, and the number of positions searched."""
        self.account: object | None = None
        """The cache of `frames/` for this table."""
        self.version = 0
        """Increases with every change of the table."""
        self.set(saved)

    def set(self, saved: SavedTable) -> None:
        """Show what was saved; Unreplayable, and nothing is changed, if it does not replay."""
        found = replayed(saved)
        self.saved = replace(saved, actions=())
        """Everything except the log, which is in `timeline`; `whole` has both."""
        self.position = found.position
        self.timeline = Timeline(replace(saved, actions=found.entries))
        self.account = None
        self.drop_draft()

    def drop_draft(self) -> None:
        self.draft: list[Action] = []
        self.draft_position = self.position.copy()

    def whole(self) -> SavedTable:
        """The table as it is saved, with its log."""
        return replace(self.saved, actions=tuple(self.timeline.log))

    @property
    def id(self) -> str:
        return self.saved.id

    @property
    def ply(self) -> int:
        return self.position.ply

    @property
    def seats(self) -> tuple[SavedSeat, ...]:
        return self.saved.seats

    @property
    def names(self) -> list[str]:
        return [seat.name or f"{seat.seat + 1}" for seat in self.seats]

    @property
    def playing(self) -> bool:
        return self.saved.state == PLAYING

    @property
    def over(self) -> bool:
        return self.saved.state == FINISHED

    @property
    def ready(self) -> bool:
        """Whether the game can begin: every seat is taken, but nothing is drawn yet."""
        return self.saved.state == WAITING and all(seat.kind != OPEN for seat in self.seats)

    def turn_of(self, seats: frozenset[int]) -> bool:
        """Whether one of these seats is to move and is not played by a bot."""
        seat = self.position.to_move
        return self.playing and seat in seats and not self.seats[seat].bot

    def drafting(self, seats: frozenset[int]) -> bool:
        return bool(self.draft) and self.position.to_move in seats

    def seen_by(self, seats: frozenset[int]) -> Position:
        """The position that the holder of these seats sees, including their own draft.

        If the draft ends the round, everything that follows is shown only when the turn is confirmed.
        """
        if not self.drafting(seats):
            return self.position
        return before_round_end(self.draft_position) if self.turn_complete() else self.draft_position

    def turn_complete(self) -> bool:
        """Whether the draft is a complete turn."""
        seat, ahead = self.position.to_move, self.draft_position
        return bool(self.draft) and (ahead.to_move != seat or not ahead.in_turn)

    def at(self, ply: int) -> Position:
        """The position after `ply` actions."""
        return self.position.at(ply)

    def used(self, at: int) -> list[int]:
        """Milliseconds that each seat has used, up to a moment."""
        used = list(self.timeline.used)
        if self.playing and self.timeline.log and self.position.to_move >= 0:
            used[self.position.to_move] += max(0, at - self.timeline.log[-1].at)
        return used
