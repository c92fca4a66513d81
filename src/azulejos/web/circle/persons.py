"""Who a visitor is to others: a name and a face, kept under the key of their cookie; nothing else is asked.

`KEYED` lists every column that holds the key of a visitor. Whoever carries their name to another device,
looks at what is stored, or removes it, does so for all of them.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, delete, exists, insert, select, text, update

from azulejos.core.record import Player, Record
from azulejos.render.drawings import is_face
from azulejos.web.names import MAX_TITLE
from azulejos.web.store import schema
from azulejos.web.store.saved import now
from azulejos.web.store.store import Store

KEYED: Final[tuple[tuple[Table, str], ...]] = (
    (schema.people, "key"), (schema.keys, "key"), (schema.progress, "key"), (schema.studies, "owner"),
    (schema.daily_attempts, "visitor"), (schema.channels, "key"), (schema.results, "key"),
    (schema.ratings, "key"), (schema.circles, "owner"), (schema.members, "key"),
)
"""Where the store keeps the keys of visitors."""

CODE_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 12
"""Of 31 signs each: 59 bits, and a code is good once, for a quarter of an hour."""
CODE_SECONDS = 900.0
CODE = re.compile(rf"[{CODE_SIGNS}]{{{CODE_LENGTH}}}")
MOST_CODES = 5000
"""Codes in the database at the same time."""

MOST_ASKED = 500
"""Tables in one question to the database."""

_CALL = text(
    "INSERT INTO people (key, id, name, face, shared, since) "
    "VALUES (:key, :id, :name, :face, 0, :since) "
    "ON CONFLICT (key) DO UPDATE SET name = excluded.name, "
    "face = CASE WHEN excluded.face = '' THEN people.face ELSE excluded.face END"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    key: str
    id: str
    """In the address of their page, which others can open only if it is shared."""
    name: str
    face: str
    shared: bool
    since: float


class Persons:
    def __init__(self, store: Store) -> None:
        self._store = store

    # --- who is who ---------------------------------------------------------------------------------

    async def of(self, key: str) -> Person | None:
        return (await self.of_all([key])).get(key)

    async def of_all(self, keys: Iterable[str]) -> dict[str, Person]:
        columns = schema.people.c
        found = await self._store.rows(select(schema.people).where(columns.key.in_(list(keys))))
        return {row.key: _person(row) for row in found}

    async def shared(self, name: str) -> Person | None:
        """The person of a page that is shared."""
        columns = schema.people.c
        found = await self._store.rows(
            select(schema.people).where(columns.id == name, columns.shared == 1)
        )
        return _person(found[0]) if found else None

    async def call(self, key: str, name: str, face: str = "") -> None:
        """Keep a name, and a face unless none is given."""
        given = {"key": key, "id": secrets.token_urlsafe(12), "name": name, "since": now() / 1000,
                 "face": face if is_face(face) else ""}
        await self._store.database.write(lambda connection: connection.execute(_CALL, given))

    async def share(self, key: str, *, shared: bool) -> None:
        """Whether others may see the page. One that is no longer shared gets another address."""
        values: dict[str, Any] = {"shared": int(shared)}
        if not shared:
            values["id"] = secrets.token_urlsafe(12)
        change = update(schema.people).where(schema.people.c.key == key).values(**values)
        await self._store.database.write(lambda connection: connection.execute(change))

    # --- another device -----------------------------------------------------------------------------

    async def hand_over(self, secret: str) -> str | None:
        """A code with which another device becomes the same visitor. The database has neither the code nor
        the secret, only the secret sealed with the code. None: too many codes are open."""
        code = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
        moment = now() / 1000
        handovers = schema.handovers

        def act(connection: Connection) -> bool:
            connection.execute(delete(handovers).where(handovers.c.until < moment))
            if len(connection.execute(select(handovers.c.until).limit(MOST_CODES)).all()) >= MOST_CODES:
                return False
            connection.execute(insert(handovers).values(
                code=_found_by(code), sealed=_sealed(secret.encode(), code).hex(),
                until=moment + CODE_SECONDS,
            ))
            return True

        return code if await self._store.database.write(act) else None

    async def taken_over(self, code: str) -> str | None:
        """The secret that a code seals, once."""
        if not CODE.fullmatch(code):
            return None
        handovers, moment = schema.handovers, now() / 1000

        def act(connection: Connection) -> str | None:
            mine = handovers.c.code == _found_by(code)
            row = connection.execute(select(handovers).where(mine).with_for_update()).one_or_none()
            connection.execute(delete(handovers).where(mine))
            return str(row.sealed) if row is not None and row.until >= moment else None

        sealed = await self._store.database.write(act)
        return None if sealed is None else _sealed(bytes.fromhex(sealed), code).decode()

    async def adopt(self, old: str, new: str) -> None:
        """What a device had before it became somebody's: its seats and games are theirs, too."""
        if old != new:
            await self._store.database.write(lambda connection: _move(connection, old, new))

    async def renew(self, old: str, new: str) -> None:
        """The same visitor under another key, so that devices with the old one are nobody's any more."""
        def act(connection: Connection) -> None:
            for table, column in KEYED:
                connection.execute(update(table).where(table.c[column] == old).values({column: new}))

        await self._store.database.write(act)

    # --- what is stored, and its removal ------------------------------------------------------------

    async def stored(self, key: str) -> dict[str, list[dict[str, Any]]]:
        """Every row with the key of a visitor, by table."""
        def act(connection: Connection) -> dict[str, list[dict[str, Any]]]:
            return {
                table.name: [
                    {name: value for name, value in row._mapping.items() if name != column}
                    for row in connection.execute(select(table).where(table.c[column] == key))
                ]
                for table, column in KEYED
            }

        return await self._store.database.read(act)

    async def remove(self, key: str, *, called: str) -> list[str]:
        """Remove a visitor everywhere. Their moves stay, and so do the games and ratings of others, who see
        `called` in place of the name. Returns the tables that have changed."""
        copies = await self._store.database.read(lambda connection: _copies(connection, key))
        await self._rename_in_studies(copies, called)
        return await self._store.database.write(
            lambda connection: self._remove(connection, key, called, copies)
        )

    async def _rename_in_studies(self, copies: Copies, called: str) -> None:
        """Studies of others that were made from games of somebody who is removed."""
        studies = schema.studies
        for part in _parts(copies.tables):
            for row in await self._store.rows(select(studies).where(studies.c.source.in_(part))):
                changed = await asyncio.to_thread(_renamed, row, copies.names, called)
                if changed and not await self._change_study(row, changed):
                    await self._rename_in_studies(copies, called)  # its owner was faster

    async def _change_study(self, row: Any, changed: dict[str, str]) -> bool:
        """Whether a study was as it had been read."""
        columns = schema.studies.c
        change = (
            update(schema.studies).where(columns.id == row.id, columns.version == row.version)
            .values(version=row.version + 1, **changed)
        )
        return await self._store.database.write(
            lambda connection: connection.execute(change).rowcount == 1
        )

    def _remove(self, connection: Connection, key: str, called: str, copies: Copies) -> list[str]:
        found = connection.execute(
            select(schema.keys.c.table_id, schema.keys.c.seat, schema.keys.c.guest)
            .where(schema.keys.c.key == key)
        ).all()
        for row in found:
            _forget_seat(connection, row.table_id, row.seat, called, guest=bool(row.guest))
        _rename_copies(connection, copies, called)
        _leave_circles(connection, key)
        channels = select(schema.channels.c.id).where(schema.channels.c.key == key)
        connection.execute(delete(schema.deliveries).where(schema.deliveries.c.channel.in_(channels)))
        nobody = f"former-{secrets.token_hex(12)}"
        connection.execute(update(schema.results).where(schema.results.c.key == key).values(key=nobody))
        connection.execute(
            update(schema.daily_attempts).where(schema.daily_attempts.c.visitor == key)
            .values(visitor=nobody, name=called)
        )
        for table, column in KEYED:
            connection.execute(delete(table).where(table.c[column] == key))
        changed = sorted({str(row.table_id) for row in found} | copies.tables)
        for name in changed:
            self._store.tell(connection, name)
        return changed


