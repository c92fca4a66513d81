"""What the store keeps about the people at a table: who was seen when, who plays for whom, what they said
and what they asked each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Delete, bindparam, delete, func, insert, select, text, update

from azulejos.web.store import rows, schema
from azulejos.web.store.saved import HUMAN, now

if TYPE_CHECKING:
    from azulejos.web.store.store import Store

KEPT_LINES = 200
"""Lines of chat that a table keeps; older ones are deleted."""

_SEE = (
    update(schema.seats)
    .where(schema.seats.c.table_id == bindparam("of"), schema.seats.c.seat == bindparam("chair"))
    .values(seen=bindparam("at"))
)
_NOTE_ANSWER = text(
    "INSERT INTO answers (table_id, request, entries, seat, answer) "
    "VALUES (:table, :request, :entries, :seat, :answer) "
    "ON CONFLICT (table_id, request, entries, seat) DO UPDATE SET answer = excluded.answer"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatLine:
    """One line: a `phrase` in every language, or a `text` as it was typed."""

    number: int
    at: int
    seat: int
    name: str
    phrase: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """What a seat answered to a request that was made when the log had so many entries."""

    request: str
    entries: int
    seat: int
    answer: str


class Company:
    def __init__(self, store: Store) -> None:
        self._store = store

    # --- who is there -------------------------------------------------------------------------------

    async def see(self, seats: Iterable[tuple[str, int]], *, tell: bool = False) -> None:
        """The players of these seats (table and number) are connected now."""
        at = now()
        # in one order on all servers, so that none waits for another that waits for it
        seen = [{"of": table, "chair": seat, "at": at} for table, seat in sorted(seats)]

        def act(connection: Connection) -> None:
            connection.execute(_SEE, seen)
            for table in {str(one["of"]) for one in seen} if tell else ():
                self._store.tell(connection, table)

        if seen:
            await self._store.database.write(act)

    async def seen_since(self, at: int) -> list[tuple[str, int, int]]:
        """Seats whose players were connected after a moment, on any server: table, seat, when."""
        columns = schema.seats.c
        query = select(columns.table_id, columns.seat, columns.seen).where(columns.seen > at)
        return [(str(r.table_id), int(r.seat), int(r.seen)) for r in await self._store.rows(query)]

    # --- who plays for whom -------------------------------------------------------------------------

    async def replace(
        self, table: str, seat: int, *, unseen_since: int, bot: str = "", guest: str = "", key: str = ""
    ) -> bool:
        """Let a bot or a guest (with a key) play for somebody who has not been seen since a moment.

        False if they have been seen, or a bot plays for them: the database decides, for all servers.
        """
        columns = schema.seats.c
        absent = (
            (columns.table_id == table) & (columns.seat == seat) & (columns.kind == HUMAN)
            & (columns.bot == "") & (columns.seen <= unseen_since)
        )

        def act(connection: Connection) -> bool:
            changed = connection.execute(
                update(schema.seats).where(absent).values(bot=bot, guest=guest, seen=now())
            )
            if changed.rowcount != 1:
                return False
            connection.execute(_guest_keys(table, seat))
            if key:
                connection.execute(insert(schema.keys).values(table_id=table, seat=seat, key=key, guest=1))
            self._store.tell(connection, table)
            return True

        return await self._store.database.write(act)

    async def give_back(self, table: str, seat: int) -> None:
        """The owner of a seat plays it again."""
        columns = schema.seats.c
        chair = (columns.table_id == table) & (columns.seat == seat)

        def act(connection: Connection) -> None:
            connection.execute(update(schema.seats).where(chair).values(bot="", guest="", seen=now()))
            connection.execute(_guest_keys(table, seat))
            self._store.tell(connection, table)

        await self._store.database.write(act)

    async def forget_devices(self, table: str, seat: int, key: str) -> bool:
        """Withdraw all keys that own a seat but one, and the links that they have made; False if that one
        does not own it. Whoever plays for the owner is not concerned."""
        keys = schema.keys.c
        owners = (keys.table_id == table) & (keys.seat == seat) & (keys.guest == 0)

        def act(connection: Connection) -> bool:
            times = rows.revocations(connection, table, seat)
            if not connection.execute(select(keys.key).where(owners, keys.key == key)).first():
                return False
            connection.execute(delete(schema.keys).where(owners, keys.key != key))
            connection.execute(
                update(schema.seats).where(rows.chair(table, seat)).values(revocations=times + 1)
            )
            self._store.tell(connection, table)
            return True

        return await self._store.database.write(act)

    async def add_number(self, table: str, seats: Iterable[int], number: str) -> None:
        """Note what a player adds to the draws. What a seat has added stays."""
        columns = schema.seats.c
        mine = (columns.table_id == table) & columns.seat.in_(list(seats)) & (columns.number == "")

        def act(connection: Connection) -> None:
            connection.execute(update(schema.seats).where(mine).values(number=number))
            self._store.tell(connection, table)

        await self._store.database.write(act)

    # --- what they say ------------------------------------------------------------------------------

    async def say(self, table: str, seat: int, name: str, *, phrase: str, text: str) -> ChatLine:
        columns = schema.chat.c

        def act(connection: Connection) -> ChatLine:
            last = connection.execute(select(func.max(columns.number)).where(columns.table_id == table))
            number = (last.scalar() or 0) + 1
            line = ChatLine(number=number, at=now(), seat=seat, name=name, phrase=phrase, text=text)
            connection.execute(insert(schema.chat).values(
                table_id=table, number=number, at=line.at, seat=seat, name=name, phrase=phrase, text=text
            ))
            connection.execute(
                delete(schema.chat)
                .where(columns.table_id == table, columns.number <= number - KEPT_LINES)
            )
            self._store.tell(connection, table)
            return line

        return await self._store.database.write(act)

    async def chat(self, table: str, after: int = 0) -> list[ChatLine]:
        columns = schema.chat.c
        query = select(schema.chat).where(columns.table_id == table, columns.number > after)
        return [
            ChatLine(number=r.number, at=r.at, seat=r.seat, name=r.name, phrase=r.phrase, text=r.text)
            for r in await self._store.rows(query.order_by(columns.number))
        ]

    # --- what they ask each other -------------------------------------------------------------------

    async def answer(self, table: str, given: Sequence[SeatAnswer]) -> None:
        """Note answers; the last answer of a seat to a request stands."""
        noted = [{"table": table, **asdict(one)} for one in sorted(given, key=lambda one: one.seat)]

        def act(connection: Connection) -> None:
            if noted:
                connection.execute(_NOTE_ANSWER, noted)
            self._store.tell(connection, table)

        await self._store.database.write(act)

    async def answers(self, table: str) -> list[SeatAnswer]:
        columns = schema.answers.c
        query = select(schema.answers).where(columns.table_id == table)
        found = await self._store.rows(query.order_by(columns.entries, columns.seat))
        return [SeatAnswer(r.request, r.entries, r.seat, r.answer) for r in found]


def _guest_keys(table: str, seat: int) -> Delete:
    keys = schema.keys.c
    return delete(schema.keys).where(keys.table_id == table, keys.seat == seat, keys.guest == 1)
