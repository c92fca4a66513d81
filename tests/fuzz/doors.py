"""Every door at which texts arrive that we did not write. A door raises only what it may raise."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import shlex
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from click.testing import CliRunner
from starlette.types import ASGIApp

import azulejos
from azulejos import Position, Record, bots
from azulejos.cli import main
from azulejos.core import registry
from azulejos.core.components import read_components, write_components
from azulejos.protocol.speaker import Speaker
from azulejos.web.live import messages
from azulejos.web.live.connection import read_message

Door = Callable[[str], None]


def dealt() -> Position:
    position = azulejos.new("azul")
    position.deal(random.Random(1))
    return position


def position(text: str) -> None:
    with contextlib.suppress(ValueError):
        Position.from_text(text).legal_actions()


def move(text: str) -> None:
    for game in registry.games():
        with contextlib.suppress(ValueError):
            game.moves.parse_line(text)


def record(text: str) -> None:
    with contextlib.suppress(ValueError):
        Record.read_all(text)


def components(text: str) -> None:
    for game in registry.games():
        with contextlib.suppress(ValueError):
            read_components(text, game)


def message(text: str) -> None:
    with contextlib.suppress(msgspec.MsgspecError):
        read_message(text)


def command(text: str) -> None:
    """A command line: an exit code, and a sentence if it is not 0."""
    with contextlib.suppress(ValueError):  # quotation marks that do not end
        result = CliRunner().invoke(main, shlex.split(text))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert result.exit_code == 0 or result.output.strip()


class Lines:
    """A conversation in the engine protocol."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._speaker = Speaker(lambda: bots.open("random"), self.said.append, name="random")

    def __call__(self, text: str) -> None:
        for line in text.splitlines():
            if line.split()[:1] != ["quit"]:
                assert self._speaker.hear(line)


DOORS: dict[str, Door] = {
    "position": position, "move": move, "record": record, "components": components, "message": message,
    "line": Lines(), "command": command,
}


def seeds() -> dict[str, list[str]]:
    """Good texts for each door, to be damaged."""
    start = dealt()
    game = Record.from_position(start)
    return {
        "position": [azulejos.new(box).text() for box in registry.presets()] + [start.text()],
        "move": [moves.text for each in registry.games() for moves in each.moves.moves[::97]],
        "record": [game.write(), game.write_json(), '[Game "azul"]\n[Players "2"]\n\n@1 +b\n'],
        "components": [
            write_components(each, each.read_options(each.presets[0].options)) for each in registry.games()
        ],
        "message": [
            '{"do":"play","id":1,"ply":3,"move":"2r4","at_once":true}', '{"do":"look","ply":null}',
            '{"do":"mark","slots":[1,2,3],"ply":3}', '{"do":"ask","id":1,"ply":3,"text":"s"}',
            json.dumps({"do": "hello", "protocol": messages.PROTOCOL, "plan": "x"}),
        ],
        "line": [
            f"position {start.text()} moves 1b1", "go id 1 nodes 1", "newgame azul seat 1", "isready",
            "setoption name Seed value 7", "uai", "stop",
        ],
        "command": ["games", "rules azul", f"show {shlex.quote(start.text())}", "verify nothing.txt"],
    }


# --- HTTP --------------------------------------------------------------------------------------------


ENDLESS = b"x=" * 2000
"""A body that never ends: it is sent again and again."""


class Client:
    """Speaks to an application directly, as a server does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        given = {"host": "localhost", "content-type": "application/x-www-form-urlencoded"} | (headers or {})
        sent: list[dict[str, Any]] = []
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": path, "raw_path": path.encode("utf-8", "replace"), "root_path": "",
            "query_string": query.encode("ascii", "replace"), "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80), "state": {},
            "headers": [(k.encode(), v.encode("latin-1", "replace")) for k, v in given.items()],
        }
        chunks = itertools.repeat(ENDLESS) if body == ENDLESS else iter([body])

        async def receive() -> dict[str, Any]:
            for chunk in chunks:
                return {"type": "http.request", "body": chunk, "more_body": body == ENDLESS}
            return dict(await asyncio.get_running_loop().create_future())  # the client says no more

        async def send(message: Any) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        text = b"".join(message.get("body", b"") for message in sent[1:])
        return int(sent[0]["status"]), text.decode("utf-8", "replace")


FORM = {
    "box": "azul", "seat0": "you", "seat1": "bot:random", "name0": "Ana", "minutes": "5", "listed": "on",
    "option-wall": "coloured", "components": "",
}


PATHS = (
    "/tables", "/wishes", "/open", "/t/AAAAAAAAAAAA/sit", "/t/AAAAAAAAAAAA?watch",
    "/t/AAAAAAAAAAAA/carry/x.y", "/t/AAAAAAAAAAAA/position.svg?ply=3", "/rules/azul",
    "/learn/azul?table=x", "/new?box=azul", "/plan/x/en?box=azul&players=2&form=wide", "/static/base.css",
)
HEADERS = {
    "host": "localhost:8137", "origin": "http://localhost", "accept-language": "pl;q=0.8, en",
    "cookie": "azulejos_key=ImFiYyI.x; azulejos_wishes=language=pl; azulejos_last=box=azul&seat0=you",
    "accept": "text/html",
    "content-type": "multipart/form-data; boundary=x", "content-length": "17", "if-none-match": '"abc"',
    "x-forwarded-for": "192.0.2.1", "range": "bytes=0-9",
}


class Asked(NamedTuple):
    """A request."""

    method: str
    path: str
    body: bytes
    headers: dict[str, str]


def forms(damage: Callable[[str], str], rng: random.Random) -> Iterator[Asked]:
    """Requests with a damaged path, form or header, without end."""
    while True:
        method, path = rng.choice(["GET", "POST"]), rng.choice(PATHS)
        given = dict(FORM)
        name = rng.choice(list(given))
        given[name] = damage(given[name] or "x")
        body = urlencode(given, errors="replace").encode()
        header = rng.choice(list(HEADERS))
        yield Asked(
            method, damage(path) if rng.random() < 0.5 else path,
            damage(body.decode()).encode("utf-8", "replace") if rng.random() < 0.3 else body,
            {header: damage(HEADERS[header])} if rng.random() < 0.3 else {},
        )


async def ask_all(
    client: Client, requests: Iterator[Asked], count: int,
    found: Callable[[str, int, str], Awaitable[None]],
) -> None:
    for _ in range(count):
        asked = next(requests)
        status, text = await client.ask(*asked)
        await found(f"{asked}", status, text)
        await asyncio.sleep(0)


def corpus() -> dict[str, list[str]]:
    import tomllib

    entries = tomllib.loads((Path(__file__).parent / "corpus.toml").read_text(encoding="utf-8"))
    return {door: [one["text"] * one.get("times", 1) for one in found] for door, found in entries.items()}
