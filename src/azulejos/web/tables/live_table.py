"""A table in memory: its log, its people, the turn that is being drafted, and the methods that change it.

Everything here can be rebuilt from the store. A change is committed there first and shown afterwards. A
turn of several steps is a draft until its player confirms it; then all of it is committed at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import anyio

from azulejos.core import registry
from azulejos.core.game import Action
from azulejos.core.guide import section_about
from azulejos.core.message import msg
from azulejos.core.notation import IllegalMove, InvalidMove
from azulejos.core.position import Position, before_round_end, play_forced
from azulejos.core.scene import marks_pieces
from azulejos.core.writing import header
from azulejos.insight.results import Coaching
from azulejos.web.refused import Refused
from azulejos.web.store.database import OVER_SEAT, TurnRow
from azulejos.web.store.faults import DatabaseFault, InDoubt, Overtaken, not_saved
from azulejos.web.store.saved import (
    BACK, BOT, BOT_PLAYS, COACH, FINISHED, HINT, HUMAN, LOSE, NUMBERS, OPEN, PAGE, PHRASES, PLAYING, REMIND,
    REPLACE_AFTER, TIME_UP, WAITING, SavedAction, SavedSeat, SavedTable, Unreplayable, new_id, now,
)
from azulejos.web.store.store import Store
from azulejos.web.tables import fair_deal
from azulejos.web.tables.people import AWAY_AFTER, People
from azulejos.web.tables.table_log import TableLog
from azulejos.web.tables.thinking_pages import ThinkingPage

DAY = 24 * 3600.0
BOT_RETRY = 5.0
"""Seconds after which a bot's turn at a table over days is looked at again."""
NUMBERS_SECONDS = 5.0
"""How long a game that could begin waits for numbers of its players."""

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


