"""Rows of the database as what the store keeps, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, select

from azulejos.core.message import msg
from azulejos.web.store import schema
from azulejos.web.store.database import TurnRow
from azulejos.web.store.saved import SavedAction, SavedSeat, SavedTable

YES_OR_NO = ("listed", "mixed", "ranked", "takes_back", "helps", "rated", "programs")
"""Columns of a table that hold 0 or 1."""


@dataclass(frozen=True, slots=True)
class Append:
    """Actions to write after the first `ply` actions of a table."""

    table: str
    ply: int
    entries: tuple[SavedAction, ...]
    over: bool
    to_move: int | None = None
    """Who is to move after them, so that a table is found that waits for a bot; None: unknown."""
    turn: TurnRow | None = None
    """Whose turn it is at a table over days, noted in the same transaction."""


def load(connection: Connection, table: str) -> SavedTable | None:
    row = connection.execute(select(schema.tables).where(schema.tables.c.id == table)).one_or_none()
    if row is None:
        return None
    log = connection.execute(
        select(schema.actions).where(schema.actions.c.table_id == table).order_by(schema.actions.c.ply)
    )
    return _checked(replace(table_of(row), seats=seats_of(connection, table)), log.all())


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


def chair(table: str, seat: int) -> ColumnElement[bool]:
    return (schema.seats.c.table_id == table) & (schema.seats.c.seat == seat)


def revocations(connection: Connection, table: str, seat: int) -> int:
    """How often the other devices of a seat were forgotten. The seat is locked until the end of the
    transaction, so that no link is used, and no other device forgets, meanwhile."""
    query = select(schema.seats.c.revocations).where(chair(table, seat)).with_for_update()
    return int(connection.execute(query).scalar_one())


def same_seat(seat: SavedSeat) -> ColumnElement[bool]:
    """Whether a row still has the same player."""
    columns = schema.seats.c
    return and_(columns.kind == seat.kind, columns.name == seat.name, columns.bot == seat.bot)


def seats_of(connection: Connection, table: str) -> tuple[SavedSeat, ...]:
    found = connection.execute(
        select(schema.seats).where(schema.seats.c.table_id == table).order_by(schema.seats.c.seat)
    )
    return tuple(
        SavedSeat(
            seat=r.seat, kind=r.kind, name=r.name, bot=r.bot, guest=r.guest, seen=r.seen,
            revocations=r.revocations, program=bool(r.program), face=r.face, number=r.number,
        )
        for r in found
    )


def table_of(row: Row[Any]) -> SavedTable:
    values = dict(row._mapping)
    values |= {name: bool(values[name]) for name in YES_OR_NO}
    try:
        values["options"] = dict(json.loads(values["options"]))
    except (ValueError, TypeError):
        values |= {"options": {}, "damage": msg("Its options cannot be read.")}
    return SavedTable(**values)


def table_values(table: SavedTable) -> dict[str, Any]:
    values = {column.name: getattr(table, column.name) for column in schema.tables.columns}
    return {
        **values, "options": json.dumps(dict(table.options)),
        **{name: int(values[name]) for name in YES_OR_NO},
    }


def seat_values(table: str, seat: SavedSeat) -> dict[str, Any]:
    return {"table_id": table, **asdict(seat), "program": int(seat.program)}


def log_rows(one: Append) -> list[tuple[Any, ...]]:
    """Rows with the columns in the order of the schema. Only the last one says who is to move then."""
    last = one.ply + len(one.entries) - 1
    return [
        (one.table, ply, e.action, e.seat, e.at, e.move, one.to_move if ply == last else None, e.event)
        for ply, e in enumerate(one.entries, start=one.ply)
    ]
