"""Daily deals and first games in the database. It decides, for all servers, which game is the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Connection, exists, func, select, text, update

from azulejos.web.learn.daily import RANKED, SEAT, Attempt, DailyDeal
from azulejos.web.store import schema
from azulejos.web.store.saved import FINISHED, SavedTable
from azulejos.web.store.store import Store

_NEW_DEAL = text(
    "INSERT INTO daily_deals (day, box, rules_version, seed, bot, nodes) "
    "VALUES (:day, :box, :rules_version, :seed, :bot, :nodes) ON CONFLICT DO NOTHING"
)
_FIRST_GAME = text(
    "INSERT INTO daily_attempts (day, visitor, game, name, verdict) "
    "VALUES (:day, :visitor, :game, :name, '') ON CONFLICT DO NOTHING"
)


class DailyStore:
    def __init__(self, store: Store) -> None:
        self._store = store

    # --- deals -------------------------------------------------------------------------------------

    async def deal(self, day: str) -> DailyDeal | None:
        found = await self._store.rows(
            select(schema.daily_deals).where(schema.daily_deals.c.day == day)
        )
        return DailyDeal(**found[0]._mapping) if found else None

    async def keep(self, proposed: DailyDeal) -> DailyDeal:
        """Keep the deal of a day, unless there is one already; returns the one that is kept."""
        given = asdict(proposed)
        await self._store.database.write(lambda connection: connection.execute(_NEW_DEAL, given))
        kept = await self.deal(proposed.day)
        assert kept is not None
        return kept

    async def days(self, *, before: str, limit: int) -> list[str]:
        """Earlier days with a ranked game, the last one first."""
        columns = schema.daily_attempts.c
        found = await self._store.rows(
            select(columns.day).where(columns.day < before, columns.verdict == RANKED).distinct()
            .order_by(columns.day.desc()).limit(limit)
        )
        return [str(row.day) for row in found]

    async def without_par(self, *, since: str) -> DailyDeal | None:
        """A deal that somebody plays and whose par is unknown."""
        deals = schema.daily_deals
        begun = exists().where(schema.daily_attempts.c.day == deals.c.day)
        found = await self._store.rows(
            select(deals).where(deals.c.day >= since, deals.c.par.is_(None), begun).limit(1)
        )
        return DailyDeal(**found[0]._mapping) if found else None

    async def set_par(self, day: str, par: int) -> None:
        deals = schema.daily_deals
        changed = update(deals).where(deals.c.day == day, deals.c.par.is_(None)).values(par=par)
        await self._store.database.write(lambda connection: connection.execute(changed))

    # --- first games -------------------------------------------------------------------------------

    async def begin(self, table: SavedTable, day: str, visitor: str) -> str:
        """Open the first game of a visitor; if there is one already, nothing is changed. Returns its id."""
        given = {"day": day, "visitor": visitor, "game": table.id, "name": table.seats[SEAT].name}

        def act(connection: Connection) -> bool:
            first = connection.execute(_FIRST_GAME, given).rowcount == 1
            if first:
                self._store.insert(connection, table, [(SEAT, visitor)])
            return first

        if await self._store.database.write(act):
            return table.id
        found = await self.attempt(day, visitor)
        assert found is not None
        return found.game

    async def attempt(self, day: str, visitor: str) -> Attempt | None:
        columns = schema.daily_attempts.c
        query = select(schema.daily_attempts).where(columns.day == day, columns.visitor == visitor)
        found = await self._store.rows(query)
        return Attempt(**found[0]._mapping) if found else None

    async def unchecked(self) -> list[Attempt]:
        """Finished games that wait for their verdict."""
        attempts, tables = schema.daily_attempts, schema.tables.c
        found = await self._store.rows(
            select(attempts).join(schema.tables, tables.id == attempts.c.game)
            .where(attempts.c.verdict == "", tables.state == FINISHED).order_by(tables.changed)
        )
        return [Attempt(**row._mapping) for row in found]

    async def settle(self, attempt: Attempt) -> None:
        """Keep the verdict of a game that has none."""
        columns = schema.daily_attempts.c
        changed = (
            update(schema.daily_attempts)
            .where(columns.day == attempt.day, columns.visitor == attempt.visitor, columns.verdict == "")
            .values(verdict=attempt.verdict, margin=attempt.margin, points=attempt.points)
        )
        await self._store.database.write(lambda connection: connection.execute(changed))

    # --- ranking -----------------------------------------------------------------------------------

    async def best(self, day: str, *, limit: int) -> Sequence[Attempt]:
        """Ranked games, the largest margin first; among equal ones the most points."""
        columns = schema.daily_attempts.c
        found = await self._store.rows(
            select(schema.daily_attempts).where(columns.day == day, columns.verdict == RANKED)
            .order_by(columns.margin.desc(), columns.points.desc(), columns.name).limit(limit)
        )
        return [Attempt(**row._mapping) for row in found]

    async def margins(self, day: str) -> dict[int, int]:
        """How many ranked games ended with each margin."""
        columns = schema.daily_attempts.c
        found = await self._store.rows(
            select(columns.margin, func.count().label("games"))
            .where(columns.day == day, columns.verdict == RANKED).group_by(columns.margin)
            .order_by(columns.margin)
        )
        return {int(row.margin): int(row.games) for row in found}
