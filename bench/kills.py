"""Kill servers, bot workers and PostgreSQL under load: `python -m bench.kills`. On this machine only.

Every table has one client that holds both seats and plays random moves at once. A move counts as
acknowledged when the server has said so. Something is killed (kill -9) again and again; clients connect
again, to any server. At the end every acknowledged move must be in the log, every table must go on, and no
process may be left. Without kills (`--kills 0`) it measures how moves/s grow with the number of servers.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from bench.web_load import Host, Page, Server, hear
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from azulejos.web.live import messages
from azulejos.web.tables.store import Store

WAIT = 0.2
"""Seconds before a client tries to connect again."""


# --- what is killed ------------------------------------------------------------------------------------


@dataclass
class Serving:
    """``azulejos serve`` on a port that stays the same when it is started again."""

    database: str
    folder: str
    port: int = 0
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [
            sys.executable, "-m", "azulejos", "serve", "--no-open", "--unlimited", "--seconds", "0.05",
            "--database", self.database, "--port", str(self.port),
        ]
        environment = os.environ | {
            "AZULEJOS_DATA": self.folder, "PYTHONUNBUFFERED": "1", "AZULEJOS_JIT": "0",
        }
        first = ""
        while not first:  # it ends if PostgreSQL is just starting, and is started again
            self.process = subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            assert self.process.stdout is not None
            first = self.process.stdout.readline()
        self.port = int(first.strip().rstrip("/").rpartition(":")[2])

    @property
    def server(self) -> Server:
        assert self.process is not None
        return Server(f"http://localhost:{self.port}", self.process.pid, 0.0)

    def kill(self) -> list[int]:
        """Kill the server; returns the processes that it had started."""
        assert self.process is not None
        left = children(self.process.pid)
        self.process.kill()
        self.process.wait()
        return left

    def kill_workers(self) -> list[int]:
        assert self.process is not None
        workers = children(self.process.pid)
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        return workers


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task").glob("*/children")
    own = [int(child) for file in found for child in file.read_text().split()]
    return own + [grandchild for child in own for grandchild in children(child)]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


@contextmanager
def postgres(folder: str) -> Iterator[Any]:
    from pgserver.postgres_server import get_server

    server = get_server(f"{folder}/pg", cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()


def crash(database: Any) -> None:
    """End every process of PostgreSQL at once, and start it again."""
    main = int((database.pgdata / "postmaster.pid").read_text().split()[0])
    for process in [main, *children(main)]:
        os.kill(process, signal.SIGKILL)
    while is_running(main):
        time.sleep(0.01)
    database.ensure_postgres_running()


# --- who plays -----------------------------------------------------------------------------------------


@dataclass
class Counts:
    acknowledged: dict[str, int] = field(default_factory=dict)
    """The greatest ply of each table that a server has acknowledged."""
    times: list[float] = field(default_factory=list)
    finished: int = 0
    ending: bool = False
    doubtful: int = 0


class Client:
    """Plays one table after the other, at whichever server answers."""

    def __init__(self, servers: Sequence[Serving], counts: Counts, seed: int) -> None:
        self.servers, self.counts, self.rng = servers, counts, random.Random(seed)
        self.path, self.cookie = "", ""

    async def run(self) -> None:
        while not self.counts.ending:
            try:
                await self._play(self.rng.choice(self.servers).server)
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError, AssertionError):
                await asyncio.sleep(WAIT)

    async def _play(self, server: Server) -> None:
        if not self.path:
            host = Host(server)
            self.path = await asyncio.to_thread(host.open_table, "azul")
            self.cookie = host.cookie
            self.counts.acknowledged[self.path] = 0
        async with self._line(server) as (line, page, now):
            while not self.counts.ending:
                if now.over:
                    self.counts.finished += 1
                    self.path = ""
                    return
                now = await self._move(line, page, now)

    @asynccontextmanager
    async def _line(self, server: Server) -> AsyncIterator[tuple[Any, Page, messages.Frame]]:
        page = await asyncio.to_thread(Page, server, self.path, self.cookie)
        async with AsyncExitStack() as stack:
            line = await stack.enter_async_context(server.line(self.path, self.cookie))
            await line.send(page.hello)
            now = hear(await asyncio.wait_for(line.recv(), 60))
            assert isinstance(now, messages.Frame)
            page.see(now.news)
            yield line, page, now

    async def _move(self, line: Any, page: Page, now: messages.Frame) -> messages.Frame:
        if now.offer is not None:
            move = page.any_move(now.offer, self.rng)
            told = messages.Play(id=1, move=move, ply=now.ply, at_once=True)
            await line.send(msgspec.json.encode(told).decode())
        sent, before = time.perf_counter(), now
        while now is before or not (now.offer or now.over):
            heard = hear(await asyncio.wait_for(line.recv(), 60))
            if isinstance(heard, messages.Frame):
                now = heard
                page.see(heard.news)
            elif isinstance(heard, messages.Done):
                known = self.counts.acknowledged
                known[self.path] = max(known[self.path], heard.saved)
                self.counts.times.append(time.perf_counter() - sent)
            elif isinstance(heard, messages.Refused):
                self.counts.doubtful += 1
                raise EOFError  # connect again: the table shows what was saved
        return now


# --- the run -------------------------------------------------------------------------------------------


async def kill_in_turn(
    wish: argparse.Namespace, servers: list[Serving], database: Any, left: list[int]
) -> None:
    targets = itertools.cycle(["server", "workers", *(["postgres"] if database is not None else [])])
    turns = itertools.cycle(servers)
    rng = random.Random(1)
    for number, what in zip(range(wish.kills), targets, strict=False):
        await asyncio.sleep(wish.pause * (0.5 + rng.random()))
        one = next(turns)
        if what == "postgres":
            await asyncio.to_thread(crash, database)
        elif what == "workers":
            left += one.kill_workers()
        else:
            left += one.kill()
            await asyncio.to_thread(one.start)
        if number % 20 == 19:
            print(f"{number + 1} kills", flush=True)
    if not wish.kills:
        await asyncio.sleep(wish.seconds)


async def check(url: str, counts: Counts) -> tuple[int, int]:
    """How many acknowledged moves are not in the log, and how many tables do not replay."""
    store = await Store.open(url)
    lost = broken = 0
    for path, plies in counts.acknowledged.items():
        table = await store.load(path.rpartition("/")[2])
        if table is None:
            lost += plies
            continue
        try:
            lost += max(0, plies - table.replay().ply)
        except Exception as error:
            print(error)
            broken += 1
    await store.close()
    return lost, broken


async def go_on(servers: Sequence[Serving], clients: Sequence[Client]) -> int:
    """How many tables nobody can open and play at any more."""
    stuck = 0
    for client in clients:
        if not client.path:
            continue
        try:
            async with client._line(servers[0].server) as (line, page, now):
                if not now.over:
                    await client._move(line, page, now)
        except Exception as error:
            print(client.path, repr(error))
            stuck += 1
    return stuck


async def play(wish: argparse.Namespace, servers: list[Serving], database: Any, url: str) -> None:
    counts, left = Counts(), list[int]()
    clients = [Client(servers, counts, seed) for seed in range(wish.tables)]
    tasks = [asyncio.create_task(client.run()) for client in clients]
    begun = time.perf_counter()
    await kill_in_turn(wish, servers, database, left)
    took = time.perf_counter() - begun
    counts.ending = True
    await asyncio.gather(*tasks)
    stuck = await go_on(servers, clients)
    lost, broken = await check(url, counts)
    await asyncio.sleep(1)
    running = sum(map(is_running, left))
    quantiles = statistics.quantiles(counts.times, n=100)
    print(
        f"{len(servers)} servers, {wish.tables} clients, {wish.kills} kills in {took:.0f} s:"
        f" {len(counts.times)} acknowledged moves ({len(counts.times) / took:.0f}/s), median"
        f" {quantiles[49] * 1e3:.0f} ms, p99 {quantiles[98] * 1e3:.0f} ms; {counts.finished} games"
        f" finished; {counts.doubtful} refused.\nLost: {lost}. Do not replay: {broken}. Stuck: {stuck}."
        f" Processes left: {running}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--pause", type=float, default=0.5, help="mean seconds between kills")
    parser.add_argument("--seconds", type=float, default=20, help="length of a run without kills")
    parser.add_argument("--sqlite", action="store_true", help="one server on SQLite")
    wish = parser.parse_args()
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} before", flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        if wish.sqlite:
            run(wish, folder, None, f"sqlite:///{folder}/games.sqlite", 1)
        else:
            with postgres(folder) as database:
                run(wish, folder, database, database.get_uri(), wish.servers)


def run(wish: argparse.Namespace, folder: str, database: Any, url: str, count: int) -> None:
    servers = [Serving(url, folder) for _ in range(count)]
    try:
        for server in servers:
            server.start()
        asyncio.run(play(wish, servers, database, url))
    finally:
        for server in servers:
            if server.process is not None:
                server.process.terminate()
                server.process.wait()


if __name__ == "__main__":
    main()
