"""Runs the store's statements: SQLite in threads of this process, or PostgreSQL on any host.

Both run a function over a connection as one transaction, so every statement is written once. Only
PostgreSQL has what several servers need to share a database.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.engine import make_url

T = TypeVar("T")

Row = tuple[Any, ...]
"""Of the log, with the columns in the order of the schema."""


class TableState(NamedTuple):
    """The new state of a table, and when it was last played."""

    table: str
    state: str
    changed: float


class TurnRow(NamedTuple):
    """Whose turn it is at a table over days, or that its game is over (seat OVER_SEAT): what is due, and
    what its people have not been told. The columns are those of the schema, in its order."""

    table: str
    seat: int
    entries: int
    since: int
    due: int
    told: int = 0


OVER_SEAT = -1


class Database(Protocol):
    engine: Engine

    def reserve(self) -> None:
        """Become a server of this database; raises InUse if it may have no other."""

    async def read(self, act: Callable[[Connection], T]) -> T:
        """Run the function; raises Unread."""

    async def write(self, act: Callable[[Connection], T]) -> T:
        """Run the function as one transaction: all of it or nothing. Raises Unsaved, InDoubt, or the
        IntegrityError of a statement."""

    async def damage(self, *, quick: bool) -> list[str]:
        """What the database's own checks find wrong with its files, in its words; `quick` leaves out what
        takes as long as reading everything twice. Raises nothing."""

    async def close(self) -> None: ...

    def insert(self, connection: Connection, into: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert whole rows, as fast as the driver allows."""

    async def append(
        self, rows: Sequence[Row], states: Sequence[TableState], turns: Sequence[TurnRow],
        notices: Sequence[str],
    ) -> None:
        """Write rows of the log, states of tables and whose turn it is now as one transaction, and notify
        other servers: what every move does, as fast as the driver allows. Raises what `write` raises."""

    async def listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Call `heard` with every text that another server passes to `tell`, and `missed` when some of
        them may have been lost."""

    def tell(self, connection: Connection, text: str) -> None:
        """Notify other servers when the transaction is committed."""

    def claim(self, name: str) -> AbstractAsyncContextManager[bool]:
        """Whether this server alone holds the name while the context lasts; raises Unread."""


def open_database(url: str) -> Database:
    given = make_url(url)
    name = given.drivername.partition("+")[0]
    if name == "sqlite":
        from azulejos.web.store.sqlite import SQLite

        return SQLite(given.set(drivername="sqlite"))
    if name in ("postgresql", "postgres"):
        from azulejos.web.store.postgresql import PostgreSQL

        return PostgreSQL(given.set(drivername="postgresql"))
    raise ValueError(f"the database is sqlite:///FILE or postgresql://…, not {given.drivername}://")
