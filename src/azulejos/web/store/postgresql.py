"""Games in PostgreSQL, for any number of servers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, func, insert, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import IntegrityError

from azulejos.core.message import msg
from azulejos.web.store import schema
from azulejos.web.store.database import Row, TableState, TurnRow
from azulejos.web.store.faults import (
    DatabaseFault, InDoubt, Unread, Unsaved, committing, is_silent, logged, reason_of, reported,
)

T = TypeVar("T")

CHANNEL = "azulejos"

PATIENCE = 3.0
"""Seconds that a statement or a new connection may take: a person is waiting."""

PULSE = 5.0
"""Seconds between questions whether the listening connection is still alive."""

RECONNECT = 0.5
"""Seconds between attempts to listen again."""

APPEND = """
WITH log AS (
    INSERT INTO actions (table_id, ply, action, seat, at, move, to_move, event)
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::bigint[], $6::text[], $7::int[],
                         $8::text[])
), states AS (
    UPDATE tables SET state = new.state, changed = new.changed
    FROM unnest($9::text[], $10::text[], $11::float8[]) AS new (id, state, changed)
    WHERE tables.id = new.id
), due AS (
    INSERT INTO turns (table_id, seat, entries, since, due, told)
    SELECT * FROM unnest($12::text[], $13::int[], $14::int[], $15::bigint[], $16::bigint[], $17::int[])
    ON CONFLICT (table_id) DO UPDATE SET seat = excluded.seat, entries = excluded.entries,
        since = excluded.since, due = excluded.due, told = excluded.told
)
SELECT pg_notify($18, notice) FROM unnest($19::text[]) AS notice
"""
"""The columns of the log are those of the schema, in its order."""

SESSION = {
    "idle_in_transaction_session_timeout": "30s",  # a frozen server must not block the others for ever
    "application_name": "azulejos",
}

log = logging.getLogger("azulejos.web")


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
        self._options: dict[str, Any] = {
            "timeout": PATIENCE, "command_timeout": PATIENCE,
            "server_settings": SESSION | {"statement_timeout": f"{PATIENCE * 1000:.0f}ms"},
        }
        self._engine = create_async_engine(
            url.set(drivername="postgresql+asyncpg"), pool_pre_ping=True, pool_size=20,
            pool_timeout=PATIENCE, connect_args=self._options,
        )
        self.engine = self._engine.sync_engine
        self._session: Any = None
        self._writer: Any = None
        self._writing = asyncio.Lock()
        self._closed = False
        self._alone = asyncio.Lock()
        self._lost = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None
        self._on_notice: Callable[..., None] | None = None
        self._missed: Callable[[], None] = lambda: None

    def reserve(self) -> None:
        """Any number of servers share this database."""

    async def read(self, act: Callable[[Connection], T]) -> T:
        with reported(Unread):
            async with self._engine.connect() as connection:
                return await connection.run_sync(act)

    async def write(self, act: Callable[[Connection], T]) -> T:
        with reported(Unsaved):
            async with self._engine.connect() as connection:
                transaction = await connection.begin()
                result = await connection.run_sync(act)
                with committing():
                    await transaction.commit()
                return result

    async def damage(self, *, quick: bool) -> list[str]:
        """Nothing: PostgreSQL checks its pages as it reads them, and its operator has tools of its own."""
        return []

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        self._closed = True
        if self._session is not None:
            self._session.terminate()
        async with self._writing:  # what is being written may be committed
            if self._writer is not None:
                self._writer.terminate()
        await self._engine.dispose()

    def insert(self, connection: Connection, into: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        names = into.columns.keys()
        if rows:
            connection.execute(insert(into), [dict(zip(names, row, strict=True)) for row in rows])

    async def append(
        self, rows: Sequence[Row], states: Sequence[TableState], turns: Sequence[TurnRow],
        notices: Sequence[str],
    ) -> None:
        """One statement on a connection of its own: one round trip. As a transaction of several statements
        it took five times as much processor time (2.9 ms, and 0.5 ms for each of eight moves together)."""
        columns = _columns(rows, len(schema.actions.columns))
        changes = _columns(states, len(TableState._fields))
        due = _columns(turns, len(TurnRow._fields))
        async with self._writing:
            writer = await self._writer_session()
            try:
                await writer.execute(APPEND, *columns, *changes, *due, CHANNEL, list(notices))
            except Exception as error:  # the driver has errors of its own kinds
                if not _is_definite(error):
                    writer.terminate()
                raise _fault(error) from error

    async def _writer_session(self) -> Any:
        import asyncpg

        if self._closed:
            raise Unsaved(msg("the database cannot be reached"))
        if self._writer is None or self._writer.is_closed():
            try:
                self._writer = await asyncpg.connect(self._url, **self._options)
            except Exception as error:
                raise Unsaved(logged(error)) from error
        return self._writer

    # --- other servers --------------------------------------------------------------------------------

    def tell(self, connection: Connection, text: str) -> None:
        connection.execute(select(func.pg_notify(CHANNEL, text)))

    async def listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        def on_notice(_connection: object, _pid: int, _channel: str, payload: str) -> None:
            heard(payload)

        self._on_notice = on_notice
        with reported(Unread):
            async with self._alone:
                await self._own_session()
        self._missed = missed
        self._listening = asyncio.get_running_loop().create_task(self._keep_listening())

    async def _keep_listening(self) -> None:
        while True:
            await self._until_lost()
            log.warning("database: the connection to other servers is lost; connecting again")
            while not await self._reconnected():
                await asyncio.sleep(RECONNECT)

    async def _until_lost(self) -> None:
        alive = True
        while alive:
            try:
                async with asyncio.timeout(PULSE):
                    await self._lost.wait()
                alive = False
            except TimeoutError:
                alive = await self._answers()

    async def _answers(self) -> bool:
        async with self._alone:
            try:
                return self._session is not None and await self._session.fetchval("SELECT 1") == 1
            except Exception:
                return False

    async def _reconnected(self) -> bool:
        async with self._alone:
            try:
                await self._own_session(fresh=True)
            except Exception as error:  # whatever the driver says, it is tried again
                log.warning("database: %s", reason_of(error))
                return False
            return True

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
            try:
                session = await self._own_session()
                return bool(await session.fetchval(f"SELECT {function}(hashtextextended($1, 0))", name))
            except Exception as error:  # the driver has errors of its own kinds
                raise Unread(reason_of(error)) from error

    async def _own_session(self, *, fresh: bool = False) -> Any:
        """The open connection that listens. A lost one is replaced; what was told meanwhile is missed."""
        if fresh and self._session is not None:
            self._session.terminate()
        if self._session is None or self._session.is_closed():
            import asyncpg

            session = await asyncpg.connect(self._url, **self._options)
            if self._on_notice is not None:
                await session.add_listener(CHANNEL, self._on_notice)
            self._lost.clear()
            self._session = session
            session.add_termination_listener(self._on_end)
            self._missed()
        return self._session

    def _on_end(self, session: object) -> None:
        if session is self._session:
            self._lost.set()


def _columns(rows: Sequence[Row], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


def _is_definite(error: Exception) -> bool:
    """Whether the database itself says that a statement failed, so that nothing was changed. If it ends the
    connection with that, or says nothing, the statement may have been carried out."""
    import asyncpg

    return isinstance(error, asyncpg.PostgresError) and error.as_dict().get("severity") == "ERROR"


def _fault(error: Exception) -> IntegrityError | DatabaseFault:
    import asyncpg

    if isinstance(error, asyncpg.IntegrityConstraintViolationError):
        return IntegrityError("append", {}, error)
    if _is_definite(error):
        return Unsaved(logged(error))
    return InDoubt(logged(error), silent=is_silent(error))
