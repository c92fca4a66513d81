"""How finished games ended, one row for each player; kept when tables expire. Ratings follow from them.

Rows are made after a game, by a task that looks for finished games without any. So nothing is lost if a
server ends meanwhile, and a move does not wait for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, exists, func, insert, select

from azulejos.web.circle import ratings
from azulejos.web.store import schema
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import BOT, FINISHED, HUMAN, TIME_UP, SavedTable, Unreplayable, replayed
from azulejos.web.store.store import Store
from azulejos.web.tables.boxes import box_of, playable

AT_ONCE = 20
PAUSE = 60.0
"""Seconds after which finished games of other servers are looked for."""
MOST_READ = 2000
"""Games of one person that a page counts."""

log = logging.getLogger("azulejos.web")


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """A finished game as one player sees it."""

    game: str
    seat: int
    box: str
    players: int
    points: int
    place: int
    at: float
    others: tuple[Opponent, ...] = ()

    @property
    def won(self) -> bool:
        return self.place == 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Opponent:
    key: str
    bot: str
    place: int
    points: int


class Ledger:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._news = asyncio.Event()
        self._news.set()
        self.entered = asyncio.Condition()

    def wake(self) -> None:
        """A game has ended."""
        self._news.set()

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._work())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _work(self) -> None:
        while True:
            try:
                async with asyncio.timeout(PAUSE):
                    await self._news.wait()
            except TimeoutError:
                pass
            self._news.clear()
            try:
                while await self.enter_some():
                    pass
            except DatabaseFault as error:
                log.warning("results were not noted: %s", error)

    async def enter_some(self) -> int:
        """Note the results of some finished games; how many there were."""
        names = await self._missing()
        for name in names:
            table = await self._store.load(name)
            if table is not None:
                await self._enter(table)
        async with self.entered:
            self.entered.notify_all()
        return len(names)

    async def _missing(self) -> list[str]:
        tables, results = schema.tables.c, schema.results.c
        found = await self._store.rows(
            select(tables.id).where(tables.state == FINISHED, ~exists().where(results.game == tables.id))
            .order_by(tables.changed).limit(AT_ONCE)
        )
        return [str(row.id) for row in found]

    async def _enter(self, table: SavedTable) -> None:
        holders: dict[int, list[str]] = {}
        for seat, key in await self._store.holders(table.id):
            holders.setdefault(seat, []).append(key)
        made = await asyncio.to_thread(_rows, table, holders)

        def act(connection: Connection) -> None:
            known = connection.execute(
                select(schema.results.c.game).where(schema.results.c.game == table.id).limit(1)
            )
            if known.first() is None:  # otherwise another server was faster
                connection.execute(insert(schema.results), made)
                if table.rated:
                    ratings.rate(connection, table, made)

        await self._store.database.write(act)


def _rows(table: SavedTable, holders: Mapping[int, Sequence[str]]) -> list[dict[str, Any]]:
    """One row for each seat and owner; a seat of nobody has an empty key. Something is noted of every game,
    so that it is not looked at again."""
    box = box_of(table.box).name if table.box in playable() else table.box
    common = {"game": table.id, "box": box, "players": table.players, "at": table.changed,
              "deal": "" if table.ranked else table.contest}
    ended = _ended(table)
    if ended is None:
        return [{**common, "seat": -1, "key": "", "bot": "", "points": 0, "place": 0}]
    points, places = ended
    rows = []
    for seat in table.seats:
        is_person = seat.kind == HUMAN and not seat.bot and not seat.program
        owners = holders.get(seat.seat, []) if is_person else []
        bot = seat.bot if seat.kind == BOT else ""
        rows += [
            {**common, "seat": seat.seat, "key": key, "bot": bot, "points": points[seat.seat],
             "place": places[seat.seat]}
            for key in owners or [""]
        ]
    return rows


def _ended(table: SavedTable) -> tuple[Sequence[int], Sequence[int]] | None:
    """Points and places; whoever's time was up comes last."""
    try:
        position = replayed(table).position
    except Unreplayable:
        return None
    late = next((entry.seat for entry in table.actions if entry.event == TIME_UP), None)
    outcome = position.outcome()
    if outcome is not None:
        return outcome.scores, outcome.ranks
    if late is None:
        return None
    points = position.scores
    worth = [(seat == late, -points[seat]) for seat in range(table.players)]
    return points, [1 + sum(other < own for other in worth) for own in worth]


# --- reading -------------------------------------------------------------------------------------------


async def played_by(store: Store, key: str, *, limit: int = MOST_READ) -> list[Played]:
    """The last finished games of a visitor, oldest first. At several seats of one screen nobody wins, and
    deals that were known before do not count."""
    results = schema.results
    own = results.c
    several = (
        select(own.game).where(own.key == key).group_by(own.game).having(func.count() > 1).scalar_subquery()
    )
    mine = await store.rows(
        select(results).where(own.key == key, own.place > 0, own.deal == "", own.game.not_in(several))
        .order_by(own.at.desc()).limit(limit)
    )
    games = [row.game for row in mine]
    others: dict[str, list[Any]] = {}
    for first in range(0, len(games), 500):
        part = games[first : first + 500]
        for row in await store.rows(select(results).where(own.game.in_(part), own.key != key)):
            others.setdefault(row.game, []).append(row)
    return [
        Played(
            game=row.game, seat=row.seat, box=row.box, players=row.players, points=row.points,
            place=row.place, at=row.at, others=tuple(
                Opponent(key=one.key, bot=one.bot, place=one.place, points=one.points)
                for one in others.get(row.game, [])
            ),
        )
        for row in reversed(mine)
    ]
