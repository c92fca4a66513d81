"""One connection between a page and its table: execute its commands and send it what happens.

All messages are in `messages.py`. Four tasks serve a connection: one receives commands, one answers
questions that may wait, one waits for hints, and one sends every moment that the page does not show yet,
whenever the table changes.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import anyio
import msgspec
from starlette.websockets import WebSocket

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.scene import Scene
from azulejos.web.metrics import Histogram
from azulejos.web.refused import Refused
from azulejos.web.tables.advice import Advice
from azulejos.web.tables.peopled import PeopledTable
from azulejos.web.tables.phrases import PHRASES
from azulejos.web.wire import choices, marking, messages
from azulejos.web.wire.account import account_of
from azulejos.web.wire.frame import Showing
from azulejos.web.wire.hints import hinted
from azulejos.web.wire.messages import (
    PROTOCOL,
    Ask,
    Coach,
    Confirm,
    Done,
    Earlier,
    FromPage,
    FromServer,
    Hello,
    Hint,
    Look,
    Mark,
    Play,
    Preview,
    Propose,
    Replace,
    Reply,
    Return,
    Speak,
    Undo,
    Why,
)
from azulejos.web.wire.page_line import (
    UNREADABLE,
    PageLine,
    Question,
    Questions,
    places_of,
    reader,
    until_closed,
)
from azulejos.web.wire.questions import answer
from azulejos.web.wire.viewer import Viewer

MAX_MESSAGE = 2048

PRICES: Mapping[type[messages.Command], float] = {
    Hello: 4,
    Play: 3,
    Undo: 2,
    Confirm: 3,
    Ask: 3,
    Look: 4,
    Mark: 2,
    Preview: 2,
    Why: 1,
    Hint: 25,
    Coach: 2,
    Earlier: 20,
    Speak: 10,
    Propose: 10,
    Reply: 10,
    Return: 10,
    Replace: 10,
}
"""In the unit of `guard.prices`."""

log = logging.getLogger("azulejos.web")


read_message = reader(messages.read)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What the server grants a connection, and what it shares with all others."""

    charge: Callable[[float], bool]
    """Charge a price to the visitor and the address; False if they have not enough left."""
    visitor: str
    """Their key."""
    pause: float
    """Seconds until the next message is read after one that was too much."""
    hello_seconds: float
    acknowledged: Histogram
    watching: Callable[[], None]
    """Called once the connection watches its table."""
    one_question: asyncio.Lock
    """Held while a question is answered, so that others wait for one at most."""
    advice: Advice
    frame_turns: Mapping[bool, asyncio.Lock]
    """Held while a frame is made, for those who play (True) and those who watch. So the event loop makes
    one of each kind at most before it reads what has arrived meanwhile: moves are acknowledged before
    others are shown, even if many tables change at once."""
    viewer: Callable[[], Awaitable[Viewer]]
    """Asks again which seats the visitor plays."""


