"""The log is the truth: tables, seats and actions in SQLite or PostgreSQL, through one code path.

A method returns after its transaction is committed, or raises and has changed nothing.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Row, bindparam, event, func, insert, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from azulejos.web import schema
from azulejos.web.saved import FINISHED, OPEN, PLAYING, WAITING, SavedAction, SavedSeat, SavedTable
from azulejos.web.together import Together

DRIVERS = {
    "sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg",
}


CHANNEL = "azulejos"

_SET_STATE = (
    update(schema.tables).where(schema.tables.c.id == bindparam("which"))
    .values(state=bindparam("new"), changed=bindparam("when"))
)


class Unsaved(Exception):
    """The store could not be written (full disk, locked, gone). Nothing was changed."""


class Overtaken(Exception):
    """Somebody else has written this ply: the table has moved on."""


def data_folder() -> Path:
    """Where games and the server's secret are kept; ``AZULEJOS_DATA`` moves it."""
    chosen = os.environ.get("AZULEJOS_DATA")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "share") / "azulejos"


def default_url() -> str:
    return f"sqlite:///{data_folder() / 'games.sqlite'}"


def _engine(url: str) -> AsyncEngine:
    given = make_url(url)
    name = given.drivername.partition("+")[0]
    if name not in DRIVERS:
        raise ValueError(f"the database is sqlite:///FILE or postgresql://…, not {given.drivername}://")
    given = given.set(drivername=DRIVERS[name])
    if name != "sqlite":
        return create_async_engine(given, pool_pre_ping=True, pool_size=20)
    if given.database and given.database != ":memory:":
        Path(given.database).parent.mkdir(parents=True, exist_ok=True)
    patience = {} if "timeout" in given.query else {"timeout": 5}
    engine = create_async_engine(given, connect_args=patience)
    event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@dataclass(frozen=True, slots=True)
class Append:
    """Actions to write behind the first `ply` ones of a table."""

    table: str
    ply: int
    entries: tuple[SavedAction, ...]
    over: bool


