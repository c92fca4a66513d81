"""The people of a table: who is there, who plays for whom, what they say, and what they ask each other."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import IntegrityError

from azulejos.bots import levels
from azulejos.core.message import Message, msg, nmsg
from azulejos.web.guard.budgets import Bucket
from azulejos.web.names import read_name
from azulejos.web.refused import Refused, Taken
from azulejos.web.store.company import KEPT_LINES, ChatLine, SeatAnswer
from azulejos.web.store.faults import DatabaseFault, saving
from azulejos.web.store.saved import BOT, FREE_CHAT, HUMAN, NO_CHAT, NUMBER, OPEN, SavedSeat, now

if TYPE_CHECKING:
    from azulejos.web.tables.live_table import LiveTable

AWAY_AFTER = 30.0
"""Seconds without a connection after which a player counts as away: a reload or a tunnel takes less."""
BEATS = 3
"""How often within that time a server tells the others who is connected."""
MOST_LEARNERS = 8
"""Invited friends that a table notes; others are not mentioned."""
LEARNING_SECONDS = 600
"""After so long a friend who has not come back from the lesson is no longer mentioned."""
CHAT_BURST, CHAT_RATE = 5, 0.5
"""Lines that a seat may say at once, and per second after that."""
LONGEST_LINE = 200
"""Characters of a line that somebody types."""
PHRASES: dict[str, Message] = {
    "hello": msg("Hello!"),
    "luck": msg("Good luck!"),
    "nice": msg("Nice move!"),
    "ouch": msg("Ouch!"),
    "think": msg("Let me think."),
    "sorry": msg("Sorry, back in a minute."),
    "thanks": msg("Thank you!"),
    "game": msg("Good game!"),
}
"""What players can say in every language with one click."""
TAKE_BACK: Final = "back"
AGAIN: Final = "again"
"""What players can ask each other."""
ASKED: Final = "asked"
YES: Final = "yes"
NO: Final = "no"

log = logging.getLogger("azulejos.web")


class Attendance:
    """Counts the connections of seats on this server: somebody with several tabs is there once."""

    def __init__(self, *, away_after: float = AWAY_AFTER) -> None:
        self.away_after = away_after
        self._connections: Counter[int] = Counter()
        self._seen: dict[int, int] = {}
        """When the last connection of a seat was open, if that was here."""

    def arrive(self, seats: Iterable[int]) -> list[int]:
        """A connection opens; return the seats that had none."""
        new = [seat for seat in seats if not self._connections[seat]]
        self._connections.update(seats)
        return new

    def leave(self, seats: Iterable[int]) -> list[int]:
        """A connection closes; return the seats that have none left."""
        self._connections.subtract(seats)
        gone = [seat for seat in seats if self._connections[seat] <= 0]
        for seat in gone:
            del self._connections[seat]
            self._seen[seat] = now()
        return gone

    def connected(self) -> list[int]:
        return [seat for seat, count in self._connections.items() if count > 0]

    def absent_since(self, seat: SavedSeat) -> int | None:
        """When the player of a seat was last seen; None if they are here, or if the seat is no person's."""
        if seat.kind != HUMAN or seat.bot or self._connections[seat.seat] > 0:
            return None
        seen = max(seat.seen, self._seen.get(seat.seat, 0))
        return seen if now() - seen >= self.away_after * 1000 else None


class Learners:
    """Invited friends who have opened the lesson of the game before they sit down. Only this server knows
    them: a note for whoever waits, not a part of the table."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[str, int]] = {}
        """By the visitor's key: a name, which may be empty, and when the lesson was opened."""

    def begin(self, key: str, name: str) -> bool:
        """A visitor opens the lesson; whether this is news."""
        self._forget()
        known = self._since.get(key)
        if len(self._since) >= MOST_LEARNERS and known is None:
            return False
        self._since[key] = (name, now())
        return known is None or known[0] != name

    def end(self, key: str) -> bool:
        """A visitor is back, or sits down; whether this is news."""
        return self._since.pop(key, None) is not None

    def names(self) -> list[str]:
        self._forget()
        return [name for name, _ in self._since.values()]

    def _forget(self) -> None:
        oldest = now() - 1000 * LEARNING_SECONDS
        self._since = {key: one for key, one in self._since.items() if one[1] > oldest}


