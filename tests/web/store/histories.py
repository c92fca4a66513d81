"""Histories: several clients at two servers act at the same tables while things go wrong, and what they
were told is compared with the log.

    PYTHONPATH=src:tests python -m web.store.histories --operations 100000 --seed 1 [--sqlite]

A table is a log whose entries have numbers, so a history is linearizable exactly if what was acknowledged
stands there where it was written, nothing else does, and of two operations one of which had ended when the
other began the later one stands later. One seed chooses who does what, when it goes wrong, and how far the
clocks are off; which of two operations at the same time is faster is left to the machine, so a seed
that found something once may need several runs to find it again.

With PostgreSQL each server has a network of its own, which is cut at any message, with or without what it
carried, for a moment or longer, or stands still (as a server does that is stopped), and their clocks differ
by up to two hours (a server does not see its own clock jump: `saved.now`). With SQLite the disk is full or
slow.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import itertools
import random
import tempfile
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import event

from azulejos.web.refused import Refused
from azulejos.web.store.faults import DatabaseFault, InDoubt
from azulejos.web.store.saved import HUMAN, OPEN, SavedAction, SavedSeat, SavedTable, Unreplayable, now
from azulejos.web.store.store import Store
from azulejos.web.tables import table_log
from azulejos.web.tables.live_table import LiveTable, new_table
from azulejos.web.tables.lobby import Lobby
from web.store.cut_connection import Proxy, proxy_to

OK, REFUSED, UNKNOWN = "ok", "refused", "unknown"
CLIENTS = 2
"""At each server, with both seats of every table: they compete for each turn."""
TABLES = 3
HOUR = 3_600_000
LONGEST = 150
"""Entries of a table, then another one is opened: reading it again costs as much as it is long."""


@dataclass
class Operation:
    """What a client did. `written` are the places of the log that it tried to write, with the entries."""

    kind: str
    table: str
    began: float
    ended: float = 0.0
    result: str = ""
    value: str = ""
    written: list[tuple[int, tuple[SavedAction, ...]]] = field(default_factory=list)
    found: Any = None

    @property
    def acknowledged(self) -> bool:
        """Whether its client was told that what it wrote is saved. First draws may be somebody else's."""
        return self.result == OK and bool(self.written) and self.kind in ("play", "confirm", "take back")


_ahead: ContextVar[int] = ContextVar("ahead", default=0)
"""Milliseconds by which the clock of a server is wrong."""
_now: ContextVar[Operation | None] = ContextVar("operation", default=None)


def _own_time() -> int:
    """The time of the server that asks; elsewhere it is right."""
    return now() + _ahead.get()


class RecordingStore(Store):
    """Notes what an operation writes to the log."""

    async def append(self, table: str, ply: int, entries: Sequence[SavedAction], **others: Any) -> None:
        operation = _now.get()
        if operation is not None:
            operation.written.append((ply, tuple(entries)))
        await super().append(table, ply, entries, **others)


# --- what goes wrong -----------------------------------------------------------------------------------


