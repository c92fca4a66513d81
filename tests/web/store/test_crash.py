"""Kill the server at any moment: nothing acknowledged is lost, and every table continues."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from azulejos import Record
from azulejos.cli.store import store, verify
from azulejos.web.store.store import Store
from azulejos.web.tables.table_record import table_of
from patience import PATIENCE
from web.people import Page
from web.played import played_out
from web.server import SOURCES, Server, running


class Browser:
    """A client without a screen: cookies, forms, and a connection to a table."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.jar = CookieJar()
        self.web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def open_table(self) -> str:
        form = {"box": "azul", "seat0": "you", "seat1": "bot:random", "name0": "Ana"}
        request = urllib.request.Request(
            f"{self.server.url}/tables", urllib.parse.urlencode(form).encode(), {"origin": self.server.url}
        )
        with self.web.open(request) as answer:
            return str(urllib.parse.urlsplit(answer.url).path)

    def page(self, path: str) -> Page:
        with self.web.open(f"{self.server.url}{path}") as answer:
            html = answer.read().decode()
        with self.web.open(f"{self.server.url}{Page.address(html)}") as answer:
            return Page(html, answer.read())

    @contextmanager
    def line(self, path: str) -> Iterator[ClientConnection]:
        cookie = "; ".join(f"{c.name}={c.value}" for c in self.jar)
        url = f"ws://localhost:{self.server.port}{path}/live"
        with connect(url, origin=Origin(self.server.url), additional_headers={"cookie": cookie},
                     open_timeout=PATIENCE, ping_interval=None) as line:
            line.send(json.dumps(self.page(path).hello))
            yield line


@dataclass
class Witness:
    """Plays at random and remembers the moves that the server has shown as played."""

    rng: random.Random
    page: Page
    seen: list[int] = field(default_factory=list)
    frame: dict[str, Any] = field(default_factory=dict)

    def play(self, line: ClientConnection, turns: int) -> None:
        while turns:
            message = self.page.read(json.loads(line.recv(PATIENCE)))
            if message["type"] == "done":
                self.seen.append(message["saved"])
            if message["type"] != "frame":
                continue
            self.frame = message
            if not message["undo"]:
                self.seen.append(message["ply"])
            if message["choices"]:
                turns -= 1
                move = self.rng.choice(message["choices"])["text"]
                play = {"do": "play", "id": turns, "move": move, "ply": message["ply"], "at_once": True}
                line.send(json.dumps(play))
            if message["over"]:
                return


def plies(server: Server, path: str) -> int:
    """The length of the log in the database."""

    async def count() -> int:
        store = await Store.open(server.database)
        table = await store.load(path.rpartition("/")[2])
        await store.close()
        assert table is not None
        table.replay()
        return len(table.actions)

    return asyncio.run(count())


def crash(server: Server, times: int, seed: int) -> None:
    browser = Browser(server)
    path = browser.open_table()
    witness = Witness(random.Random(seed), browser.page(path))
    for _ in range(times):
        with browser.line(path) as line:
            try:
                witness.play(line, witness.rng.randrange(1, 4))
            except (ConnectionClosed, TimeoutError) as error:
                pytest.fail(f"the table is stuck: {error!r}")
            server.kill()
        assert plies(server, path) >= max(witness.seen)
        server.restart()
        if witness.frame["over"]:
            path = browser.open_table()
            witness = Witness(witness.rng, browser.page(path))


def test_killed_in_the_middle_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        crash(server, times=3, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_a_hundred_times_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        crash(server, times=100, seed=2)


def test_a_used_port_is_refused_with_a_helpful_line(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        command = [sys.executable, "-m", "azulejos", "serve", "--no-open", "--port", str(server.port)]
        environment = {"PYTHONPATH": str(SOURCES), "AZULEJOS_DATA": str(tmp_path)}
        second = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert second.returncode == 1
        assert "in use" in second.stderr
        assert f"--port {server.port + 1}" in second.stderr


def test_a_server_stops_when_asked(tmp_path: Path) -> None:
    server = Server(tmp_path)
    browser = Browser(server)
    path = browser.open_table()
    with browser.line(path) as line:
        line.recv(PATIENCE)
        assert server.stop() in (0, -15)


def test_games_move_to_another_store_and_verify(tmp_path: Path) -> None:
    table = played_out()
    one, two = f"sqlite:///{tmp_path}/one.sqlite", f"sqlite:///{tmp_path}/two.sqlite"

    async def fill() -> None:
        games = await Store.open(one)
        await games.create(table)
        await games.close()

    asyncio.run(fill())
    file = str(tmp_path / "games.jsonl")
    run = CliRunner().invoke
    assert run(store, ["export", "--database", one, file]).exit_code == 0
    assert "1 tables added" in run(store, ["import", "--database", two, file]).output
    assert "0 tables added, 1 were there" in run(store, ["import", "--database", two, file]).output
    assert table_of(Record.read(Path(file).read_text())) == table
    assert "Every draw follows" in run(verify, [file]).output
    bent = Path(file).read_text().replace(table.promise, "0" * 64)
    Path(file).write_text(bent)
    answer = run(verify, [file])
    assert answer.exit_code == 1
    assert "not the one that was promised" in answer.output
