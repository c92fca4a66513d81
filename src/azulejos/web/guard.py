"""The first line of defence against hostile clients: headers, origins, sizes and rates."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 16_384

log = logging.getLogger("azulejos.web")

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "font-src 'self'", "manifest-src 'self'", "form-action 'self'", "base-uri 'none'",
    "frame-ancestors 'none'",
))

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Bucket:
    """Token bucket: `burst` requests at once, then `rate` per second."""

    __slots__ = ("_level", "_when", "burst", "rate")

    def __init__(self, burst: float, rate: float) -> None:
        self.burst, self.rate = burst, rate
        self._level, self._when = burst, time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._level = min(self.burst, self._level + (now - self._when) * self.rate)
        self._when = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


@dataclass(frozen=True, slots=True)
class Pace:
    """Limits of a bucket: `burst` requests at once, then `rate` per second."""

    burst: float
    rate: float

    def bucket(self) -> Bucket:
        return Bucket(self.burst, self.rate)


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Request limits of one client: forms, pages, and commands over a live connection."""

    writes: Pace = Pace(30, 1)
    reads: Pace = Pace(300, 50)
    commands: Pace = Pace(40, 15)


NO_LIMIT = Pace(1e9, 1e9)
UNLIMITED = Limits(writes=NO_LIMIT, reads=NO_LIMIT, commands=NO_LIMIT)


class Buckets:
    """One bucket per client; the clients not seen for longest are forgotten."""

    def __init__(self, pace: Pace, *, kept: int = 10_000) -> None:
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._pace = pace
        self._kept = kept

    def take(self, client: str) -> bool:
        bucket = self._buckets.pop(client, None) or self._pace.bucket()
        self._buckets[client] = bucket
        if len(self._buckets) > self._kept:
            self._buckets.popitem(last=False)
        return bucket.take()


class Calm(logging.Filter):
    """Limits the rate of warnings and counts the suppressed ones: a flood must not fill the disk."""

    def __init__(self, bucket: Bucket) -> None:
        super().__init__()
        self._bucket = bucket
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.WARNING:
            return True
        if not self._bucket.take():
            self._left_out += 1
            return False
        if self._left_out:
            record.msg = f"{record.msg} (and {self._left_out} more that are not shown)"
            self._left_out = 0
        return True


def same_origin(headers: Headers, *, required: bool = False) -> bool:
    """Whether a request comes from our own pages (browsers send the origin with forms and sockets)."""
    origin = headers.get("origin")
    if origin is None:
        return not required
    return urlsplit(origin).netloc == headers.get("host", "")


class Guard:
    """Refuses cross-origin forms, oversized bodies and floods, and adds the headers to every response."""

    def __init__(self, app: ASGIApp, *, limits: Limits) -> None:
        self.app = app
        self.writes = Buckets(limits.writes)
        self.reads = Buckets(limits.reads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not self.reads.take(_client(scope)):
            _note(scope, "too many lines at once")
            await send({"type": "websocket.close", "code": 1013})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
        else:
            await self.app(scope, _limited(receive), send_guarded)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers, client = Headers(scope=scope), _client(scope)
        if scope["method"] in ("GET", "HEAD"):
            return None if self.reads.take(client) else _too_fast(scope)
        if not same_origin(headers):
            _note(scope, "a form from another site")
            return PlainTextResponse("This form was sent from another site.\n", 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY:
            _note(scope, "a body that is too long")
            return PlainTextResponse("This is too long.\n", 413)
        return None if self.writes.take(client) else _too_fast(scope)


def _client(scope: Scope) -> str:
    return str(scope["client"][0]) if scope.get("client") else "?"


def _note(scope: Scope, what: str) -> None:
    log.warning("refused %s: %s at %.80r", _client(scope), what, scope["path"])


def _too_fast(scope: Scope) -> PlainTextResponse:
    _note(scope, "too many requests")
    return PlainTextResponse("Too many requests; wait a moment.\n", 429, {"retry-after": "5"})


class TooLong(Exception):
    """A body is longer than MAX_BODY although its header did not say so."""


def _limited(receive: Receive) -> Receive:
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MAX_BODY:
            raise TooLong
        return message

    return limited
