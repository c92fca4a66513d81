"""The web application without a network: requests and lines are values, its visitor is one.

The host (`shell/python.js`) gives requests of the page's frame and lines in both directions; nothing in
here knows that it is a browser, so the tests run it in any Python.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.types import ASGIApp

from azulejos.web.visitor import WISH_COOKIE

Say = Callable[[str], None]
"""Hears what the application says on a line; an empty text: the line was closed."""

OWN_HEADERS = frozenset({"set-cookie", "x-frame-options", "content-length"})
"""Of responses: cookies are kept here, and pages are shown in a frame of this folder."""


@dataclass
class Site:
    app: ASGIApp
    origin: str
    """Such as ``https://example.org``."""
    cookies_file: Path
    languages: str = ""
    """What the browser prefers, as a header."""
    _cookies: dict[str, str] = field(default_factory=dict)
    _lines: dict[int, asyncio.Queue[dict[str, Any]]] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _events: asyncio.Queue[dict[str, Any]] = field(default_factory=asyncio.Queue)

    async def start(self) -> None:
        """Open the database and wake the tables."""
        if self.cookies_file.exists():
            self._cookies = json.loads(self.cookies_file.read_text("utf-8"))
        begun = asyncio.get_running_loop().create_future()

        async def send(message: Mapping[str, Any]) -> None:
            if message["type"] == "lifespan.startup.failed":
                begun.set_exception(RuntimeError(message.get("message", "")))
            elif not begun.done():
                begun.set_result(None)

        self._events.put_nowait({"type": "lifespan.startup"})
        self._keep(self.app({"type": "lifespan", "asgi": {"version": "3.0"}}, self._events.get, send))
        await begun

    async def end(self) -> None:
        """Close the database."""
        self._events.put_nowait({"type": "lifespan.shutdown"})
        await asyncio.gather(*self._tasks)

    async def request(
        self, method: str, address: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Status, headers and body of the answer."""
        scope = {**self._scope(address, headers), "type": "http", "method": method}
        given: list[dict[str, Any]] = [{"type": "http.request", "body": bytes(body), "more_body": False}]
        answer: dict[str, Any] = {}
        parts: list[bytes] = []

        async def receive() -> dict[str, Any]:
            if given:
                return given.pop()
            await asyncio.get_running_loop().create_future()  # the page does not leave before the answer
            raise AssertionError

        async def send(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.update(message)
            elif message["type"] == "http.response.body":
                parts.append(message.get("body", b""))

        await self.app(scope, receive, send)
        told = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer["headers"]]
        self._remember([value for name, value in told if name == "set-cookie"])
        kept = [(name, value.replace("frame-ancestors 'none'", "frame-ancestors 'self'"))
                for name, value in told if name not in OWN_HEADERS]
        return answer["status"], kept, b"".join(parts)

    def open(self, line: int, address: str, say: Say) -> None:
        """A page opens a line, as it would a WebSocket."""
        heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        heard.put_nowait({"type": "websocket.connect"})
        self._lines[line] = heard

        async def send(message: Mapping[str, Any]) -> None:
            if message["type"] == "websocket.send":
                say(message["text"])
            elif message["type"] == "websocket.close":
                say("")

        async def run() -> None:
            try:
                await self.app({**self._scope(address, {}), "type": "websocket", "subprotocols": []},
                               heard.get, send)
            finally:
                self._lines.pop(line, None)
                say("")

        self._keep(run())

    def hear(self, line: int, text: str) -> None:
        """A page says something on its line."""
        if line in self._lines:
            self._lines[line].put_nowait({"type": "websocket.receive", "text": text})

    def close(self, line: int) -> None:
        if line in self._lines:
            self._lines[line].put_nowait({"type": "websocket.disconnect", "code": 1001})

    @property
    def language(self) -> str:
        """The language that the visitor has chosen; empty if none."""
        return dict(parse_qsl(self._cookies.get(WISH_COOKIE, "").strip('"'))).get("language", "")

    # --- one visitor ---------------------------------------------------------------------------------

    def _scope(self, address: str, headers: Mapping[str, str]) -> dict[str, Any]:
        parts, origin = urlsplit(address), urlsplit(self.origin)
        named = {
            "host": origin.netloc, "origin": self.origin, "accept-language": self.languages,
            **{name.lower(): value for name, value in headers.items()},
            "cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
        }
        return {
            "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": origin.scheme,
            "path": parts.path, "raw_path": parts.path.encode(), "query_string": parts.query.encode(),
            "root_path": "", "client": ("127.0.0.1", 0),
            "server": (origin.hostname or "", origin.port or 0),
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()],
        }

    def _remember(self, cookies: list[str]) -> None:
        for text in cookies:
            for name, morsel in SimpleCookie(text).items():
                if morsel["max-age"] == "0":
                    self._cookies.pop(name, None)
                else:
                    self._cookies[name] = morsel.coded_value
        if cookies:
            self.cookies_file.write_text(json.dumps(self._cookies), "utf-8")

    def _keep(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
