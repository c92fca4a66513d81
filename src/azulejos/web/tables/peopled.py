"""A table with its people: who is there, who plays for whom, what they say and ask, their clocks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from sqlalchemy.exc import IntegrityError

from azulejos.bots import levels
from azulejos.core.message import Message, msg, nmsg
from azulejos.web.guard.buckets import Bucket
from azulejos.web.names import read_name
from azulejos.web.refused import Refused
from azulejos.web.store.company import KEPT_LINES, Answer
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import (
    BACK,
    BOT,
    BOT_PLAYS,
    COACH,
    FREE_CHAT,
    HINT,
    LOSE,
    NO_CHAT,
    TIME_UP,
    SavedAction,
    SavedTable,
    now,
)
from azulejos.web.store.store import Store
from azulejos.web.tables import requests
from azulejos.web.tables.attendance import AWAY_AFTER
from azulejos.web.tables.live_table import LiveTable, not_saved
from azulejos.web.tables.phrases import LONGEST_LINE, PHRASES
from azulejos.web.tables.table_state import MAX_TAKE_BACKS, Warned

CHAT_BURST, CHAT_RATE = 5, 0.5
"""Lines that a seat may say at once, and per second after that."""

log = logging.getLogger("azulejos.web")


class PeopledTable(LiveTable):
    def __init__(self, store: Store, saved: SavedTable, *, away_after: float = AWAY_AFTER) -> None:
        super().__init__(store, saved)
        self.attendance.away_after = away_after
        self.opens_rematch: Callable[[], Awaitable[None]] | None = None
        """Opens the next game; set by the lobby."""
        self._pace: dict[int, Bucket] = {}

    # --- who is there -------------------------------------------------------------------------------

    async def arrive(self, seats: Iterable[int]) -> None:
        """A connection of these seats opens."""
        await self._see(self.attendance.arrive(seats))

    async def leave(self, seats: Iterable[int]) -> None:
        """A connection of these seats closes; the others are told when it does not come back soon."""
        gone = self.attendance.leave(seats)
        if gone:
            asyncio.get_running_loop().call_later(self.attendance.away_after, self.changed)
        await self._see(gone)

    async def _see(self, seats: list[int]) -> None:
        if not seats:
            return
        try:
            await self.store.company.see([(self.id, seat) for seat in seats], tell=True)
        except DatabaseFault as error:
            log.warning("table %s: not noted who is there: %s", self.id, error)
        self.changed()

    def seen(self, seat: int, at: int) -> bool:
        """Another server has seen a player; whether they were away until then."""
        chair = self.seats[seat]
        was_away = self.attendance.absent_since(chair) is not None
        self._seat(replace(chair, seen=max(at, chair.seen)))
        return was_away and self.attendance.absent_since(self.seats[seat]) is None

    # --- who plays for whom -------------------------------------------------------------------------

    async def replace_absent(self, seat: int, *, guest: str = "", key: str = "") -> None:
        """Let a guest, or without one a bot of the middle, play for somebody who has been away too long."""
        async with self.lock:
            chair = self.seats[seat]
            if not self.playing:
                raise Refused(msg("Only in a running game can somebody be replaced."))
            if self.ranked:
                raise Refused(msg("This game is ranked, so nobody can play for somebody else."))
            if chair.kind == BOT or chair.bot:
                raise Refused(msg("A bot already sits there."))
            self._check_absence(seat)
            bot = "" if guest else self._middle_bot()
            patience = round(1000 * max(self.saved.replace_after, self.attendance.away_after))
            await self._take_over(seat, bot=bot, guest=guest, key=key, unseen_since=now() - patience)
        self.changed()

    def _check_absence(self, seat: int) -> None:
        chair, minutes = self.seats[seat], self.saved.replace_after // 60
        since = self.attendance.absent_since(chair)
        if since is None:
            raise Refused(_is_there(chair.guest or chair.name))
        if now() - since < self.saved.replace_after * 1000:
            raise Refused(nmsg(
                "{name} can be replaced after {n} minute away.",
                "{name} can be replaced after {n} minutes away.", n=minutes, name=chair.guest or chair.name,
            ))

    async def _take_over(self, seat: int, *, bot: str, guest: str, key: str, unseen_since: int) -> None:
        chair = self.seats[seat]
        try:
            done = await self.store.company.replace(
                self.id, seat, bot=bot, guest=guest, key=key, unseen_since=unseen_since
            )
        except DatabaseFault as error:
            raise Refused(not_saved(error)) from error
        if not done:
            await self._catch_up()
            raise Refused(_is_there(chair.guest or chair.name))
        self._seat(replace(chair, bot=bot, guest=guest, seen=now()))
        self._drop_draft_of(seat)

    def _drop_draft_of(self, seat: int) -> None:
        """Somebody else plays this seat now. A draft of another seat is not touched."""
        if self.position.to_move == seat:
            self.drop_draft()

    def _middle_bot(self) -> str:
        found = levels(self.position.game)
        return found[len(found) // 2].word

    async def let_bot_play(self, seat: int, asking: frozenset[int]) -> None:
        """Somebody at the table lets a bot play for somebody who has been away too long."""
        self.check_seat(seat)
        if not asking:
            raise Refused(msg("Only players at the table can do that."))
        await self.replace_absent(seat)

    def check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise Refused(msg("There is no such seat."))

    async def come_back(self, seat: int, own: frozenset[int]) -> None:
        """The owner of a seat plays it again."""
        if seat not in own:
            raise Refused(msg("This is not your seat."))
        async with self.lock:
            chair = self.seats[seat]
            if not chair.bot and not chair.guest:
                return
            if self.time_is_up(seat):
                raise Refused(msg("Your time is up, so the bot plays this game to the end."))
            try:
                await self.store.company.give_back(self.id, seat)
            except DatabaseFault as error:
                raise Refused(not_saved(error)) from error
            self._seat(replace(chair, bot="", guest="", seen=now()))
            self._drop_draft_of(seat)
        self.changed()

    async def forget_devices(self, seat: int, key: str) -> None:
        """Of all devices of the owner of a seat, only the one with this key plays it from now on."""
        async with self.lock:
            try:
                done = await self.store.company.forget_devices(self.id, seat, key)
            except DatabaseFault as error:
                raise Refused(not_saved(error)) from error
            if not done:
                raise Refused(msg("This is not your seat."))
            chair = self.seats[seat]
            self._seat(replace(chair, revocations=chair.revocations + 1))
        self.changed()

    # --- what they say ------------------------------------------------------------------------------

    async def say(self, seats: frozenset[int], *, phrase: str = "", text: str = "") -> None:
        """A line of the chat; on a shared screen, from the player to move."""
        if not seats:
            raise Refused(msg("You are watching; only players can talk here."))
        seat = self.position.to_move if self.position.to_move in seats else min(seats)
        text = "" if phrase else read_name(text, most=LONGEST_LINE)
        self._check_talk(seat, phrase, text)
        chair = self.seats[seat]
        try:
            await self._note(seat, chair.guest or chair.name, phrase, text)
        except DatabaseFault as error:
            raise Refused(not_saved(error)) from error
        self.changed()

    def _check_talk(self, seat: int, phrase: str, text: str) -> None:
        if self.saved.chat == NO_CHAT:
            raise Refused(msg("This table was set up without a chat."))
        if phrase and phrase not in PHRASES:
            raise Refused(msg("This message cannot be read."))
        if not phrase and self.saved.chat != FREE_CHAT:
            raise Refused(msg("At this table there are only ready-made phrases."))
        if not phrase and not text:
            raise Refused(msg("There is nothing to send yet."))
        if not self._pace.setdefault(seat, Bucket(CHAT_BURST, CHAT_RATE)).take():
            raise Refused(msg("That was too fast; wait a moment."))

    async def _note(self, seat: int, name: str, phrase: str, text: str) -> None:
        """The line gets the next number; if another server has just given it away, the one after it."""
        try:
            line = await self.store.company.say(self.id, seat, name, phrase=phrase, text=text)
        except IntegrityError:
            line = await self.store.company.say(self.id, seat, name, phrase=phrase, text=text)
        await self._catch_up_chat(before=line.number)
        if not self.chat or self.chat[-1].number < line.number:
            self.chat.append(line)
        del self.chat[:-KEPT_LINES]

    async def _catch_up_chat(self, before: int | None = None) -> None:
        """Read the lines that other servers have written."""
        last = self.chat[-1].number if self.chat else 0
        if before is not None and before <= last + 1:
            return
        self.chat += [line for line in await self.store.company.chat(self.id, last) if line.number > last]
        del self.chat[:-KEPT_LINES]

    async def catch_up(self) -> None:
        """Read what was said and asked; nothing is asked here meanwhile, or it would be lost."""
        async with self.lock:
            await self._catch_up_chat()
            self.answers = await self.store.company.answers(self.id)

    async def refresh(self) -> None:
        await super().refresh()
        await self.catch_up()
        self.changed()
        await self._grant()

    # --- what they ask each other -------------------------------------------------------------------

    async def ask(self, seats: frozenset[int], what: str) -> None:
        """Ask the others to take back the asker's last turn, or to play again."""
        async with self.lock:
            self._check_request(seats, what)
            await self._answer(what, seats, requests.ASKED)
        self.changed()
        await self._grant()

    async def answer(self, seats: frozenset[int], *, yes: bool) -> None:
        """Agree to the request that is waiting, decline it, or withdraw it."""
        async with self.lock:
            request = self.request()
            if request is None:
                raise Refused(msg("There is nothing to answer any more."))
            if not seats:
                raise Refused(msg("Only players at the table can do that."))
            own = seats if not yes else seats & request.open_to(requests.people(self.seats))
            await self._answer(request.what, own, requests.YES if yes else requests.NO)
        self.changed()
        await self._grant()

    def _check_request(self, seats: frozenset[int], what: str) -> None:
        if not seats:
            raise Refused(msg("Only players at the table can do that."))
        if requests.declined(self.answers, what, self.timeline.course):
            raise Refused(msg("This was declined just now."))
        if what == requests.AGAIN and not self.over:
            raise Refused(msg("The game is not over yet."))
        if what == requests.TAKE_BACK:
            self._take_back_to(seats)

    async def _answer(self, what: str, seats: Iterable[int], answer: str) -> None:
        entries = self.timeline.course
        given = [Answer(what, entries, seat, answer) for seat in seats]
        try:
            await self.store.company.answer(self.id, given)
        except DatabaseFault as error:
            raise Refused(not_saved(error)) from error
        kept = {(one.request, one.entries, one.seat): one for one in (*self.answers, *given)}
        self.answers = list(kept.values())

    async def _grant(self) -> None:
        """Do what everybody has agreed to. If another server does it too, one of them comes too late."""
        request = self.request()
        if request is None or request.open_to(requests.people(self.seats)):
            return
        if request.what == requests.AGAIN:
            if self.opens_rematch is not None:
                await self.opens_rematch()
        else:
            await self._take_back(request.by)

    def _take_back_to(self, seats: frozenset[int]) -> int:
        """The ply at which the last turn of these seats began."""
        if not self.playing:
            raise Refused(msg("The game is over; nothing can be taken back."))
        if self.ranked:
            raise Refused(msg("This game is ranked, so nothing can be taken back."))
        if len(self.timeline.branches) >= MAX_TAKE_BACKS:
            raise Refused(msg("Turns were taken back {n} times at this table; that is enough.",
                              n=MAX_TAKE_BACKS))
        ply = self.last_turn_of(seats)
        if ply is None:
            raise Refused(msg("You have not played a turn that could be taken back."))
        return ply

    async def _take_back(self, seats: frozenset[int]) -> None:
        async with self.lock:
            ply = self._take_back_to(seats)
            entry = SavedAction(
                action=ply, seat=self.position.to_move, at=self.now(), event=BACK
            )
            await self.write_entries([entry], self.at(ply).copy())
            self.account = None
        self.changed()

    # --- help for somebody who plays alone -----------------------------------------------------------

    async def take_hint(self, step: int) -> None:
        """Note that a step of a hint is taken for the turn to be played."""
        async with self.lock:
            seat = self.position.to_move
            await self.note(SavedAction(action=step, seat=seat, at=self.now(), event=HINT))

    async def warn(self, warned: Warned) -> None:
        """The coach speaks, if the turn still stands; that is noted, too."""
        async with self.lock:
            self.warning = warned
            seat = self.helped_seat
            if seat is None or self.warned(frozenset({seat})) is None:
                return
            await self.note(SavedAction(
                action=warned.before.ply, seat=self.position.to_move, at=self.now(), event=COACH
            ))
        self.changed()

    # --- their clocks -------------------------------------------------------------------------------

    def seconds_left(self) -> float | None:
        """Seconds until the clock of the person to move reaches 0:00; None if no clock runs."""
        seat = self.position.to_move
        if not self.playing or not self.saved.minutes or seat < 0 or self.seats[seat].bot:
            return None
        return (self.saved.minutes * 60_000 - self.used(self.now())[seat]) / 1000

    async def check_clock(self) -> None:
        """If the clock of the person to move has reached 0:00, do what the table agreed on."""
        async with self.lock:
            left, seat = self.seconds_left(), self.position.to_move
            if left is None or left > 0:
                return
            if self.saved.at_zero == LOSE:
                entry = SavedAction(action=0, seat=seat, at=self.now(), event=TIME_UP)
                await self.write_entries([entry], self.position, over=True)
            elif self.saved.at_zero == BOT_PLAYS:
                await self._take_over(
                    seat, bot=self._middle_bot(), guest="", key="", unseen_since=now() + 1000
                )
        self.changed()


def _is_there(name: str) -> Message:
    return msg("{name} is at the table and cannot be replaced.", name=name)