class Connection:
    def __init__(self, socket: WebSocket, table: PeopledTable, viewer: Viewer, terms: Terms) -> None:
        self.socket = socket
        self.table = table
        self.viewer = viewer
        self.terms = terms
        self.showing = Showing(table, viewer)
        self.looking: int | None = None
        self._looking_up = asyncio.Lock()
        self._heard: int | None = None
        """The number of the last line of the chat that was sent; None: nothing was sent yet."""
        self._woken = asyncio.Event()
        self._greeted = asyncio.Event()
        self._line = PageLine[FromPage](socket, read_message, longest=MAX_MESSAGE)
        self._questions = Questions()
        self._hint: Hint | None = None
        """The step of a hint that is being waited for."""
        self._hint_asked = asyncio.Event()

    # --- showing -----------------------------------------------------------------------------------

    def wake(self) -> None:
        self._woken.set()

    async def show(self) -> None:
        """Send every moment that has not been shown yet, until the connection closes."""
        await self._greeted.wait()
        while True:
            self._woken.clear()
            await self._look_up_seats()
            last = False
            while not last:
                async with self.terms.frame_turns[bool(self.viewer.seats)]:
                    frame, last = self.showing.next(self.table, self.looking)
                await self.socket.send_text(frame.decode())
            await self._talk()
            await self._woken.wait()

    async def _look_up_seats(self) -> None:
        """If seats have changed hands, the viewer may play others now."""
        async with self._looking_up:
            if self.table.seats == self.viewer.chairs:
                return
            before, self.viewer = self.viewer, await self.terms.viewer()
            self.showing.viewer = self.viewer
            if before.seats != self.viewer.seats:
                await self.table.arrive(self.viewer.seats - before.seats)
                await self.table.leave(before.seats - self.viewer.seats)

    async def _talk(self) -> None:
        """Send what was said since the last time."""
        old, last = self._heard is None, self._heard or 0
        lines = [line for line in self.table.chat if line.number > last]
        self._heard = lines[-1].number if lines else last
        if not lines:
            return
        await self._send(messages.Talk(old=old, lines=[
            messages.ChatLine(
                number=line.number, seat=line.seat, name=line.name, phrase=bool(line.phrase),
                text=self.viewer.say(PHRASES[line.phrase]) if line.phrase in PHRASES else line.text,
            )
            for line in lines
        ]))

    async def _send(self, answered: FromServer) -> None:
        await self.socket.send_text(messages.write(answered).decode())

    # --- hearing -----------------------------------------------------------------------------------

    async def hear(self) -> None:
        outdated = self.viewer.say(msg("The server has been updated, so this page was loaded again."))
        hello = Hello(protocol=PROTOCOL, plan=self.showing.plan.digest)
        await self._line.greet(hello, seconds=self.terms.hello_seconds, reload=outdated)
        self._greeted.set()
        while True:
            await self._hear(await self._line.text())
            await asyncio.sleep(0)  # messages that wait in a queue are received without pause

    async def _hear(self, text: str) -> None:
        command: FromPage | None = None
        try:
            command = self._line.command(text)
            if not self.terms.charge(PRICES[type(command)]):
                await self._slow_down(command)
                return
            began = time.perf_counter()
            await self._look_up_seats()  # a page that reads no frames must not keep a seat that it has lost
            answered = await self._do(command)
            if answered is not None:
                await self._send(answered)
            if isinstance(answered, Done):
                self.terms.acknowledged.observe(time.perf_counter() - began)
        except Refused as refused:
            await self._refuse(getattr(command, "id", 0), refused)
        except msgspec.MsgspecError:
            if not self.terms.charge(UNREADABLE):
                await asyncio.sleep(self.terms.pause)
            log.warning("table %s: a message that cannot be read", self.table.id)
            await self._send(messages.Refused(text=self.viewer.say(msg("This message cannot be read."))))

    async def _slow_down(self, command: FromPage) -> None:
        """Refuse what is too much, and read the next message only after a pause: refusing costs too."""
        text = self.viewer.say(msg("That was too fast; wait a moment."))
        await self._send(messages.Refused(id=getattr(command, "id", 0), text=text))
        await asyncio.sleep(self.terms.pause)

    async def _refuse(self, command: int, refused: Refused) -> None:
        seats = self.viewer.seats
        level = logging.INFO if seats else logging.WARNING
        log.log(level, "table %s, seats %s: refused: %s", self.table.id, set(seats), refused)
        text = self.viewer.say(refused.reason)
        await self._send(messages.Refused(id=command, text=text, section=refused.section))
        self.wake()

    async def _do(self, command: FromPage) -> FromServer | None:
        table, seats = self.table, self.viewer.seats
        match command:
            case Play(id=id, move=move, ply=ply, at_once=at_once):
                await table.play(seats, move, ply, at_once=at_once)
                return self._done(id)
            case Undo(id=id, ply=ply):
                await table.undo(seats, ply)
                return self._done(id)
            case Confirm(id=id, ply=ply):
                await table.confirm(seats, ply)
                return self._done(id)
            case Ask():
                return await self._ask(command)
            case Look(ply=ply, stop=stop):
                self.looking = self._moment(ply, stop)
                self.wake()
            case Earlier():
                return self.showing.whole_log(table)
            case Speak() | Propose() | Reply() | Return() | Replace():
                await self._be_together(command)
                return self._done(command.id)
            case Mark() | Preview() | Why():
                return self._questions.put(command)
            case Hint():
                self._hint = command
                self._hint_asked.set()
            case Coach(on=on):
                if table.helped_seat in seats:
                    table.coached = on
            case Hello():
                raise Refused(msg("This message cannot be read."))
        return None

    def _moment(self, ply: int | None, stop: int | None) -> int | None:
        """The ply to show; None for the present."""
        stops = self.table.timeline.stops
        if stop is not None:
            ply = stops[max(0, stop)] if stop < len(stops) - 1 else None
        return None if ply is None or ply >= self.table.ply else max(0, ply)

    async def _be_together(self, command: Speak | Propose | Reply | Return | Replace) -> None:
        table, viewer = self.table, self.viewer
        match command:
            case Speak(phrase=phrase, text=text):
                await table.say(viewer.seats, phrase=phrase, text=text)
            case Propose(what=what):
                await table.ask(viewer.seats, what)
            case Reply(yes=yes):
                await table.answer(viewer.seats, yes=yes)
            case Return(seat=seat):
                await table.come_back(seat, viewer.own)
            case Replace(seat=seat):
                await table.let_bot_play(seat, viewer.seats | viewer.own)

    def _done(self, command: int) -> Done:
        return Done(id=command, ply=self.table.ply + len(self.table.draft), saved=self.table.ply)

    async def _ask(self, command: Ask) -> FromServer:
        said = answer(self.table, self.viewer.seats, command.text)
        if said is not None:
            return messages.Said(id=command.id, text="\n".join(map(self.viewer.say, said)))
        await self.table.play(self.viewer.seats, command.text, command.ply, at_once=command.at_once)
        return self._done(command.id)

    # --- questions that may wait -------------------------------------------------------------------

    async def answer(self) -> None:
        """Answer questions, one at a time in the whole server and with everything else in between."""
        while True:
            await self._questions.wait()
            async with self.terms.one_question:
                await asyncio.sleep(0)
                answered = self._answered(self._questions.pop())
            await self._send(answered)

    def _answered(self, question: Question) -> FromServer:
        try:
            match question:
                case Mark(slots=slots, ply=ply):
                    return self._judged(slots, ply)
                case Preview(path=path, ply=ply):
                    return self._previewed(path, ply)
                case Why(path=path):
                    return self._explained(path)
        except Refused as refused:
            return messages.Refused(text=self.viewer.say(refused.reason))

    async def advise(self) -> None:
        """Answer requests for hints, which may take a second; commands are heard meanwhile."""
        while True:
            await self._hint_asked.wait()
            self._hint_asked.clear()
            question = self._hint
            assert question is not None
            try:
                await self._send(await self._hinted(question))
            except Refused as refused:
                await self._refuse(0, refused)

    async def _hinted(self, asked: Hint) -> FromServer:
        hint = await self.terms.advice.hint(
            self.table, self.viewer.seats, asked.step, asked.ply, visitor=self.terms.visitor
        )
        position = self.table.position
        scene = account_of(self.table).scene(position)
        return hinted(self.showing.plan, scene, position, self.table.names, hint, asked.step)

    # --- what a click would mean -------------------------------------------------------------------

    def _now(self) -> tuple[Scene, Position]:
        position = self.table.seen_by(self.viewer.seats)
        return account_of(self.table).scene(position), position

    def _judged(self, slots: list[int], ply: int) -> FromServer:
        scene, position = self._now()
        if not self.table.turn_of(self.viewer.seats) or ply != position.ply:
            raise Refused(msg("Someone has moved in the meantime; please look again."))
        marked = self._places(slots)
        return messages.Judged(ply=ply, verdict=marking.judged(self.showing.plan, scene, position, marked))

    def _previewed(self, path: list[int], ply: int) -> FromServer:
        scene, position = self._now()
        if not self.table.turn_of(self.viewer.seats) or ply != position.ply:  # the table has moved on
            return messages.Previewed(ply=ply, path=path)
        return choices.previewed(self.showing.plan, scene, position, path, self._places(path))

    def _explained(self, path: list[int]) -> FromServer:
        if not self.table.turn_of(self.viewer.seats):
            return self._plainly(path, msg("It is not your turn."))
        scene, position = self._now()
        found = choices.explained(scene, position, self._places(path))
        if found is None:
            return self._plainly(path, msg("There is nothing you can do here now."))
        reason, section = found
        return messages.Explained(path=path, text=self.viewer.say(reason), section=section)

    def _plainly(self, path: list[int], reason: Message) -> FromServer:
        return messages.Explained(path=path, text=self.viewer.say(reason), plain=True)

    def _places(self, numbers: list[int]) -> list[str]:
        return places_of(self.showing.plan.ids, numbers)


async def converse(socket: WebSocket, table: PeopledTable, viewer: Viewer, terms: Terms) -> None:
    """Serve one connection until either side closes it."""
    connection = Connection(socket, table, viewer, terms)
    table.watchers.add(connection.wake)
    terms.watching()
    await table.arrive(viewer.seats)
    try:
        async with anyio.create_task_group() as tasks:
            for act in (connection.show, connection.hear, connection.answer, connection.advise):
                tasks.start_soon(until_closed, socket, act, tasks.cancel_scope)
    finally:
        table.watchers.discard(connection.wake)
        with anyio.CancelScope(shield=True):
            await table.leave(connection.viewer.seats)
