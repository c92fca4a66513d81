"""5,000 games over days, 500 of them due within a minute: what a move at a fast table then takes.

    python -m bench.notices_load [--tables 5000] [--due 500] [--blocks 5] [--moves 200]

Blocks alternate: in one nothing is due; in the other a share of the games is due at once, their people are
told by webhooks that a second process receives, bots play on for whoever is late, and pages of slow games
are loaded. The moves that are measured are played at fast tables of the same server, until they are saved.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, insert, select, update

from azulejos.web.app import Settings, create_app
from azulejos.web.circle.notices import Outside
from azulejos.web.guard import UNLIMITED
from azulejos.web.store import schema
from azulejos.web.store.database import TurnRow
from azulejos.web.store.saved import HUMAN, PLAYING, SavedSeat, SavedTable, now
from azulejos.web.store.store import Store
from azulejos.web.tables import fair_deal
from azulejos.web.tables.live_table import LiveTable, new_table

FAST = 8
"""Fast tables; one move is made every `PAUSE` seconds at one of them."""
PAUSE = 0.05
LOADS_EVERY = 0.2
"""Seconds between two page loads while much is due."""
BATCH = 100
"""Tables that are made in one transaction."""
DAYS = 3 * 24 * 3_600_000

RECEIVER = """
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_):
        pass
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
"""


def table_of_two(number: int, *, days: int) -> SavedTable:
    seats = tuple(SavedSeat(seat=seat, kind=HUMAN, name=f"{number}.{seat}") for seat in (0, 1))
    return new_table("azul", seats, {}, days=days, at_zero="bot")


def key_of(number: int, seat: int) -> str:
    return f"{number}.{seat}".rjust(64, "0")


async def fill(store: Store, tables: int) -> list[str]:
    """Slow games that were begun an hour ago, and of which everybody was told."""
    names: list[str] = []
    for first in range(0, tables, BATCH):
        names += await keep(store, range(first, min(tables, first + BATCH)))
    return names


async def keep(store: Store, numbers: range) -> list[str]:
    """Write slow games in one transaction; returns their ids."""
    made = [begun(store, number) for number in numbers]

    def act(connection: Connection) -> None:
        for number, (saved, _) in zip(numbers, made, strict=True):
            store.insert(connection, saved, [(seat, key_of(number, seat)) for seat in (0, 1)])
        connection.execute(insert(schema.turns), [{
            "table_id": turn.table, "seat": turn.seat, "entries": turn.entries, "since": turn.since,
            "due": turn.due, "told": 1,
        } for _, turn in made])

    await store.database.write(act)
    return [saved.id for saved, _ in made]


def begun(store: Store, number: int) -> tuple[SavedTable, TurnRow]:
    """A slow game after its first deal, and whose turn it is."""
    saved = table_of_two(number, days=3)
    table = LiveTable(store, saved)
    position = table.position.copy()
    fair_deal.deal(position, table.log.dealer())
    entries = [replace(one, at=now() - 3_600_000) for one in table.log.new_entries(position)]
    turn = table._turn_after(entries, position, over=False)
    assert turn is not None
    return replace(saved, state=PLAYING, actions=tuple(entries)), turn


async def subscribe(store: Store, numbers: range, url: str) -> None:
    """Everybody at these tables wants webhooks."""
    made = [
        {"id": f"{number}.{seat}", "key": key_of(number, seat), "kind": "hook", "address": url,
         "secret": "s", "language": "en", "site": "http://localhost/", "confirmed": 1, "failures": 0,
         "made": 0.0}
        for number in numbers for seat in (0, 1)
    ]
    if made:
        await store.database.write(lambda connection: connection.execute(insert(schema.channels), made))


async def let_come_due(store: Store, names: list[str], untold: list[str]) -> None:
    """The time of some turns is over; of others nobody was told yet."""
    turns, actions = schema.turns, schema.actions

    def act(connection: Connection) -> None:
        connection.execute(update(actions).where(actions.c.table_id.in_(names))
                           .values(at=actions.c.at - DAYS))
        connection.execute(update(turns).where(turns.c.table_id.in_(names)).values(due=now(), told=0))
        connection.execute(update(turns).where(turns.c.table_id.in_(untold)).values(told=0))

    await store.database.write(act)


async def moves(tables: list[LiveTable], count: int, rng: random.Random) -> list[float]:
    """Milliseconds until moves at fast tables are saved, one after the other."""
    times = []
    for _ in range(count):
        table = rng.choice([one for one in tables if not one.over])
        action = rng.choice(table.position.legal_actions())
        text = table.position.game.moves.text(action)
        began = time.perf_counter()
        await table.play(frozenset((0, 1)), text, table.ply, at_once=True)
        times.append(1000 * (time.perf_counter() - began))
        await asyncio.sleep(PAUSE)
    return times


async def load(app: Any, path: str) -> int:
    """Get a page, without a network."""
    status = 0

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)

    await app({
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1), "server": ("localhost", 80),
    }, receive, send)
    return status


@contextlib.asynccontextmanager
async def visited(app: Any, names: list[str], rng: random.Random) -> AsyncIterator[None]:
    """People come to their slow games, one after the other."""
    async def come() -> None:
        while True:
            status = await load(app, f"/t/{rng.choice(names)}")
            assert status == 200, status
            await asyncio.sleep(LOADS_EVERY)

    task = asyncio.create_task(come())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def shown(times: list[float]) -> str:
    ordered = sorted(times)
    part = [ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.5, 0.95, 0.99)]
    return "p50 {:.1f} ms, p95 {:.1f} ms, p99 {:.1f} ms".format(*part) + f" ({len(times)} moves)"


async def left(store: Store) -> tuple[int, int, int]:
    """Turns of which nobody was told, deliveries that wait, and turns that are due."""
    turns = schema.turns.c
    return (
        len(await store.rows(select(turns.table_id).where(turns.told == 0))),
        len(await store.rows(select(schema.deliveries.c.id))),
        len(await store.rows(select(turns.table_id).where(turns.due <= now(), turns.seat >= 0))),
    )


async def warm_up(app: Any, store: Store, lobby: Any, names: list[str], rng: random.Random) -> None:
    """What is done once: templates, plans, statements, the first process of bots."""
    await moves([await lobby.create(table_of_two(-1, days=0), [])], 20, rng)
    await let_come_due(store, names[-3:], names[-10:])
    for name in names[-3:]:
        await load(app, f"/t/{name}")
    async with asyncio.timeout(120):
        while any(await left(store)):
            await asyncio.sleep(0.5)


async def run(count: int, due: int, blocks: int, number: int, url: str) -> None:
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(
            database=f"sqlite:///{folder}/games.sqlite", secret="s", seconds=0.05, limits=UNLIMITED,
            outside=Outside(private=True, grace=0),
        ))
        async with app.router.lifespan_context(app):
            store, lobby = app.state.lobby.store, app.state.lobby
            names = await fill(store, count)
            await subscribe(store, range(due), url)
            print(f"{count} slow games, {due} due in {blocks} blocks", flush=True)
            await warm_up(app, store, lobby, names, rng)
            without: list[float] = []
            within: list[float] = []
            share = due // blocks
            for block in range(blocks):
                fast = [await lobby.create(table_of_two(-1, days=0), []) for _ in range(FAST)]
                without += await moves(fast, number, rng)
                mine = names[block * share : (block + 1) * share]
                await let_come_due(store, mine, names[due:][block::blocks])
                fast = [await lobby.create(table_of_two(-1, days=0), []) for _ in range(FAST)]
                async with visited(app, names, rng):
                    within += await moves(fast, number, rng)
                print(f"block {block + 1}: untold, undelivered, due afterwards: {await left(store)}",
                      flush=True)
                async with asyncio.timeout(120):
                    while any((await left(store))[:2]):
                        await asyncio.sleep(0.5)
            print("without:", shown(without))
            print("with:   ", shown(within), flush=True)


if __name__ == "__main__":
    given = argparse.ArgumentParser()
    given.add_argument("--tables", type=int, default=5000)
    given.add_argument("--due", type=int, default=500)
    given.add_argument("--blocks", type=int, default=5)
    given.add_argument("--moves", type=int, default=200)
    asked = given.parse_args()
    sys.setswitchinterval(0.001)  # as `azulejos serve` does
    with subprocess.Popen([sys.executable, "-c", RECEIVER], stdout=subprocess.PIPE, text=True) as receiving:
        assert receiving.stdout is not None
        port = int(receiving.stdout.readline())
        try:
            asyncio.run(run(asked.tables, asked.due, asked.blocks, asked.moves, f"http://127.0.0.1:{port}/"))
        finally:
            receiving.kill()
