"""One hostile visitor at a server with its usual limits: `python -m bench.abuse`, on this machine only.

People play at their tables, and one attack begins and ends several times. Shown are the times from a move
to its acknowledgement and from a move to the answer of a bot, before, during and after the attack: medians
over the rounds, so that a single disturbance of the machine does not count, and how much longer they are
during the attack. The attacker has an address of its own (127.0.0.2) and a process
of its own, ends after the given time, and stays within what the server lets it send.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import itertools
import json
import multiprocessing
import os
import random
import shlex
import socket
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import msgspec
from bench.web_load import ANSWER_SECONDS, Host, Page, Server, Table, hear, serving, sit_down
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from azulejos.core.position import new
from azulejos.core.record import Player as Name
from azulejos.web.learn.line_tree import LineTree
from azulejos.web.wire import messages
from azulejos.web.wire.plan import plan_of

ATTACKER = "127.0.0.2"
BOT = "level:3"
RECOVERY = 2.0
"""Seconds after an attack until the next period."""
HEAD = (
    "| attack | acknowledged before, p50 / p99 ms | during | after | ratio of p99 |"
    " bot before, p50 / p99 ms | during | after | ratio |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|"
)
ESCAPING = """
import subprocess, sys, time
for line in sys.stdin:
    if line.startswith("uai"):
        print("id name escaping\\ngame azul players 2 3 4\\nuaiok", flush=True)
    elif line.startswith("isready"):
        print("readyok", flush=True)
    elif line.startswith("go"):
        subprocess.Popen(["sleep", "60"], start_new_session=True)
        time.sleep(60)
