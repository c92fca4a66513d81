"""Tables, seats and actions in SQLite or PostgreSQL, through one code path. The log is authoritative.

A method returns after its transaction is committed, or raises and has changed nothing.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError

from azulejos.core.message import msg
from azulejos.web.tables import schema
from azulejos.web.tables.database import Database, open_database
from azulejos.web.tables.group_commit import Together
from azulejos.web.tables.saved import (
    FINISHED,
    OPEN,
    PLAYING,
    WAITING,
    SavedAction,
    SavedSeat,
    SavedTable,
    now,
)

T = TypeVar("T")

TOUCH = 60.0
"""Seconds between updates of a table's time of last play: most moves write only their actions."""

MAX_TOUCHED = 10_000

_SET_STATE = (
    update(schema.tables).where(schema.tables.c.id == bindparam("which"))
    .values(state=bindparam("new"), changed=bindparam("when"))
)


class Unsaved(Exception):
    """The store could not be written (disk full, locked, missing). Nothing was changed."""


class Overtaken(Exception):
    """Another action has been written at this ply: the table has moved on."""


def data_folder() -> Path:
    """The folder of games and of the server's secret; ``AZULEJOS_DATA`` changes it."""
    chosen = os.environ.get("AZULEJOS_DATA")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "share") / "azulejos"


def default_url() -> str:
    return f"sqlite:///{data_folder() / 'games.sqlite'}"


@dataclass(frozen=True, slots=True)
class Append:
    """Actions to write after the first `ply` actions of a table."""

    table: str
    ply: int
    entries: tuple[SavedAction, ...]
    over: bool
    to_move: int | None = None
    """Who is to move after them, so that a table is found that waits for a bot; None: unknown."""


class Store:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._name = secrets.token_hex(8)
        self._appends = Together(self._append_all, own_fault=IntegrityError)
        self._touched: dict[str, float] = {}

    @classmethod
    async def open(cls, url: str) -> Store:
        store = cls(open_database(url))
        try:
            await store._write(schema.migrate)
        except BaseException:
            await store.close()
            raise
        return store

    async def close(self) -> None:
        await self.database.close()

    async def _write(self, act: Callable[[Connection], T]) -> T:
        try:
            return await self.database.write(act)
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise Unsaved(str(error.orig)) from error
        except OSError as error:
            raise Unsaved(str(error)) from error

    # --- several servers on one database -------------------------------------------------------------

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Call `heard(table)` whenever another server has changed a table."""

        def on_notice(text: str) -> None:
            sender, _, table = text.partition(" ")
            if sender != self._name:
                heard(table)

        await self.database.listen(on_notice)

    def _tell(self, connection: Connection, table: str) -> None:
        self.database.tell(connection, f"{self._name} {table}")

    def claim(self, table: str) -> AbstractAsyncContextManager[bool]:
        """Whether this server may run a table's bots; if another server does, it keeps the claim."""
        return self.database.claim(table)

    # --- tables ------------------------------------------------------------------------------------

    async def create(self, table: SavedTable) -> None:
        def act(connection: Connection) -> None:
            connection.execute(insert(schema.tables).values(**_table_values(table)))
            connection.execute(insert(schema.seats), [_seat_values(table.id, s) for s in table.seats])
            if table.actions:
                begun = Append(table.id, 0, table.actions, over=table.state == FINISHED)
                self.database.insert(connection, schema.actions, _log_rows(begun))

        await self._write(act)

    async def load(self, table: str) -> SavedTable | None:
        return await self.database.read(lambda connection: _load(connection, table))

    async def append(
        self, table: str, ply: int, entries: Sequence[SavedAction], *, over: bool,
        to_move: int | None = None,
    ) -> None:
        """Write actions after the first `ply` ones, all or none; Overtaken if other actions are there."""
        try:
            await self._appends.write(Append(table, ply, tuple(entries), over, to_move))
        except IntegrityError as error:
            raise Overtaken(f"ply {ply} of {table} is written already") from error

    async def at_rest(self) -> None:
        """Returns when no actions are being written."""
        await self._appends.at_rest()

    async def _append_all(self, batch: Sequence[Append]) -> None:
        log = [row for one in batch for row in _log_rows(one)]
        when = now() / 1000
        due = [one for one in batch if one.over or self._touched.get(one.table, 0.0) < when - TOUCH]
        states = [
            {"which": one.table, "new": FINISHED if one.over else PLAYING, "when": when} for one in due
        ]

        def act(connection: Connection) -> None:
            self.database.insert(connection, schema.actions, log)
            if states:
                connection.execute(_SET_STATE, states)
            for one in batch:
                self._tell(connection, one.table)

        await self._write(act)
        self._touched |= {one.table: when for one in due}
        while len(self._touched) > MAX_TOUCHED:
            del self._touched[next(iter(self._touched))]

    async def set_rematch(self, table: str, rematch: str) -> str:
        """Link the next game to a finished one. The first call wins; the id of its game is returned."""
        columns = schema.tables.c

        def act(connection: Connection) -> str:
            connection.execute(
                update(schema.tables).where(columns.id == table, columns.rematch.is_(None))
                .values(rematch=rematch)
            )
            self._tell(connection, table)
            return str(connection.execute(select(columns.rematch).where(columns.id == table)).scalar_one())

        return await self._write(act)

    # --- seats -------------------------------------------------------------------------------------

    async def sit(self, table: str, seat: int, name: str, key: str) -> bool:
        """Take a free seat; False if somebody else has taken it."""

        def act(connection: Connection) -> bool:
            taken = connection.execute(
                update(schema.seats).where(_chair(table, seat), schema.seats.c.kind == OPEN)
                .values(kind="human", name=name)
            )
            if taken.rowcount != 1:
                return False
            connection.execute(insert(schema.keys).values(table_id=table, seat=seat, key=key, guest=0))
            self._tell(connection, table)
            return True

        return await self._write(act)

    async def set_seat(self, table: str, seat: SavedSeat) -> None:
        def act(connection: Connection) -> None:
            connection.execute(
                update(schema.seats).where(_chair(table, seat.seat))
                .values(kind=seat.kind, name=seat.name, bot=seat.bot)
            )
            self._tell(connection, table)

        await self._write(act)

    async def give_key(self, table: str, seat: int, key: str) -> None:
        """Let the holder of a key play this seat too (another device of the same person)."""
        if seat in await self.seats_of(table, key):
            return
        given = insert(schema.keys).values(table_id=table, seat=seat, key=key, guest=0)
        await self._write(lambda connection: connection.execute(given))

    async def seats_of(self, table: str, key: str) -> frozenset[int]:
        keys = schema.keys.c
        found = await self._rows(select(keys.seat).where(keys.table_id == table, keys.key == key))
        return frozenset(int(row.seat) for row in found)

    async def holders(self, table: str) -> list[tuple[int, str]]:
        """Every seat with every key that plays it."""
        keys = schema.keys.c
        found = await self._rows(select(keys.seat, keys.key).where(keys.table_id == table))
        return [(int(row.seat), str(row.key)) for row in found]

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

    async def waiting_for_bots(self) -> list[str]:
        """Ids of the tables in play where a bot is to move, or may be: the last action does not say."""
        last = (
            select(schema.actions.c.to_move).where(schema.actions.c.table_id == schema.tables.c.id)
            .order_by(schema.actions.c.ply.desc()).limit(1).scalar_subquery()
        )
        bots = schema.seats.c
        due = exists().where(
            bots.table_id == schema.tables.c.id, bots.bot != "", func.coalesce(last, bots.seat) == bots.seat
        )
        columns = schema.tables.c
        found = await self._rows(select(columns.id).where(columns.state == PLAYING, due))
        return [str(row.id) for row in found]

    async def every_table(self) -> AsyncIterator[SavedTable]:
        columns = schema.tables.c
        for row in await self._rows(select(columns.id).order_by(columns.created)):
            table = await self.load(str(row.id))
            if table is not None:
                yield table

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        return await self.database.read(lambda connection: connection.execute(query).all())

    async def _list(self, query: Select[Any]) -> list[SavedTable]:
        def act(connection: Connection) -> list[SavedTable]:
            rows = connection.execute(query).all()
            return [replace(_table(row), seats=_seats(connection, row.id)) for row in rows]

        return await self.database.read(act)


