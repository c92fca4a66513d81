"""Games in a file, for one server."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

from sqlalchemy import Connection, Table, bindparam, create_engine, event, text, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from azulejos.web.store import schema
from azulejos.web.store.database import Row, TableState, TurnRow
from azulejos.web.store.faults import InUse, Unread, Unsaved, Vanished, committing, reported

try:
    import fcntl
except ImportError:  # Windows has no locks of this kind: the operator has to take care there
    fcntl = None  # type: ignore[assignment]

T = TypeVar("T")

SET_STATE = (
    update(schema.tables).where(schema.tables.c.id == bindparam("table"))
    .values(state=bindparam("state"), changed=bindparam("changed"))
)

SET_TURN = text(
    "INSERT INTO turns (table_id, seat, entries, since, due, told) "
    "VALUES (:table, :seat, :entries, :since, :due, :told) ON CONFLICT (table_id) DO UPDATE SET "
    "seat = excluded.seat, entries = excluded.entries, since = excluded.since, due = excluded.due, "
    "told = excluded.told"
)

MOST_FAULTS = 20
"""Of a damaged file that are listed."""

MAX_ROWS = 1000
"""Rows per statement; SQLite accepts 32,766 values."""


class SQLite:
    """One server, two threads: one writes, the other reads, so that readers never wait for a lock.

    A transaction is one call into its thread. A call for each statement, as asynchronous drivers do it,
    took 2 ms of CPU per move.
    """

    def __init__(self, url: URL) -> None:
        self._file = Path(url.database) if url.database else None
        self._reserved: IO[str] | None = None
        self._identity: tuple[int, int] | None = None
        if self._file is not None:
            _make_private(self._file)
            self._identity = _identity(self._file)
        patience = {} if "timeout" in url.query else {"timeout": 5}
        self.engine = create_engine(url, connect_args=patience)
        event.listen(self.engine, "connect", _set_up)
        self._checking: Any = None
        """The connection on which the file is being checked."""
        self._reader = ThreadPoolExecutor(1, "reader")
        self._writer = ThreadPoolExecutor(1, "writer")

    def reserve(self) -> None:
        """A lock on a file beside the database; the system releases it however the server ends."""
        if self._file is None or fcntl is None:
            return
        file = Path(f"{self._file}.lock").open("a+", encoding="utf-8")  # noqa: SIM115  # until `close`
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            file.close()
            raise InUse(
                f"another server (process {holder}) uses this database. Stop it first, or give every "
                f"server a database of its own; several servers can share a PostgreSQL"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        self._reserved = file

    async def read(self, act: Callable[[Connection], T]) -> T:
        def reading() -> T:
            with reported(Unread), self.engine.connect() as connection:
                return act(connection)

        return await asyncio.get_running_loop().run_in_executor(self._reader, reading)

    async def write(self, act: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, act)

    def _write(self, act: Callable[[Connection], T]) -> T:
        with reported(Unsaved), self.engine.connect() as connection:
            self._check_file()
            transaction = connection.begin()
            result = act(connection)
            with committing():
                transaction.commit()
            self._check_file()
            return result

    def _check_file(self) -> None:
        """A deleted file can still be written, but nobody will ever read it."""
        if self._file is not None and _identity(self._file) != self._identity:
            raise Vanished(f"{self._file} was removed or replaced; nothing can be saved until a restart")

    async def damage(self, *, quick: bool) -> list[str]:
        """In a thread and on a connection of its own: a large file takes minutes."""
        return await asyncio.to_thread(self._damage, quick)

    def _damage(self, quick: bool) -> list[str]:
        name = "quick_check" if quick else "integrity_check"
        try:
            with self.engine.connect() as connection:
                self._checking = connection.connection.driver_connection
                checked = connection.exec_driver_sql(f"PRAGMA {name}({MOST_FAULTS})").scalars().all()
                orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(MOST_FAULTS) \
                    if not quick else []
        except SQLAlchemyError as error:
            return [str(getattr(error, "orig", None) or error)]
        finally:
            self._checking = None
        return [line for text in checked if text != "ok" for line in text.splitlines()] + [
            f"row {row} of {table} belongs to a row of {parent} that is missing"
            for table, row, parent, _ in orphans
        ]

    async def close(self) -> None:
        if self._checking is not None:
            self._checking.interrupt()
        for thread in (self._reader, self._writer):
            await asyncio.to_thread(thread.shutdown)
        self.engine.dispose()
        if self._reserved is not None:
            self._reserved.close()

    def insert(self, connection: Connection, into: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """One statement for many rows. After each statement the thread has to wait for the interpreter
        lock: row by row, it took 150 ms on a busy server to save the draws of a round."""
        width = len(into.columns)
        for some in (rows[i : i + MAX_ROWS] for i in range(0, len(rows), MAX_ROWS)):
            places = ", ".join([f"({', '.join('?' * width)})"] * len(some))
            columns = ", ".join(into.columns.keys())
            values = tuple(value for row in some for value in row)
            connection.exec_driver_sql(f"INSERT INTO {into.name} ({columns}) VALUES {places}", values)

    async def append(
        self, rows: Sequence[Row], states: Sequence[TableState], turns: Sequence[TurnRow],
        notices: Sequence[str],
    ) -> None:
        def act(connection: Connection) -> None:
            self.insert(connection, schema.actions, rows)
            if states:
                connection.execute(SET_STATE, [state._asdict() for state in states])
            if turns:
                connection.execute(SET_TURN, [turn._asdict() for turn in turns])

        await self.write(act)

    async def listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Does nothing: there is no other server."""

    def tell(self, connection: Connection, text: str) -> None:
        """Does nothing: there is no other server."""

    @asynccontextmanager
    async def claim(self, name: str) -> AsyncIterator[bool]:
        yield True


def _make_private(file: Path) -> None:
    """Only the owner may read the database: it holds the seeds of running games."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    for part in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        with contextlib.suppress(OSError):  # missing, or of another user who has to take care of it
            part.chmod(0o600)


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _set_up(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