"""
"""A bot program that never answers, and whose child leaves its process group."""


# --- attacks, each in its own process ----------------------------------------------------------------


def request(
    server: Server, method: str, path: str, form: dict[str, str] | None = None, body: str = "",
    **headers: str,
) -> tuple[int, str, str]:
    """Status, location and cookie."""
    at = urllib.parse.urlsplit(server.url)
    web = http.client.HTTPConnection("127.0.0.1", at.port, timeout=30, source_address=(ATTACKER, 0))
    sent = {"host": at.netloc, "origin": server.url, "content-type": "application/x-www-form-urlencoded"}
    with contextlib.closing(web), contextlib.suppress(OSError, http.client.HTTPException):
        web.request(method, path, body or urllib.parse.urlencode(form or {}), sent | headers)
        answer = web.getresponse()
        answer.read()
        cookie = "; ".join(one.partition(";")[0] for one in answer.headers.get_all("set-cookie", []))
        return answer.status, answer.getheader("location") or "", cookie
    return 0, "", ""


def line(server: Server, path: str, cookie: str) -> connect:
    at = urllib.parse.urlsplit(server.url)
    return connect(
        f"ws://{at.netloc}{path}/live", host="127.0.0.1", port=at.port, local_addr=(ATTACKER, 0),
        origin=Origin(server.url), additional_headers={"cookie": cookie}, compression=None,
        ping_interval=None, max_size=None,
    )


def open_table(server: Server, **seats: str) -> tuple[str, str]:
    form = {"box": "azul", "seat0": "you", "seat1": "you"} | seats
    _, path, cookie = request(server, "POST", "/tables", form)
    return path, cookie


async def listen(one: ClientConnection) -> None:
    async for _ in one:
        pass


async def previews(server: Server) -> None:
    """Two connections ask what every first place would do, as fast as they are read."""
    path, cookie = open_table(server)
    page = await asyncio.to_thread(Page, server, path, cookie)

    async def ask() -> None:
        async with line(server, path, cookie) as one:
            await one.send(page.hello)
            frame = hear(await one.recv())
            assert isinstance(frame, messages.Frame)
            listening = asyncio.create_task(listen(one))
            while not listening.done():
                place = random.randrange(len(page.planned))
                asked = messages.GetPreview(path=[place], ply=frame.ply)
                await one.send(msgspec.json.encode(asked).decode())
                await asyncio.sleep(0.02)

    await asyncio.gather(ask(), ask())


async def frames(server: Server) -> None:
    """Empty continuation frames; a new connection whenever one is closed."""
    path, cookie = open_table(server)
    while True:
        with contextlib.suppress(Exception):
            async with line(server, path, cookie) as one:
                raw = one.transport
                raw.write(struct.pack("!BB4x", 1, 0x80))
                while not raw.is_closing():
                    raw.write(struct.pack("!BB4x", 0, 0x80) * 10_000)
                    await asyncio.sleep(0)
        await asyncio.sleep(0.01)


async def bots(server: Server) -> None:
    """As many tables of four bots with ten seconds each as can be opened, all of them watched."""
    async with AsyncExitStack() as stack:
        for _ in range(20):
            four = {f"seat{i}": "bot:level:7@10" for i in range(4)}
            path, cookie = open_table(server, **four)
            if path:
                page = await asyncio.to_thread(Page, server, path, cookie)
                one = await stack.enter_async_context(line(server, path, cookie))
                await one.send(page.hello)
                task = asyncio.create_task(listen(one))
                stack.callback(task.cancel)
            await asyncio.sleep(0.2)
        await asyncio.sleep(3600)


async def half_requests(server: Server) -> None:
    """1,100 requests that never end, again whenever the server closes them."""
    at = urllib.parse.urlsplit(server.url)
    while True:
        open_ones = []
        for _ in range(1100):
            with contextlib.suppress(OSError):
                one = socket.create_connection(("127.0.0.1", at.port or 80), 5, (ATTACKER, 0))
                one.send(b"GET / HTTP/1.1\r\nhost: ")
                open_ones.append(one)
            await asyncio.sleep(0.001)
        await asyncio.sleep(1)
        for one in open_ones:
            one.close()


async def escaping_program(server: Server) -> None:
    """Tables at which a program plays that never answers and whose child leaves its process group."""
    async with AsyncExitStack() as stack:
        for _ in range(4):
            path, cookie = open_table(server, seat0="bot:escaping", seat1="bot:escaping")
            if path:
                page = await asyncio.to_thread(Page, server, path, cookie)
                one = await stack.enter_async_context(line(server, path, cookie))
                await one.send(page.hello)
                task = asyncio.create_task(listen(one))
                stack.callback(task.cancel)
        await asyncio.sleep(3600)


async def seat_changes(server: Server) -> None:
    """Asks for a bot on the seat of a friend, and for its own seat back, without end."""
    path, cookie = open_table(server, seat1="friend")
    page = await asyncio.to_thread(Page, server, path, cookie)
    async with line(server, path, cookie) as one:
        await one.send(page.hello)
        listening = asyncio.create_task(listen(one))
        for seat in itertools.cycle((0, 1)):
            for asked in (messages.ReplacePlayer(id=1, seat=seat), messages.ResumeSeat(id=1, seat=seat)):
                await one.send(msgspec.json.encode(asked).decode())
            await asyncio.sleep(0.05)
            if listening.done():
                return


async def damaged_table(server: Server) -> None:
    """Opens the page of a table that cannot be replayed, again and again."""
    path, cookie = open_table(server)
    with contextlib.closing(sqlite3.connect(database_of(server), timeout=60)) as damaged, damaged:
        damaged.execute("UPDATE tables SET box = 'unknown' WHERE id = ?", (path.rpartition("/")[2],))
    while True:
        await asyncio.to_thread(request, server, "GET", path, cookie=cookie)


def database_of(server: Server) -> Path:
    """The file of games of a server on this machine."""
    files = (file.readlink() for file in Path(f"/proc/{server.pid}/fd").iterdir())
    return next(file for file in files if file.name == "games.sqlite")


def large_study(nodes: int = 1500) -> str:
    """A record with many lines: it takes the server some tenths of a second to read."""
    tree, rng = LineTree(new("azul"), (Name("1"), Name("2"))), random.Random(1)
    while len(tree.nodes) < nodes:
        drawn = tree.start.copy()
        drawn.deal(rng)
        node = tree.deal(tree.root, drawn)
        for _ in range(10):
            here = tree.position(node)
            node = tree.play(node, here.game.moves.text(rng.choice(here.legal_actions())))[-1]
    return tree.record().write_json()


async def studies(server: Server) -> None:
    """Opens a large study again and again, and changes it, so that it has to be read and written anew."""
    _, path, cookie = request(server, "POST", "/study", {"box": "azul", "players": "2"})
    with contextlib.closing(sqlite3.connect(database_of(server), timeout=60)) as games, games:
        games.execute("UPDATE studies SET record = ?, version = 2", (large_study(),))
    plan = plan_of(new("azul"), "en").digest

    async def change() -> None:
        while True:
            with contextlib.suppress(Exception):
                async with line(server, path, cookie) as one:
                    hello = messages.Hello(protocol=messages.PROTOCOL, plan=plan)
                    await one.send(msgspec.json.encode(hello).decode())
                    listening = asyncio.create_task(listen(one))
                    while not listening.done():
                        remark = messages.SetComment(id=1, node=1, text=f"{random.random()}")
                        await one.send(msgspec.json.encode(remark).decode())
                        await asyncio.sleep(0.05)
            await asyncio.sleep(0.05)

    async def look() -> None:
        while True:
            await asyncio.to_thread(request, server, "GET", path, cookie=cookie)

    await asyncio.gather(change(), change(), look(), look())


async def documents(server: Server) -> None:
    """Brings a large document, looks at it and adds to it, again and again."""
    _, _, cookie = request(server, "GET", "/")
    answers = [{"card": "a", "at": at, "first": "right"} for at in range(900)]
    body = json.dumps({"answers": answers})

    async def add() -> None:
        while True:
            await asyncio.to_thread(request, server, "POST", "/you/progress", None, body, cookie=cookie)

    async def look() -> None:
        for path in itertools.cycle(("/you", "/puzzles", "/you/mistakes", "/puzzles/today")):
            await asyncio.to_thread(request, server, "GET", path, cookie=cookie)

    await asyncio.gather(add(), add(), look(), look())


async def broken_origins(server: Server) -> None:
    """Forms with an Origin that is not an address."""
    while True:
        await asyncio.to_thread(request, server, "POST", "/tables", {}, origin="http://[")


Attack = Callable[[Server], Awaitable[None]]
ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        previews, frames, seat_changes, damaged_table, bots, escaping_program, half_requests,
        broken_origins, studies, documents,
    )
}


def run(name: str, server: Server) -> None:
    os.nice(10)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(ATTACKS[name](server))  # type: ignore[arg-type]


@contextmanager
def attacked(name: str, server: Server) -> Iterator[None]:
    process = multiprocessing.get_context("spawn").Process(target=run, args=(name, server), daemon=True)
    process.start()
    time.sleep(2)  # until the attack has begun
    try:
        yield
    finally:
        process.kill()
        process.join()


@contextmanager
def attack_with(command: list[str], *, ready: bytes) -> Iterator[Callable[[], list[str]]]:
    """An attack as a program of its own, from when it has said that it is ready; what it has said since."""
    with tempfile.TemporaryFile() as said, subprocess.Popen(command, stdout=said) as process:
        def heard() -> bytes:
            return os.pread(said.fileno(), 10**7, 0)

        try:
            while ready not in heard():
                assert process.poll() is None, "the attack has ended"
                time.sleep(0.1)
            yield lambda: heard().decode().splitlines()
        finally:
            process.kill()


# --- the others --------------------------------------------------------------------------------------


class Player:
    """Somebody who plays game after game, with another person or with a bot."""

    def __init__(self, server: Server, seed: int, opponent: str) -> None:
        self.host = Host(server)
        self.server, self.seed, self.opponent = server, seed, opponent
        self.times: list[float] = []
        """From a move to its acknowledgement or, with a bot, to the end of the bot's turn."""

    async def play(self, rate: float, until: float) -> None:
        await asyncio.to_thread(self.host.visit)
        while time.perf_counter() < until:
            self.seed += 1000
            path = await asyncio.to_thread(self.host.open_table, "azul", seat1=self.opponent)
            async with AsyncExitStack() as stack:
                table = await sit_down(self.server, stack, path, self.host.cookie, self.seed)
                await self._wait_for_turn(table)
                await table.play(rate, until)
                self.times += table.times if self.opponent == "you" else table.pictures

    async def _wait_for_turn(self, table: Table) -> None:
        while table.now.offer is None and not table.now.over:
            heard = hear(await asyncio.wait_for(table.line.recv(), ANSWER_SECONDS))
            if isinstance(heard, messages.Frame):
                table.now = heard
                table.page.see(heard.news)