class LiveTable:
    def __init__(self, store: Store, saved: SavedTable, *, away_after: float = AWAY_AFTER) -> None:
        self.store = store
        self.lock = asyncio.Lock()
        self.watchers: set[Callable[[], None]] = set()
        self.version = 0
        """Increases with every change of the table."""
        self.owner: str | None = None
        """The key of the visitor who pays for its bots' thoughts; None: not looked up yet."""
        self.stale = False
        """Whether the log may hold actions that are not shown here: the answer to a commit was lost, or
        notices of other servers."""
        self.ready_since: float | None = None
        """When every seat was taken, as far as this server knows."""
        self.opens_rematch: Callable[[], Awaitable[None]] | None = None
        """Opens the next game; set by the lobby."""
        self.thinking: Thinking | None = None
        self.last_search: tuple[int, int] | None = None
        """The ply of the last bot search, and the number of positions searched."""
        self.pages: list[ThinkingPage] = []
        """Pages that can think for its bots, the newest last."""
        self.coached = False
        """Whether the player wants to be told about mistakes."""
        self.warning: Warned | None = None
        """What the coach says about the last turn of the player, ..."""
        self.answered: Warned | None = None
        """... and what it said that needs no answer any more: bots wait once for each word."""
        self.account: object | None = None
        """The cache of `wire/` for this table."""
        self.people = People(self, away_after=away_after)
        self._show(saved)

    def _show(self, saved: SavedTable) -> None:
        """Show what was saved; Unreplayable, and nothing is changed, if it does not replay."""
        self.log = TableLog(saved)
        self.saved = replace(saved, actions=())
        """Everything except the log; `whole` has both."""
        self.account = None
        self.drop_draft()

    # --- telling everybody --------------------------------------------------------------------------

    @property
    def watched(self) -> bool:
        """Whether somebody looks at the table; the lobby always does."""
        return len(self.watchers) > 1

    def changed(self) -> None:
        self.version += 1
        for wake in tuple(self.watchers):
            wake()

    # --- what it is ---------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        return self.saved.id

    @property
    def position(self) -> Position:
        return self.log.position

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

    def whole(self) -> SavedTable:
        """The table as it is saved, with its log."""
        return replace(self.saved, actions=tuple(self.log.everything))

    # --- a turn of a person -------------------------------------------------------------------------

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

    def drop_draft(self) -> None:
        self.draft: list[Action] = []
        self.draft_position = self.position.copy()

    def drop_draft_of(self, seat: int) -> None:
        """Somebody else plays this seat now. A draft of another seat is not touched."""
        if self.position.to_move == seat:
            self.drop_draft()

    async def play(self, seats: frozenset[int], text: str, ply: int, *, at_once: bool) -> None:
        """Add a step to the draft; commit a complete turn if it needs no confirmation."""
        async with self.lock:
            self._check_turn(seats, ply)
            if self.turn_complete():
                raise Refused(msg("First confirm or undo your turn."))
            self._draft(text)
            if at_once and self.turn_complete():
                await self._commit(self.draft_position)
        self.changed()

    async def undo(self, seats: frozenset[int], ply: int) -> None:
        """Go back to the last real choice: steps with a single legal move are undone with it."""
        async with self.lock:
            self._check_turn(seats, ply)
            if not self.draft:
                raise Refused(msg("There is nothing to undo in this turn."))
            chosen = False
            while self.draft and not chosen:
                self.draft_position.undo()
                self.draft.pop()
                chosen = len(self.draft_position.legal_actions()) > 1
        self.changed()

    async def confirm(self, seats: frozenset[int], ply: int) -> None:
        async with self.lock:
            self._check_turn(seats, ply)
            if not self.turn_complete():
                raise Refused(msg("The turn is not finished yet."))
            await self._commit(self.draft_position)
        self.changed()

    def _check_turn(self, seats: frozenset[int], ply: int) -> None:
        if self.saved.state == WAITING:
            raise Refused(msg("The game begins when every seat is taken."))
        if self.over:
            raise Refused(msg("The game is over."))
        if not seats:
            raise Refused(msg("You are watching; only players can move."))
        if not self.turn_of(seats):
            raise Refused(msg("It is not your turn."))
        if ply != self.ply + len(self.draft):
            raise Refused(msg("Someone has moved in the meantime; please look again."))

    def _draft(self, text: str) -> None:
        """Add moves of this turn, one or several; nothing that belongs to another turn or to chance."""
        trial = self.draft_position.copy()
        try:
            for move in text.split() or [text]:
                if self._ends_turn(trial):
                    raise Refused(msg("{moves} is more than one turn.", moves=text))
                trial.play(move)
        except IllegalMove as error:
            raise Refused(error.reason, section=_section(trial, text)) from error
        except InvalidMove as error:
            raise Refused(error.reason) from error
        play_forced(trial, self.position.to_move, until=marks_pieces)
        self.draft_position = trial
        self.draft = trial.history.actions_from(self.ply)

    # --- committing ---------------------------------------------------------------------------------

    @property
    def awaited(self) -> list[int]:
        """Seats whose players may still add a number to the draws before the game begins."""
        if not self.saved.mixed or self.saved.state != WAITING:
            return []
        people = (seat for seat in self.seats if seat.kind == HUMAN and not seat.program)
        return [seat.seat for seat in people if not seat.number]

    async def start(self) -> None:
        """The first draws, once every seat is taken and players have had time to add numbers. Another
        server may make them at the same time."""
        async with self.lock:
            if not self.ready:
                return
            if self.ready_since is None:
                self.ready_since = time.monotonic()
            elif self.awaited and time.monotonic() < self.ready_since + NUMBERS_SECONDS:
                return
            if not self.awaited or time.monotonic() >= self.ready_since + NUMBERS_SECONDS:
                try:
                    await self._begin()
                except Refused:
                    if self.ready:
                        raise
        self.changed()

    async def _begin(self) -> None:
        if not any(seat.number for seat in self.seats):
            await self._commit(self.position)
            return
        numbers = [seat.number or fair_deal.NO_NUMBER for seat in self.seats]
        entry = SavedAction(action=0, seat=-1, at=self.log.now(), move=" ".join(numbers), event=NUMBERS)
        key = fair_deal.key_of(self.saved.seed, numbers)
        await self._commit(self.position, first=[entry], dealer=fair_deal.Dealer(key))

    async def bot_plays(self, entries: int, action: int, *, in_page: bool = False) -> None:
        """Play a bot's action, if nothing was played since the course had so many entries. `in_page`:
        whether a page has found it."""
        async with self.lock:
            if self.log.course == entries and self.playing:
                await self._commit(self.position.after([action]), in_page=in_page)
        self.changed()

    async def _commit(
        self, played: Position, *, in_page: bool = False, first: Sequence[SavedAction] = (),
        dealer: fair_deal.Dealer | None = None,
    ) -> None:
        """Write what was played and what follows automatically (draws, forced moves), then show it."""
        ahead, dealer = played.copy(), dealer or self.log.dealer()
        while ahead.is_chance or (not ahead.is_over and len(ahead.legal_actions()) == 1):
            if ahead.is_chance:
                dealer = dealer.copy()  # a draw that is not saved must not advance the dealer
                fair_deal.deal(ahead, dealer)
            else:
                ahead.play(ahead.legal_actions()[0])
        entries = self.log.new_entries(ahead)
        if in_page:
            entries[0] = replace(entries[0], event=PAGE)
        with anyio.CancelScope(shield=True):  # the move counts even if the player disconnects now
            await self._write([*first, *entries], ahead, over=ahead.is_over)
        self.log.has_dealt(dealer)

    async def _write(self, entries: Sequence[SavedAction], ahead: Position, *, over: bool = False) -> None:
        """Add entries to the log, after which the position is `ahead`; nothing changes if that fails."""
        await self._append(entries, ahead, over=over, turn=self._turn_after(entries, ahead, over=over))
        state = FINISHED if over else PLAYING
        if self.saved.state != state:
            self.saved = replace(self.saved, state=state)
        self.log.extend(entries, ahead)
        self.drop_draft()

    async def _note(self, entry: SavedAction) -> None:
        """Add an entry about help to the log; the game and its draft stay as they are."""
        await self._append([entry], self.position, over=False)
        self.log.extend([entry])

    def _turn_after(
        self, entries: Sequence[SavedAction], ahead: Position, *, over: bool
    ) -> TurnRow | None:
        """Whose turn it is then, at a table over days; a bot is looked at again soon, in case its server
        ends."""
        if not self.saved.days or not entries:
            return None
        seat, at = OVER_SEAT if over else ahead.to_move, entries[-1].at
        is_bot = seat >= 0 and bool(self.seats[seat].bot)
        due = at + round(1000 * (BOT_RETRY if is_bot else self.saved.days * DAY))
        told = int(is_bot)
        return TurnRow(self.id, seat, len(self.log.everything) + len(entries), at, due, told)

    async def _append(
        self, entries: Sequence[SavedAction], ahead: Position, *, over: bool, turn: TurnRow | None = None
    ) -> None:
        try:
            await self.store.append(
                self.id, len(self.log.everything), entries, over=over, to_move=ahead.to_move, turn=turn
            )
        except Overtaken:
            await self.reread()
            raise Refused(msg("Someone has moved in the meantime; please look again.")) from None
        except DatabaseFault as error:
            if isinstance(error, InDoubt):
                self.stale = True
                self.changed()
            raise Refused(not_saved(error)) from error

    async def refresh(self) -> None:
        """Another server has changed this table: read its changes."""
        async with self.lock:
            await self._reload()
        self.changed()
        await self.people.catch_up()
        self.changed()
        await self.people.grant()

    async def reread(self) -> None:
        """Somebody else was first: read what they have changed."""
        try:
            await self._reload()
        except (DatabaseFault, Unreplayable) as error:
            raise Refused(error.reason) from error

    async def _reload(self) -> None:
        """Read this table again; raises Unread or Unreplayable, and then it stays as it was."""
        saved = await self.store.load(self.id)
        if saved is None:
            raise Refused(msg("This table has been removed."))
        self.stale = False
        if [*saved.actions] == self.log.everything:
            self.saved = replace(saved, actions=())
        else:
            self._show(saved)

    # --- taking back --------------------------------------------------------------------------------

    def can_take_back(self, seats: frozenset[int]) -> bool:
        enough = len(self.log.branches) >= MAX_TAKE_BACKS
        allowed = self.playing and not self.ranked and self.saved.takes_back and not enough
        return bool(seats) and allowed and self.log.last_turn_of(seats) is not None

    def check_take_back(self, seats: frozenset[int]) -> int:
        """The ply at which the last turn of these seats began; refused if it cannot be taken back."""
        if not self.playing:
            raise Refused(msg("The game is over; nothing can be taken back."))
        if self.ranked:
            raise Refused(msg("This game is ranked, so nothing can be taken back."))
        if not self.saved.takes_back:
            raise Refused(msg("At this table nothing is taken back."))
        if len(self.log.branches) >= MAX_TAKE_BACKS:
            raise Refused(msg("Turns were taken back {n} times at this table; that is enough.",
                              n=MAX_TAKE_BACKS))
        ply = self.log.last_turn_of(seats)
        if ply is None:
            raise Refused(msg("You have not played a turn that could be taken back."))
        return ply

    async def take_back(self, seats: frozenset[int]) -> None:
        """Go back to the beginning of the last turn of these seats."""
        async with self.lock:
            ply = self.check_take_back(seats)
            entry = SavedAction(action=ply, seat=self.position.to_move, at=self.log.now(), event=BACK)
            await self._write([entry], self.log.at(ply).copy())
            self.account = None
        self.changed()

    # --- help for somebody who plays alone ----------------------------------------------------------

    @property
    def lone_seat(self) -> int | None:
        """The seat of the only person at a table against bots. None if another person plays or could sit
        down, or the result is compared with others."""
        people = [seat for seat in self.seats if seat.kind != BOT]
        alone = len(people) == 1 and people[0].kind == HUMAN and not people[0].bot and not people[0].guest
        return people[0].seat if alone and not (self.ranked or self.saved.rated) else None

    @property
    def helped_seat(self) -> int | None:
        """The seat whose player may get help, if they play alone and the table allows it."""
        return self.lone_seat if self.saved.helps else None

    def warned(self, seats: frozenset[int]) -> Warned | None:
        """What the coach has to say to the holder of these seats now."""
        warned = self.warning
        if warned is None or not self.playing or self.helped_seat not in seats:
            return None
        same = len(self.log.branches) == warned.branches
        return warned if same and self.log.last_turn_of(seats) == warned.before.ply else None

    async def take_hint(self, step: int) -> None:
        """Note that a step of a hint is taken for the turn to be played."""
        async with self.lock:
            seat = self.position.to_move
            await self._note(SavedAction(action=step, seat=seat, at=self.log.now(), event=HINT))

    async def warn(self, warned: Warned) -> None:
        """The coach speaks, if the turn still stands; that is noted, too."""
        async with self.lock:
            self.warning = warned
            seat = self.helped_seat
            if seat is None or self.warned(frozenset({seat})) is None:
                return
            await self._note(SavedAction(
                action=warned.before.ply, seat=self.position.to_move, at=self.log.now(), event=COACH
            ))
        self.changed()

    # --- clocks -------------------------------------------------------------------------------------

    def used(self, at: int) -> list[int]:
        """Milliseconds that each seat has used, up to a moment."""
        used = list(self.log.used)
        if self.playing and self.log.everything and self.position.to_move >= 0:
            used[self.position.to_move] += max(0, at - self.log.everything[-1].at)
        return used

    def time_is_up(self, seat: int) -> bool:
        return bool(self.saved.minutes) and self.used(self.log.now())[seat] >= self.saved.minutes * 60_000

    def seconds_left(self) -> float | None:
        """Seconds until the clock of the person to move reaches 0:00; None if no clock runs."""
        seat = self.position.to_move
        if not self.playing or seat < 0 or self.seats[seat].bot:
            return None
        if self.saved.days:
            return self.saved.days * DAY - (self.log.now() - self.log.everything[-1].at) / 1000
        if not self.saved.minutes:
            return None
        return (self.saved.minutes * 60_000 - self.used(self.log.now())[seat]) / 1000

    async def check_clock(self) -> None:
        """If the clock of the person to move has reached 0:00, do what the table agreed on."""
        async with self.lock:
            left, seat = self.seconds_left(), self.position.to_move
            if left is None or left > 0:
                return
            if self.saved.at_zero == LOSE:
                entry = SavedAction(action=0, seat=seat, at=self.log.now(), event=TIME_UP)
                await self._write([entry], self.position, over=True)
            elif self.saved.at_zero == BOT_PLAYS:
                await self.people.take_over(seat, unseen_since=now() + 1000)
        self.changed()


