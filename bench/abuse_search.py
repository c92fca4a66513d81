"""A hostile visitor who searches for what costs the others most:

    PYTHONPATH=src:tests python -m bench.abuse_search [--rounds 3] [--seconds 6]

The visitor knows every route and every message, with the largest objects that are allowed (the lists of
tests/web/guard/test_walk.py), measures how long each takes, and sends those that take longest most often,
on several connections. They come with one cookie; with many cookies from one address; or from a network of
48 bits, with another address each time (a proxy of the server says so). The four attacks of high severity
that were once found are tried by name. Shown are the acknowledgements of other people's moves, as in
`bench.abuse`, and the longest step of the server's loop while the attack lasts, in processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.abuse import ATTACKER, Player, attack_with, cells, large_study, line, listen, measure, request
from bench.web_load import Host, Page, Server, serving
from starlette.routing import Route

from azulejos.insight.puzzles import pack
from azulejos.web.app import ROUTES
from azulejos.web.pages.replay import MAX_ACTIONS
from azulejos.web.pages.study import MOST_READ
from web.guard import test_walk as walk

STEPS = "AZULEJOS_STEPS"
"""A file in which the server notes steps of its loop, if it is served by this module."""
NOTED = 0.008
"""Seconds of processor time of a step that is noted."""
AT_ONCE = 6
"""Requests that the visitor sends at the same time."""
COOKIES = 40
AVOIDED = (*walk.LAST, "/t/{id}/live", "/t/{id}/program", "/you/progress.json")
HEAD = (
    "| attack | acknowledged before, p50 / p99 ms | during | after | ratio of p99 | longest step |"
    " requests, refused |\n|---|--:|--:|--:|--:|--:|--:|"
)


# --- the server, with its steps ------------------------------------------------------------------------


def serve_and_note(options: list[str]) -> None:
    from azulejos.cli import main

    run = asyncio.Handle._run
    with Path(os.environ[STEPS]).open("a", buffering=1) as file:

        def timed(self: asyncio.Handle) -> None:
            began = time.thread_time()
            run(self)
            used = time.thread_time() - began
            if used > NOTED:
                file.write(f"{time.time()} {used} {path_of(self) or repr(self)[:200]}\n")

        asyncio.Handle._run = timed  # type: ignore[method-assign]
        main(["serve", *options])


def path_of(handle: asyncio.Handle) -> str:
    """The path of the request to which a step belongs, if it is the task of one."""
    task = getattr(handle._callback, "__self__", None)  # type: ignore[attr-defined]
    frame = getattr(task.get_coro(), "cr_frame", None) if isinstance(task, asyncio.Task) else None
    scope = getattr(frame.f_locals.get("self"), "scope", {}) if frame is not None else {}
    return f"{scope['method']} {scope['path']}" if "method" in scope else ""


def longest_step(file: Path, periods: list[tuple[float, float]]) -> tuple[float, str]:
    """Milliseconds of the longest step within some periods, and what it was."""
    found = [(0.0, "")]
    for text in file.read_text().splitlines():
        at, used, what = text.split(" ", 2)
        if any(begun <= float(at) <= ended for begun, ended in periods):
            found.append((float(used) * 1e3, what))
    return max(found)


# --- the visitor ---------------------------------------------------------------------------------------


@dataclass
class Candidate:
    method: str
    path: str
    form: dict[str, str]
    seconds: float = 0.0
    """How long the answer took last time."""


@dataclass
class Visitor:
    server: Server
    way: str
    cookies: list[str] = field(default_factory=list)
    sent: int = 0
    refused: int = 0
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    def headers(self) -> dict[str, str]:
        given = {"cookie": self.rng.choice(self.cookies)} if self.cookies else {}
        if self.way == "network":
            given["x-forwarded-for"] = f"2001:db8:37:{self.rng.randrange(1 << 16):x}::1"
        return given

    def ask(self, one: Candidate) -> str:
        began = time.perf_counter()
        status, location, cookie = request(self.server, one.method, one.path, one.form, **self.headers())
        self.sent += 1
        self.refused += status in (429, 503, 0)
        if status not in (429, 503, 0):
            one.seconds = time.perf_counter() - began
        if cookie and len(self.cookies) < (1 if self.way == "one" else COOKIES):
            self.cookies.append(cookie)
        return location.partition("#")[0]

    def patiently(self, method: str, path: str, form: dict[str, str] | None = None) -> str:
        """Until it is not refused: the rooms are furnished before anything is measured."""
        while True:
            one = Candidate(method, path, form or {}, seconds=-1.0)
            found = self.ask(one)
            if one.seconds >= 0:
                return found
            time.sleep(1)

    def furnished(self) -> list[Candidate]:
        """Every route, with the largest objects."""
        self.patiently("GET", "/")
        game = walk.long_game()
        largest = walk.with_lines(walk.long_game(), MAX_ACTIONS - len(game.line) - 10).write_json()
        finished = self.patiently("POST", "/open", {"text": largest}).rpartition("/")[2]
        ply = str(walk.last_turn(game))
        study = walk.with_lines(walk.long_game(), MOST_READ // 6).write_json()
        seats = {"box": walk.BOX, "seat0": "you", "seat1": "friend"}

        def made(path: str, **form: str) -> str:
            return self.patiently("POST", path, form).rpartition("/")[2]

        short = made("/open", text=walk.played_from_seed().write_json())

        rooms = walk.Rooms(
            finished=finished, running=made(f"/t/{finished}/branch", ply=ply),
            waiting=made("/tables", **seats), study=made("/study", text=study),
            duplicate=made("/duplicate", form="bot", box="azul", bot="level:1"),
            puzzle=pack("azul")[0].id, circle=made("/circles", title="Friends", name="Ana"),
            deal=made(f"/t/{short}/deal"),
        )
        self.table, self.study = f"/t/{rooms.running}", f"/study/{rooms.study}"
        long = {"/open": largest, "/study": study}
        found = []
        for route in ROUTES:
            if isinstance(route, Route) and route.path not in AVOIDED:
                for address in walk.filled(route.path, rooms, {}):
                    if "GET" in (route.methods or ()):
                        found.append(Candidate("GET", address, {}))
                    if "POST" in (route.methods or ()):
                        form = {name: long[route.path] if text == "LONG RECORD" else text
                                for name, text in walk.FORMS[route.path].items()}
                        found.append(Candidate("POST", address, form))
        return found


async def search(server: Server, way: str) -> None:
    """Everything once, then what takes longest most often; on live connections every message."""
    visitor = Visitor(server, way)
    candidates = await asyncio.to_thread(visitor.furnished)

    async def send_worst() -> None:
        while True:
            weights = [one.seconds + 1e-3 for one in candidates]
            for one in visitor.rng.choices(candidates, weights, k=20):
                await asyncio.to_thread(visitor.ask, one)

    async def talk(path: str, messages: list[dict[str, Any]], hello: str) -> None:
        while True:
            with contextlib.suppress(Exception):
                async with line(server, path, visitor.cookies[0]) as one:
                    await one.send(hello)
                    listening = asyncio.create_task(listen(one))
                    for message in itertools.cycle(messages):
                        await one.send(json.dumps(message))
                        visitor.sent += 1
                        await asyncio.sleep(0.005)
                        if listening.done():
                            break
            await asyncio.sleep(0.05)

    async def count() -> None:
        while True:
            await asyncio.sleep(1)
            worst = sorted(candidates, key=lambda one: -one.seconds)[:5]
            shown = [f"{one.method} {one.path} {one.seconds * 1e3:.0f} ms" for one in worst]
            said = {"sent": visitor.sent, "refused": visitor.refused, "worst": shown}
            print(json.dumps(said), flush=True)

    page = await asyncio.to_thread(Page, server, visitor.table, visitor.cookies[0])
    at_table = walk.table_messages({"ply": 0, "choices": []}, len(page.planned))
    at_study = walk.study_messages(walk.long_game().start.text())
    for one in candidates:  # caches that everybody has are filled
        await asyncio.to_thread(visitor.ask, one)
    await asyncio.gather(
        count(), *(send_worst() for _ in range(AT_ONCE)),
        talk(visitor.table, [*itertools.chain(*at_table.values())], page.hello),
        talk(visitor.study, [*itertools.chain(*at_study.values())], page.hello),
    )


# --- the four of high severity -------------------------------------------------------------------------


async def again(server: Server, ask: Callable[[Visitor], object]) -> None:
    visitor = Visitor(server, "one")
    await asyncio.to_thread(visitor.patiently, "GET", "/")

    async def go_on() -> None:
        while True:
            await asyncio.to_thread(ask, visitor)

    async def count() -> None:
        while True:
            await asyncio.sleep(1)
            print(json.dumps({"sent": visitor.sent, "refused": visitor.refused}), flush=True)

    await asyncio.gather(count(), *(go_on() for _ in range(AT_ONCE)))


async def components(server: Server) -> None:
    """H1: 16 kB of a key with thousands of parts, which the reader of TOML walks again and again."""
    text = "a." * 7_500 + "a=1"
    form = {"box": "azul", "seat0": "you", "seat1": "you", "components": text}
    await again(server, lambda visitor: visitor.ask(Candidate("POST", "/tables", form)))


async def large_table(server: Server) -> None:
    """H2: a record of very many lines taken back, and all the data of the largest table."""
    game = walk.long_game()
    largest = walk.with_lines(game, MAX_ACTIONS - len(game.line) - 10).write_json()
    too_large = walk.with_lines(walk.long_game(), 20_000).write_json()[:262_000]
    owner = Visitor(server, "one")
    await asyncio.to_thread(owner.patiently, "GET", "/")
    path = await asyncio.to_thread(owner.patiently, "POST", "/open", {"text": largest})

    def ask(visitor: Visitor) -> None:
        visitor.ask(Candidate("GET", f"{path}/raw.json", {}))
        if visitor.rng.random() < 0.2:
            visitor.ask(Candidate("POST", "/open", {"text": too_large}))

    await again(server, ask)


async def pasted_study(server: Server) -> None:
    """H3: 440 kB of the same variation, and a study as large as one may be."""
    head = "[Game \"azul\"]\n[Players \"2\"]\n\n@1 +b "
    texts = [(head + "(@2) " * 90_000)[:440_000], large_study()[:440_000]]
    await again(server, lambda visitor: visitor.ask(
        Candidate("POST", "/study", {"text": visitor.rng.choice(texts)})))


async def guest_keys(server: Server) -> None:
    """H4: asks without end for seats, for links that give them away, and for the devices of others."""
    host = Host(server)
    path = await asyncio.to_thread(host.open_table, "azul", seat1="friend")

    def ask(visitor: Visitor) -> None:
        for what, form in (("for", {"seat": "0", "name": "Bo"}), ("forget", {"seat": "0"}),
                           ("back", {"seat": "0"}), ("sit", {"seat": "0", "name": "Bo"})):
            visitor.ask(Candidate("POST", f"{path}/{what}", form))
        visitor.ask(Candidate("GET", f"{path}/carry/x.y", {}))

    await again(server, ask)


ATTACKS: dict[str, Callable[[Server], Awaitable[None]]] = {
    "one cookie": lambda server: search(server, "one"),
    "many cookies": lambda server: search(server, "many"),
    "a network of 48 bits": lambda server: search(server, "network"),
    "H1 components": components, "H2 large table": large_table, "H3 pasted study": pasted_study,
    "H4 keys of a seat": guest_keys,
}


# --- the others ----------------------------------------------------------------------------------------


async def suffer(server: Server, name: str, steps: Path, wish: argparse.Namespace) -> str:
    people = [Player(server, seed, "you") for seed in range(wish.tables)]
    await measure(people, [], wish)
    quiet, during, periods, counts = [(await measure(people, [], wish))[0]], [], [], []
    for _ in range(wish.rounds):
        command = [sys.executable, "-m", __spec__.name, "--attack", name, server.url, f"{server.pid}"]
        with attack_with(command, ready=b"{") as said:
            begun = time.time()
            during.append((await measure(people, [], wish))[0])
            periods.append((begun, time.time()))
            counts.append(said())
        await asyncio.sleep(3)
        quiet.append((await measure(people, [], wish))[0])
    longest, what = longest_step(steps, periods)
    last = [json.loads(one) for one in counts[-1] if one]
    sent: dict[str, Any] = next((one for one in reversed(last) if "sent" in one), {})
    print(name, what, *sent.pop("worst", []), sep="\n  ", file=sys.stderr, flush=True)
    return (f"{cells(quiet, during)} | {longest:.0f} ms | "
            f"{sent.get('sent', 0):,}, {sent.get('refused', 0):,}")


@contextmanager
def noted(name: str) -> Iterator[tuple[Server, Path]]:
    with tempfile.NamedTemporaryFile() as file:
        os.environ[STEPS] = file.name
        proxy = ["--proxy", ATTACKER] if "network" in name else []
        with serving("--seconds", "0.5", *proxy, program=("-m", __spec__.name, "--serve")) as server:
            yield server, Path(file.name)


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        serve_and_note(sys.argv[2:])
        return
    if sys.argv[1:2] == ["--attack"]:
        os.nice(10)
        asyncio.run(ATTACKS[sys.argv[2]](Server(sys.argv[3], int(sys.argv[4]), 0.0)))  # type: ignore[arg-type]
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("attacks", nargs="*", default=list(ATTACKS), help=", ".join(ATTACKS))
    parser.add_argument("--tables", type=int, default=4, help="tables of people")
    parser.add_argument("--rounds", type=int, default=3, help="how often each attack begins")
    parser.add_argument("--rate", type=float, default=5.0, help="moves per second at each table")
    parser.add_argument("--seconds", type=float, default=6, help="length of each period")
    wish = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} before, {os.cpu_count()} cores\n\n{HEAD}", flush=True)
    for name in wish.attacks:
        with noted(name) as (server, steps):
            print(f"| {name} | {asyncio.run(suffer(server, name, steps, wish))} |", flush=True)


if __name__ == "__main__":
    main()
