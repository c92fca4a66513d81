"""A fault at every step of saving a move: what was acknowledged is there, nothing else is half there.

The faults are real: connections that break at each message, writes that fail at each offset, a disk that
does not flush, a database that stands still, a file that is deleted.
"""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from azulejos.web.refused import Refused
from azulejos.web.store import postgresql
from azulejos.web.store.faults import Unread
from azulejos.web.store.saved import HUMAN, SavedAction, SavedSeat, SavedTable, new_id
from azulejos.web.store.store import Store
from azulejos.web.tables.live_table import LiveTable, new_table
from azulejos.web.tables.lobby import Lobby
from patience import PATIENCE
from web.conftest import empty_postgres
from web.server import SOURCES
from web.store.cut_connection import proxy_to

PEOPLE = tuple(SavedSeat(seat=i, kind=HUMAN, name=f"{i}") for i in range(2))
BOTH = frozenset({0, 1})

DONE, UNCHANGED, UNKNOWN = "done", "unchanged", "unknown"


async def before_a_long_turn(store: Store) -> SavedTable:
    """A table whose next turn ends the round: one transaction writes the move and all draws after it."""
    lobby = Lobby(store)
    table = await lobby.create(new_table("azul", PEOPLE, {}), [])
    while True:
        before = table.whole()
        await play(table)
        if table.ply > len(before.actions) + 10:
            await lobby.close()
            return before


async def play(table: LiveTable) -> str:
    """Play a turn, or confirm the one that could not be saved; what the player was told."""
    try:
        if table.draft:
            await table.confirm(BOTH, table.ply + len(table.draft))
        else:
            await table.play(BOTH, next(iter(table.position.legal_moves)).text, table.ply, at_once=True)
    except Refused as refused:
        return UNCHANGED if "nothing was changed" in str(refused) else UNKNOWN
    return DONE


async def logged(url: str, name: str) -> tuple[SavedAction, ...]:
    """The log, as another program finds it; it must be a game that stands where a player decides."""
    store = await Store.open(url)
    table = await store.load(name)
    await store.close()
    assert table is not None
    position = table.replay()
    assert position.to_move >= 0
    return table.actions


async def check(told: str, table: LiveTable, before: tuple[SavedAction, ...], url: str) -> None:
    found = await logged(url, table.id)
    assert found[: len(before)] == before
    if told == DONE:
        assert len(found) > len(before)
        assert found == tuple(table.log.entries)
    elif told == UNCHANGED:
        assert found == before == tuple(table.log.entries)


async def check_it_goes_on(table: LiveTable, url: str) -> None:
    """After the fault the table shows what is saved, and the next turn is saved."""
    if table.stale:
        await table.refresh()
    before = await logged(url, table.id)
    assert tuple(table.log.entries) == before
    assert await play(table) == DONE
    assert await logged(url, table.id) == tuple(table.log.entries) != before


async def a_copy(store: Store, table: SavedTable) -> LiveTable:
    copied = replace(table, id=new_id())
    await store.create(copied)
    return LiveTable(store, copied)


# --- at each statement and around the commit -----------------------------------------------------------


class Fault:
    """Raises at the n-th event of a transaction; `after` a commit, it was made but nobody was told."""

    def __init__(self, store: Store) -> None:
        self.left: int | None = None
        engine = store.database.engine
        event.listen(engine, "before_cursor_execute", self._step)
        event.listen(engine, "commit", self._step)

    def _step(self, *_: object) -> None:
        if self.left is None:
            return
        self.left -= 1
        if self.left < 0:
            self.left = None
            raise OperationalError("injected", {}, Exception("injected"))


def test_a_fault_at_each_statement_changes_nothing_or_is_settled(database: str) -> None:
    async def run() -> None:
        store = await Store.open(database)
        fault, told = Fault(store), list[str]()
        table = await before_a_long_turn(store)
        while DONE not in told:
            copy = await a_copy(store, table)
            fault.left = len(told)
            told.append(await play(copy))
            broken, fault.left = fault.left is None, None
            await check(told[-1], copy, table.actions, database)
            if broken:
                await check_it_goes_on(copy, database)
        # PostgreSQL gets one statement, past these events; the next tests break it at each message
        assert told.count(UNCHANGED) >= 1 or database.startswith("postgres")
        await store.close()

    asyncio.run(run())


# --- PostgreSQL: the connection breaks at each message -------------------------------------------------


@pytest.mark.parametrize("deliver", [False, True], ids=["the message is lost", "the answer is lost"])
def test_a_connection_that_breaks_at_any_message_loses_nothing(postgres: str, deliver: bool) -> None:
    url = empty_postgres(postgres)

    async def run() -> None:
        async with proxy_to(url) as proxy:
            store = await Store.open(proxy.url)
            table = await before_a_long_turn(store)
            step, broken = 0, True
            while broken:
                copy = await a_copy(store, table)
                proxy.arm(step, deliver=deliver)
                told = await play(copy)
                proxy.disarm()
                broken = proxy.broken
                await check(told, copy, table.actions, url)
                await check_it_goes_on(copy, url)
                step += 1
            assert step > 1  # it was broken at least once
            await store.close()

    asyncio.run(run())


def test_a_commit_whose_answer_is_lost_is_looked_up_and_acknowledged(postgres: str) -> None:
    """The move is written once, and its player is told so."""
    url = empty_postgres(postgres)

    async def run() -> None:
        async with proxy_to(url) as proxy:
            store = await Store.open(proxy.url)
            table = await before_a_long_turn(store)
            copy = await a_copy(store, table)
            proxy.arm(1_000_000, deliver=True)
            assert await play(copy) == DONE
            commit = proxy.passed - 1  # the last message of a move
            copy = await a_copy(store, table)
            proxy.arm(commit, deliver=True)
            assert await play(copy) == DONE
            assert proxy.broken
            await check(DONE, copy, table.actions, url)
            await store.close()

    asyncio.run(run())


