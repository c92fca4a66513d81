"""Limits below HTTP: how many connections an address may have, how long a request may take to arrive, and
how many frames a live connection may send.

These two protocols extend those of uvicorn, which leave all of that open: 1,100 requests that never ended
shut everybody out, and empty frames were read as fast as they came.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Collection
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from azulejos.web.guard.doors import MAX_HEADERS
from azulejos.web.guard.prices import Limits, address_of

PIECE = 2048
"""Bytes of a live connection that are read before others have their turn: 340 empty frames take 3 ms."""

RESPONSE_SECONDS = 60.0
"""Within which a client must have read the answer to its request."""
RESERVED_FILES = 100
"""Open files besides connections: the database, the bots, the sources."""

TOO_MANY_FRAMES = 1008

log = logging.getLogger("azulejos.web")


class ServerConfig(uvicorn.Config):
    """uvicorn's settings, with our limits and the connections that are open, by address."""

    def __init__(self, app: ASGIApp, *, limits: Limits, proxies: Collection[str] = ()) -> None:
        super().__init__(
            app, loop="asyncio", http=LimitedHTTP, ws=LimitedWebSocket, lifespan="on",
            log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=2,
            proxy_headers=bool(proxies), forwarded_allow_ips=list(proxies),
            h11_max_incomplete_event_size=MAX_HEADERS, ws_max_size=4096, ws_per_message_deflate=False,
        )
        self.limits = limits
        self.proxies = frozenset(proxies)
        self.open: Counter[str] = Counter()
        self.most = _most_connections()

    def admit(self, address: str) -> bool:
        """Count a connection, unless there are too many. A proxy has the connections of all visitors."""
        own = 0 if address in self.proxies else self.open[address]
        if own >= self.limits.connections or self.open.total() >= self.most:
            log.warning("refused %s: too many connections", address)
            return False
        self.open[address] += 1
        return True

    def dismiss(self, address: str) -> None:
        self.open[address] -= 1
        if not self.open[address]:
            del self.open[address]


def _most_connections() -> int:
    """As many as the system lets this process open files; ask it for more first."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 10**9
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if most == resource.RLIM_INFINITY else min(most, 65_536)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return wanted - RESERVED_FILES


def _refusal(status: str, sentence: str) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
        f"content-length: {len(sentence) + 1}\r\n\r\n{sentence}\n"
    ).encode()


TOO_MANY = _refusal("503 Service Unavailable", "Your address has too many connections; close some of them.")
TOO_SLOW = _refusal("408 Request Timeout", "This request took too long to arrive.")


class LimitedHTTP(H11Protocol):
    """Refuses connections beyond the limit, and closes those whose request does not arrive in time."""

    config: ServerConfig
    _address: str | None = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = address_of(self.client)
        if not self.config.admit(address):
            transport.write(TOO_MANY)
            transport.close()
            return
        self._address = address
        self._wait(self.config.limits.request_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()
        if self._address is not None:
            self.config.dismiss(self._address)

    def data_received(self, data: bytes) -> None:
        if self._address is not None:  # what a refused connection sends is not read
            super().data_received(data)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait(self.timeout_keep_alive + self.config.limits.request_seconds)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, self._expire)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _expire(self) -> None:
        """The time for a request is over: it must be complete now, and its answer will be read soon."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(TOO_SLOW)
            self.transport.close()
        elif self.cycle.more_body:
            self.transport.close()
        else:
            self._timer = self.loop.call_later(RESPONSE_SECONDS, self.transport.abort)


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """Reads a little at a time, and closes a connection that sends too many frames of any kind."""

    config: ServerConfig

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._frames = self.config.limits.frames.bucket()
        self._unread = bytearray()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.config.dismiss(address_of(self.client))

    def data_received(self, data: bytes) -> None:
        waiting = bool(self._unread)
        self._unread += data
        if not waiting:
            self._read()

    def _read(self) -> None:
        piece = bytes(self._unread[:PIECE])
        del self._unread[:PIECE]
        super().data_received(piece)
        if self.transport.is_closing():
            self._unread.clear()
        elif self._unread:
            self.loop.call_soon(self._read)

    def handle_events(self) -> None:
        if self._frames.take(len(self.conn.events)):
            super().handle_events()
        else:
            log.warning("refused %s: too many frames", address_of(self.client))
            self.conn.fail(TOO_MANY_FRAMES, "too many frames")
            self.handle_parser_exception()