def _person(row: Any) -> Person:
    return Person(
        key=row.key, id=row.id, name=row.name, face=row.face, shared=bool(row.shared),
        since=row.since,
    )


def _found_by(code: str) -> str:
    return hashlib.sha256(f"find {code}".encode()).hexdigest()


def _sealed(content: bytes, code: str) -> bytes:
    """Sealed, or opened again: a pad that is used once."""
    pad = hashlib.sha512(f"seal {code}".encode()).digest()
    assert len(content) <= len(pad)
    return bytes(one ^ other for one, other in zip(content, pad, strict=False))


def _move(connection: Connection, old: str, new: str) -> None:
    """Give rows of one key to another. What both have stays as the new one has it; settings are not moved.
    """
    for table, column, same in (
        (schema.keys, "key", ("table_id", "seat")), (schema.studies, "owner", ()),
        (schema.results, "key", ("game", "seat")), (schema.daily_attempts, "visitor", ("day", "easy")),
        (schema.members, "key", ("circle",)), (schema.circles, "owner", ()),
    ):
        mine = table.c[column] == old
        if same:
            mine &= ~_has_too(table, table.c[column], new, same)
        connection.execute(update(table).where(mine).values({column: new}))
    for table, column in KEYED:
        connection.execute(delete(table).where(table.c[column] == old))


