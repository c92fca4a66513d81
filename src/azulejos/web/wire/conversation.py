"""What every conversation with a page needs: the greeting, commands, their cost, questions that may wait.

Several tasks serve a conversation: one hears commands, one answers questions that may wait, and others that
depend on its kind send what happens. All messages are in `messages.py`.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from azulejos.core.message import Message, Problem, msg
from azulejos.web.guard.budgets import Limits, metered
from azulejos.web.refused import Refused
from azulejos.web.store.faults import DatabaseFault, not_saved
from azulejos.web.wire.messages import (
    PROTOCOL, Awaited, Command, GetPreview, Hello, Previewed, Question, Refusal, Reload, ServerMessage,
    write,
)
from azulejos.web.wire.plan import PagePlan
from azulejos.web.work.slow_work import Owing, Payer

Heard = TypeVar("Heard", bound=Command)
"""What the pages of a kind send."""

RESTARTED = 1012
"""Close code for a connection whose page has to reload (RFC 6455: service restart)."""
SILENT = 1008
"""Close code for a connection that does not say hello (RFC 6455: policy violation)."""

log = logging.getLogger("azulejos.web")


class Outdated(Exception):
    """The page was made by a different version of this server."""


class Silent(Exception):
    """The page did not say hello in time."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What the server grants a page that is connected."""

    payer: Payer
    visitor: str
    """Their key, even if no cookie holds it yet."""
    language: str
    limits: Limits


class Conversation(ABC, Generic[Heard]):
    longest: ClassVar[int]
    """Characters of a message."""

    def __init__(self, socket: WebSocket, plan: PagePlan, terms: Terms) -> None:
        self.socket, self.plan, self.terms = socket, plan, terms
        self.questions = Questions()

    # --- what each kind does in its own way ----------------------------------------------------------

    @abstractmethod
    def read(self, text: str) -> Heard:
        """A message of the page; whatever is wrong with it is a MsgspecError."""

    @abstractmethod
    async def begin(self) -> None:
        """The page has said hello."""

    @abstractmethod
    async def do(self, command: Heard) -> None:
        """Carry out a command and send what answers it."""

    @abstractmethod
    async def answer_next(self) -> ServerMessage:
        """The answer to the question that is next in `questions`."""

    # --- saying --------------------------------------------------------------------------------------

    async def send(self, *messages: ServerMessage) -> None:
        for message in messages:
            await self.socket.send_text(write(message).decode())

    async def refuse(self, command: int, reason: Message, section: str = "") -> None:
        await self.send(Refusal(id=command, text=self.plan.say(reason), section=section))

    # --- hearing -------------------------------------------------------------------------------------

    async def hear(self) -> None:
        await self._greet()
        await self.begin()
        while True:
            await self._hear(await self._text())
            await asyncio.sleep(0)  # messages that wait in a queue are received without pause

    async def _greet(self) -> None:
        """Wait for the greeting. A page of another version is asked to reload, in words."""
        try:
            async with asyncio.timeout(self.terms.limits.request_seconds):
                heard: object = self.read((await self._text())[: self.longest])
        except TimeoutError:
            await self.socket.close(SILENT)
            raise Silent from None
        except msgspec.MsgspecError:
            heard = None
        if heard != Hello(protocol=PROTOCOL, plan=self.plan.digest):
            reason = msg("The server has been updated, so this page was loaded again.")
            await self.send(Reload(text=self.plan.say(reason)))
            await self.socket.close(RESTARTED)
            raise Outdated

    async def _text(self) -> str:
        """The next message. Bytes are none of ours, and are not read."""
        received: Mapping[str, Any] = await self.socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received["code"])
        return received.get("text") or ""

    async def _hear(self, text: str) -> None:
        command: Heard | None = None
        try:
            if len(text) > self.longest:
                raise Refused(msg("This message is too long."))
            command = self.read(text)
            if self.terms.payer.owes():
                await self._delay(command)
            await self.do(command)
        except Refused as refused:
            await self.refuse(_id(command), refused.reason, refused.section)
        except Problem as problem:
            await self.refuse(_id(command), problem.reason)
        except DatabaseFault as fault:
            await self.refuse(_id(command), not_saved(fault))
        except Owing:  # the next message is read only after a pause: refusing costs too
            await self.send(Refusal(
                id=_id(command), text=self.plan.say(msg("That was too fast; wait a moment."))
            ))
            await asyncio.sleep(self.terms.limits.pause)
        except msgspec.MsgspecError:
            log.warning("a message that cannot be read at %.80r", self.socket.url.path)
            await self.send(Refusal(text=self.plan.say(msg("This message cannot be read."))))

    async def _delay(self, command: Heard) -> None:
        """The visitor owes time: only what the server waits for is still heard."""
        if not isinstance(command, Awaited):
            raise Owing
        await asyncio.sleep(self.terms.limits.pause)

    async def answer_questions(self) -> None:
        """Answer questions while commands are heard."""
        while True:
            await self.questions.wait()
            try:
                await self.send(await self.answer_next())
            except (Refused, Problem) as refused:
                await self.send(Refusal(text=self.plan.say(refused.reason)))

    # --- from the beginning to the end ---------------------------------------------------------------

    async def serve(self, *others: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Hear and answer, and do the other things, until either side closes the connection."""
        async with anyio.create_task_group() as tasks:
            for act in (self.hear, self.answer_questions, *others):
                tasks.start_soon(until_closed, self.socket, partial(self._paid, act), tasks.cancel_scope)

    async def _paid(self, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Whatever is done for a page is measured and charged."""
        await metered(act(), self.terms.payer.pay)


async def until_closed(
    socket: WebSocket, act: Callable[[], Awaitable[None]], scope: anyio.CancelScope
) -> None:
    """Sending and receiving end together; an error in one connection does not affect others."""
    try:
        await act()
    except (WebSocketDisconnect, Outdated, Silent):
        pass
    except Exception as error:
        # what one task still sends after another has seen the page leave is a RuntimeError of Starlette
        if not isinstance(error, RuntimeError) or socket.application_state is WebSocketState.CONNECTED:
            log.exception("a live connection failed")
    finally:
        scope.cancel()


def _id(command: Command | None) -> int:
    return getattr(command, "id", 0)


class Questions:
    """Questions that may wait: the newest of each kind."""

    def __init__(self) -> None:
        self._waiting: dict[type[Question], Question] = {}
        self._asked = asyncio.Event()

    def put(self, question: Question) -> Previewed | None:
        """Keep a question until it can be answered. The page is told if it takes the place of a preview,
        because a page asks for each preview once."""
        replaced = self._waiting.pop(type(question), None)
        self._waiting[type(question)] = question
        self._asked.set()
        if isinstance(replaced, GetPreview):
            return Previewed(ply=replaced.ply, path=replaced.path, superseded=True)
        return None

    async def wait(self) -> None:
        await self._asked.wait()

    def pop(self) -> Question:
        """The question that has waited longest."""
        question = self._waiting.pop(next(iter(self._waiting)))
        if not self._waiting:
            self._asked.clear()
        return question
