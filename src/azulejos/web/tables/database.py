"""Runs the store's statements: SQLite in threads of this process, or PostgreSQL on any host.

Both run a function over a connection as one transaction, so every statement is written once. Only
PostgreSQL has what several servers need to share a database.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine, Table, create_engine, event, func, insert, select
from sqlalchemy.engine import URL, make_url

T = TypeVar("T")

CHANNEL = "azulejos"

MAX_ROWS = 1000
"""Rows per statement; SQLite accepts 32,766 values."""


class Database(Protocol):
    engine: Engine

    async def read(self, act: Callable[[Connection], T]) -> T: ...

    async def write(self, act: Callable[[Connection], T]) -> T:
        """Run the function as one transaction: all of it or nothing."""

    async def close(self) -> None: ...

    def insert(self, connection: Connection, into: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert whole rows, as fast as the driver allows."""

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with every text that another server passes to `tell`."""

    def tell(self, connection: Connection, text: str) -> None:
        """Notify other servers when the transaction is committed."""

    def claim(self, name: str) -> AbstractAsyncContextManager[bool]:
        """Whether this server alone holds the name while the context lasts."""


def open_database(url: str) -> Database:
    given = make_url(url)
    name = given.drivername.partition("+")[0]
    if name == "sqlite":
        return SQLite(given.set(drivername="sqlite"))
    if name in ("postgresql", "postgres"):
        return PostgreSQL(given.set(drivername="postgresql"))
    raise ValueError(f"the database is sqlite:///FILE or postgresql://…, not {given.drivername}://")


class SQLite:
    """One server, two threads: one writes, the other reads, so that readers never wait for a lock.

    A transaction is one call into its thread. A call for each statement, as asynchronous drivers do it,
    took 2 ms of CPU per move.
    """

    def __init__(self, url: URL) -> None:
        if url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        patience = {} if "timeout" in url.query else {"timeout": 5}
        self.engine = create_engine(url, connect_args=patience)
        event.listen(self.engine, "connect", _set_up_sqlite)
        self._reader = ThreadPoolExecutor(1, "reader")
        self._writer = ThreadPoolExecutor(1, "writer")

    async def read(self, act: Callable[[Connection], T]) -> T:
        def reading() -> T:
            with self.engine.connect() as connection:
                return act(connection)

        return await asyncio.get_running_loop().run_in_executor(self._reader, reading)

    async def write(self, act: Callable[[Connection], T]) -> T:
        def writing() -> T:
            with self.engine.begin() as connection:
                return act(connection)

        return await asyncio.get_running_loop().run_in_executor(self._writer, writing)

    async def close(self) -> None:
        for thread in (self._reader, self._writer):
            await asyncio.to_thread(thread.shutdown)
        self.engine.dispose()

    def insert(self, connection: Connection, into: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """One statement for many rows. After each statement the thread has to wait for the interpreter
        lock: row by row, it took 150 ms on a busy server to save the draws of a round."""
        width = len(into.columns)
        for some in (rows[i : i + MAX_ROWS] for i in range(0, len(rows), MAX_ROWS)):
            places = ", ".join([f"({', '.join('?' * width)})"] * len(some))
            columns = ", ".join(into.columns.keys())
            values = tuple(value for row in some for value in row)
            connection.exec_driver_sql(f"INSERT INTO {into.name} ({columns}) VALUES {places}", values)

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Does nothing: there is no other server."""

    def tell(self, connection: Connection, text: str) -> None:
        """Does nothing: there is no other server."""

    @asynccontextmanager
    async def claim(self, name: str) -> AsyncIterator[bool]:
        yield True


def _set_up_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class PostgreSQL:
    """Any number of servers. Each keeps one connection open, to listen to the others and to hold claims.

    A claim is an advisory lock. `SELECT … FOR UPDATE SKIP LOCKED` would need a row for every bot's turn and
    a transaction (a connection of the pool) for as long as the bot thinks; on the table's row it would
    block the very move that the bot chooses. A session lock needs neither, and if a server dies, all its
    claims are released at once too.
    """

    def __init__(self, url: URL) -> None:
        from sqlalchemy.ext.asyncio import create_async_engine

        self._url = url.render_as_string(hide_password=False)
        self._engine = create_async_engine(
            url.set(drivername="postgresql+asyncpg"), pool_pre_ping=True, pool_size=20
        )
        self.engine = self._engine.sync_engine
        self._session: Any = None
        self._alone = asyncio.Lock()
        self._on_notice: Callable[..., None] | None = None

    async def read(self, act: Callable[[Connection], T]) -> T:
        async with self._engine.connect() as connection:
            return await connection.run_sync(act)

    async def write(self, act: Callable[[Connection], T]) -> T:
        async with self._engine.begin() as connection:
            return await connection.run_sync(act)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
        await self._engine.dispose()

    def insert(self, connection: Connection, into: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        names = into.columns.keys()
        if rows:
            connection.execute(insert(into), [dict(zip(names, row, strict=True)) for row in rows])

    async def listen(self, heard: Callable[[str], None]) -> None:
        def on_notice(_connection: object, _pid: int, _channel: str, payload: str) -> None:
            heard(payload)

        async with self._alone:
            self._on_notice = on_notice
            await (await self._own_session()).add_listener(CHANNEL, on_notice)

    def tell(self, connection: Connection, text: str) -> None:
        connection.execute(select(func.pg_notify(CHANNEL, text)))

    @asynccontextmanager
    async def claim(self, name: str) -> AsyncIterator[bool]:
        ours = await self._ask("pg_try_advisory_lock", name)
        try:
            yield ours
        finally:
            if ours:
                await self._ask("pg_advisory_unlock", name)

    async def _ask(self, function: str, name: str) -> bool:
        async with self._alone:
            session = await self._own_session()
            return bool(await session.fetchval(f"SELECT {function}(hashtextextended($1, 0))", name))

    async def _own_session(self) -> Any:
        """The open connection; a lost one is reopened and listens again."""
        if self._session is None or self._session.is_closed():
            import asyncpg

            self._session = await asyncpg.connect(self._url)
            if self._on_notice is not None:
                await self._session.add_listener(CHANNEL, self._on_notice)
        return self._session
