"""Where the site begins: at the root of a name, or under a path such as `example.org/azulejos/`."""

from __future__ import annotations

import re

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from azulejos.core.message import Problem, msg

BASE = re.compile(r"(/[A-Za-z0-9._~-]+)*")


def read_base_path(text: str) -> str:
    """A base path without a slash at its end; empty for the root."""
    base = "/" + text.strip("/") if text.strip("/") else ""
    if BASE.fullmatch(base) is None:
        raise Problem(msg(
            "{text} is not a base path; write letters, digits, . _ ~ - and slashes, as in /azulejos",
            text=repr(text),
        ))
    return base


def root(connection: HTTPConnection) -> str:
    """The address of the home page. All addresses of this site begin with it."""
    return f"{connection.scope.get('root_path', '')}/"


def path_in_site(scope: Scope) -> str:
    """The path of a request as the routes know it."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


class BasePath:
    """Puts the site under a path. A proxy may keep the path in front of addresses, or remove it."""

    def __init__(self, app: ASGIApp, *, base: str) -> None:
        self.app = app
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._base and scope["type"] in ("http", "websocket"):
            path = scope["path"]
            inside = path.removeprefix(self._base) if f"{path}/".startswith(f"{self._base}/") else path
            scope["root_path"] = self._base
            scope["path"] = f"{self._base}{inside or '/'}"
        await self.app(scope, receive, send)
