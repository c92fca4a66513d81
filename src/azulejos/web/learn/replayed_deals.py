"""A deal that is played again: the draws and the opponents of an old game, the same for everybody.

It has a page of its own, under an address that does not tell where it was first played, and stays when
that table is removed. Nothing of it is ranked, and nothing is taken back; whoever finishes it sees which
part of all others did worse.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection, select, text

from azulejos.core import registry
from azulejos.web.circle.ladder import level_of
from azulejos.web.learn.daily import NODES, OPPONENT, points_of
from azulejos.web.store import schema
from azulejos.web.store.saved import (
    BOT, FINISHED, NO_CHAT, NUMBERS, SavedAction, SavedSeat, SavedTable, new_id, now,
)
from azulejos.web.store.store import Store
from azulejos.web.tables.fair_deal import verify
from azulejos.web.tables.live_table import new_table
from azulejos.web.work.bots import DUST

MOST_READ: Final = 5000
"""Games of one deal that are compared."""
CONTEST: Final = "deal/"
"""Before the id of a deal, in the place where a table names its contest."""

_KEEP = text(
    "INSERT INTO deals (id, game, seat, box, options, rules_version, seed, numbers, bots, made) "
    "VALUES (:id, :game, :seat, :box, :options, :rules_version, :seed, :numbers, :bots, :made) "
    "ON CONFLICT DO NOTHING"
)


@dataclass(frozen=True, kw_only=True)
class OldDeal:
    id: str
    game: str
    """The table where it was first played."""
    seat: int
    """The seat of the person."""
    box: str
    options: dict[str, str]
    rules_version: int
    seed: str
    numbers: str
    """What players had added to the seed."""
    bots: tuple[str, ...]
    """The words of the bots at the other seats."""

    @property
    def contest(self) -> str:
        """The page of this deal."""
        return f"{CONTEST}{self.id}"

    @property
    def playable(self) -> bool:
        """Whether these rules deal it as it was dealt."""
        return self.box in registry.presets() and registry.find(self.box)[0].version == self.rules_version

    def table(self, seats: tuple[SavedSeat, ...]) -> SavedTable:
        """A new game of this deal."""
        first = SavedAction(action=0, seat=-1, at=now(), move=self.numbers, event=NUMBERS)
        table = new_table(self.box, seats, self.options, chat=NO_CHAT, seed=self.seed, takes_back=False,
                          helps=False)
        return replace(table, contest=self.contest, nodes=NODES,
                       actions=(first,) if self.numbers else ())


@dataclass(frozen=True, kw_only=True)
class DealGame:
    """A finished game of a deal."""

    game: str
    key: str
    margin: int
    points: int
    at: float


def is_known(table: SavedTable) -> bool:
    """Whether all draws of a finished game follow from its own seed: a record that was opened may say
    anything."""
    if table.state != FINISHED or table.dealt_from or table.start_position:
        return False
    position, played = table.replay(), table.start()
    return verify(played, position.history.actions, seed=table.seed, promised=table.promise,
                  numbers=table.numbers).honest


class Deals:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, table: SavedTable, seat: int) -> OldDeal:
        """The deal of a finished game for one of its seats; made when somebody first asks for it."""
        words = tuple(_opponent(other) for other in table.seats if other.seat != seat)
        given: dict[str, Any] = {
            "id": new_id(), "game": table.id, "seat": seat, "box": table.box,
            "options": json.dumps(dict(table.options)), "rules_version": table.rules_version,
            "seed": table.seed, "numbers": " ".join(table.numbers), "bots": " ".join(words),
            "made": now() / 1000,
        }

        def act(connection: Connection) -> Any:
            connection.execute(_KEEP, given)
            deals = schema.deals
            return connection.execute(
                select(deals).where(deals.c.game == table.id, deals.c.seat == seat)
            ).one()

        return _deal(await self._store.database.write(act))

    async def find(self, name: str) -> OldDeal | None:
        found = await self._store.rows(select(schema.deals).where(schema.deals.c.id == name))
        return _deal(found[0]) if found else None

    async def unfinished(self, deal: OldDeal, key: str) -> str | None:
        """A game of this deal that its player has not finished."""
        tables, keys = schema.tables.c, schema.keys.c
        found = await self._store.rows(
            select(tables.id).join(schema.keys, keys.table_id == tables.id)
            .where(keys.key == key, tables.contest == deal.contest, tables.state != FINISHED).limit(1)
        )
        return str(found[0].id) if found else None

    async def first_game(self, deal: OldDeal) -> DealGame | None:
        """The game from which the deal comes, if its player had no other opponents than bots."""
        results = schema.results.c
        rows = await self._store.rows(select(schema.results).where(results.game == deal.game))
        others = [row for row in rows if row.seat != deal.seat]
        return next(iter(_games(rows)), None) if rows and all(row.bot for row in others) else None


async def replays(store: Store, contest: str) -> list[DealGame]:
    """Finished games of a deal that was known before, oldest first."""
    results = schema.results.c
    rows = await store.rows(
        select(schema.results).where(results.deal == contest, results.place > 0)
        .order_by(results.at).limit(MOST_READ)
    )
    return _games(rows)


def _games(rows: Sequence[Any]) -> list[DealGame]:
    """One game for each person, from rows that have one for each seat."""
    by_game: dict[str, list[Any]] = {}
    for row in rows:
        by_game.setdefault(row.game, []).append(row)
    found = []
    for game, seats in by_game.items():
        own = next((row for row in seats if row.key), None)
        others = [row.points for row in seats if own is not None and row.seat != own.seat]
        if own is not None and others:
            found.append(DealGame(game=game, key=own.key, margin=own.points - max(others),
                                  points=own.points, at=own.at))
    return found


def first_of_each(games: Sequence[DealGame]) -> dict[str, DealGame]:
    """The first game of each person: only that one is compared."""
    found: dict[str, DealGame] = {}
    for game in games:
        found.setdefault(game.key, game)
    return found


@dataclass(frozen=True, kw_only=True)
class DealComparison:
    """The first game of somebody, and how the others did."""

    own: DealGame
    behind: int | None
    """Which part of the others did worse, in percent; None: there is nobody else."""
    others: int


def compared(own: DealGame, others: Counter[int]) -> DealComparison:
    return DealComparison(own=own, behind=_share_behind(own.margin, others), others=others.total())


def _share_behind(margin: int, others: Counter[int]) -> int | None:
    margins = [margin, *others.elements()]
    return points_of(margins, margin) if len(margins) > 1 else None


def _opponent(seat: SavedSeat) -> str:
    word = seat.bot.partition("@")[0] if seat.kind == BOT else ""
    return word if level_of(word) or word == DUST.word else OPPONENT


def _deal(row: Any) -> OldDeal:
    return OldDeal(
        id=row.id, game=row.game, seat=row.seat, box=row.box, options=dict(json.loads(row.options)),
        rules_version=row.rules_version, seed=row.seed, numbers=row.numbers, bots=tuple(row.bots.split()),
    )
