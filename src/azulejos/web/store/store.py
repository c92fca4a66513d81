"""Tables, seats and actions in SQLite or PostgreSQL, through one code path. The log is authoritative.

A method returns after its transaction is committed, or raises and has changed nothing; only after InDoubt
(the connection broke during a commit) it may have been committed. Conditions are part of the statements, so
that several servers can change a table at the same time.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, exists, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from azulejos.web.store import rows, schema
from azulejos.web.store.company import Company
from azulejos.web.store.database import Database, TableState, TurnRow, open_database
from azulejos.web.store.faults import DatabaseFault, InDoubt, Overtaken
from azulejos.web.store.rows import Append
from azulejos.web.store.saved import (
    FINISHED, OPEN, PLAYING, REMIND, WAITING, CarryLink, SavedAction, SavedSeat, SavedTable, now,
)

# --- group commit: small writes from many tables, made durable together -----------------------------------

T = TypeVar("T")

GATHER = 0.004
"""Seconds to wait for more items before a batch is written; the event loop is free meanwhile."""


class Together(Generic[T]):
    """Items that arrive shortly before or during a write form one batch: the disk is waited for once.

    A disk takes about 4 ms to make a write durable: with one write per item, 200 tables would queue.
    """

    def __init__(
        self, write: Callable[[Sequence[T]], Awaitable[None]], *, own_fault: type[Exception]
    ) -> None:
        self._write = write
        self._own_fault = own_fault
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None
        self._at_rest = asyncio.Event()
        self._at_rest.set()

    async def write(self, item: T) -> None:
        """Returns when the item is written; raises the error if it cannot be written."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._waiting.append((item, written))
        if self._task is None:
            self._task = loop.create_task(self._run())
        await written

    async def _run(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(GATHER)
                batch, self._waiting = self._waiting, []
                self._at_rest.clear()
                await self._write_batch(batch)
                self._at_rest.set()
        finally:
            self._at_rest.set()
            self._task = None

    async def at_rest(self) -> None:
        """Returns when nothing is being written."""
        await self._at_rest.wait()

    async def _write_batch(self, batch: list[tuple[T, asyncio.Future[None]]]) -> None:
        """Write all items at once. If one of them is at fault, write each separately: one failed write does
        not fail the others in its group."""
        try:
            await self._write([item for item, _ in batch])
        except Exception as error:
            if len(batch) > 1 and isinstance(error, self._own_fault):
                for one in batch:
                    await self._write_batch([one])
            else:
                _settle(batch, error)
        else:
            _settle(batch, None)


def _settle(batch: Sequence[tuple[object, asyncio.Future[None]]], error: Exception | None) -> None:
    for _, written in batch:
        if written.done():  # the caller was cancelled
            continue
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)


# --- tables, seats and actions ----------------------------------------------------------------------------

TOUCH = 60.0
"""Seconds between updates of a table's time of last play: most moves write only their actions."""

MAX_TOUCHED = 10_000

TOLD_AT_ONCE = 200
"""Tables in one notice, which may have 8000 bytes."""

_GIVE_KEY = text(
    "INSERT INTO keys (table_id, seat, key, guest) VALUES (:table, :seat, :key, 0) "
    "ON CONFLICT (table_id, seat, key) DO UPDATE SET guest = 0"
)


def data_folder() -> Path:
    """The folder of games and of the server's secret; ``AZULEJOS_DATA`` changes it."""
    chosen = os.environ.get("AZULEJOS_DATA")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "share") / "azulejos"


def default_url() -> str:
    return f"sqlite:///{data_folder() / 'games.sqlite'}"


class Held(NamedTuple):
    playing: frozenset[int]
    """Seats to play: not those for which somebody else plays as a guest."""
    own: frozenset[int]


