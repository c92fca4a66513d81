"""The live table over a WebSocket: the server draws, the client says which move it means.

From the client (one JSON object a message, at most 2 kB):

    {"do": "play", "move": "2r4", "ply": 12, "at_once": false}     a step of my turn, after 12 actions
    {"do": "undo", "ply": 13}      {"do": "confirm", "ply": 13}
    {"do": "look", "ply": 7}       {"do": "look", "ply": null}     walk through the game; null: back to now
    {"do": "mark", "slots": ["seat1.jokers"], "ply": 12}           what these pieces would mean together
    {"do": "preview", "path": ["F2.red"], "ply": 12}               what the next click would do
    {"do": "why", "path": ["F2.red", "seat1.line4"]}               why a place is blocked
    {"do": "ask", "text": "f"}                                     a question in words, or a typed move

From the server: {"type": "frame", …} a complete moment, less what the page shows already: `fragments` are
whole, `parts` are changed parts of a drawing (null: gone), `lines` are new lines of the log;

    {"type": "done", "ply": n}                                     so many actions are saved for good
    {"type": "preview", "ply": n, "path": […], "effects": {"2r4": {"said": …, "lights": [slots]}},
     "blocked": [{"slot": …, "name": …, "reason": …}]}             what goes on from a path, what not
    {"type": "why", "path": […], "text": …, "section": …, "plain": false}    where the rules tell more, too
    {"type": "judged", "marked": […], "said": …, "problem": …, "move": …}    what marked pieces mean
    {"type": "said", "text": …, "section": …}                      words for the hint line
    {"type": "refused", …}                                         likewise
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from azulejos.core.guide import section_about
from azulejos.core.message import Message, msg
from azulejos.web import marking
from azulejos.web.drawing import Drawing, drawing_of
from azulejos.web.easel import Easel, Page
from azulejos.web.frames.questions import answer
from azulejos.web.guard import Pace
from azulejos.web.picture import Viewer, meant, previews
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.refused import Refused

MAX_MESSAGE = 2048

log = logging.getLogger("azulejos.web")


class Play(msgspec.Struct, tag_field="do", tag="play", forbid_unknown_fields=True):
    move: str
    ply: int
    at_once: bool = False


class Undo(msgspec.Struct, tag_field="do", tag="undo", forbid_unknown_fields=True):
    ply: int


class Confirm(msgspec.Struct, tag_field="do", tag="confirm", forbid_unknown_fields=True):
    ply: int


class Look(msgspec.Struct, tag_field="do", tag="look", forbid_unknown_fields=True):
    ply: int | None


class Mark(msgspec.Struct, tag_field="do", tag="mark", forbid_unknown_fields=True):
    slots: list[str]
    ply: int


class Preview(msgspec.Struct, tag_field="do", tag="preview", forbid_unknown_fields=True):
    path: list[str]
    ply: int


class Why(msgspec.Struct, tag_field="do", tag="why", forbid_unknown_fields=True):
    path: list[str]


class Ask(msgspec.Struct, tag_field="do", tag="ask", forbid_unknown_fields=True):
    text: str
    ply: int
    at_once: bool = False


Command = Play | Undo | Confirm | Look | Mark | Preview | Why | Ask
_decoder = msgspec.json.Decoder(Command)


class Line:
    """One connection: what it has shown, and what it wants to see."""

    def __init__(
        self, socket: WebSocket, room: LiveTable, viewer: Viewer, easel: Easel, pace: Pace
    ) -> None:
        self.socket = socket
        self.easel = easel
        self.page = Page(room=room, viewer=viewer)
        self.room = room
        self.viewer = viewer
        self.looking: int | None = None
        self.bucket = pace.bucket()
        self._woken = asyncio.Event()

    @property
    def drawing(self) -> Drawing:
        return drawing_of(self.room)

    # --- showing -----------------------------------------------------------------------------------

    def wake(self) -> None:
        self._woken.set()

    async def show(self) -> None:
        """Send every moment that was not shown yet, as long as the connection lives."""
        while True:
            self._woken.clear()
            await self.easel.show(self.page, self.looking, self._send_frame)
            await self._woken.wait()

    async def _send_frame(self, made: bytes) -> None:
        await self.socket.send_text(made.decode())

    async def _send(self, data: dict[str, Any]) -> None:
        await self.socket.send_text(msgspec.json.encode(data).decode())

    async def _say(self, kind: str, *messages: Message, section: str = "") -> None:
        text = "\n".join(self.viewer.say(m) for m in messages)
        await self._send({"type": kind, "text": text, "section": section})

    # --- hearing -----------------------------------------------------------------------------------

    async def hear(self) -> None:
        while True:
            text = await self.socket.receive_text()
            try:
                if len(text) > MAX_MESSAGE:
                    raise Refused(msg("This message is too long."))
                if not self.bucket.take():
                    raise Refused(msg("That was too fast; wait a moment."))
                await self._do(_decoder.decode(text))
            except Refused as refused:
                seats = self.viewer.seats
                level = logging.INFO if seats else logging.WARNING
                log.log(level, "table %s, seats %s: refused: %s", self.room.id, set(seats), refused)
                await self._say("refused", refused.reason, section=refused.section)
                self.wake()
            except msgspec.MsgspecError:
                log.warning("table %s: a message that cannot be read", self.room.id)
                await self._say("refused", msg("This message cannot be read."))

    async def _do(self, command: Command) -> None:
        room, seats = self.room, self.viewer.seats
        match command:
            case Play(move=move, ply=ply, at_once=at_once):
                await room.play(seats, move, ply, at_once=at_once)
                await self._send({"type": "done", "ply": room.ply})
            case Undo(ply=ply):
                await room.undo(seats, ply)
            case Confirm(ply=ply):
                await room.confirm(seats, ply)
                await self._send({"type": "done", "ply": room.ply})
            case Look(ply=ply):
                self.looking = None if ply is None or ply >= room.ply else max(0, ply)
                self.wake()
            case Mark(slots=slots, ply=ply):
                await self._send({"type": "judged", **self._judged(slots, ply)})
            case Preview(path=path, ply=ply):
                told = previews(room, self.drawing, self.viewer, path, ply)
                await self._send({"type": "preview", "ply": ply, "path": path, **told})
            case Why(path=path):
                await self._why(path)
            case Ask(text=text, ply=ply, at_once=at_once):
                await self._ask(text, ply, at_once=at_once)

    async def _ask(self, text: str, ply: int, *, at_once: bool) -> None:
        said = answer(self.room, self.drawing, self.viewer.seats, text)
        if said is not None:
            await self._say("said", *said)
            return
        await self.room.play(self.viewer.seats, text, ply, at_once=at_once)

    def _judged(self, slots: list[str], ply: int) -> dict[str, Any]:
        position = self.room.seen_by(self.viewer.seats)
        if not self.room.turn_of(self.viewer.seats) or ply != position.ply:
            raise Refused(msg("Someone has moved in the meantime; please look again."))
        return marking.judged(self.drawing.scene(position), position, slots, self.viewer.say)

    async def _why(self, path: list[str]) -> None:
        """Say why a click goes nowhere. It is `plain` if that is all there is to say."""
        reason, section, plain = msg("It is not your turn."), "", True
        if self.room.turn_of(self.viewer.seats):
            position = self.room.seen_by(self.viewer.seats)
            action = meant(self.drawing.scene(position), position, path)
            plain = action is None
            reason = msg("There is nothing you can do here now.")
            if action is not None:
                reason = position.why_not(action) or msg("That is possible.")
                section = section_about(position, action)
        text = self.viewer.say(reason)
        await self._send({"type": "why", "path": path, "text": text, "section": section, "plain": plain})


async def converse(
    socket: WebSocket, room: LiveTable, viewer: Viewer, easel: Easel, pace: Pace
) -> None:
    """Serve one connection until either side ends it."""
    line = Line(socket, room, viewer, easel, pace)
    room.watchers.add(line.wake)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_until_closed, line.show, tasks.cancel_scope)
            tasks.start_soon(_until_closed, line.hear, tasks.cancel_scope)
    finally:
        room.watchers.discard(line.wake)
        easel.leave(line.page)


async def _until_closed(act: Callable[[], Awaitable[None]], scope: anyio.CancelScope) -> None:
    """Showing and hearing end together; a connection that fails harms no other."""
    try:
        await act()
    except WebSocketDisconnect:
        pass
    except Exception:
        log.exception("a live connection failed")
    finally:
        scope.cancel()