class Store:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._name = secrets.token_hex(8)
        self._shared = engine.dialect.name == "postgresql"
        self._ear: Any = None
        self._appends = Together(self._append_all, own_fault=IntegrityError)

    @classmethod
    async def open(cls, url: str) -> Store:
        store = cls(_engine(url))
        try:
            async with store._writing() as connection:
                await connection.run_sync(schema.migrate)
        except BaseException:
            await store.close()
            raise
        return store

    async def close(self) -> None:
        if self._ear is not None:
            await self._ear.close()
        await self._engine.dispose()

    # --- several servers on one PostgreSQL -----------------------------------------------------------

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Call `heard(table)` whenever another server has changed a table. SQLite has one server."""
        if not self._shared:
            return
        import asyncpg

        def on_notice(_connection: object, _pid: int, _channel: str, payload: str) -> None:
            sender, _, table = payload.partition(" ")
            if sender != self._name:
                heard(table)

        url = self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._ear = await asyncpg.connect(url)
        await self._ear.add_listener(CHANNEL, on_notice)

    async def _tell(self, connection: AsyncConnection, table: str) -> None:
        """Say that a table has changed; others hear it when the transaction is committed."""
        if self._shared:
            await connection.execute(select(func.pg_notify(CHANNEL, f"{self._name} {table}")))

    @asynccontextmanager
    async def claim(self, table: str) -> AsyncIterator[bool]:
        """Whether this server may think for a table's bots; another one that does keeps the claim.

        A lock of its own, not the table's row: a row lock would hold up the very move it leads to.
        """
        if not self._shared:
            yield True
            return
        async with self._engine.connect() as connection:
            lock = func.pg_try_advisory_xact_lock(func.hashtextextended(table, 0))
            yield bool((await connection.execute(select(lock))).scalar_one())
            await connection.rollback()

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise Unsaved(str(error.orig)) from error
        except OSError as error:
            raise Unsaved(str(error)) from error

    # --- tables ------------------------------------------------------------------------------------

    async def create(self, table: SavedTable) -> None:
        async with self._writing() as connection:
            await connection.execute(insert(schema.tables).values(**_table_values(table)))
            await connection.execute(insert(schema.seats), [_seat_values(table.id, s) for s in table.seats])
            if table.actions:
                await connection.execute(insert(schema.actions), _log_values(table.id, 0, table.actions))

    async def load(self, table: str) -> SavedTable | None:
        async with self._engine.connect() as connection:
            row = (await connection.execute(
                select(schema.tables).where(schema.tables.c.id == table)
            )).one_or_none()
            if row is None:
                return None
            log = await connection.execute(
                select(schema.actions).where(schema.actions.c.table_id == table)
                .order_by(schema.actions.c.ply)
            )
            entries = tuple(SavedAction(action=r.action, seat=r.seat, at=r.at) for r in log)
            return replace(_table(row), seats=await _seats(connection, table), actions=entries)

    async def append(self, table: str, ply: int, entries: Sequence[SavedAction], *, over: bool) -> None:
        """Write actions behind the first `ply` ones, all or none; Overtaken if others stand there."""
        try:
            await self._appends.write(Append(table, ply, tuple(entries), over))
        except IntegrityError as error:
            raise Overtaken(f"ply {ply} of {table} is written already") from error

    async def at_rest(self) -> None:
        """Returns when no actions are being written."""
        await self._appends.at_rest()

    async def _append_all(self, batch: Sequence[Append]) -> None:
        log = [row for one in batch for row in _log_values(one.table, one.ply, one.entries)]
        when = time.time()
        states = [
            {"which": one.table, "new": FINISHED if one.over else PLAYING, "when": when} for one in batch
        ]
        async with self._writing() as connection:
            if log:
                await connection.execute(insert(schema.actions), log)
            await connection.execute(_SET_STATE, states)
            for one in batch:
                await self._tell(connection, one.table)

    async def set_rematch(self, table: str, rematch: str) -> str:
        """Link the next game to a finished one; the first wins, and its id is returned."""
        columns = schema.tables.c
        async with self._writing() as connection:
            await connection.execute(
                update(schema.tables).where(columns.id == table, columns.rematch.is_(None))
                .values(rematch=rematch)
            )
            found = await connection.execute(select(columns.rematch).where(columns.id == table))
            await self._tell(connection, table)
            return str(found.scalar_one())

    # --- seats -------------------------------------------------------------------------------------

    async def sit(self, table: str, seat: int, name: str, key: str) -> bool:
        """Take a free chair; False if somebody was faster."""
        chair = (schema.seats.c.table_id == table) & (schema.seats.c.seat == seat)
        async with self._writing() as connection:
            taken = await connection.execute(
                update(schema.seats).where(chair, schema.seats.c.kind == OPEN)
                .values(kind="human", name=name)
            )
            if taken.rowcount != 1:
                return False
            await connection.execute(insert(schema.keys).values(table_id=table, seat=seat, key=key))
            await self._tell(connection, table)
            return True

    async def set_seat(self, table: str, seat: SavedSeat) -> None:
        chair = (schema.seats.c.table_id == table) & (schema.seats.c.seat == seat.seat)
        async with self._writing() as connection:
            await connection.execute(
                update(schema.seats).where(chair).values(kind=seat.kind, name=seat.name, bot=seat.bot)
            )
            await self._tell(connection, table)

    async def give_key(self, table: str, seat: int, key: str) -> None:
        """Let the holder of a key play this seat too (another device of the same person)."""
        if seat in await self.seats_of(table, key):
            return
        async with self._writing() as connection:
            await connection.execute(insert(schema.keys).values(table_id=table, seat=seat, key=key))

    async def seats_of(self, table: str, key: str) -> frozenset[int]:
        async with self._engine.connect() as connection:
            found = await connection.execute(
                select(schema.keys.c.seat).where(schema.keys.c.table_id == table, schema.keys.c.key == key)
            )
            return frozenset(int(seat) for seat in found.scalars())

    async def holders(self, table: str) -> list[tuple[int, str]]:
        """Every seat with every key that plays it."""
        async with self._engine.connect() as connection:
            found = await connection.execute(
                select(schema.keys.c.seat, schema.keys.c.key).where(schema.keys.c.table_id == table)
            )
            return [(int(row.seat), str(row.key)) for row in found]

    # --- lists -------------------------------------------------------------------------------------

    async def listed(self, *, limit: int = 30) -> list[SavedTable]:
        """Tables that everybody may see: waiting ones first, then those in play, newest first."""
        columns = schema.tables.c
        return await self._list(
            select(schema.tables).where(columns.listed == 1, columns.state.in_((WAITING, PLAYING)))
            .order_by(columns.state.desc(), columns.changed.desc()).limit(limit)
        )

    async def mine(self, key: str, *, limit: int = 30) -> list[SavedTable]:
        """Tables where the holder of a key sits, running ones first."""
        columns = schema.tables.c
        own = select(schema.keys.c.table_id).where(schema.keys.c.key == key)
        return await self._list(
            select(schema.tables).where(columns.id.in_(own))
            .order_by((columns.state == FINISHED), columns.changed.desc()).limit(limit)
        )

    async def running(self) -> list[str]:
        """Ids of tables in play: after a restart their bots go on."""
        async with self._engine.connect() as connection:
            found = await connection.execute(
                select(schema.tables.c.id).where(schema.tables.c.state == PLAYING)
            )
            return [str(table) for table in found.scalars()]

    async def every_table(self) -> AsyncIterator[SavedTable]:
        async with self._engine.connect() as connection:
            found = await connection.execute(select(schema.tables.c.id).order_by(schema.tables.c.created))
            ids = [str(table) for table in found.scalars()]
        for one in ids:
            table = await self.load(one)
            if table is not None:
                yield table

    async def count_actions(self) -> int:
        async with self._engine.connect() as connection:
            found = await connection.execute(select(func.count()).select_from(schema.actions))
            return int(found.scalar_one())

    async def _list(self, query: Any) -> list[SavedTable]:
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).all()
            return [replace(_table(row), seats=await _seats(connection, row.id)) for row in rows]


async def _seats(connection: AsyncConnection, table: str) -> tuple[SavedSeat, ...]:
    found = await connection.execute(
        select(schema.seats).where(schema.seats.c.table_id == table).order_by(schema.seats.c.seat)
    )
    return tuple(SavedSeat(seat=r.seat, kind=r.kind, name=r.name, bot=r.bot) for r in found)


def _table(row: Row[Any]) -> SavedTable:
    values = dict(row._mapping)
    values["options"] = json.loads(values["options"])
    values["listed"] = bool(values["listed"])
    return SavedTable(**values)


def _table_values(table: SavedTable) -> dict[str, Any]:
    values = {column.name: getattr(table, column.name) for column in schema.tables.columns}
    return {**values, "options": json.dumps(dict(table.options)), "listed": int(table.listed)}


def _seat_values(table: str, seat: SavedSeat) -> dict[str, Any]:
    return {"table_id": table, "seat": seat.seat, "kind": seat.kind, "name": seat.name, "bot": seat.bot}


def _log_values(table: str, ply: int, entries: Sequence[SavedAction]) -> list[dict[str, Any]]:
    return [
        {"table_id": table, "ply": ply + i, "action": e.action, "seat": e.seat, "at": e.at}
        for i, e in enumerate(entries)
    ]
