"""A table in memory: the position after the log, and the methods that change it.

Everything here can be rebuilt from the store. A change is committed there first and shown afterwards. A
turn of several steps is a draft until its player confirms it; then all of it is committed at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import anyio

from azulejos.core.guide import section_about
from azulejos.core.message import Message, msg
from azulejos.core.notation import IllegalMove, InvalidMove
from azulejos.core.position import Position, play_forced
from azulejos.web.refused import Refused, Taken
from azulejos.web.store.faults import DatabaseFault, InDoubt, Overtaken
from azulejos.web.store.saved import (
    BOT,
    FINISHED,
    HUMAN,
    OPEN,
    PLAYING,
    WAITING,
    SavedAction,
    SavedSeat,
    SavedTable,
    Unreplayable,
    now,
)
from azulejos.web.store.store import Store
from azulejos.web.tables import fair_deal
from azulejos.web.tables.table_state import TableState


class LiveTable(TableState):
    def __init__(self, store: Store, saved: SavedTable) -> None:
        super().__init__(saved)
        self.store = store
        self.lock = asyncio.Lock()
        self.watchers: set[Callable[[], None]] = set()
        self.owner: str | None = None
        """The key of the visitor who pays for its bots' thoughts; None: not looked up yet."""
        self.stale = False
        """Whether the log may hold actions that are not shown here: the answer to a commit was lost, or
        notices of other servers."""
        self._dealt: tuple[int, fair_deal.Dealer] | None = None
        """The dealer of this table, and the ply up to which it has followed the game."""

    # --- telling everybody --------------------------------------------------------------------------

    @property
    def watched(self) -> bool:
        """Whether somebody looks at the table; the lobby always does."""
        return len(self.watchers) > 1

    def changed(self) -> None:
        self.version += 1
        for wake in tuple(self.watchers):
            wake()

    # --- a turn of a person -------------------------------------------------------------------------

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
        async with self.lock:
            self._check_turn(seats, ply)
            if not self.draft:
                raise Refused(msg("There is nothing to undo in this turn."))
            self._undo_step()
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
        play_forced(trial, self.position.to_move)
        self.draft_position = trial
        self.draft = trial.history.actions_from(self.ply)

    def _undo_step(self) -> None:
        """Go back to the last real choice: steps with a single legal move are undone with it."""
        while self.draft:
            self.draft_position.undo()
            self.draft.pop()
            if len(self.draft_position.legal_actions()) > 1:
                return

    # --- committing ---------------------------------------------------------------------------------

    async def start(self) -> None:
        """The first draws, once every seat is taken. Another server may make them at the same time."""
        async with self.lock:
            if self.ready:
                try:
                    await self._commit(self.position)
                except Refused:
                    if self.ready:
                        raise
        self.changed()

    async def bot_plays(self, entries: int, action: int) -> None:
        """Play a bot's action, if nothing was played since the course had so many entries."""
        async with self.lock:
            if self.timeline.course == entries and self.playing:
                await self._commit(self.position.after([action]))
        self.changed()

    async def _commit(self, played: Position) -> None:
        """Write what was played and what follows automatically (draws, forced moves), then show it."""
        ahead, dealer = played.copy(), self._dealer()
        while ahead.is_chance or (not ahead.is_over and len(ahead.legal_actions()) == 1):
            if ahead.is_chance:
                dealer = dealer.copy()  # a draw that is not saved must not advance the dealer
                fair_deal.deal(ahead, dealer)
            else:
                ahead.play(ahead.legal_actions()[0])
        with anyio.CancelScope(shield=True):  # the move counts even if the player disconnects now
            await self._save(ahead)
        self._dealt = (ahead.ply, dealer)

    def _dealer(self) -> fair_deal.Dealer:
        """The dealer at the current ply. After a restart or another server's move, it catches up once."""
        if self._dealt is None or self._dealt[0] != self.ply:
            dealer = fair_deal.dealer_of(self.position, self.saved.seed, dealt_from=self.saved.dealt_from)
            self._dealt = (self.ply, dealer)
        return self._dealt[1]

    async def _save(self, ahead: Position) -> None:
        await self.write_entries(self._entries(ahead), ahead, over=ahead.is_over)

    async def write_entries(
        self, entries: Sequence[SavedAction], ahead: Position, *, over: bool = False
    ) -> None:
        """Add entries to the log, after which the position is `ahead`; nothing changes if that fails."""
        await self._append(entries, ahead, over=over)
        state = FINISHED if over else PLAYING
        if self.saved.state != state:
            self.saved = replace(self.saved, state=state)
        self.timeline.extend(entries)
        self.position = ahead
        self._dealt = None
        self.drop_draft()

    async def note(self, entry: SavedAction) -> None:
        """Add an entry about help to the log; the game and its draft stay as they are."""
        await self._append([entry], self.position, over=False)
        self.timeline.extend([entry])

    async def _append(self, entries: Sequence[SavedAction], ahead: Position, *, over: bool) -> None:
        try:
            await self.store.append(
                self.id, len(self.timeline.log), entries, over=over, to_move=ahead.to_move
            )
        except Overtaken:
            await self._catch_up()
            raise Refused(msg("Someone has moved in the meantime; please look again.")) from None
        except DatabaseFault as error:
            if isinstance(error, InDoubt):
                self.stale = True
                self.changed()
            raise Refused(not_saved(error)) from error

    def _entries(self, ahead: Position) -> list[SavedAction]:
        """The new part of the log, with the seat that decided each action."""
        at, moves = self.now(), ahead.game.moves
        return [
            SavedAction(action=action, seat=ahead.mover(ply), at=at, move=moves.text(action))
            for ply, action in enumerate(ahead.history.actions_from(self.ply), start=self.ply)
        ]

    async def refresh(self) -> None:
        """Another server has changed this table: read its changes."""
        async with self.lock:
            await self._reload()
        self.changed()

    async def _catch_up(self) -> None:
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
        if [*saved.actions] == self.timeline.log:
            self.saved = replace(saved, actions=())
        else:
            self.set(saved)
            self._dealt = None

    # --- who sits where -----------------------------------------------------------------------------

    async def sit(self, seat: int, name: str, key: str, *, not_both: Sequence[str] = ()) -> None:
        """Take a free seat. Nobody can have seats at two tables of `not_both`."""
        async with self.lock:
            try:
                taken = await self.store.sit(self.id, seat, name, key, not_both=not_both)
            except DatabaseFault as error:
                raise Refused(not_saved(error)) from error
            if not taken:
                await self._catch_up()
                raise Taken(msg("Somebody has just taken this seat."))
            self._seat(replace(self.seats[seat], kind=HUMAN, name=name, seen=now()))
        await self.start()

    async def seat_bot(self, seat: int, word: str, name: str) -> None:
        """Give a free seat to a bot."""
        async with self.lock:
            chair = self.seats[seat]
            if chair.kind != OPEN:
                raise Taken(msg("Somebody has just taken this seat."))
            changed = replace(chair, kind=BOT, name=name, bot=word)
            try:
                done = await self.store.set_seat(self.id, changed, before=chair)
            except DatabaseFault as error:
                raise Refused(not_saved(error)) from error
            if not done:
                await self._catch_up()
                raise Refused(msg("Somebody else has just changed this seat; please look again."))
            self._seat(changed)
        await self.start()

    def _seat(self, changed: SavedSeat) -> None:
        seats = tuple(changed if seat.seat == changed.seat else seat for seat in self.seats)
        self.saved = replace(self.saved, seats=seats)


def _section(position: Position, line: str) -> str:
    """The section of the rules about the first illegal move of a line."""
    for action in position.game.moves.parse_line(line):
        if position.why_not(action) is not None:
            return section_about(position, action)
        position.play(action)
    return ""


def not_saved(error: DatabaseFault) -> Message:
    if isinstance(error, InDoubt):
        return msg("The connection to the database broke while this was being saved ({error}). As soon as "
                   "it is back, the table shows whether it was saved.", error=error.reason)
    return msg("The server could not save this, so nothing was changed. Try again in a moment. ({error})",
               error=error.reason)
