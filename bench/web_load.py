"""Load on the web table: `python -m bench.web_load`. Starts its own server, on this machine only.

Plays rounds of the same games: first with players only, then with spectators at an idle table, then while
a game is being reviewed (`--review RECORD`). Tables begin at independent times, unless `--together` lets
all of them begin, and end their rounds, in the same second. One client holds both seats of each table and
plays random moves at a steady rate. Times are measured from sending a move to the server's confirmation
that it is saved, and to the next frame. CPU time is that of the server process and its child processes, so
that it can be compared even on a busy machine; the players' program runs on the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from email.message import Message
from html import unescape
from pathlib import Path
from typing import NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from azulejos.web.wire import messages
from azulejos.web.wire.plan import PlanFile

TICKS = os.sysconf("SC_CLK_TCK")
CONNECTING_AT_ONCE = 20
LEAD = 30
"""Tables that begin at independent times have made fewer moves than this, two rounds or three."""
ANSWER_SECONDS = 60
"""After which a server counts as stuck."""
HEAD = (
    "| | moves/s | median ms | p99 ms | longest | picture, median | p99 | CPU ms a move | its helpers' |"
    " CPU | players' CPU | bytes a frame |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


hear = msgspec.json.Decoder(messages.ToTable).decode


class Use(NamedTuple):
    """Resource use of the server process, and of its child processes together."""

    own: float
    helpers: float

    def since(self, before: Use) -> Use:
        return Use(self.own - before.own, self.helpers - before.helpers)

    def kilobytes(self, count: int) -> str:
        """Megabytes divided by `count`, as kilobytes."""
        return f"{self.own / count * 1e3:.0f} + {self.helpers / count * 1e3:.0f} kB"


def _megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@dataclass(frozen=True)
class Server:
    url: str
    pid: int
    up: float
    """Seconds from starting the process to the home page."""

    def helpers(self) -> list[int]:
        """The child processes of the server."""
        found = Path(f"/proc/{self.pid}/task").glob("*/children")
        return [int(pid) for file in found for pid in file.read_text().split()]

    def megabytes(self) -> Use:
        return Use(_megabytes(self.pid), sum(map(_megabytes, self.helpers())))

    def cpu_seconds(self) -> Use:
        return Use(_cpu_seconds(self.pid), sum(map(_cpu_seconds, self.helpers())))

    def line(self, path: str, cookie: str = "") -> connect:
        address = f"{self.url.replace('http', 'ws', 1)}{path}/live"
        headers = {"cookie": cookie} if cookie else {}
        return connect(
            address, origin=Origin(self.url), additional_headers=headers, compression=None, open_timeout=60,
            ping_interval=None, max_size=None,
        )


@contextmanager
def serving(*options: str, program: Sequence[str] = ("-m", "azulejos", "serve")) -> Iterator[Server]:
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, *program, "--no-open", "--port", "0", *options]
        environment = os.environ | {"AZULEJOS_DATA": folder, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert process.stdout is not None
        try:
            url = process.stdout.readline().split()[-1].rstrip("/")
            urllib.request.urlopen(f"{url}/").close()
            yield Server(url, process.pid, time.perf_counter() - began)
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


class Host:
    """Opens tables and holds both seats at each of them."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.cookies: dict[str, str] = {}

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def keep(self, headers: Message) -> None:
        """Keep the cookies of an answer."""
        for header in headers.get_all("set-cookie", []):
            name, _, value = header.partition(";")[0].partition("=")
            self.cookies[name] = value

    def visit(self) -> None:
        """Look at the home page, and keep its cookie."""
        if not self.cookies:
            with urllib.request.urlopen(f"{self.server.url}/", timeout=60) as answer:
                self.keep(answer.headers)

    def open_table(self, box: str, **seats: str) -> str:
        """Create a table (with both seats ours, by default) and return its path."""
        return self.post("/tables", {"box": box, "seat0": "you", "seat1": "you"} | seats)

    def start_review(self, record: str) -> None:
        """Open a finished game and let it be reviewed; returns when its first turns are judged."""
        path = self.post("/open", {"text": record}).partition("#")[0]
        self.post(f"{path}/review", {})
        while b"<progress" not in _read(self.server, f"{path}/review/part", self.cookie):
            time.sleep(0.2)

    def post(self, path: str, values: dict[str, str]) -> str:
        """Send a form; returns the path to which the answer leads."""
        host = urllib.parse.urlsplit(self.server.url)
        headers = {
            "origin": self.server.url, "cookie": self.cookie,
            "content-type": "application/x-www-form-urlencoded",
        }
        web = http.client.HTTPConnection(host.hostname or "", host.port, timeout=60)
        web.request("POST", path, urllib.parse.urlencode(values), headers)
        answer = web.getresponse()
        self.keep(answer.headers)
        found = answer.getheader("location")
        web.close()
        assert found is not None, answer.status
        return found


