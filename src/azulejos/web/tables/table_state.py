"""The current state of a table, and what each viewer can see of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from azulejos.core import registry
from azulejos.core.game import Action
from azulejos.core.position import Position, before_round_end
from azulejos.core.writing import header
from azulejos.insight.results import Coaching
from azulejos.web.store.company import Answer, ChatLine
from azulejos.web.store.saved import (
    BOT,
    FINISHED,
    HUMAN,
    OPEN,
    PHRASES,
    PLAYING,
    REMIND,
    REPLACE_AFTER,
    TIME_UP,
    WAITING,
    SavedSeat,
    SavedTable,
    new_id,
    now,
    replayed,
)
from azulejos.web.tables import fair_deal, requests
from azulejos.web.tables.attendance import Attendance
from azulejos.web.tables.learners import Learners
from azulejos.web.tables.requests import Request
from azulejos.web.tables.timeline import Timeline

MAX_TAKE_BACKS = 40
"""A record nests what was taken back; a deeper one would not be read."""


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


@dataclass(frozen=True, kw_only=True)
class Warned:
    """A turn that the coach calls a mistake. It is shown until the player plays on or takes it back."""

    coaching: Coaching
    before: Position
    branches: int
    """How often something had been taken back."""


class TableState:
    def __init__(self, saved: SavedTable) -> None:
        self.thinking: Thinking | None = None
        self.last_search: tuple[int, int] | None = None
        """The ply of the last bot search, and the number of positions searched."""
        self.coached = False
        """Whether the player wants to be told about mistakes."""
        self.warning: Warned | None = None
        """What the coach says about the last turn of the player."""
        self.account: object | None = None
        """The cache of `wire/` for this table."""
        self.version = 0
        """Increases with every change of the table."""
        self.attendance = Attendance()
        self.learners = Learners()
        self.chat: list[ChatLine] = []
        """What was said, oldest first."""
        self.answers: list[Answer] = []
        """What the players have asked and answered each other."""
        self.set(saved)

    def set(self, saved: SavedTable) -> None:
        """Show what was saved; Unreplayable, and nothing is changed, if it does not replay."""
        found = replayed(saved)
        self.saved = replace(saved, actions=())
        """Everything except the log, which is in `timeline`; `whole` has both."""
        self.position = found.position
        self.timeline = Timeline(replace(saved, actions=found.entries))
        self._ahead = max(0, self.timeline.log[-1].at - now()) if self.timeline.log else 0
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
        return [seat.guest or seat.name or f"{seat.seat + 1}" for seat in self.seats]

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

    @property
    def ranked(self) -> bool:
        """Whether the result is compared with others, so that nobody gets any help."""
        return self.saved.ranked

    @property
    def helped_seat(self) -> int | None:
        """The seat whose player may get help: the only person at a table against bots. None if another
        person plays or could sit down, or the result is compared with others."""
        people = [seat for seat in self.seats if seat.kind != BOT]
        alone = len(people) == 1 and people[0].kind == HUMAN and not people[0].bot and not people[0].guest
        return people[0].seat if alone and not self.ranked else None

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
        return self._ends_turn(self.draft_position)

    def _ends_turn(self, ahead: Position) -> bool:
        """Whether the turn that is to be played is complete in a position after this one."""
        return ahead.ply > self.ply and not ahead.in_turn_of(self.position.to_move)

    def now(self) -> int:
        """The time at this table. It never lies before the last entry of the log, whatever the clocks of
        the servers that wrote it show."""
        return now() + self._ahead

    def lost_on_time(self) -> int | None:
        """The seat that has lost because its time was up."""
        last = self.timeline.log[-1] if self.timeline.log else None
        return last.seat if last is not None and last.event == TIME_UP else None

    def time_is_up(self, seat: int) -> bool:
        return bool(self.saved.minutes) and self.used(self.now())[seat] >= self.saved.minutes * 60_000

    def last_turn_of(self, seats: frozenset[int]) -> int | None:
        """The ply at which the last turn of these seats began; None if they have not played here."""
        entries = self.timeline.entries
        own = (ply for ply in reversed(self.timeline.decisions) if entries[ply].seat in seats)
        ply = next(own, None)
        while ply and entries[ply - 1].seat == entries[ply].seat and self.at(ply).in_turn:
            ply -= 1
        return None if ply is None or ply < self.saved.dealt_from else ply

    def warned(self, seats: frozenset[int]) -> Warned | None:
        """What the coach has to say to the holder of these seats now."""
        warned = self.warning
        if warned is None or not self.playing or self.helped_seat not in seats:
            return None
        same = len(self.timeline.branches) == warned.branches
        return warned if same and self.last_turn_of(seats) == warned.before.ply else None

    def can_take_back(self, seats: frozenset[int]) -> bool:
        enough = len(self.timeline.branches) >= MAX_TAKE_BACKS
        allowed = self.playing and not self.ranked and not enough
        return bool(seats) and allowed and self.last_turn_of(seats) is not None

    def away(self) -> list[int | None]:
        """For each seat, how many milliseconds its player has been away; None: here, or no person. Nobody
        has ever been at the seats of a record that somebody opened."""
        since = [self.attendance.absent_since(seat) for seat in self.seats]
        return [now() - at if at else None for at in since]

    def request(self) -> Request | None:
        """What the players are asked at this moment."""
        what = requests.AGAIN if self.over else requests.TAKE_BACK
        if not (self.over or self.playing) or self.saved.rematch is not None:
            return None
        return requests.current(self.answers, what, self.timeline.course)

    def at(self, ply: int) -> Position:
        """The position after `ply` actions."""
        return self.position.at(ply)

    def used(self, at: int) -> list[int]:
        """Milliseconds that each seat has used, up to a moment."""
        used = list(self.timeline.used)
        if self.playing and self.timeline.log and self.position.to_move >= 0:
            used[self.position.to_move] += max(0, at - self.timeline.log[-1].at)
        return used


def new_table(
    box: str, seats: tuple[SavedSeat, ...], options: Mapping[str, str], *,
    listed: bool = False, minutes: int = 0, at_zero: str = REMIND, replace_after: int = REPLACE_AFTER,
    chat: str = PHRASES, seed: str = "",
) -> SavedTable:
    """A table without moves; without a seed it gets a new one. Raises ValueError if the arguments do not
    fit together."""
    game, preset = registry.find(box)
    start = Position(game, preset, len(seats), options)
    seed, moment = seed or fair_deal.new_seed(), now() / 1000
    return SavedTable(
        id=new_id(), box=box, players=len(seats), options=header(start)["options"],
        rules_version=game.version, seed=seed, promise=fair_deal.commitment(seed), listed=listed,
        minutes=minutes, at_zero=at_zero, replace_after=replace_after, chat=chat, created=moment,
        changed=moment, seats=tuple(replace(seat, seen=now()) for seat in seats),
    )
