"""Limits below HTTP: how many connections an address may have, how long a request may take to arrive and
its answer to be read, and how much time the bytes that an address sends may cost.

A `Door` stands between a connection and uvicorn's protocol, and knows nothing of either but asyncio's own
interface. A proxy in front (deploy/nginx.conf) does most of this earlier; without one this must do.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Final

from starlette.types import ASGIApp

from azulejos.web.guard.budgets import Charges, Limits, address_of

if TYPE_CHECKING:
    import uvicorn

WEBSOCKETS: Final = "websockets-sansio"
MAX_HEADERS = 16_384
"""Characters. The server itself refuses only longer ones that have not arrived completely."""
PIECE = 2048
"""Bytes of a connection that are read before others have their turn: 340 empty frames take 3 ms."""
RESPONSE_SECONDS = 60.0
"""Within which a client must have read the answer to its request."""
KEPT_SECONDS = 5
"""For which a connection without a request is kept."""
RESERVED_FILES = 100
"""Open files besides connections: the database, the bots, the sources."""
AGAIN = 0.05
"""Seconds until it is looked again whether an address has paid for the bytes that it sent."""

log = logging.getLogger("azulejos.web")


class Doorkeeper:
    """The connections that are open, by address, and what they may cost."""

    def __init__(
        self, limits: Limits, charges: Charges, proxies: Collection[str] = (), *, most: int = 10**9
    ) -> None:
        self.limits, self.charges, self.proxies, self.most = limits, charges, frozenset(proxies), most
        self.open: Counter[str] = Counter()
        self.doors: dict[tuple[str, int], Door] = {}
        """By the address and port of the other side."""

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

    def arrived(self, client: tuple[str, int] | None) -> None:
        """A request of this connection is being answered: its headers have arrived."""
        door = self.doors.get(client) if client else None
        if door is not None:
            door.wait(None)

    def answered(self, client: tuple[str, int] | None) -> None:
        """The next request may take as long as the connection is kept, and then as any other."""
        door = self.doors.get(client) if client else None
        if door is not None:
            door.wait(KEPT_SECONDS + self.limits.request_seconds)


def most_connections() -> int:
    """As many as the system lets this process open files; ask it for more first."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 10**9
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if most == resource.RLIM_INFINITY else min(most, 65_536)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return wanted - RESERVED_FILES


def check_uvicorn() -> None:
    """What doors need of uvicorn is not documented, so a version without it must not serve."""
    import uvicorn
    from uvicorn.config import WS_PROTOCOLS
    from uvicorn.protocols.http.h11_impl import H11Protocol

    called = (name for name in vars(asyncio.Protocol) if not name.startswith("_"))
    if not all(hasattr(H11Protocol, name) for name in called) or WEBSOCKETS not in WS_PROTOCOLS:
        raise RuntimeError(
            f"this version of uvicorn ({uvicorn.__version__}) has changed where azulejos depends on it; "
            "install one that pyproject.toml names"
        )


def server_config(app: ASGIApp, keeper: Doorkeeper) -> uvicorn.Config:
    import uvicorn  # which whoever answers requests in another way does not have (web/alone)
    from uvicorn.protocols.http.h11_impl import H11Protocol

    check_uvicorn()

    def door(config: uvicorn.Config, **names: Any) -> asyncio.Protocol:
        return Door(H11Protocol(config=config, **names), keeper)

    return uvicorn.Config(
        app, loop="asyncio", http=door, ws=WEBSOCKETS, lifespan="on",  # type: ignore[arg-type]
        log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=2,
        timeout_keep_alive=KEPT_SECONDS,
        proxy_headers=bool(keeper.proxies), forwarded_allow_ips=list(keeper.proxies),
        h11_max_incomplete_event_size=MAX_HEADERS, ws_max_size=4096, ws_per_message_deflate=False,
    )


def _refusal(status: str, sentence: str) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
        f"content-length: {len(sentence) + 1}\r\n\r\n{sentence}\n"
    ).encode()


TOO_MANY = _refusal("503 Service Unavailable", "Your address has too many connections; close some of them.")
TOO_SLOW = _refusal("408 Request Timeout", "This request took too long to arrive.")


class Doorway:
    """A transport as uvicorn's protocols see it: they stay behind the door when they change places."""

    def __init__(self, transport: asyncio.Transport, door: Door) -> None:
        self._transport, self._door = transport, door

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def set_protocol(self, protocol: asyncio.Protocol) -> None:
        self._door.inner = protocol

    def pause_reading(self) -> None:
        self._door.inner_pauses = True
        self._door.read_or_wait()

    def resume_reading(self) -> None:
        self._door.inner_pauses = False
        self._door.read_or_wait()


class Door(asyncio.Protocol):
    def __init__(self, inner: asyncio.Protocol, keeper: Doorkeeper) -> None:
        self.inner = inner
        self.inner_pauses = False
        self._keeper = keeper
        self._loop = asyncio.get_running_loop()
        self._admitted = False
        self._address, self._client = "", ("", 0)
        self._charged = True
        self._unread = bytearray()
        self._reading: asyncio.Handle | None = None
        self._timer: asyncio.TimerHandle | None = None

    # --- what asyncio calls --------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._client = (transport.get_extra_info("peername") or ("", 0))[:2]
        self._address = address_of(self._client)
        self._charged = self._address not in self._keeper.proxies
        if not self._keeper.admit(self._address):
            transport.write(TOO_MANY)
            transport.close()
            return
        self._admitted = True
        self._keeper.doors[self._client] = self
        self.inner.connection_made(Doorway(transport, self))  # type: ignore[arg-type]
        self.wait(self._keeper.limits.request_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._reading is not None:
            self._reading.cancel()
        if self._admitted:
            self._keeper.doors.pop(self._client, None)
            self._keeper.dismiss(self._address)
            self.inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._admitted:  # what a refused connection sends is not read
            self._unread += data
            self.read_or_wait()

    def eof_received(self) -> bool | None:
        return self.inner.eof_received() if self._admitted else None

    def pause_writing(self) -> None:
        self.inner.pause_writing()
        self._stop_waiting()
        self._timer = self._loop.call_later(RESPONSE_SECONDS, self._transport.abort)

    def resume_writing(self) -> None:
        self.inner.resume_writing()
        self._stop_waiting()

    # --- reading -------------------------------------------------------------------------------------

    def read_or_wait(self) -> None:
        """Read what has come, a piece in each turn of the loop; later, if uvicorn or the address waits."""
        if self._unread and not self.inner_pauses and self._reading is None:
            self._reading = self._loop.call_soon(self._read)
        if self._transport.is_closing():
            return
        if self.inner_pauses or len(self._unread) > PIECE:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _read(self) -> None:
        self._reading = None
        if self._transport.is_closing():
            self._unread.clear()
        elif self._charged and self._keeper.charges.loop.is_flooded(self._address):
            self._reading = self._loop.call_later(AGAIN, self._read)
        elif not self.inner_pauses:
            piece, began = bytes(self._unread[:PIECE]), time.thread_time()
            del self._unread[:PIECE]
            self.inner.data_received(piece)
            if self._charged:
                used = (time.thread_time() - began) * 1e3
                self._keeper.charges.loop.pay_together(used, address=self._address)
            self.read_or_wait()

    # --- waiting -------------------------------------------------------------------------------------

    def wait(self, seconds: float | None) -> None:
        """For the next request, which must have arrived by then; None: one is being answered."""
        self._stop_waiting()
        if seconds is not None:
            self._timer = self._loop.call_later(seconds, self._expire)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _expire(self) -> None:
        self._transport.write(TOO_SLOW)
        self._transport.close()