class Page:
    """What a page knows about its table: its first message, and the keys of the places."""

    def __init__(self, server: Server, path: str, cookie: str) -> None:
        html = _read(server, path, cookie).decode()
        address, digest, protocol = PAGE.search(html).groups()  # type: ignore[union-attr]
        plan = msgspec.json.decode(_read(server, unescape(address), cookie), type=PlanFile)
        self.hello = msgspec.json.encode(messages.Hello(protocol=protocol, plan=digest)).decode()
        self.planned = [slot.key for slot in plan.slots]
        self.keys = dict(enumerate(self.planned))

    def see(self, news: messages.News) -> None:
        if news.whole:
            self.keys = dict(enumerate(self.planned))
        for place, change in news.places.items():
            own = change.key if change is not None else msgspec.UNSET
            self.keys[place] = self.planned[place] if own is msgspec.UNSET else own

    def any_move(self, offer: messages.TurnOffer, rng: random.Random) -> str:
        if offer.selection is not None:
            return offer.selection.verdict.move
        ways: list[list[list[int]] | messages.PathMove] = [*offer.choices, *offer.moves]
        chosen = ways[rng.randrange(len(ways))]
        if isinstance(chosen, messages.PathMove):
            return chosen.move
        return "".join(self.keys[rng.choice(places)] for places in chosen)


PAGE = re.compile(r'data-plan="([^"]+)"[^>]* data-digest="([^"]+)" data-protocol="([^"]+)"')


def _read(server: Server, path: str, cookie: str) -> bytes:
    request = urllib.request.Request(f"{server.url}{path}", headers={"cookie": cookie})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return bytes(answer.read())


@dataclass
class Table:
    """The player of one table; keeps its connection between the rounds."""

    line: ClientConnection
    page: Page
    rng: random.Random
    now: messages.Frame
    times: list[float] = field(default_factory=list)
    pictures: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    async def play(self, rate: float, until: float) -> None:
        """Play at a steady rate and record how long each move takes to be acknowledged."""
        due = time.perf_counter() + self.rng.random() / rate
        while not self.now.over and due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due = max(due + 1 / rate, time.perf_counter())
            await self.move()

    async def move(self) -> None:
        assert self.now.offer is not None
        move = self.page.any_move(self.now.offer, self.rng)
        told = messages.Play(id=1, move=move, ply=self.now.ply, at_once=True)
        sent = time.perf_counter()
        await self.line.send(msgspec.json.encode(told).decode())
        before, done = self.now.ply, False
        while not done or self.now.ply == before or not (self.now.offer or self.now.over):
            text = await asyncio.wait_for(self.line.recv(), ANSWER_SECONDS)
            heard = hear(text)
            if isinstance(heard, messages.Frame):
                self.now = heard
                self.page.see(heard.news)
                self.sizes.append(len(text.encode() if isinstance(text, str) else text))
            elif isinstance(heard, messages.Refusal):
                raise RuntimeError(heard.text)
            elif not done and isinstance(heard, messages.Done):
                self.times.append(time.perf_counter() - sent)
                done = True
        self.pictures.append(time.perf_counter() - sent)


async def sit_down(server: Server, stack: AsyncExitStack, path: str, cookie: str, seed: int) -> Table:
    page = await asyncio.to_thread(Page, server, path, cookie)
    line = await stack.enter_async_context(server.line(path, cookie))
    await line.send(page.hello)
    now = hear(await line.recv())
    assert isinstance(now, messages.Frame)
    page.see(now.news)
    return Table(line, page, random.Random(seed), now)


async def watch(line: ClientConnection) -> None:
    try:
        async for _ in line:
            pass
    except ConnectionClosed:
        return