def _load(connection: Connection, table: str) -> SavedTable | None:
    row = connection.execute(select(schema.tables).where(schema.tables.c.id == table)).one_or_none()
    if row is None:
        return None
    log = connection.execute(
        select(schema.actions).where(schema.actions.c.table_id == table).order_by(schema.actions.c.ply)
    )
    return _checked(replace(_table(row), seats=_seats(connection, table)), log.all())


def _checked(table: SavedTable, log: Sequence[Row[Any]]) -> SavedTable:
    """The table with its log; a note of what is damaged, if anything is."""
    entries = tuple(
        SavedAction(action=r.action, seat=r.seat, at=r.at, move=r.move, event=r.event) for r in log
    )
    missing = next((ply for ply, r in enumerate(log) if r.ply != ply), None)
    damage = table.damage
    if missing is not None:
        damage = msg("Action {ply} is missing.", ply=missing + 1)
    elif [seat.seat for seat in table.seats] != [*range(table.players)]:
        damage = msg("Its seats do not match its number of players.")
    return replace(table, actions=entries, damage=damage)


def _chair(table: str, seat: int) -> ColumnElement[bool]:
    return (schema.seats.c.table_id == table) & (schema.seats.c.seat == seat)


def _seats(connection: Connection, table: str) -> tuple[SavedSeat, ...]:
    found = connection.execute(
        select(schema.seats).where(schema.seats.c.table_id == table).order_by(schema.seats.c.seat)
    )
    return tuple(
        SavedSeat(seat=r.seat, kind=r.kind, name=r.name, bot=r.bot, guest=r.guest, seen=r.seen)
        for r in found
    )


def _table(row: Row[Any]) -> SavedTable:
    values = dict(row._mapping)
    values["listed"] = bool(values["listed"])
    try:
        values["options"] = dict(json.loads(values["options"]))
    except (ValueError, TypeError):
        values |= {"options": {}, "damage": msg("Its options cannot be read.")}
    return SavedTable(**values)


def _table_values(table: SavedTable) -> dict[str, Any]:
    values = {column.name: getattr(table, column.name) for column in schema.tables.columns}
    return {**values, "options": json.dumps(dict(table.options)), "listed": int(table.listed)}


def _seat_values(table: str, seat: SavedSeat) -> dict[str, Any]:
    return {"table_id": table, **asdict(seat)}


def _log_rows(one: Append) -> list[tuple[Any, ...]]:
    """Rows with the columns in the order of the schema. Only the last one says who is to move then."""
    last = one.ply + len(one.entries) - 1
    return [
        (one.table, ply, e.action, e.seat, e.at, e.move, one.to_move if ply == last else None, e.event)
        for ply, e in enumerate(one.entries, start=one.ply)
    ]