def _section(position: Position, line: str) -> str:
    """The section of the rules about the first illegal move of a line."""
    for action in position.game.moves.parse_line(line):
        if position.why_not(action) is not None:
            return section_about(position, action)
        position.play(action)
    return ""


def new_table(
    box: str, seats: tuple[SavedSeat, ...], options: Mapping[str, str], *,
    listed: bool = False, minutes: int = 0, at_zero: str = REMIND, replace_after: int = REPLACE_AFTER,
    chat: str = PHRASES, seed: str = "", mixed: bool = False, days: int = 0, takes_back: bool = True,
    helps: bool = True, rated: bool = False, programs: bool = False, circle: str = "",
) -> SavedTable:
    """A table without moves; without a seed it gets a new one. Raises ValueError if the arguments do not
    fit together."""
    game, preset = registry.find(box)
    start = Position(game, preset, len(seats), options)
    seed, moment = seed or fair_deal.new_seed(), now() / 1000
    return SavedTable(
        id=new_id(), box=box, players=len(seats), options=header(start)["options"],
        rules_version=game.version, seed=seed, promise=fair_deal.commitment(seed), listed=listed,
        minutes=minutes, at_zero=at_zero, replace_after=replace_after, chat=chat, mixed=mixed,
        created=moment, changed=moment, days=days, takes_back=takes_back, helps=helps, rated=rated,
        programs=programs, circle=circle, seats=tuple(replace(seat, seen=now()) for seat in seats),
    )