class Store:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._name = secrets.token_hex(8)
        self._appends = Together(self._append_all, own_fault=IntegrityError)
        self._touched: dict[str, float] = {}
        self.company = Company(self)

    @classmethod
    async def open(cls, url: str, *, serving: bool = False) -> Store:
        """Open a database, up to date. A server (`serving`) raises InUse if it may not share it."""
        store = cls(open_database(url))
        try:
            if serving:
                store.database.reserve()
            await store.database.write(schema.prepare)
        except BaseException:
            await store.close()
            raise
        return store

    async def close(self) -> None:
        await self.database.close()

    # --- several servers on one database -------------------------------------------------------------

    async def listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Call `heard(table)` whenever another server has changed a table, and `missed` when any table may
        have been changed unnoticed."""

        def on_notice(text: str) -> None:
            sender, *tables = text.split(" ")
            if sender != self._name:
                for table in tables:
                    heard(table)

        await self.database.listen(on_notice, missed)

    def tell(self, connection: Connection, table: str) -> None:
        """Tell other servers, once the transaction is committed, that a table has changed."""
        self.database.tell(connection, f"{self._name} {table}")

    def claim(self, table: str) -> AbstractAsyncContextManager[bool]:
        """Whether this server may run a table's bots; if another server does, it keeps the claim."""
        return self.database.claim(table)

    # --- tables ------------------------------------------------------------------------------------

    async def create(
        self, table: SavedTable, keys: Iterable[tuple[int, str]] = (), *, rematch_of: str | None = None
    ) -> str:
        """Create a table with the keys of its seats; return its id.

        The next game of a finished one (`rematch_of`) is created once: later calls return the first id.
        """

        def act(connection: Connection) -> str:
            if rematch_of is not None and not self._link(connection, rematch_of, table.id):
                return _rematch(connection, rematch_of)
            self.insert(connection, table, keys)
            return table.id

        return await self.database.write(act)

    def insert(self, connection: Connection, table: SavedTable, keys: Iterable[tuple[int, str]]) -> None:
        """Create a table as a part of a larger transaction."""
        connection.execute(insert(schema.tables).values(**rows.table_values(table)))
        connection.execute(insert(schema.seats), [rows.seat_values(table.id, s) for s in table.seats])
        for seat, key in keys:
            connection.execute(_GIVE_KEY, {"table": table.id, "seat": seat, "key": key})
        begun = Append(table.id, 0, table.actions, over=table.state == FINISHED)
        self.database.insert(connection, schema.actions, rows.log_rows(begun))

    def _link(self, connection: Connection, table: str, rematch: str) -> bool:
        """Link the next game to a finished one; False if it has one already."""
        columns = schema.tables.c
        linked = connection.execute(
            update(schema.tables).where(columns.id == table, columns.rematch.is_(None))
            .values(rematch=rematch)
        )
        self.tell(connection, table)
        return linked.rowcount == 1

    async def load(self, table: str) -> SavedTable | None:
        return await self.database.read(lambda connection: rows.load(connection, table))

    async def append(
        self, table: str, ply: int, entries: Sequence[SavedAction], *, over: bool,
        to_move: int | None = None, turn: TurnRow | None = None,
    ) -> None:
        """Write actions after the first `ply` ones, all or none; Overtaken if other actions are there."""
        try:
            await self._appends.write(Append(table, ply, tuple(entries), over, to_move, turn))
        except IntegrityError as error:
            raise Overtaken(f"ply {ply} of {table} is written already") from error

    async def at_rest(self) -> None:
        """Returns when no actions are being written."""
        await self._appends.at_rest()

    async def _append_all(self, batch: Sequence[Append]) -> None:
        log = [row for one in batch for row in rows.log_rows(one)]
        when = now() / 1000
        due = [one for one in batch if one.over or self._touched.get(one.table, 0.0) < when - TOUCH]
        states = [TableState(one.table, FINISHED if one.over else PLAYING, when) for one in due]
        notices = [
            " ".join((self._name, *(one.table for one in batch[first : first + TOLD_AT_ONCE])))
            for first in range(0, len(batch), TOLD_AT_ONCE)
        ]
        turns = [one.turn for one in batch if one.turn is not None]
        await self._certainly(lambda: self.database.append(log, states, turns, notices), batch)
        self._touched |= {one.table: when for one in due}
        while len(self._touched) > MAX_TOUCHED:
            del self._touched[next(iter(self._touched))]

    async def _certainly(self, write: Callable[[], Awaitable[None]], batch: Sequence[Append]) -> None:
        """Write actions. If the answer to the commit was lost, the same rows are written once more: no two
        actions share a ply, so they are refused if they are there, after a commit in progress has ended."""
        try:
            await self._or_written(write, batch)
        except InDoubt as doubt:
            if doubt.silent:
                raise
            try:
                await self._or_written(write, batch)
            except DatabaseFault:  # this time nothing was changed, but the first time?
                raise doubt from None

    async def _or_written(self, write: Callable[[], Awaitable[None]], batch: Sequence[Append]) -> None:
        try:
            await write()
        except IntegrityError:
            if len(batch) > 1 or not await self._written(batch[0]):
                raise

    async def _written(self, one: Append) -> bool:
        """Whether exactly these actions are in the log."""
        log = schema.actions.c
        found = await self.rows(
            select(schema.actions).where(log.table_id == one.table, log.ply >= one.ply)
            .order_by(log.ply).limit(len(one.entries))
        )
        return bool(one.entries) and [tuple(row) for row in found] == rows.log_rows(one)

    # --- seats -------------------------------------------------------------------------------------

    async def sit(
        self, table: str, seat: int, name: str, key: str, *, not_both: Sequence[str] = (), face: str = "",
        program: bool = False,
    ) -> bool:
        """Take a free seat; False if somebody else has taken it, or if the holder of the key has a seat at
        one of the tables of which nobody may have two."""

        def act(connection: Connection) -> bool:
            if not_both and _sits(connection, not_both, key):
                return False
            taken = connection.execute(
                update(schema.seats).where(rows.chair(table, seat), schema.seats.c.kind == OPEN)
                .values(kind="human", name=name, seen=now(), face=face, program=int(program))
            )
            if taken.rowcount != 1:
                return False
            connection.execute(insert(schema.keys).values(table_id=table, seat=seat, key=key, guest=0))
            self.tell(connection, table)
            return True

        return await self.database.write(act)

    async def set_seat(self, table: str, seat: SavedSeat, *, before: SavedSeat | None = None) -> bool:
        """Change a seat; False if it is no longer as it was `before`, if that is given."""
        condition = rows.chair(table, seat.seat)
        if before is not None:
            condition &= rows.same_seat(before)

        def act(connection: Connection) -> bool:
            changed = connection.execute(
                update(schema.seats).where(condition)
                .values(kind=seat.kind, name=seat.name, bot=seat.bot)
            )
            self.tell(connection, table)
            return changed.rowcount == 1

        return await self.database.write(act)

    async def carry(self, link: CarryLink, key: str) -> bool:
        """Let the holder of a key own this seat too (another device of the same person). False if the link
        was not made by an owner of the seat, or if other devices have been forgotten since."""
        keys = schema.keys.c
        makers = select(keys.key).where(
            keys.table_id == link.table, keys.seat == link.seat, keys.guest == 0,
            keys.key.startswith(link.maker, autoescape=True),
        )

        def act(connection: Connection) -> bool:
            times = rows.revocations(connection, link.table, link.seat)
            if times != link.revocations or not connection.execute(makers).first():
                return False
            connection.execute(_GIVE_KEY, {"table": link.table, "seat": link.seat, "key": key})
            return True

        return await self.database.write(act)

    async def held(self, table: str, key: str) -> Held:
        """The seats that the holder of a key plays, and those that are theirs."""
        keys, seats = schema.keys.c, schema.seats.c
        query = select(keys.seat, keys.guest, seats.guest.label("plays")).where(
            keys.table_id == table, keys.key == key, seats.table_id == table, seats.seat == keys.seat
        )
        found = await self.rows(query)
        return Held(
            frozenset(int(row.seat) for row in found if bool(row.guest) == bool(row.plays)),
            frozenset(int(row.seat) for row in found if not row.guest),
        )

    async def seats_of(self, table: str, key: str) -> frozenset[int]:
        """The seats that the holder of a key plays."""
        return (await self.held(table, key)).playing

    async def holders(self, table: str) -> list[tuple[int, str]]:
        """Every seat with every key that owns it."""
        keys = schema.keys.c
        found = await self.rows(
            select(keys.seat, keys.key).where(keys.table_id == table, keys.guest == 0)
        )
        return [(int(row.seat), str(row.key)) for row in found]

    async def waiting(self, key: str) -> int:
        """At how many tables the holder of a key waits for others."""
        tables, keys = schema.tables.c, schema.keys.c
        own = select(keys.table_id).where(keys.key == key, keys.guest == 0)
        query = select(func.count().label("n")).where(tables.id.in_(own), tables.state == WAITING)
        return int((await self.rows(query))[0].n)

    # --- lists -------------------------------------------------------------------------------------

    async def listed(self, *, limit: int = 30) -> list[SavedTable]:
        """Public tables: waiting ones first, then those in play, newest first."""
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

    async def waiting_for_bots(self, word: str) -> list[str]:
        """Ids of the tables in play where this bot is to move, or may be: nobody has moved."""
        last = (
            select(schema.actions.c.to_move).where(schema.actions.c.table_id == schema.tables.c.id)
            .order_by(schema.actions.c.ply.desc()).limit(1).scalar_subquery()
        )
        bots = schema.seats.c
        due = exists().where(
            bots.table_id == schema.tables.c.id, bots.bot == word,
            func.coalesce(last, bots.seat) == bots.seat,
        )
        columns = schema.tables.c
        found = await self.rows(select(columns.id).where(columns.state == PLAYING, due))
        return [str(row.id) for row in found]

    async def turns_of(self, key: str, *, limit: int = 20) -> list[str]:
        """Ids of the tables in play where the holder of a key is to move, what waits longest first."""
        tables, keys, seats = schema.tables.c, schema.keys.c, schema.seats.c
        last = (
            select(schema.actions.c.to_move).where(schema.actions.c.table_id == tables.id)
            .order_by(schema.actions.c.ply.desc()).limit(1).scalar_subquery()
        )
        found = await self.rows(
            select(tables.id).join(schema.keys, keys.table_id == tables.id)
            .join(schema.seats, (seats.table_id == tables.id) & (seats.seat == keys.seat))
            .where(keys.key == key, keys.guest == 0, tables.state == PLAYING, seats.bot == "",
                   seats.guest == "", last == keys.seat)
            .order_by(tables.changed).limit(limit)
        )
        return [str(row.id) for row in found]

    async def with_running_clocks(self) -> list[str]:
        """Ids of the tables in play where something happens when a clock reaches 0:00."""
        columns = schema.tables.c
        found = await self.rows(select(columns.id).where(
            columns.state == PLAYING, columns.minutes > 0, columns.at_zero != REMIND
        ))
        return [str(row.id) for row in found]

    async def tables_where(self, *conditions: ColumnElement[bool], limit: int) -> list[SavedTable]:
        """Tables with their seats: waiting ones first, then those in play, newest first."""
        columns = schema.tables.c
        return await self._list(
            select(schema.tables).where(*conditions)
            .order_by(columns.state.desc(), columns.changed.desc()).limit(limit)
        )

    async def every_id(self) -> list[str]:
        """Ids of all tables, the oldest first."""
        columns = schema.tables.c
        return [str(row.id) for row in await self.rows(select(columns.id).order_by(columns.created))]

    async def every_table(self) -> AsyncIterator[SavedTable]:
        for name in await self.every_id():
            table = await self.load(name)
            if table is not None:
                yield table

    async def rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        return await self.database.read(lambda connection: connection.execute(query).all())

    async def _list(self, query: Select[Any]) -> list[SavedTable]:
        def act(connection: Connection) -> list[SavedTable]:
            found = connection.execute(query).all()
            return [replace(rows.table_of(row), seats=rows.seats_of(connection, row.id)) for row in found]

        return await self.database.read(act)


def _sits(connection: Connection, tables: Sequence[str], key: str) -> bool:
    """Whether the holder of a key has a seat at one of some tables. Their seats are locked until the end of
    the transaction, so that nobody sits down at two of them at the same time."""
    seats, keys = schema.seats.c, schema.keys.c
    connection.execute(
        select(seats.seat).where(seats.table_id.in_(tables)).order_by(seats.table_id, seats.seat)
        .with_for_update()
    )
    found = select(keys.seat).where(keys.table_id.in_(tables), keys.key == key, keys.guest == 0)
    return connection.execute(found).first() is not None


def _rematch(connection: Connection, table: str) -> str:
    columns = schema.tables.c
    return str(connection.execute(select(columns.rematch).where(columns.id == table)).scalar_one())
