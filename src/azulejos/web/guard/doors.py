"""Where every request enters: names, origins, sizes and budgets are checked, and headers added."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from azulejos.core.message import Message as Reason, msg
from azulejos.web.base_path import path_in_site
from azulejos.web.guard.budgets import Charges, address_of, metered
from azulejos.web.guard.connections import MAX_HEADERS, Doorkeeper
from azulejos.web.guard.hosts import ANY, from_another_site, is_allowed, same_origin

MAX_BODY = 16_384
LONG_BODIES = {"/open": 262_144, "/study": 450_000, "/you/import": 1_100_000, "/you/progress": 131_072}
"""Bytes of a body: a form, a record that somebody opens, what somebody has practised."""
WITHOUT_BODY = ("GET", "HEAD")
PARTS = ("/static/", "/plan/", "/sprite/", "/art/", "/face/")
"""Addresses of what pages are made of."""
log = logging.getLogger("azulejos.web")

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'",  # static/engine.js
    "style-src 'self'", "img-src 'self' data:",
    "require-trusted-types-for 'script'", "trusted-types azulejos",  # static/markup.js
    "connect-src 'self'", "font-src 'self'", "manifest-src 'self'", "form-action 'self'", "base-uri 'none'",
    "frame-ancestors 'none'",
))

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
OF_PAGES = {
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
INERT = {"text/css", "text/javascript", "application/javascript", "application/json", "font/woff2"}
"""Kinds of parts to which most headers mean nothing: no page, no worker (`WORKER`) and no picture, which
could be opened by itself. It saves 15 kB until the first move."""
OF_PARTS = {name: HEADERS[name] for name in ("x-content-type-options", "cross-origin-resource-policy")}
WORKER = "worker.js"
"""How the names of scripts end that obey a policy of their own."""

@dataclass(frozen=True, slots=True)
class Objection:
    """Why a request is refused, for its sender and for the log."""

    status: int
    reason: Reason
    note: str


TOO_MANY = Objection(429, msg("Too many requests; wait a moment."), "too many requests")
OTHER_NAME = Objection(
    421, msg("This server does not answer to the name in this address; its operator can allow it with "
             "--allow-host."), "a name of another server",
)
LONG_HEADERS = Objection(431, msg("The headers of this request are too long."), "headers that are too long")
ZERO_IN_PATH = Objection(404, msg("There is nothing here."), "a path with a zero character")
OTHER_SITE = Objection(403, msg("This form was sent from another site."), "a form from another site")
TWO_LENGTHS = Objection(400, msg("This request is incomplete."), "two lengths of one body")
TOO_SLOW = Objection(408, msg("This request took too long to arrive."), "a body that arrives too slowly")
LONG_BODY = Objection(413, msg("This is too long."), "a body that is too long")

AHEAD = ("purpose", "prefetch")
"""The header of what a page fetches in advance (static/puzzle.js): it can wait, and is nobody's wish."""


def is_ahead(headers: Mapping[str, str]) -> bool:
    name, value = AHEAD
    return headers.get(name) == value


RETRY = "5"
"""Seconds after which a client may try again that sent too much."""

Identify = Callable[[HTTPConnection], str]
"""The key of the visitor who sends a request; an empty text for one without a valid cookie."""

Refuse = Callable[[HTTPConnection, int, Reason], Response]
"""Answers a request with a status and a sentence."""


def not_now() -> Response:
    """Answers what is fetched in advance and cannot be done now; no browser calls that an error."""
    return Response(status_code=204)