def test_a_commit_whose_answer_is_lost_is_in_doubt_while_it_cannot_be_looked_up(postgres: str) -> None:
    """Nobody is told that nothing was changed; when the database is back, the table shows the move."""
    url = empty_postgres(postgres)

    async def run() -> None:
        async with proxy_to(url) as proxy:
            store = await Store.open(proxy.url)
            table = await before_a_long_turn(store)
            copy = await a_copy(store, table)
            proxy.arm(1_000_000, deliver=True)
            assert await play(copy) == DONE
            commit = proxy.passed - 1
            copy = await a_copy(store, table)
            proxy.arm(commit, deliver=True, stay=True)
            assert await play(copy) == UNKNOWN
            assert copy.stale
            proxy.disarm()
            await check_it_goes_on(copy, url)
            assert len(copy.log.entries) > len(table.actions)
            await store.close()

    asyncio.run(run())


# --- PostgreSQL stands still ---------------------------------------------------------------------------


@contextmanager
def standing_still(folder: Path) -> Iterator[None]:
    """Stop every process of PostgreSQL without ending it: it neither answers nor refuses."""
    main = int((folder / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
    processes = [main, *map(int, children)]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the processes in /proc")
def test_a_database_that_stands_still_is_said_and_the_table_goes_on(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever, and what happened to the move is found out afterwards."""
    monkeypatch.setattr(postgresql, "PATIENCE", 0.5)
    url = empty_postgres(postgres)
    folder = Path(url.partition("host=")[2])

    async def run() -> None:
        store = await Store.open(url)
        table = await before_a_long_turn(store)
        copy = await a_copy(store, table)
        with standing_still(folder):
            assert await play(copy) in (UNCHANGED, UNKNOWN)
            with pytest.raises(Unread, match="does not answer"):
                await store.load(copy.id)
        await until_it_answers(store, copy.id)
        await copy.refresh()
        await check_it_goes_on(copy, url)
        await store.close()

    asyncio.run(run())


async def until_it_answers(store: Store, name: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await store.load(name)
                return
            except Unread:
                continue


# --- SQLite: writing and flushing fail -----------------------------------------------------------------

STEP = 1024


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """The system refuses to write beyond this size: a full disk, but at any byte."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_write_that_fails_at_any_offset_changes_nothing(tmp_path: Path) -> None:
    url, wal = f"sqlite:///{tmp_path}/games.sqlite", tmp_path / "games.sqlite-wal"

    async def run() -> None:
        store = await Store.open(url)
        table = await before_a_long_turn(store)
        failed, told = 0, ""
        while told != DONE:
            copy = await a_copy(store, table)
            with no_file_longer_than(wal.stat().st_size + failed * STEP):
                told = await play(copy)
            await check(told, copy, table.actions, url)
            failed += told != DONE
            await check_it_goes_on(copy, url)
        assert failed > 4  # a transaction is several pages of 4096 bytes
        await store.close()

    asyncio.run(run())


NO_FLUSH = """
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>
#include <stdlib.h>
static int refused(void) { const char *flag = getenv("FLUSH_FAILS"); return flag && !access(flag, F_OK); }
int fdatasync(int file) { if (refused()) { errno = EIO; return -1; } return 0; }
int fsync(int file) { if (refused()) { errno = EIO; return -1; } return 0; }
"""

FLUSHING = """
import asyncio, os, sys
from pathlib import Path
from azulejos.web.store.store import Store
from web.store.test_saving import DONE, a_copy, before_a_long_turn, check, check_it_goes_on, play

async def run(url, flag):
    store = await Store.open(url)
    table = await before_a_long_turn(store)
    copy = await a_copy(store, table)
    flag.touch()
    told = await play(copy)
    flag.unlink()
    assert told != DONE, told
    await check(told, copy, table.actions, url)
    await check_it_goes_on(copy, url)
    await store.close()
    print("sound")

asyncio.run(run(sys.argv[1], Path(os.environ["FLUSH_FAILS"])))
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler, for a disk that does not flush")
def test_a_disk_that_does_not_flush_acknowledges_nothing(tmp_path: Path) -> None:
    source, library = tmp_path / "flush.c", tmp_path / "flush.so"
    source.write_text(NO_FLUSH)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    environment = os.environ | {
        "LD_PRELOAD": str(library), "FLUSH_FAILS": str(tmp_path / "flag"), "AZULEJOS_JIT": "0",
        "PYTHONPATH": f"{SOURCES}:{Path(__file__).parents[2]}",
    }
    answer = subprocess.run(
        [sys.executable, "-c", FLUSHING, f"sqlite:///{tmp_path}/games.sqlite"], env=environment,
        capture_output=True, text=True, check=False,
    )
    assert answer.stdout == "sound\n", answer.stderr


# --- SQLite: the file is deleted -----------------------------------------------------------------------


@pytest.mark.parametrize("put_another", [False, True])
def test_a_file_that_is_deleted_under_the_server_is_noticed(tmp_path: Path, put_another: bool) -> None:
    file = tmp_path / "games.sqlite"

    async def run() -> None:
        store = await Store.open(f"sqlite:///{file}")
        table = await a_copy(store, await before_a_long_turn(store))
        before = table.ply
        file.unlink()
        if put_another:
            await (await Store.open(f"sqlite:///{file}")).close()
        with pytest.raises(Refused, match="removed or replaced"):
            await table.play(BOTH, next(iter(table.position.legal_moves)).text, before, at_once=True)
        assert table.ply == before
        await store.close()

    asyncio.run(run())
