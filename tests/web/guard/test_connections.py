"""Limits below HTTP, on a real socket: connections, half requests, headers, frames."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import socket
import struct
import urllib.parse
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
import uvicorn
from starlette.websockets import WebSocket, WebSocketState

from azulejos.cli.serve import listen
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED, Limits, Pace, connections
from azulejos.web.guard.budgets import FLOOD, Buckets, Charges
from azulejos.web.guard.connections import Doorkeeper, server_config
from azulejos.web.wire.conversation import until_closed

Use = Callable[["Address"], Awaitable[None]]


class Address:
    """A server in this process, to be used over the network."""

    def __init__(self, port: int, server: uvicorn.Server, keeper: Doorkeeper) -> None:
        self.port, self.keeper, self.state = port, keeper, server.server_state

    async def send(self, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(data)
        return reader, writer

    async def answer(self, data: bytes) -> str:
        """Everything that the server says until it closes the connection."""
        reader, writer = await self.send(data)
        answer = await reader.read()
        writer.close()
        return answer.decode()

    async def get(self, path: str, *headers: str) -> str:
        lines = [f"GET {path} HTTP/1.1", "host: localhost", "connection: close", *headers, "", ""]
        return await self.answer("\r\n".join(lines).encode())

    async def post(self, path: str, form: dict[str, str]) -> str:
        body = urllib.parse.urlencode(form)
        lines = [
            f"POST {path} HTTP/1.1", "host: localhost", "connection: close",
            "content-type: application/x-www-form-urlencoded", f"content-length: {len(body)}", "", body,
        ]
        return await self.answer("\r\n".join(lines).encode())


def limits(**given: object) -> Limits:
    """No limits except those given."""
    chosen = {name: getattr(UNLIMITED, name) for name in Limits.__dataclass_fields__}
    return Limits(**(chosen | given))


@asynccontextmanager
async def serving(folder: Path, limits: Limits, **settings: object) -> AsyncIterator[Address]:
    database = f"sqlite:///{folder}/games.sqlite"
    app = create_app(Settings(database=database, limits=limits, **settings))  # type: ignore[arg-type]
    keeper: Doorkeeper = app.state.doorkeeper
    server = uvicorn.Server(server_config(app, keeper))
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(asyncio.CancelledError))
        listener = stack.enter_context(listen("127.0.0.1", 0))
        running = asyncio.create_task(server._serve([listener]))
        while not server.started:
            await asyncio.sleep(0)
        try:
            yield Address(listener.getsockname()[1], server, keeper)
        finally:
            server.should_exit = True
            await running


def use(folder: Path, limits: Limits, act: Use, **settings: object) -> None:
    async def run() -> None:
        async with serving(folder, limits, **settings) as address:
            await act(address)

    asyncio.run(run())


def test_answers_on_a_kept_connection_do_not_wait_for_acknowledgements(tmp_path: Path) -> None:
    async def act(server: Address) -> None:
        reader, writer = await server.send(b"")
        for _ in range(2):
            writer.write(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert (await reader.readuntil(b"ok\n")).startswith(b"HTTP/1.1 200")
        (kept,) = server.state.connections
        accepted = kept.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.close()

    use(tmp_path, limits(), act)


def test_an_address_has_so_many_connections_and_gets_them_back(tmp_path: Path) -> None:
    async def act(server: Address) -> None:
        held = [await server.send(b"GET / HT") for _ in range(3)]  # half requests
        while server.keeper.open.total() < 3:
            await asyncio.sleep(0)
        assert "too many connections" in await server.get("/healthz")
        for _, writer in held:
            writer.close()
        while server.keeper.open:
            await asyncio.sleep(0)
        assert "ok" in await server.get("/healthz")

    use(tmp_path, limits(connections=3), act)


@pytest.mark.parametrize("begun", [
    b"", b"GET / HTTP/1.1\r\nhost: localhost\r\n",
    b"POST /tables HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n"
    b"content-type: application/x-www-form-urlencoded\r\n\r\nbox=azul",
], ids=["silent", "half of the headers", "half of the body"])
def test_a_request_that_does_not_arrive_is_closed(tmp_path: Path, begun: bytes) -> None:
    async def act(server: Address) -> None:
        assert "200" not in await server.answer(begun)
        while server.keeper.open:
            await asyncio.sleep(0)

    use(tmp_path, limits(request_seconds=0.05), act)


@pytest.mark.parametrize("request_", [
    b"GET / HTTP/1.1\r\nhost: localhost\r\nx: " + b"x" * 17_000 + b"\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nhost: localhost\r\ncontent-length: " + b"9" * 5000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n", b"\0" * 100 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n", b"GET http://[ HTTP/1.1\r\nhost: localhost\r\n\r\n",
], ids=["headers", "length", "negative", "zeros", "no host", "target"])
def test_broken_requests_get_a_sentence_and_no_traceback(
    tmp_path: Path, request_: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async def act(server: Address) -> None:
        reader, writer = await server.send(request_)
        answer = (await reader.read(2000)).decode()
        writer.close()
        assert answer.startswith("HTTP/1.1 4")
        assert "." in answer.partition("\r\n\r\n")[2]

    use(tmp_path, limits(), act)
    assert not any(record.exc_info for record in caplog.records)


def masked(opcode: int, payload: bytes = b"", *, last: bool = True) -> bytes:
    """A frame of a WebSocket client, masked with zeros."""
    size = len(payload)
    short = struct.pack("!BB", last << 7 | opcode, 0x80 | size) if size < 126 else \
        struct.pack("!BBH", last << 7 | opcode, 0x80 | 126, size)
    return short + bytes(4) + payload


async def open_table(server: Address) -> str:
    created = await server.post("/tables", {"box": "azul", "seat0": "you", "seat1": "you"})
    return created.partition("location: ")[2].partition("\r\n")[0]


async def connect(
    server: Address, path: str = ""
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    path = path or await open_table(server)
    reader, writer = await server.send("\r\n".join([
        f"GET {path}/live HTTP/1.1", "host: localhost", "origin: http://localhost", "upgrade: websocket",
        "connection: upgrade", "sec-websocket-version: 13", "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
        "", "",
    ]).encode())
    assert b"101" in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


@pytest.mark.parametrize("said", ['{"do":"ask","id":1,"text":"s","ply":0}', '{"do":"fly"}'])
def test_pages_that_close_before_they_are_answered_leave_no_traceback(
    tmp_path: Path, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def act(server: Address) -> None:
        path = await open_table(server)
        found = re.search(r'data-digest="([^"]+)" data-protocol="([^"]+)"', await server.get(path))
        assert found is not None
        hello = json.dumps({"do": "hello", "protocol": found[2], "plan": found[1]})
        for _ in range(5):
            _, writer = await connect(server, path)
            writer.write(masked(1, hello.encode()) + masked(1, said.encode()) * 20 + masked(8))
            await writer.drain()
            writer.close()
        while server.keeper.open:
            await asyncio.sleep(0)

    use(tmp_path, limits(), act)
    assert not any(record.exc_info for record in caplog.records)


def test_an_error_is_logged_unless_the_page_has_left(caplog: pytest.LogCaptureFixture) -> None:
    async def nothing(*_: object) -> None:
        pass

    async def run(state: WebSocketState) -> None:
        line = WebSocket({"type": "websocket"}, nothing, nothing)  # type: ignore[arg-type]
        line.application_state = state

        async def act() -> None:
            raise RuntimeError

        await until_closed(line, act, anyio.CancelScope())

    for state, logged in ((WebSocketState.DISCONNECTED, 0), (WebSocketState.CONNECTED, 1)):
        asyncio.run(run(state))
        assert len(caplog.records) == logged


@pytest.mark.parametrize("frame", [
    masked(0, last=False), masked(9), masked(10), masked(9, b"x" * 100),
], ids=["empty continuations", "pings", "pongs", "long pings"])
def test_frames_of_every_kind_are_charged_and_then_not_read(tmp_path: Path, frame: bytes) -> None:
    """Others are answered meanwhile, and the connection goes on when the time has come back."""

    async def act(server: Address) -> None:
        path, clock = await open_table(server), Clock()
        account = server.keeper.charges.loop
        _, writer = await connect(server, path)
        account._addresses = Buckets(Pace(1 - FLOOD, 1), clock=clock)
        writer.write(masked(1, b"x", last=False) + frame * 5000)
        while not account.is_flooded("127.0.0.1"):
            await asyncio.sleep(0.001)
        ((_, door),) = server.keeper.doors.items()
        left = len(door._unread)
        assert left, "the rest is not read"
        await asyncio.sleep(0.1)
        assert len(door._unread) == left
        account._addresses = Buckets(Pace(1e6, 1), clock=clock)
        while len(door._unread) >= left:
            await asyncio.sleep(0.001)
        writer.close()

    use(tmp_path, limits(), act)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("lengths", [
    "content-length: 3\r\ntransfer-encoding: chunked", "transfer-encoding: chunked\r\ncontent-length: 3",
])
def test_a_request_with_two_lengths_is_refused(tmp_path: Path, lengths: str) -> None:
    async def act(server: Address) -> None:
        head = f"POST /wishes HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{lengths}\r\n\r\n"
        answer = await server.answer(head.encode() + b"0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n")
        assert answer.startswith("HTTP/1.1 400")
        assert answer.count("HTTP/1.1") == 1

    use(tmp_path, limits(), act)


def test_a_message_in_many_pieces_is_read(tmp_path: Path) -> None:
    async def act(server: Address) -> None:
        reader, writer = await connect(server)
        hello = json.dumps({"do": "hello", "protocol": "x" * 3000, "plan": ""}).encode()
        for at in range(0, len(hello), 100):
            piece = hello[at : at + 100]
            writer.write(masked(0 if at else 1, piece, last=at + 100 >= len(hello)))
        assert b"reload" in await reader.readuntil(b"}")
        writer.close()

    use(tmp_path, limits(), act)


def test_a_proxy_has_the_connections_of_everybody() -> None:
    given = limits(connections=1)
    config = Doorkeeper(given, Charges(given), ["192.0.2.1"])
    assert [config.admit("192.0.2.1") for _ in range(3)] == [True] * 3
    assert [config.admit("192.0.2.2") for _ in range(2)] == [True, False]
    config.dismiss("192.0.2.2")
    assert config.admit("192.0.2.2")


def test_metrics_are_off_unless_wanted_and_only_for_this_machine(tmp_path: Path) -> None:
    async def nothing(server: Address) -> None:
        assert "404" in await server.get("/metrics")

    async def something(server: Address) -> None:
        _, writer = await connect(server)
        text = await server.get("/metrics")
        assert 'azulejos_database_seconds_bucket{le="+Inf"}' in text
        assert "# TYPE azulejos_loop_lag_seconds histogram" in text
        assert "azulejos_pages 1" in text
        assert "404" in await server.get("/metrics", "x-forwarded-for: 192.0.2.7"), "a proxy passed it on"
        count = text.partition("azulejos_database_seconds_count ")[2].split()[0]
        assert int(count) > 0
        writer.close()

    use(tmp_path, limits(), nothing)
    use(tmp_path, limits(), something, metrics=True)


if os.name == "nt":
    pytestmark = pytest.mark.skip("asyncio reports closed sockets differently there")


def test_a_uvicorn_that_has_changed_inside_does_not_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    connections.check_uvicorn()
    monkeypatch.setattr("uvicorn.config.WS_PROTOCOLS", {})
    with pytest.raises(RuntimeError, match="has changed where azulejos depends"):
        connections.check_uvicorn()