def _has_too(table: Table, column: Column[Any], new: str, same: tuple[str, ...]) -> Any:
    other = table.alias()
    alike = [other.c[name] == table.c[name] for name in same]
    return exists().where(other.c[column.name] == new, *alike)


def _forget_seat(connection: Connection, table: str, seat: int, called: str, *, guest: bool) -> None:
    chair = (schema.seats.c.table_id == table) & (schema.seats.c.seat == seat)
    said = (schema.chat.c.table_id == table) & (schema.chat.c.seat == seat)
    if guest:
        name = connection.execute(select(schema.seats.c.guest).where(chair)).scalar_one()
        connection.execute(delete(schema.chat).where(said, schema.chat.c.name == name))
        connection.execute(update(schema.seats).where(chair, schema.seats.c.guest != "")
                           .values(guest=called))
        return
    connection.execute(update(schema.seats).where(chair).values(name=called, face=""))
    connection.execute(delete(schema.chat).where(said))


def _parts(names: Iterable[str]) -> Iterable[Sequence[str]]:
    ordered = sorted(names)
    return (ordered[first : first + MOST_ASKED] for first in range(0, len(ordered), MOST_ASKED))


@dataclass(frozen=True, slots=True)
class Copies:
    """Games of a visitor with all that was opened from their records, and how they were called there."""

    tables: frozenset[str]
    names: frozenset[str]


def _copies(connection: Connection, key: str) -> Copies:
    keys, seats, tables = schema.keys.c, schema.seats.c, schema.tables.c
    called = connection.execute(
        select(seats.name, seats.guest, keys.guest.label("plays"))
        .join(schema.keys, (keys.table_id == seats.table_id) & (keys.seat == seats.seat))
        .where(keys.key == key)
    ).all()
    names = {row.guest if row.plays else row.name for row in called}
    names |= set(connection.execute(
        select(schema.people.c.name).where(schema.people.c.key == key)
    ).scalars())
    found: set[str] = set()
    waiting = {*connection.execute(select(keys.table_id).where(keys.key == key)).scalars(),
               *connection.execute(select(schema.results.c.game).where(schema.results.c.key == key))
               .scalars()}
    while waiting:
        found |= waiting
        waiting = {
            name for part in _parts(waiting)
            for name in connection.execute(select(tables.id).where(tables.branch_of.in_(part))).scalars()
        } - found
    return Copies(frozenset(found), frozenset(names - {""}))


def _rename_copies(connection: Connection, copies: Copies, called: str) -> None:
    """Seats of nobody that have the name of somebody who is removed, at tables opened from their games."""
    seats, keys = schema.seats, schema.keys.c
    owned = exists().where(keys.table_id == seats.c.table_id, keys.seat == seats.c.seat)
    for part in _parts(copies.tables):
        for column in ("name", "guest"):
            connection.execute(
                update(seats)
                .where(seats.c.table_id.in_(part), seats.c[column].in_(copies.names), seats.c.bot == "",
                       ~owned)
                .values({column: called})
            )


def _renamed(row: Any, names: frozenset[str], called: str) -> dict[str, str]:
    """What changes in a study; nothing if its record cannot be read, or has none of these names."""
    try:
        record = Record.read(row.record)
    except (ValueError, RecursionError):
        return {}
    if not names.intersection(player.name for player in record.seats):
        return {}
    record.seats = tuple(
        player if player.name not in names or player.bot else Player(called) for player in record.seats
    )
    title = row.title
    for name in names:
        title = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: called, title)
    return {"record": record.write_json(), "title": title[:MAX_TITLE]}


def _leave_circles(connection: Connection, key: str) -> None:
    """Circles of somebody who is removed go to the member who has been there longest, or end."""
    members, circles = schema.members, schema.circles
    for row in connection.execute(select(circles.c.id).where(circles.c.owner == key)).all():
        heir = connection.execute(
            select(members.c.key).where(members.c.circle == row.id, members.c.key != key)
            .order_by(members.c.since).limit(1)
        ).scalar_one_or_none()
        if heir is not None:
            connection.execute(update(circles).where(circles.c.id == row.id).values(owner=heir))
            continue
        connection.execute(delete(members).where(members.c.circle == row.id))
        connection.execute(delete(schema.ratings).where(schema.ratings.c.circle == row.id))
