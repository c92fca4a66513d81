"""A proxy before PostgreSQL that breaks a connection at a chosen moment, as networks do."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit


@dataclass
class Proxy:
    """Passes bytes between a server and its database. `cut_at` is the number of the message (counted from
    `arm`) that is not passed on; with `deliver`, it arrives, and what is lost is the answer. With `stay`,
    no connection is made afterwards, until `disarm`."""

    socket: str
    cut_at: int | None = None
    deliver: bool = False
    stay: bool = False
    passed: int = 0
    broken: bool = False
    port: int = 0
    moving: asyncio.Event = field(default_factory=asyncio.Event)
    """While this is not set, nothing passes in either direction."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.moving.set()

    def arm(self, cut_at: int, *, deliver: bool, stay: bool = False) -> None:
        self.cut_at, self.deliver, self.stay, self.passed, self.broken = cut_at, deliver, stay, 0, False

    def disarm(self) -> None:
        self.cut_at, self.stay = None, False

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    async def serve(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        if self.stay and self.broken:
            back.close()
            return
        server, forth = await asyncio.open_unix_connection(self.socket)
        lost = asyncio.Event()
        answers = asyncio.create_task(self._answers(server, back, lost))
        self._tasks.add(answers)
        try:
            while message := await client.read(65536):
                await self.moving.wait()
                if self._is_cut():
                    if self.deliver:
                        lost.set()
                        forth.write(message)
                        await forth.drain()
                        await answers
                    return
                forth.write(message)
                await forth.drain()
        except ConnectionError:
            pass
        finally:
            answers.cancel()
            for side in (forth, back):
                side.close()

    def _is_cut(self) -> bool:
        self.passed += 1
        if self.cut_at is None or self.passed - 1 != self.cut_at:
            return False
        self.broken, self.cut_at = True, None
        return True

    async def _answers(
        self, server: asyncio.StreamReader, back: asyncio.StreamWriter, lost: asyncio.Event
    ) -> None:
        """Pass answers on; after `lost`, the next one shows that the database has done its work."""
        with contextlib.suppress(ConnectionError):
            while answer := await server.read(65536):
                await self.moving.wait()
                if lost.is_set():
                    return
                back.write(answer)
                await back.drain()
            back.close()


@asynccontextmanager
async def proxy_to(uri: str) -> AsyncIterator[Proxy]:
    folder = parse_qs(urlsplit(uri).query)["host"][0]
    proxy = Proxy(f"{folder}/.s.PGSQL.5432")
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