class Trouble(ABC):
    """What may go wrong, and how it ends."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.made = Counter[str]()

    async def happen(self) -> None:
        way = self.rng.choice(self.ways())
        self.made[way.__name__] += 1
        await way()

    @abstractmethod
    def ways(self) -> list[Callable[[], Awaitable[None]]]:
        """What may go wrong."""

    @abstractmethod
    def end(self) -> None:
        """All is well again."""


class Networks(Trouble):
    def __init__(self, rng: random.Random, proxies: Sequence[Proxy]) -> None:
        super().__init__(rng)
        self.proxies = proxies

    def ways(self) -> list[Callable[[], Awaitable[None]]]:
        return [self.cut, self.stays_cut, self.stands_still]

    async def cut(self) -> None:
        self.rng.choice(self.proxies).arm(self.rng.randrange(6), deliver=self.rng.random() < 0.5)

    async def stays_cut(self) -> None:
        one = self.rng.choice(self.proxies)
        one.arm(self.rng.randrange(6), deliver=self.rng.random() < 0.5, stay=True)
        await asyncio.sleep(0.3 * self.rng.random())
        one.disarm()

    async def stands_still(self) -> None:
        one = self.rng.choice(self.proxies)
        one.moving.clear()
        await asyncio.sleep(0.3 * self.rng.random())
        one.moving.set()

    def end(self) -> None:
        for one in self.proxies:
            one.disarm()
            one.moving.set()


class Disk(Trouble):
    def __init__(self, rng: random.Random, store: Store) -> None:
        super().__init__(rng)
        self.pages, self.delay = 2**30, 0.0
        engine: Any = store.database
        event.listen(engine.engine, "begin", self._begin)

    def _begin(self, connection: Any) -> None:
        time.sleep(self.delay)
        connection.exec_driver_sql(f"PRAGMA max_page_count={self.pages}")

    def ways(self) -> list[Callable[[], Awaitable[None]]]:
        return [self.full, self.slow]

    async def full(self) -> None:
        self.pages = 1
        await asyncio.sleep(0.2 * self.rng.random())
        self.pages = 2**30

    async def slow(self) -> None:
        self.delay = 0.05 * self.rng.random()
        await asyncio.sleep(0.2 * self.rng.random())
        self.delay = 0.0

    def end(self) -> None:
        self.pages, self.delay = 2**30, 0.0


# --- the run -------------------------------------------------------------------------------------------


class Run:
    def __init__(self, stores: Sequence[Store], trouble: Trouble, seed: int, operations: int) -> None:
        self.stores, self.trouble, self.left = stores, trouble, operations
        self.lobbies = [Lobby(store) for store in stores]
        self.rng = random.Random(f"{seed} tables")
        self.seed = seed
        self.tables: list[str] = []
        self.made: dict[str, SavedTable] = {}
        self.history: list[Operation] = []

    async def open_table(self) -> str:
        seats = (SavedSeat(seat=0, kind=HUMAN, name="Ana"), SavedSeat(seat=1, kind=OPEN))
        saved = new_table("azul", seats, {}, seed=f"{self.rng.getrandbits(256):064x}")
        while True:
            try:
                await self.rng.choice(self.stores).create(saved, [(0, "ana")])
            except InDoubt:  # it may be there
                if await self._is_there(saved.id):
                    break
            except DatabaseFault:
                await asyncio.sleep(0.01)
            else:
                break
        self.made[saved.id] = saved
        return saved.id

    async def _is_there(self, name: str) -> bool:
        while True:
            try:
                return await self.stores[0].load(name) is not None
            except DatabaseFault:
                await asyncio.sleep(0.01)

    async def play(self) -> None:
        for number, (store, lobby) in enumerate(zip(self.stores, self.lobbies, strict=True)):
            _ahead.set(self._clock(number))
            await store.listen(lobby.heard, lobby.missed)
        self.tables = [await self.open_table() for _ in range(TABLES)]
        going_wrong = asyncio.create_task(self._go_wrong())
        clients = [
            self._client(lobby, random.Random(f"{self.seed} {server} {number}"), f"{server}-{number}")
            for server, lobby in enumerate(self.lobbies) for number in range(CLIENTS)
        ]
        await asyncio.gather(*clients)
        going_wrong.cancel()
        await asyncio.gather(going_wrong, return_exceptions=True)
        self.trouble.end()

    async def _go_wrong(self) -> None:
        while True:
            await asyncio.sleep(0.2 * self.trouble.rng.random())
            await self.trouble.happen()

    def _clock(self, server: int) -> int:
        return random.Random(f"{self.seed} clock {server}").randrange(-HOUR, HOUR)

    async def _client(self, lobby: Lobby, rng: random.Random, key: str) -> None:
        _ahead.set(self._clock(self.lobbies.index(lobby)))
        while self.left > 0:
            self.left -= 1
            place = rng.randrange(TABLES)
            name = self.tables[place]
            opened = await self._do("open", name, lobby.table(name))  # which may make the first draws
            table = opened.found
            if table is None:
                await asyncio.sleep(0.002)
                continue
            await self._act(table, lobby, rng, key)
            full = table.over or len(table.log.everything) > LONGEST
            if full and self.tables[place] == name:
                self.tables[place] = await self.open_table()
            await asyncio.sleep(0)

    async def _act(self, table: LiveTable, lobby: Lobby, rng: random.Random, key: str) -> None:
        both = frozenset({0, 1})
        if table.seats[1].kind == OPEN:
            await self._do("sit", table.id, table.people.sit(1, key, key), value=key)
        elif table.over or rng.random() < 0.02:
            asked = await self._do("rematch", table.id, lobby._open_rematch(table))
            asked.value = table.saved.rematch or ""
        elif rng.random() < 0.1:
            await self._do("take back", table.id, table.take_back(both))
        elif table.playing and table.position.to_move >= 0:
            ply = table.ply + len(table.draft)
            if table.turn_complete():
                await self._do("confirm", table.id, table.confirm(both, ply))
                return
            action = rng.choice(table.draft_position.legal_actions())
            move = table.position.game.moves.text(action)
            await self._do("play", table.id, table.play(both, move, ply, at_once=True))

    async def _do(self, kind: str, name: str, work: Awaitable[Any], *, value: str = "") -> Operation:
        one = Operation(kind, name, time.perf_counter(), value=value)
        self.history.append(one)
        token = _now.set(one)
        try:
            one.found = await work
            one.result = OK
        except Refused as error:
            # of two steps (to sit down, and the first draws) the first may have been done
            doubtful = isinstance(error.__cause__, InDoubt) or (kind == "sit" and one.written)
            one.result = UNKNOWN if doubtful else REFUSED
        except (DatabaseFault, Unreplayable) as error:
            one.result = UNKNOWN if isinstance(error, InDoubt) or one.written else REFUSED
        finally:
            one.ended = time.perf_counter()
            _now.reset(token)
        return one

    # --- afterwards -------------------------------------------------------------------------------

    async def anomalies(self) -> list[str]:
        found = []
        for name in self.made:
            stored = await self.stores[0].load(name)
            if stored is None:
                found.append(f"{name} is gone")
                continue
            own = [one for one in self.history if one.table == name]
            found += [*check_log(stored, own), *check_seat(stored, own), *check_rematch(stored, own)]
            for lobby in self.lobbies:
                table = await lobby.table(name)
                assert table is not None
                await table.refresh()
                then = await self.stores[0].load(name)  # who opens a table that is ready begins its game
                assert then is not None
                if then.actions[: len(stored.actions)] != stored.actions:
                    found.append(f"{name}: its log has changed")
                if table.log.everything != list(then.actions):
                    found.append(f"{name}: a server shows something else than the log")
        return found

    async def close(self) -> None:
        for lobby, store in zip(self.lobbies, self.stores, strict=True):
            await lobby.close()
            await store.close()


def check_log(stored: SavedTable, history: Sequence[Operation]) -> list[str]:
    """What is acknowledged stands where it was written, nothing else does, and time runs one way."""
    log, name, found = stored.actions, stored.id, []
    covered: dict[int, Operation] = {}
    for one in history:
        for first, entries in one.written:
            there = log[first : first + len(entries)] == entries
            if one.acknowledged and one.written[-1] == (first, entries) and not there:
                found.append(f"{name}: {one.kind} at {first} was acknowledged and is not in the log")
            if there:
                covered |= dict.fromkeys(range(first, first + len(entries)), one)
    found += [f"{name}: nobody has written entry {n}" for n in range(len(log)) if n not in covered]
    latest = 0.0
    for one in sorted((one for one in history if one.acknowledged), key=lambda one: one.written[-1][0]):
        first = one.written[-1][0]
        if one.ended < latest:
            found.append(f"{name}: {one.kind} at {first} had ended when an earlier entry was begun")
        latest = max(latest, one.began)
    if any(later.at < earlier.at for earlier, later in itertools.pairwise(log)):
        found.append(f"{name}: its time runs backwards")
    try:
        stored.replay()
    except Unreplayable as error:
        found.append(str(error))
    return found


def check_seat(stored: SavedTable, history: Sequence[Operation]) -> list[str]:
    """One of those who sat down has the seat: whoever was told so, or nobody was."""
    told = [one.value for one in history if one.kind == "sit" and one.result == OK]
    perhaps = [one.value for one in history if one.kind == "sit" and one.result == UNKNOWN]
    holder = stored.seats[1].name
    if len(told) > 1 or (told and told != [holder]):
        return [f"{stored.id}: {told} were given the seat, {holder or 'nobody'} has it"]
    if holder and not told and holder not in perhaps:
        return [f"{stored.id}: {holder} has the seat but was refused"]
    return []


def check_rematch(stored: SavedTable, history: Sequence[Operation]) -> list[str]:
    """Everybody is sent to the same next game."""
    told = {one.value for one in history if one.kind == "rematch" and one.result == OK}
    return [f"{stored.id}: next games {told}, saved {stored.rematch}"] if told - {stored.rematch} else []


@asynccontextmanager
async def running(url: str, seed: int, operations: int) -> AsyncIterator[Run]:
    rng = random.Random(f"{seed} trouble")
    if url.startswith("sqlite"):
        store = await RecordingStore.open(url)
        run = Run([store], Disk(rng, store), seed, operations)
        yield run
        await run.close()
        return
    async with proxy_to(url) as one, proxy_to(url) as two:
        stores = [await RecordingStore.open(proxy.url) for proxy in (one, two)]
        run = Run(stores, Networks(rng, (one, two)), seed, operations)
        yield run
        await run.close()


async def history(url: str, seed: int, operations: int) -> tuple[Counter[str], list[str]]:
    """How often what was done and went wrong, and what contradicts a history that is linearizable."""
    clock: Any = table_log
    clock.now = _own_time
    async with running(url, seed, operations) as run:
        await run.play()
        counts = Counter(f"{one.kind}: {one.result}" for one in run.history) + run.trouble.made
        return counts, await run.anomalies()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--part", type=int, default=5_000, help="operations with one seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=1, help="parts at the same time")
    parser.add_argument("--sqlite", action="store_true")
    wish = parser.parse_args()
    done, begun = Counter[str](), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        if not wish.sqlite:
            server = importlib.import_module("pgserver").get_server(folder, cleanup_mode="delete")

        async def part(seed: int, room: asyncio.Semaphore) -> int:
            async with room:
                url = f"sqlite:///{folder}/{seed}.sqlite" if wish.sqlite else server.get_uri()
                counts, found = await history(url, seed, wish.part)
            done.update(counts)
            print(f"seed {seed}: {len(found)} anomalies, {time.perf_counter() - begun:.0f} s", *found[:5],
                  sep="\n", flush=True)
            return len(found)

        async def all_parts() -> int:
            room = asyncio.Semaphore(wish.at_once)
            return sum(await asyncio.gather(
                *(part(wish.seed + number, room) for number in range(wish.operations // wish.part))
            ))

        failed = asyncio.run(all_parts())
        if not wish.sqlite:
            server.cleanup()
    for what, count in sorted(done.items()):
        print(f"{what}: {count}")
    print(f"{failed} anomalies, {time.perf_counter() - begun:.0f} s, files in {Path(folder)}")


if __name__ == "__main__":
    main()