@dataclass(frozen=True, kw_only=True)
class PendingRequest:
    """A request that is waiting for answers: to take back a turn, or to play again.

    It is valid for one moment: as long as nothing more is written to the log. Whoever plays on has answered
    it. It is granted when everybody who plays a seat at the table has agreed.
    """

    what: str
    by: frozenset[int]
    """The seats that asked."""
    agreed: frozenset[int]
    """The seats that agree, including those that asked."""


class People:
    def __init__(self, table: LiveTable, *, away_after: float = AWAY_AFTER) -> None:
        self.table = table
        self.attendance = Attendance(away_after=away_after)
        self.learners = Learners()
        self.chat: list[ChatLine] = []
        """What was said, oldest first."""
        self.answers: list[SeatAnswer] = []
        """What the players have asked and answered each other."""
        self._pace: dict[int, Bucket] = {}

    def playing(self) -> frozenset[int]:
        """The seats that a person plays now."""
        return frozenset(seat.seat for seat in self.table.seats if seat.kind == HUMAN and not seat.bot)

    # --- who is there -------------------------------------------------------------------------------

    async def arrive(self, seats: Iterable[int]) -> None:
        """A connection of these seats opens."""
        await self._see(self.attendance.arrive(seats))

    async def leave(self, seats: Iterable[int]) -> None:
        """A connection of these seats closes; the others are told when it does not come back soon."""
        gone = self.attendance.leave(seats)
        if gone:
            asyncio.get_running_loop().call_later(self.attendance.away_after, self.table.changed)
        await self._see(gone)

    async def _see(self, seats: list[int]) -> None:
        if not seats:
            return
        try:
            await self.table.store.company.see([(self.table.id, seat) for seat in seats], tell=True)
        except DatabaseFault as error:
            log.warning("table %s: not noted who is there: %s", self.table.id, error)
        self.table.changed()

    def seen(self, seat: int, at: int) -> bool:
        """Another server has seen a player; whether they were away until then."""
        chair = self.table.seats[seat]
        was_away = self.attendance.absent_since(chair) is not None
        self._change(replace(chair, seen=max(at, chair.seen)))
        return was_away and self.attendance.absent_since(self.table.seats[seat]) is None

    def away(self) -> list[int | None]:
        """For each seat, how many milliseconds its player has been away; None: here, or no person. Nobody
        has ever been at the seats of a record that somebody opened."""
        since = [self.attendance.absent_since(seat) for seat in self.table.seats]
        return [now() - at if at else None for at in since]

    # --- who sits where -----------------------------------------------------------------------------

    async def sit(
        self, seat: int, name: str, key: str, *, not_both: Sequence[str] = (), face: str = "",
        program: bool = False,
    ) -> None:
        """Take a free seat. Nobody can have seats at two tables of `not_both`."""
        async with self.table.lock:
            with saving():
                taken = await self.table.store.sit(
                    self.table.id, seat, name, key, not_both=not_both, face=face, program=program
                )
            if not taken:
                await self.table.reread()
                raise Taken(msg("Somebody has just taken this seat."))
            self._change(replace(
                self.table.seats[seat], kind=HUMAN, name=name, seen=now(), face=face, program=program
            ))
        await self.table.start()

    async def rename(self, seat: int, name: str) -> None:
        """The player of a seat is called otherwise, as long as the game has not begun."""
        async with self.table.lock:
            chair = self.table.seats[seat]
            if self.table.playing or self.table.over or not name:
                raise Refused(msg("A name can be given until the game begins."))
            changed = replace(chair, name=name)
            with saving():
                done = await self.table.store.set_seat(self.table.id, changed, before=chair)
            if not done:
                await self.table.reread()
                raise Refused(msg("Somebody else has just changed this seat; please look again."))
            self._change(changed)
        self.table.changed()

    async def add_number(self, seats: frozenset[int], number: str) -> None:
        """A player adds a number to the draws of a game that has not begun."""
        if not NUMBER.fullmatch(number):
            raise Refused(msg("This message cannot be read."))
        async with self.table.lock:
            mine = seats & set(self.table.awaited)
            if not mine:
                return
            with saving():
                await self.table.store.company.add_number(self.table.id, mine, number)
            await self.table.reread()  # another device of the same player may have been first
        await self.table.start()

    async def seat_bot(self, seat: int, word: str, name: str) -> None:
        """Give a free seat to a bot."""
        async with self.table.lock:
            chair = self.table.seats[seat]
            if chair.kind != OPEN:
                raise Taken(msg("Somebody has just taken this seat."))
            changed = replace(chair, kind=BOT, name=name, bot=word)
            with saving():
                done = await self.table.store.set_seat(self.table.id, changed, before=chair)
            if not done:
                await self.table.reread()
                raise Refused(msg("Somebody else has just changed this seat; please look again."))
            self._change(changed)
        await self.table.start()

    def _change(self, changed: SavedSeat) -> None:
        seats = tuple(changed if seat.seat == changed.seat else seat for seat in self.table.seats)
        self.table.saved = replace(self.table.saved, seats=seats)

    # --- who plays for whom -------------------------------------------------------------------------

    async def let_bot_play(self, seat: int, asking: frozenset[int]) -> None:
        """Somebody at the table lets a bot play for somebody who has been away too long."""
        if not 0 <= seat < len(self.table.seats):
            raise Refused(msg("There is no such seat."))
        if not asking:
            raise Refused(msg("Only players at the table can do that."))
        await self.replace_absent(seat)

    async def replace_absent(self, seat: int, *, guest: str = "", key: str = "") -> None:
        """Let a guest, or without one a bot of the middle, play for somebody who has been away too long."""
        table = self.table
        async with table.lock:
            chair = table.seats[seat]
            if not table.playing:
                raise Refused(msg("Only in a running game can somebody be replaced."))
            if table.ranked:
                raise Refused(msg("This game is ranked, so nobody can play for somebody else."))
            if chair.kind == BOT or chair.bot:
                raise Refused(msg("A bot already sits there."))
            self._check_absence(chair)
            patience = round(1000 * max(table.saved.replace_after, self.attendance.away_after))
            await self.take_over(seat, guest=guest, key=key, unseen_since=now() - patience)
        table.changed()

    def _check_absence(self, chair: SavedSeat) -> None:
        minutes = self.table.saved.replace_after // 60
        since = self.attendance.absent_since(chair)
        if since is None:
            raise Refused(_is_there(chair))
        if now() - since < self.table.saved.replace_after * 1000:
            raise Refused(nmsg(
                "{name} can be replaced after {n} minute away.",
                "{name} can be replaced after {n} minutes away.", n=minutes, name=chair.guest or chair.name,
            ))

    async def take_over(self, seat: int, *, guest: str = "", key: str = "", unseen_since: int) -> None:
        """A guest, or without one a bot of the middle, plays for somebody who was not seen since a time."""
        table, chair = self.table, self.table.seats[seat]
        found = levels(table.position.game)
        bot = "" if guest else found[len(found) // 2].word
        with saving():
            done = await table.store.company.replace(
                table.id, seat, bot=bot, guest=guest, key=key, unseen_since=unseen_since
            )
        if not done:
            await table.reread()
            raise Refused(_is_there(chair))
        self._change(replace(chair, bot=bot, guest=guest, seen=now()))
        table.drop_draft_of(seat)

    async def come_back(self, seat: int, own: frozenset[int]) -> None:
        """The owner of a seat plays it again."""
        if seat not in own:
            raise Refused(msg("This is not your seat."))
        async with self.table.lock:
            chair = self.table.seats[seat]
            if not chair.bot and not chair.guest:
                return
            if self.table.time_is_up(seat):
                raise Refused(msg("Your time is up, so the bot plays this game to the end."))
            with saving():
                await self.table.store.company.give_back(self.table.id, seat)
            self._change(replace(chair, bot="", guest="", seen=now()))
            self.table.drop_draft_of(seat)
        self.table.changed()

    async def forget_devices(self, seat: int, key: str) -> None:
        """Of all devices of the owner of a seat, only the one with this key plays it from now on."""
        async with self.table.lock:
            with saving():
                done = await self.table.store.company.forget_devices(self.table.id, seat, key)
            if not done:
                raise Refused(msg("This is not your seat."))
            chair = self.table.seats[seat]
            self._change(replace(chair, revocations=chair.revocations + 1))
        self.table.changed()

    # --- what they say ------------------------------------------------------------------------------

    async def say(self, seats: frozenset[int], *, phrase: str = "", text: str = "") -> None:
        """A line of the chat; on a shared screen, from the player to move."""
        if not seats:
            raise Refused(msg("You are watching; only players can talk here."))
        to_move = self.table.position.to_move
        seat = to_move if to_move in seats else min(seats)
        text = "" if phrase else read_name(text, most=LONGEST_LINE)
        self._check_talk(seat, phrase, text)
        chair = self.table.seats[seat]
        with saving():
            await self._note(seat, chair.guest or chair.name, phrase, text)
        self.table.changed()

    def _check_talk(self, seat: int, phrase: str, text: str) -> None:
        chat = self.table.saved.chat
        if chat == NO_CHAT:
            raise Refused(msg("This table was set up without a chat."))
        if phrase and phrase not in PHRASES:
            raise Refused(msg("This message cannot be read."))
        if not phrase and chat != FREE_CHAT:
            raise Refused(msg("At this table there are only ready-made phrases."))
        if not phrase and not text:
            raise Refused(msg("There is nothing to send yet."))
        if not self._pace.setdefault(seat, Bucket(CHAT_BURST, CHAT_RATE)).take():
            raise Refused(msg("That was too fast; wait a moment."))

    async def _note(self, seat: int, name: str, phrase: str, text: str) -> None:
        """The line gets the next number; if another server has just given it away, the one after it."""
        company = self.table.store.company
        try:
            line = await company.say(self.table.id, seat, name, phrase=phrase, text=text)
        except IntegrityError:
            line = await company.say(self.table.id, seat, name, phrase=phrase, text=text)
        await self._catch_up_chat(before=line.number)
        if not self.chat or self.chat[-1].number < line.number:
            self.chat.append(line)
        del self.chat[:-KEPT_LINES]

    async def _catch_up_chat(self, before: int | None = None) -> None:
        """Read the lines that other servers have written."""
        last = self.chat[-1].number if self.chat else 0
        if before is not None and before <= last + 1:
            return
        lines = await self.table.store.company.chat(self.table.id, last)
        self.chat += [line for line in lines if line.number > last]
        del self.chat[:-KEPT_LINES]

    async def catch_up(self) -> None:
        """Read what was said and asked; nothing is asked here meanwhile, or it would be lost."""
        async with self.table.lock:
            await self._catch_up_chat()
            self.answers = await self.table.store.company.answers(self.table.id)

    # --- what they ask each other -------------------------------------------------------------------

    def pending(self) -> PendingRequest | None:
        """What the players are asked at this moment, unless somebody has declined it."""
        table = self.table
        what = AGAIN if table.over else TAKE_BACK
        if not (table.over or table.playing) or table.saved.rematch is not None:
            return None
        given = self._given(what)
        by = frozenset(seat for seat, answer in given.items() if answer == ASKED)
        if not by or NO in given.values():
            return None
        return PendingRequest(what=what, by=by, agreed=frozenset(given))

    def _given(self, what: str) -> dict[int, str]:
        """By seat: what was asked and answered about this since the log has grown last."""
        moment = (what, self.table.log.course)
        return {one.seat: one.answer for one in self.answers if (one.request, one.entries) == moment}

    async def ask(self, seats: frozenset[int], what: str) -> None:
        """Ask the others to take back the asker's last turn, or to play again."""
        async with self.table.lock:
            if not seats:
                raise Refused(msg("Only players at the table can do that."))
            if NO in self._given(what).values():
                raise Refused(msg("This was declined just now."))
            if what == AGAIN and not self.table.over:
                raise Refused(msg("The game is not over yet."))
            if what == TAKE_BACK:
                self.table.check_take_back(seats)
            await self._answer(what, seats, ASKED)
        self.table.changed()
        await self.grant()

    async def answer(self, seats: frozenset[int], *, yes: bool) -> None:
        """Agree to the request that is waiting, decline it, or withdraw it."""
        async with self.table.lock:
            pending = self.pending()
            if pending is None:
                raise Refused(msg("There is nothing to answer any more."))
            if not seats:
                raise Refused(msg("Only players at the table can do that."))
            own = seats if not yes else seats & (self.playing() - pending.agreed)
            await self._answer(pending.what, own, YES if yes else NO)
        self.table.changed()
        await self.grant()

    async def _answer(self, what: str, seats: Iterable[int], answer: str) -> None:
        given = [SeatAnswer(what, self.table.log.course, seat, answer) for seat in seats]
        with saving():
            await self.table.store.company.answer(self.table.id, given)
        kept = {(one.request, one.entries, one.seat): one for one in (*self.answers, *given)}
        self.answers = list(kept.values())

    async def grant(self) -> None:
        """Do what everybody has agreed to. If another server does it too, one of them comes too late."""
        pending = self.pending()
        if pending is None or self.playing() - pending.agreed:
            return
        if pending.what == TAKE_BACK:
            await self.table.take_back(pending.by)
        elif self.table.opens_rematch is not None:
            await self.table.opens_rematch()


def _is_there(seat: SavedSeat) -> Message:
    return msg("{name} is at the table and cannot be replaced.", name=seat.guest or seat.name)