class Guard:
    """Refuses what is too much, for another server, from another site or too long."""

    def __init__(
        self, app: ASGIApp, *, keeper: Doorkeeper, identify: Identify, refuse: Refuse,
        hosts: Collection[str] = (ANY,),
    ) -> None:
        self.app = app
        self._keeper = keeper
        self._charges: Charges = keeper.charges
        self._identify = identify
        self._refuse = refuse
        self._hosts = hosts
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("websocket", "http"):
            await self.app(scope, receive, send)
            return
        client, address = scope.get("client"), address_of(scope.get("client"))
        self._look_for_a_proxy(scope)
        visitor = self._identify(HTTPConnection(scope))

        def pay(milliseconds: float) -> None:
            self._charges.loop.pay(milliseconds, visitor=visitor, address=address)

        part = scope["type"] == "http" and path_in_site(scope).startswith(PARTS)
        owes = self._charges.loop.owes(visitor=visitor, address=address, part=part)
        act = self._answer if scope["type"] == "http" else self._connect
        self._keeper.arrived(client)
        try:
            await metered(act(scope, receive, send, owes=owes), pay)
        finally:
            if scope["type"] == "http":
                self._keeper.answered(client)

    def _look_for_a_proxy(self, scope: Scope) -> None:
        """Behind a proxy that was not named, all visitors are one address to us."""
        if self._keeper.proxies or self._warned:
            return
        if any(name == b"x-forwarded-for" for name, _ in scope["headers"]):
            self._warned = True
            log.error("requests come through a proxy that was not named, so all visitors share the limits "
                      "of one address; name it by --proxy")

    async def _connect(self, scope: Scope, receive: Receive, send: Send, *, owes: bool) -> None:
        if owes:
            _note(scope, "too many lines at once")
            await send({"type": "websocket.close", "code": 1013})
        elif not self._is_named(scope, Headers(scope=scope)):
            _note(scope, OTHER_NAME.note)
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self.app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, *, owes: bool) -> None:
        path = path_in_site(scope)  # which routes will change

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                added = _headers_of(path, headers.get("content-type", ""))
                for name, value in added.items():
                    headers.setdefault(name, value)
                if message["status"] == TOO_MANY.status:
                    headers["retry-after"] = RETRY
            await send(message)

        refusal = self._refusal(scope, owes=owes)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
        else:
            seconds = self._keeper.limits.request_seconds
            await self.app(_whole(scope), _limited(receive, scope, seconds), send_guarded)

    def _refusal(self, scope: Scope, *, owes: bool) -> Response | None:
        found = TOO_MANY if owes else self._objection(scope, Headers(scope=scope))
        if found is None:
            return None
        if found is TOO_MANY and is_ahead(Headers(scope=scope)):
            return not_now()
        _note(scope, found.note)
        return self._refuse(HTTPConnection(scope), found.status, found.reason)

    def _objection(self, scope: Scope, headers: Headers) -> Objection | None:
        if not self._is_named(scope, headers):
            return OTHER_NAME
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADERS:
            return LONG_HEADERS
        if "\0" in scope["path"]:
            return ZERO_IN_PATH
        if "content-length" in headers and "transfer-encoding" in headers:
            return TWO_LENGTHS
        return None if scope["method"] in WITHOUT_BODY else _objection_to_form(scope, headers)

    def _is_named(self, scope: Scope, headers: Headers) -> bool:
        here, _ = scope.get("server") or ("", None)
        return is_allowed(headers.get("host", ""), self._hosts, here)


def _objection_to_form(scope: Scope, headers: Headers) -> Objection | None:
    if from_another_site(headers) or not same_origin(HTTPConnection(scope)):
        return OTHER_SITE
    length = headers.get("content-length", "0")
    longest = _longest(scope)
    if not length.isdecimal() or len(length) > len(str(longest)) or int(length) > longest:
        return LONG_BODY
    return None


def _headers_of(path: str, content: str) -> Mapping[str, str]:
    if not path.startswith(PARTS):
        return HEADERS | OF_PAGES
    inert = content.partition(";")[0] in INERT and not path.endswith(WORKER)
    return OF_PARTS if inert else HEADERS


def _whole(scope: Scope) -> Scope:
    """Without a wish for a part of a file. Our files are small, and a damaged wish would be refused without
    a sentence."""
    wanted = [(name, value) for name, value in scope["headers"] if name != b"range"]
    return scope if len(wanted) == len(scope["headers"]) else {**scope, "headers": wanted}


def _note(scope: Scope, what: str) -> None:
    log.warning("refused %s: %s at %.80r", address_of(scope.get("client")), what, scope["path"])


class BadBody(Exception):
    """A body is longer than it may be although its header did not say so, or does not arrive."""

    def __init__(self, objection: Objection) -> None:
        super().__init__(objection.note)
        self.objection = objection


def _longest(scope: Scope) -> int:
    return LONG_BODIES.get(path_in_site(scope), MAX_BODY)


def _limited(receive: Receive, scope: Scope, seconds: float) -> Receive:
    """Stop reading a body that is too long. One that nobody needs may come while the answer is sent,
    when it is too late for a refusal: then the rest is left unread. What comes after it, the end of the
    connection, may take any time."""
    seen, longest, needed, whole = 0, _longest(scope), scope["method"] not in WITHOUT_BODY, False
    end = asyncio.get_running_loop().time() + seconds

    async def limited() -> Message:
        nonlocal seen, whole
        try:
            async with asyncio.timeout_at(None if whole else end):
                message = await receive()
        except TimeoutError:
            raise BadBody(TOO_SLOW) from None
        whole = not message.get("more_body", False)
        seen += len(message.get("body", b""))
        if seen > longest and needed:
            raise BadBody(LONG_BODY)
        if seen > longest:
            await asyncio.get_running_loop().create_future()  # until the answer is complete
        return message

    return limited
