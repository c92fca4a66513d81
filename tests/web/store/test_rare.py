"""What happens rarely: gaps that cannot be read, servers that end at once, the log of a server."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from sqlalchemy import Table

from azulejos.core.message import msg
from azulejos.insight.progress import Attempt, Progress
from azulejos.web.guard import connections
from azulejos.web.guard import log as server_log
from azulejos.web.store import expiry, personal, salvage, schema
from azulejos.web.store.faults import DatabaseFault, InUse
from azulejos.web.store.personal import Personal
from azulejos.web.store.salvage import LAST_ROW, Salvaged
from azulejos.web.store.sqlite import SQLite
from azulejos.web.store.store import Store
from web.played import played_out

ACTIONS: Table = schema.actions


# --- salvage -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [1, 2, 3, 8, 9, 1000, 123_457, LAST_ROW - 3, LAST_ROW, LAST_ROW + 1])
def test_the_first_row_after_a_gap_is_found(first: int) -> None:
    asked: list[int] = []

    def readable(number: int) -> bool:
        asked.append(number)
        return number >= first

    assert salvage._after_gap(0, readable) == min(first, LAST_ROW + 1)
    assert len(asked) < 200


class Torn:
    """A connection to a file of which some rows cannot be read."""

    def __init__(self, file: Path, gap: range) -> None:
        self._own, self._gap = sqlite3.connect(file), gap

    def execute(self, query: str, given: tuple[int, int]) -> Any:
        first, most = given
        rows = self._own.execute(query, (first, most)).fetchall()

        def some() -> Any:
            for row in rows:
                if row[0] in self._gap:
                    raise sqlite3.DatabaseError("malformed")
                yield row

        found = some()
        return _Rows(found)


class _Rows:
    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __iter__(self) -> Any:
        return self._rows

    def fetchall(self) -> list[Any]:
        return list(self._rows)


def saved_game(folder: Path) -> Path:
    async def create() -> None:
        store = await Store.open(f"sqlite:///{folder}/games.sqlite")
        await store.create(played_out())
        await store.close()

    asyncio.run(create())
    return folder / "games.sqlite"


def test_only_the_rows_of_a_gap_are_left_out(tmp_path: Path) -> None:
    file, found = saved_game(tmp_path), Salvaged()
    whole = sqlite3.connect(file).execute("SELECT rowid FROM actions").fetchall()
    torn: Any = Torn(file, range(10, 25))
    rows = [*salvage._rows(torn, ACTIONS, found)]
    assert len(rows) == len(whole) - 15
    assert found.unreadable == {"actions"}
    target: Any = None
    salvage._copy(torn, target, ACTIONS, found, missing=True)
    assert (found.saved["actions"], found.left_out["actions"]) == (0, 0)


# --- what a server keeps -------------------------------------------------------------------------------


def test_a_database_that_is_away_does_not_end_the_removal_of_old_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried = asyncio.Event()
    monkeypatch.setattr(expiry, "EVERY", 0.001)

    async def away(*_: object) -> None:
        if away.times:  # type: ignore[attr-defined]
            tried.set()
        away.times += 1  # type: ignore[attr-defined]
        raise DatabaseFault(msg("the database cannot be reached"))

    away.times = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(expiry, "expire", away)

    async def run() -> None:
        store: Any = None
        async with expiry.expiring(store, expiry.USUAL):
            await tried.wait()

    asyncio.run(run())
    assert "could not be removed" in caplog.text


def attempt(number: int) -> Progress:
    return Progress(attempts=(Attempt(
        puzzle=f"azul/{number}", at=number, first="right", tries=1, solved=True, day="2026-11-17",
    ),))


def test_only_some_documents_are_kept_in_memory_and_both_tabs_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal, "KEPT", 1)

    async def run() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        mine = Personal(store)
        assert await mine.of("nobody") == Progress()
        await asyncio.gather(*(mine.add("ana", attempt(number)) for number in range(4)))
        await mine.add("bo", attempt(9))
        for _ in range(2):
            assert len((await mine.of("ana")).attempts) == 4
            assert len((await mine.of("bo")).attempts) == 1
        assert len(mine._kept) == 1
        await store.close()

    asyncio.run(run())


def test_a_server_that_is_alone_says_whose_the_file_is(tmp_path: Path) -> None:
    file = f"sqlite:///{tmp_path}/games.sqlite"

    async def run() -> None:
        one = await Store.open(file, serving=True)
        with pytest.raises(InUse):
            await Store.open(file, serving=True)
        await one.close()

    asyncio.run(run())
    (tmp_path / "games.sqlite.lock").write_text("")
    with (tmp_path / "games.sqlite.lock").open("a+") as held:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(InUse, match="unknown"):
            asyncio.run(Store.open(file, serving=True))


def test_a_file_that_is_being_checked_can_be_closed(tmp_path: Path) -> None:
    """The check of a large file is interrupted when the server ends."""
    saved_game(tmp_path)

    async def run() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        database: Any = store.database
        assert isinstance(database, SQLite)
        interrupted: list[bool] = []

        class Checking:
            def interrupt(self) -> None:
                interrupted.append(True)

        database._checking = Checking()
        await store.close()
        assert interrupted == [True]

    asyncio.run(run())


# --- the guard -----------------------------------------------------------------------------------------


def test_a_uvicorn_that_has_changed_does_not_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    connections.check_uvicorn()
    monkeypatch.setattr(uvicorn.config, "WS_PROTOCOLS", {})
    with pytest.raises(RuntimeError, match="install one that pyproject"):
        connections.check_uvicorn()


def test_as_many_connections_as_the_system_lets_us_open(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    wanted: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _what, limits: wanted.append(limits))
    for most, open_files in ((resource.RLIM_INFINITY, 65_536), (4096, 4096), (10**6, 65_536)):
        monkeypatch.setattr(resource, "getrlimit", lambda _what, most=most: (256, most))
        assert connections.most_connections() == open_files - connections.RESERVED_FILES
        assert wanted.pop() == (open_files, most)


@pytest.mark.parametrize("as_json", [True, False])
def test_the_log_of_a_server(monkeypatch: pytest.MonkeyPatch, as_json: bool) -> None:
    said = io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", logging.NOTSET)
    server_log.set_up(as_json=as_json)
    logging.getLogger("azulejos.web").warning("refused: /carry/secret.word at %r", "x")
    logging.getLogger("azulejos.web").info("a request that succeeds")
    (line,) = said.getvalue().splitlines()
    assert "secret" not in line
    assert (json.loads(line)["level"] if as_json else line.partition(":")[0].lower()) == "warning"
