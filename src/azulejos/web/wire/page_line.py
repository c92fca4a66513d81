"""What every connection to a page needs: the greeting, reading commands, and questions that may wait."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from azulejos.core.message import msg
from azulejos.web.refused import Refused
from azulejos.web.wire import messages
from azulejos.web.wire.messages import Hello, Mark, Preview, Previewed, Why

Command = TypeVar("Command")

MAX_PLACES = 100
"""Places in a message; no path and no payment is longer."""
RESTARTED = 1012
"""Close code for a connection whose page has to reload (RFC 6455: service restart)."""
SILENT = 1008
"""Close code for a connection that does not say hello (RFC 6455: policy violation)."""
UNREADABLE = 1.0
"""The price of a message that cannot be read."""

Question = Mark | Preview | Why
"""What a page asks while the player is still choosing. Only the newest of each kind is answered."""

log = logging.getLogger("azulejos.web")


class Outdated(Exception):
    """The page was made by a different version of this server."""


class Silent(Exception):
    """The page did not say hello in time."""


def reader(decode: Callable[[str], Command]) -> Callable[[str], Command]:
    """Read a message from a page; whatever is wrong with it is a MsgspecError."""

    def read(text: str) -> Command:
        try:
            return decode(text)
        except (RecursionError, UnicodeEncodeError) as error:
            raise msgspec.DecodeError(str(error)) from error

    return read


class PageLine(Generic[Command]):
    """What a page sends."""

    def __init__(self, socket: WebSocket, read: Callable[[str], Command], *, longest: int) -> None:
        self._socket, self._read, self._longest = socket, read, longest

    async def greet(self, hello: Hello, *, seconds: float, reload: str) -> None:
        """Wait for the greeting. A page of another version is asked to reload, in words."""
        try:
            async with asyncio.timeout(seconds):
                heard = self._read((await self.text())[: self._longest])
        except TimeoutError:
            await self._socket.close(SILENT)
            raise Silent from None
        except msgspec.MsgspecError:
            heard = None
        if heard != hello:
            await self._socket.send_text(messages.write(messages.Reload(text=reload)).decode())
            await self._socket.close(RESTARTED)
            raise Outdated

    async def text(self) -> str:
        """The next message. Bytes are none of ours, and are not read."""
        received = await self._socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received["code"])
        return received.get("text") or ""

    def command(self, text: str) -> Command:
        if len(text) > self._longest:
            raise Refused(msg("This message is too long."))
        return self._read(text)


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
        if isinstance(replaced, Preview):
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


def places_of(ids: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """The places with these numbers; unknown numbers cannot come from one of our pages."""
    if len(numbers) > MAX_PLACES or not all(0 <= number < len(ids) for number in numbers):
        raise Refused(msg("This message cannot be read."))
    return [ids[number] for number in numbers]


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
