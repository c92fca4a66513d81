"""Circles: a family, a club, a class. A link makes somebody a member; there is no list of circles."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, text

from azulejos.web.store import schema
from azulejos.web.store.saved import OPEN, PLAYING, WAITING, SavedTable, now
from azulejos.web.store.store import Store
from azulejos.web.tables.boxes import box_of

MOST_CIRCLES = 20
"""Of which somebody is a member."""
MOST_MEMBERS = 500
SHOWN = 40
HERE = 60_000
"""Milliseconds: whoever was seen within that time is here."""
CIRCLE = re.compile(r"[A-Za-z0-9_-]{16}")

_JOIN = text(
    "INSERT INTO members (circle, key, since) VALUES (:circle, :key, :since) ON CONFLICT DO NOTHING"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Circle:
    id: str
    title: str
    owner: str


class Circles:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def open(self, title: str, key: str) -> Circle | None:
        """A new circle with its first member; None: they are in enough."""
        made = Circle(id=secrets.token_urlsafe(12), title=title, owner=key)

        def act(connection: Connection) -> bool:
            if _count(connection, schema.members.c.key == key) >= MOST_CIRCLES:
                return False
            moment = now() / 1000
            connection.execute(insert(schema.circles).values(
                id=made.id, title=title, owner=key, since=moment
            ))
            connection.execute(_JOIN, {"circle": made.id, "key": key, "since": moment})
            return True

        return made if await self._store.database.write(act) else None

    async def find(self, name: str) -> Circle | None:
        if not CIRCLE.fullmatch(name):
            return None
        found = await self._store.rows(select(schema.circles).where(schema.circles.c.id == name))
        return Circle(id=found[0].id, title=found[0].title, owner=found[0].owner) if found else None

    async def join(self, circle: str, key: str) -> bool:
        """False: the circle is full, or they are in enough."""
        def act(connection: Connection) -> bool:
            members = schema.members.c
            if _count(connection, members.key == key) >= MOST_CIRCLES \
                    or _count(connection, members.circle == circle) >= MOST_MEMBERS:
                return False
            connection.execute(_JOIN, {"circle": circle, "key": key, "since": now() / 1000})
            return True

        return await self._store.database.write(act)

    async def leave(self, circle: str, key: str) -> None:
        """The last one who leaves takes the circle along."""
        members = schema.members

        def act(connection: Connection) -> None:
            connection.execute(delete(members).where(members.c.circle == circle, members.c.key == key))
            ratings = schema.ratings
            connection.execute(delete(ratings).where(ratings.c.circle == circle, ratings.c.key == key))
            if not _count(connection, members.c.circle == circle):
                connection.execute(delete(ratings).where(ratings.c.circle == circle))
                connection.execute(delete(schema.circles).where(schema.circles.c.id == circle))

        await self._store.database.write(act)

    async def members(self, circle: str) -> list[str]:
        """Their keys, whoever came first first."""
        members = schema.members.c
        found = await self._store.rows(
            select(members.key).where(members.circle == circle).order_by(members.since, members.key)
        )
        return [str(row.key) for row in found]

    async def of(self, key: str) -> list[Circle]:
        circles, members = schema.circles.c, schema.members.c
        found = await self._store.rows(
            select(schema.circles).join(schema.members, members.circle == circles.id)
            .where(members.key == key).order_by(members.since)
        )
        return [Circle(id=row.id, title=row.title, owner=row.owner) for row in found]

    async def tables(self, circle: str) -> list[SavedTable]:
        """Of a circle, those that wait for players first."""
        columns = schema.tables.c
        return await self._store.tables_where(
            columns.circle == circle, columns.state.in_((WAITING, PLAYING)), limit=SHOWN
        )

    # --- tables for everybody -----------------------------------------------------------------------

    async def waiting(self) -> list[SavedTable]:
        """Tables that everybody may join, with a free seat."""
        columns = schema.tables.c
        return await self._store.tables_where(
            columns.listed == 1, columns.state == WAITING, columns.circle == "", _has_free_seat(),
            limit=SHOWN,
        )

    async def quick(self, box: str, key: str) -> list[SavedTable]:
        """Tables of a box that wait for somebody else, the oldest first."""
        found = await self.waiting()
        own = set(await self._own(key, [table.id for table in found]))
        return [table for table in reversed(found)
                if box_of(table.box).name == box and table.id not in own and not table.days]

    async def _own(self, key: str, tables: Sequence[str]) -> list[str]:
        keys = schema.keys.c
        found = await self._store.rows(
            select(keys.table_id).where(keys.key == key, keys.table_id.in_(tables))
        )
        return [str(row.table_id) for row in found]

    async def here(self) -> int:
        """How many people are at tables now, on all servers."""
        keys, seats = schema.keys.c, schema.seats.c
        found = await self._store.rows(
            select(func.count(func.distinct(keys.key)).label("n"))
            .join(schema.seats, (seats.table_id == keys.table_id) & (seats.seat == keys.seat))
            .where(seats.seen > now() - HERE)
        )
        return int(found[0].n)


def _has_free_seat() -> ColumnElement[bool]:
    seats = schema.seats.c
    return (
        select(seats.seat).where(seats.table_id == schema.tables.c.id, seats.kind == OPEN).exists()
    )


def _count(connection: Connection, condition: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(schema.members).where(condition)
    return int(connection.execute(query).scalar_one())