async def measure(people: list[Player], against_bots: list[Player], wish: argparse.Namespace) -> (
    tuple[list[float], list[float]]
):
    until = time.perf_counter() + wish.seconds
    for player in (*people, *against_bots):
        player.times.clear()
    await asyncio.gather(*(player.play(wish.rate, until) for player in (*people, *against_bots)))
    return all_times(people), all_times(against_bots)


def all_times(players: list[Player]) -> list[float]:
    return [seconds for player in players for seconds in player.times]


def hundredth(times: list[float], number: int) -> float:
    """Milliseconds; `number` 50 is the median."""
    return statistics.quantiles(times, n=100)[number - 1] * 1e3


def typical(periods: list[list[float]], number: int) -> float:
    """The median over the periods: of several disturbances of the machine, one does not count."""
    return statistics.median(hundredth(times, number) for times in periods)


def cells(quiet: list[list[float]], attacked: list[list[float]]) -> str:
    """`quiet` has one period more: each attack comes after one and before one."""
    groups = (quiet[:-1], attacked, quiet[1:])
    shown = " | ".join(f"{typical(group, 50):.0f} / {typical(group, 99):.0f}" for group in groups)
    return f"{shown} | {typical(attacked, 99) / typical(quiet, 99):.2f}"


async def suffer(server: Server, name: str, wish: argparse.Namespace) -> str:
    people = [Player(server, seed, "you") for seed in range(wish.tables)]
    against_bots = [Player(server, 500 + seed, f"bot:{BOT}") for seed in range(wish.bots)]
    await measure(people, against_bots, wish)  # until the processes of the bots run
    quiet, attacks = [await measure(people, against_bots, wish)], []
    for _ in range(wish.rounds):
        with attacked(name, server):
            attacks.append(await measure(people, against_bots, wish))
        await asyncio.sleep(RECOVERY)
        quiet.append(await measure(people, against_bots, wish))
    return " | ".join(
        cells([period[of] for period in quiet], [period[of] for period in attacks]) for of in (0, 1)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", default=list(ATTACKS), help=", ".join(ATTACKS))
    parser.add_argument("--tables", type=int, default=4, help="tables of people")
    parser.add_argument("--bots", type=int, default=2, help="tables of a person and a bot")
    parser.add_argument("--rounds", type=int, default=5, help="how often each attack begins")
    parser.add_argument("--rate", type=float, default=5.0, help="moves per second at each table")
    parser.add_argument("--seconds", type=float, default=8, help="length of each period")
    wish = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} before, {os.cpu_count()} cores\n\n{HEAD}", flush=True)
    program = Path(tempfile.mkdtemp()) / "escaping.py"
    program.write_text(ESCAPING)
    for name in wish.attacks:
        command = shlex.join([sys.executable, str(program)])
        options = ["--bot", f"escaping={command}"] if name == escaping_program.__name__ else []
        with serving("--seconds", "0.5", *options) as server:
            print(f"| {name} | {asyncio.run(suffer(server, name, wish))} |", flush=True)


if __name__ == "__main__":
    main()