async def seat_spectators(server: Server, stack: AsyncExitStack, path: str, count: int) -> None:
    """Spectators who receive the table once and then only listen."""
    gate = asyncio.Semaphore(CONNECTING_AT_ONCE)
    page = await asyncio.to_thread(Page, server, path, "")

    async def enter() -> None:
        async with gate:
            line = await stack.enter_async_context(server.line(path))
            await line.send(page.hello)
            await line.recv()
        task = asyncio.create_task(watch(line))
        stack.callback(task.cancel)

    await asyncio.gather(*(enter() for _ in range(count)))


async def come_apart(tables: list[Table]) -> None:
    """Let every table play some moves, so that their rounds do not end together."""
    gate = asyncio.Semaphore(CONNECTING_AT_ONCE)

    async def lead(table: Table) -> None:
        async with gate:
            for _ in range(table.rng.randrange(LEAD)):
                if not table.now.over:
                    await table.move()

    await asyncio.gather(*map(lead, tables))


async def round_of_play(server: Server, tables: list[Table], rate: float, seconds: float) -> str:
    for table in tables:
        table.times.clear()
        table.pictures.clear()
        table.sizes.clear()
    cpu, own, begin = server.cpu_seconds(), time.process_time(), time.perf_counter()
    await asyncio.gather(*(table.play(rate, begin + seconds) for table in tables))
    spent, passed = server.cpu_seconds().since(cpu), time.perf_counter() - begin
    playing = time.process_time() - own
    times = [one for table in tables for one in table.times]
    acknowledged = statistics.quantiles(times, n=100)
    seen = statistics.quantiles([one for table in tables for one in table.pictures], n=100)
    own, helpers = (cpu / len(times) * 1e3 for cpu in spent)
    return (
        f"{len(times) / passed:.0f} | {acknowledged[49] * 1e3:.1f} | {acknowledged[98] * 1e3:.1f} |"
        f" {max(times) * 1e3:.0f} | {seen[49] * 1e3:.0f} | {seen[98] * 1e3:.0f} | {own:.2f} |"
        f" {helpers:.2f} | {spent.own / passed:.0%} + {spent.helpers / passed:.0%} | {playing / passed:.0%}"
        f" | {statistics.median(size for table in tables for size in table.sizes):.0f}"
    )


async def load(server: Server, wish: argparse.Namespace) -> None:
    host = Host(server)
    idle = host.open_table(wish.box)
    async with AsyncExitStack() as stack:
        first = await sit_down(server, stack, idle, host.cookie, 0)
        await first.play(20, time.perf_counter() + wish.warm)
        empty = server.megabytes()
        tables = [
            await sit_down(server, stack, host.open_table(wish.box), host.cookie, seed)
            for seed in range(1, wish.tables + 1)
        ]
        if not wish.together:
            await come_apart(tables)
        print(HEAD)
        alone = await round_of_play(server, tables, wish.rate, wish.seconds)
        print(f"| {wish.tables} tables, {wish.rate:g} moves/s each | {alone} |", flush=True)
        full = server.megabytes()
        said = (
            f"Memory of the server + its helpers: {empty.own:.0f} + {empty.helpers:.0f} MB with one table,"
            f" {full.since(empty).kilobytes(wish.tables)} more for each in play"
        )
        if wish.spectators:
            before = server.megabytes()
            await seat_spectators(server, stack, idle, wish.spectators)
            said += f", {server.megabytes().since(before).kilobytes(wish.spectators)} for each spectator"
            watched = await round_of_play(server, tables, wish.rate, wish.seconds)
            print(f"| with {wish.spectators} idle spectators | {watched} |")
        for record in wish.review:
            await asyncio.to_thread(host.start_review, record.read_text())
            reviewed = await round_of_play(server, tables, wish.rate, wish.seconds)
            print(f"| while {record.name} is reviewed | {reviewed} |", flush=True)
        print(f"\n{said}. It was up {server.up:.1f} s after its start.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--box", default="azul")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=2.0, help="moves per second at each table")
    parser.add_argument("--together", action="store_true", help="all tables begin in the same second")
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20, help="length of each round")
    parser.add_argument("--warm", type=float, default=8, help="seconds of play at one table beforehand")
    parser.add_argument("--review", type=Path, action="append", default=[],
                        help="play another round while this record is reviewed")
    wish = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()};"
          f" load {os.getloadavg()[0]:.1f} before\n")
    with serving("--unlimited") as server:
        asyncio.run(load(server, wish))


if __name__ == "__main__":
    main()
