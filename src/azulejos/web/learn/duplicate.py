"""A duplicate: the same deal at two tables, so that the margins can be compared.

*bot*: two friends play the same seat, each at their own table, against the same bot. *teams*: four friends
in two teams; at the second table the teams have each other's seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, insert, select

from azulejos.core.message import Message, msg, nmsg
from azulejos.web.learn.daily import NODES
from azulejos.web.learn.daily_check import margin
from azulejos.web.store import schema
from azulejos.web.store.saved import BOT, HUMAN, OPEN, SavedSeat, SavedTable, new_id
from azulejos.web.store.store import Store
from azulejos.web.tables.fair_deal import new_seed
from azulejos.web.tables.live_table import LiveTable, new_table

AGAINST_BOT: Final = "bot"
TEAMS: Final = "teams"
FORMS: Final = (AGAINST_BOT, TEAMS)

TEAM_OF: dict[str, tuple[tuple[int | None, ...], ...]] = {
    AGAINST_BOT: ((0, None), (1, None)),
    TEAMS: ((0, 1), (1, 0)),
}
"""The team of each seat at each table; None: the bot."""


@dataclass(frozen=True, kw_only=True)
class Duplicate:
    id: str
    form: str
    first: str
    second: str
    """The ids of the two tables."""

    @property
    def page(self) -> str:
        return f"duplicate/{self.id}"

    @property
    def tables(self) -> tuple[str, str]:
        return self.first, self.second

    def team(self, table: int, seat: int) -> int | None:
        return TEAM_OF[self.form][table][seat]


def new_duplicate(form: str, box: str, *, host: str, bot: str, bot_name: str) -> tuple[SavedTable, ...]:
    """The two tables. Whoever opens them has the first seat of the first one; the bot is for one form."""
    duplicate, seed = new_id(), new_seed()
    taken = SavedSeat(seat=0, kind=HUMAN, name=host)
    machine = SavedSeat(seat=1, kind=BOT, name=bot_name, bot=bot)
    second = machine if form == AGAINST_BOT else SavedSeat(seat=1, kind=OPEN)
    return tuple(
        replace(new_table(box, (first, second), {}, seed=seed), contest=f"duplicate/{duplicate}",
                ranked=True, nodes=NODES if form == AGAINST_BOT else 0)
        for first in (taken, SavedSeat(seat=0, kind=OPEN))
    )


async def create(store: Store, form: str, tables: Sequence[SavedTable], host: str) -> Duplicate:
    """Open both tables in one transaction; `host` is the key of whoever opens them."""
    first, second = tables
    made = Duplicate(
        id=first.contest.partition("/")[2], form=form, first=first.id, second=second.id
    )

    def act(connection: Connection) -> None:
        store.insert(connection, first, [(0, host)])
        store.insert(connection, second, [])
        connection.execute(insert(schema.duplicates).values(
            id=made.id, form=form, first=made.first, second=made.second
        ))

    await store.database.write(act)
    return made


async def find(store: Store, name: str) -> Duplicate | None:
    found = await store.rows(select(schema.duplicates).where(schema.duplicates.c.id == name))
    return Duplicate(**found[0]._mapping) if found else None


# --- the result ----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class DuplicateResult:
    """The margins of both tables, each for its first seat, and the names of the teams."""

    margins: tuple[int, int]
    names: tuple[str, str]

    @property
    def lead(self) -> int:
        """How far the first team is ahead: at the second table the first seat is the other team's."""
        return self.margins[0] - self.margins[1]

    @property
    def words(self) -> Message:
        if not self.lead:
            return msg("Equal: the same margin at both tables.")
        winner = self.names[0] if self.lead > 0 else self.names[1]
        return nmsg("{name} won the duplicate by {n} point.", "{name} won the duplicate by {n} points.",
                    n=abs(self.lead), name=winner)


def result_of(duplicate: Duplicate, tables: Sequence[LiveTable]) -> DuplicateResult | None:
    """None until both games are over."""
    if not all(table.over for table in tables):
        return None
    first, second = (margin(table.position, 0) for table in tables)
    return DuplicateResult(
        margins=(first, second),
        names=(team_name(duplicate, tables, 0), team_name(duplicate, tables, 1)),
    )


def team_name(duplicate: Duplicate, tables: Sequence[LiveTable], team: int) -> str:
    return " + ".join(
        seat.name for number, table in enumerate(tables) for seat in table.seats
        if duplicate.team(number, seat.seat) == team and seat.kind == HUMAN
    )
