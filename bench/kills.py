"""Kill servers, bot workers and PostgreSQL under load: `python -m bench.kills`. On this machine only.

Every client plays random moves at tables of its own, as fast as they are acknowledged: half of them hold
both seats, the others play with a bot. Again and again something is killed (kill -9): a server, the bot
workers of a server, PostgreSQL. Clients connect again, to any server. A move counts as acknowledged when a
server has said so. At the end every acknowledged move must be in the log of its table, every table must go
on, and no process that belonged to something killed may be left.

A thousand kills can be made in parts: `--kills 100 --tally kills.jsonl --total 1000` makes parts of 100,
each with new tables and a seed of its own, adds their results to a file and stops when all parts in it have
1000 kills together; started again, it goes on. `--compare` measures one server, three servers, and three
servers while they, their workers and PostgreSQL are killed in turn.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import msgspec
from bench.servers import Postgres, Process, Serving, children, cpu_seconds, limited_to, postgres, servers
from bench.web_load import ANSWER_SECONDS, Host, Page, Server, hear
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from azulejos.web.store.saved import SavedTable
from azulejos.web.store.store import Store
from azulejos.web.wire import messages

WAIT = 0.1
"""Seconds before a client tries to connect again."""

BETWEEN = 3
"""Moves that are acknowledged between two kills, at least."""

NOBODY_MOVES = 1200
"""Seconds after which the run is given up, because nothing is acknowledged any more."""

EACH = 10
"""How often the progress is printed, in kills."""

BOT = "bot:level:2"
BOX = "azul"

LOST_CONNECTION = (
    OSError, HTTPException, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError, AssertionError,
)
"""What a client meets when a server or the database is away (also an answer without what it asked for)."""


# --- who plays -----------------------------------------------------------------------------------------


@dataclass
class Counts:
    acknowledged: dict[str, dict[int, str]] = field(default_factory=dict)
    """By table and ply: the moves that a server has acknowledged; "" if its text is not known."""
    times: list[float] = field(default_factory=list)
    """From sending a move to its acknowledgement."""
    waits: list[float] = field(default_factory=list)
    """From the first attempt to move to the next acknowledgement, with all connecting in between."""
    finished: int = 0
    refused: int = 0
    ending: bool = False


class Client:
    """Plays one table after the other, at whichever server answers."""

    def __init__(self, all_servers: Sequence[Serving], counts: Counts, seed: str, opponent: str) -> None:
        self.servers, self.counts, self.rng = all_servers, counts, random.Random(seed)
        self.opponent = opponent
        self.path, self.cookie = "", ""
        self._page: Page | None = None
        """Read once for each table: a page that has lost its connection does not load itself again."""
        self.shown: messages.Band | None = None
        """What the table said last, for a table that is stuck."""
        self._since = 0.0
        self._commands = 0
        self.sent = False
        """Whether a move was sent that is not answered."""

    async def run(self) -> None:
        while not self.counts.ending:
            try:
                await self._play(self.rng.choice(self.servers).server)
            except LOST_CONNECTION:
                self.sent = False
                await asyncio.sleep(WAIT)

    async def _play(self, server: Server) -> None:
        if not self.path:
            host = Host(server)
            self.path = await asyncio.to_thread(host.open_table, BOX, seat1=self.opponent)
            self.cookie, self._page = host.cookie, None
            self.counts.acknowledged[self.path] = {}
        async with self.line(server) as (line, page, now):
            while not self.counts.ending:
                if now.over:
                    self.counts.finished += 1
                    self.path = ""
                    return
                now = await self.move(line, page, now)

    @asynccontextmanager
    async def line(self, server: Server) -> AsyncIterator[tuple[Any, Page, messages.Frame]]:
        if self._page is None:
            self._page = await asyncio.to_thread(Page, server, self.path, self.cookie)
        page = self._page
        async with AsyncExitStack() as stack:
            line = await stack.enter_async_context(server.line(self.path, self.cookie))
            await line.send(page.hello)
            now = hear(await asyncio.wait_for(line.recv(), ANSWER_SECONDS))
            assert isinstance(now, messages.Frame)
            self.shown = now.band
            page.see(now.news)
            yield line, page, now

    async def move(self, line: Any, page: Page, now: messages.Frame) -> messages.Frame:
        """Move if it is our turn, and wait until it is our turn again.

        Frames may arrive between a command and its answer (somebody came or left), so an answer is known by
        its number, and only a frame of the moment after it counts.
        """
        before, sent = now, time.perf_counter()
        told = self._told(page, now)
        reached: int | None = 0
        if told is not None:
            self._since, reached = self._since or sent, None
            self.sent = True
            await line.send(msgspec.json.encode(told).decode())
        while (reached is None or now is before or now.ply < reached
               or not (now.offer or now.confirm or now.over)):
            heard = hear(await asyncio.wait_for(line.recv(), ANSWER_SECONDS))
            if isinstance(heard, messages.Frame):
                now, self.shown = heard, heard.band
                page.see(heard.news)
            elif isinstance(heard, messages.Done):
                assert told is not None
                assert heard.id == told.id
                self._acknowledged(heard, told, sent)
                self.sent, reached = False, heard.saved
            elif isinstance(heard, messages.Refusal):
                self.counts.refused += 1
                raise EOFError  # connect again: the table shows what was saved
        return now

    def _told(self, page: Page, now: messages.Frame) -> messages.Play | messages.Confirm | None:
        """Any move, or the confirmation of one that could not be saved before."""
        self._commands += 1
        if now.confirm:
            return messages.Confirm(id=self._commands, ply=now.ply)
        if now.offer is None:
            return None
        move = page.any_move(now.offer, self.rng)
        return messages.Play(id=self._commands, move=move, ply=now.ply, at_once=True)

    def _acknowledged(
        self, done: messages.Done, told: messages.Play | messages.Confirm, sent: float
    ) -> None:
        heard = time.perf_counter()
        moves = self.counts.acknowledged[self.path]
        moves[done.saved - 1] = moves.get(done.saved - 1, "")
        if isinstance(told, messages.Play):
            moves[told.ply] = told.move
        self.counts.times.append(heard - sent)
        self.counts.waits.append(heard - self._since)
        self._since = 0.0


# --- what is killed ------------------------------------------------------------------------------------


@dataclass
class Killer:
    """Kills one thing after the other, and starts it again while the clients go on."""

    servers: Sequence[Serving]
    database: Postgres | None
    clients: Sequence[Client]
    rng: random.Random
    left: list[Process] = field(default_factory=list)
    """Everything that was killed, or belonged to something killed."""
    kills: int = 0
    in_flight: int = 0
    """Moves that were sent and not answered at the moments of the kills."""
    _starting: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    async def run(self, counts: Counts, wish: argparse.Namespace) -> None:
        ways = [self._server, self._workers, *([self._database] if self.database else []),
                *([self._stop] if wish.stops else [])]
        turns = itertools.cycle([(way, turn) for turn in range(len(self.servers)) for way in ways])
        begun = time.perf_counter()
        while self.kills < wish.kills and time.perf_counter() < begun + wish.seconds:
            await self._let_play(counts)
            await asyncio.sleep(wish.pause * self.rng.random() * 2)
            self.in_flight += await self._moves_in_flight()
            way, turn = next(turns)
            await way(turn)
            if self.kills % EACH == 0:
                print(f"{self.kills} kills, {len(counts.times)} moves, {time.perf_counter() - begun:.0f} s",
                      flush=True)
        await asyncio.gather(*self._starting.values())

    async def _let_play(self, counts: Counts) -> None:
        """Wait for some acknowledged moves: after kills in quick succession there is nothing to lose."""
        goal = len(counts.times) + BETWEEN
        async with asyncio.timeout(NOBODY_MOVES):
            while len(counts.times) < goal:
                await asyncio.sleep(0.01)

    async def _moves_in_flight(self) -> int:
        """Wait until moves are on their way, and count them."""
        async with asyncio.timeout(NOBODY_MOVES):
            while not (found := sum(client.sent for client in self.clients)):
                await asyncio.sleep(0.001)
        return found

    async def _server(self, turn: int) -> None:
        if turn in self._starting:
            await self._starting.pop(turn)
        one = self.servers[turn]
        self.left += one.kill()
        self.kills += 1
        self._starting[turn] = asyncio.create_task(asyncio.to_thread(one.start))

    async def _stop(self, turn: int) -> None:
        """A server stands still for a while (SIGSTOP), and then goes on with what it held to be true."""
        if turn in self._starting:
            await self._starting.pop(turn)
        pid = self.servers[turn].pid
        os.kill(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(3 * self.rng.random())
        finally:
            os.kill(pid, signal.SIGCONT)
        self.kills += 1

    async def _workers(self, turn: int) -> None:
        """Kill the workers of any server that has some."""
        order = [*self.servers[turn:], *self.servers[:turn]]
        killed = next(filter(None, (one.kill_workers() for one in order)), [])
        self.left += killed
        self.kills += bool(killed)

    async def _database(self, turn: int) -> None:
        assert self.database is not None
        self.left += self.database.kill()
        self.kills += 1
        await asyncio.to_thread(self.database.start)

    async def count_left(self) -> int:
        """How many of them still run. A worker is given a moment to notice that its server is gone."""
        for _ in range(100):
            if not any(process.is_running() for process in self.left):
                return 0
            await asyncio.sleep(0.1)
        return sum(process.is_running() for process in self.left)


# --- what must be there afterwards ---------------------------------------------------------------------


async def check(url: str, counts: Counts) -> tuple[int, int]:
    """How many acknowledged moves are not in the log, and how many tables do not replay."""
    store = await Store.open(url)
    lost = broken = 0
    for path, moves in counts.acknowledged.items():
        table = await store.load(path.rpartition("/")[2])
        for ply, move in moves.items():
            if table is None or not is_there(table, ply, move):
                there = [] if table is None else [one.move for one in table.actions[ply : ply + 1]]
                print(f"{path}: {move} is not at ply {ply}, but {there or 'nothing'}")
                lost += 1
        try:
            assert table is not None
            table.replay()
        except Exception as error:
            print(path, error)
            broken += 1
    await store.close()
    return lost, broken


def is_there(table: SavedTable, ply: int, move: str) -> bool:
    if ply >= len(table.actions):
        return False
    known, saved = table.start().game.moves, table.actions[ply].move
    return not move or known.parse(move) == known.parse(saved)


async def count_stuck(all_servers: Sequence[Serving], clients: Sequence[Client]) -> int:
    """How many tables nobody can open and play at any more."""
    stuck = 0
    for client, one in zip(clients, itertools.cycle(all_servers), strict=False):
        if not client.path:
            continue
        try:
            async with client.line(one.server) as (line, page, now):
                if not now.over:
                    await client.move(line, page, now)
        except LOST_CONNECTION as error:
            print(f"{client.path} at {one.server.url}: {error!r}; shown: {client.shown}", flush=True)
            stuck += 1
    return stuck


# --- the run -------------------------------------------------------------------------------------------


@dataclass
class Result:
    kills: int
    seconds: float
    moves: int
    lost: int
    broken: int
    stuck: int
    left: int
    tables: int
    in_flight: int = 0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills in {self.seconds:.0f} s, {self.moves} acknowledged moves at {self.tables}"
            f" tables, {self.in_flight} moves in flight when something was killed. Lost: {self.lost}."
            f" Do not replay: {self.broken}. Stuck: {self.stuck}."
            f" Processes left: {self.left}."
        )

    def __add__(self, other: Result) -> Result:
        return Result(*(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True)))


@dataclass(frozen=True)
class Used:
    """Seconds of processor time, by what used them. Killed processes are not counted."""

    servers: float
    workers: float
    database: float
    clients: float

    @classmethod
    def now(cls, all_servers: Sequence[Serving], database: Postgres | None) -> Used:
        return cls(
            sum(cpu_seconds(one.pid) for one in all_servers),
            sum(cpu_seconds(pid) for one in all_servers for pid in children(one.pid)),
            database.cpu_seconds() if database else 0.0,
            time.process_time(),
        )

    def since(self, before: Used) -> Used:
        return Used(*(a - b for a, b in zip(vars(self).values(), vars(before).values(), strict=True)))

    def shares(self, seconds: float, moves: int) -> str:
        """Each in processors, and in milliseconds a move."""
        return " | ".join(f"{used / seconds:.2f} ({used / max(1, moves) * 1e3:.1f} ms)"
                          for used in vars(self).values())


def hundredths(times: list[float]) -> str:
    found = statistics.quantiles(times, n=100)
    return f"{found[49] * 1e3:.0f} | {found[98] * 1e3:.0f}"


def _opponent(number: int, wish: argparse.Namespace) -> str:
    return BOT if number % 2 and not wish.people else "you"


async def play(
    wish: argparse.Namespace, all_servers: list[Serving], database: Postgres | None, url: str
) -> tuple[Result, str]:
    counts = Counts()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2 * wish.tables + 8))
    clients = [
        Client(all_servers, counts, f"{wish.seed} {number}", _opponent(number, wish))
        for number in range(wish.tables)
    ]
    killer = Killer(all_servers, database, clients, random.Random(wish.seed))
    tasks = [asyncio.create_task(client.run()) for client in clients]
    stack = ExitStack()
    if not wish.kills:
        await asyncio.sleep(wish.warm)
        if wish.share:
            stack.enter_context(limited_to(wish.share, all_servers))
            await asyncio.sleep(wish.warm / 4)
        counts.times.clear()
        counts.waits.clear()
    begun, used = time.perf_counter(), Used.now(all_servers, database)
    if wish.kills:
        await killer.run(counts, wish)
    else:
        await asyncio.sleep(wish.seconds)
    took, moves = time.perf_counter() - begun, len(counts.times)
    spent = Used.now(all_servers, database).since(used)
    stack.close()
    counts.ending = True
    await asyncio.gather(*tasks)
    stuck = await count_stuck(all_servers, clients)
    lost, broken = await check(url, counts)
    result = Result(
        killer.kills, took, len(counts.times), lost, broken, stuck, await killer.count_left(),
        len(counts.acknowledged), killer.in_flight,
    )
    shares = spent.shares(took, moves) if not wish.kills else "| | |"
    times = f"{hundredths(counts.times)} | {hundredths(counts.waits)}"
    return result, f"{moves / took:.0f} | {times} | {shares}"


def run(wish: argparse.Namespace, count: int) -> tuple[Result, str]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if wish.sqlite:
            url = f"sqlite:///{folder}/games.sqlite"
            with servers(url, folder, 1) as one:
                return asyncio.run(play(wish, one, None, url))
        with postgres(folder) as database, servers(database.url, folder, count) as all_servers:
            return asyncio.run(play(wish, all_servers, database, database.url))


def compare(wish: argparse.Namespace) -> None:
    """One server against three, and three of which one is killed all the time."""
    print("| servers | kills | moves/s | acknowledged, median ms | p99 | with connecting again, median |"
          " p99 | processors used by servers (a move) | by bots | by PostgreSQL | by clients | lost |"
          f" stuck | processes left |\n{'|--:' * 14}|", flush=True)
    for count, kills in ((1, 0), (wish.servers, 0), *([(wish.servers, wish.kills)] if wish.kills else [])):
        result, cells = run(argparse.Namespace(**vars(wish) | {"kills": kills}), count)
        print(f"| {count} | {result.kills} | {cells} | {result.lost} | {result.stuck} | {result.left} |",
              flush=True)


def parts_in(file: Path) -> list[Result]:
    return [Result(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []


def tally(file: Path, result: Result) -> None:
    with file.open("a") as lines:
        lines.write(json.dumps(vars(result)) + "\n")
    parts = parts_in(file)
    print(f"All {len(parts)} parts: {sum(parts[1:], parts[0])}", flush=True)


def run_parts(wish: argparse.Namespace) -> None:
    """Make part after part until there are enough kills in the file."""
    while (missing := wish.total - sum(part.kills for part in parts_in(wish.tally))) > 0:
        given = {"kills": min(wish.kills, missing), "seed": wish.seed + len(parts_in(wish.tally))}
        result, _ = run(argparse.Namespace(**vars(wish) | given), wish.servers)
        print(result, flush=True)
        tally(wish.tally, result)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--tables", type=int, default=12, help="clients, each at one table at a time")
    parser.add_argument("--pause", type=float, default=0.2, help="mean seconds between kills")
    parser.add_argument("--warm", type=float, default=8, help="seconds of play before anything is measured")
    parser.add_argument("--share", type=float, default=0.0, help="of a processor, for each server")
    parser.add_argument("--people", action="store_true", help="no table has a bot")
    parser.add_argument("--seconds", type=float, default=600, help="after which no more is killed")
    parser.add_argument("--stops", action="store_true", help="servers also stand still (SIGSTOP)")
    parser.add_argument("--sqlite", action="store_true", help="one server on SQLite")
    parser.add_argument("--compare", action="store_true", help="one server against three")
    parser.add_argument("--tally", type=Path, help="a file to which the result is added")
    parser.add_argument("--total", type=int, default=0, help="make parts until the file has so many")
    wish = parser.parse_args()
    if wish.total and not wish.tally:
        parser.error("--total needs a file: --tally FILE")
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} before", flush=True)
    if wish.compare:
        compare(wish)
        return
    if wish.total:
        run_parts(wish)
        return
    result, _ = run(wish, wish.servers)
    print(result, flush=True)
    if wish.tally:
        tally(wish.tally, result)


if __name__ == "__main__":
    main()
