"""The daily deal: one box, seed and opponent a day, the same for everybody; the first game counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, exists, func, select, text, update

from azulejos.bots.levels import NAMES
from azulejos.core import registry
from azulejos.core.message import Message, msg
from azulejos.web.store import schema
from azulejos.web.store.saved import BOT, FINISHED, HUMAN, NO_CHAT, SavedSeat, SavedTable
from azulejos.web.store.store import Store
from azulejos.web.tables.boxes import shelf
from azulejos.web.tables.fair_deal import commitment, new_seed
from azulejos.web.tables.live_table import new_table

OPPONENT = "level:4"
NODES = 20_000
"""Positions that the opponent may search for an action; its level searches fewer."""

EASY_BOX, EASY_OPPONENT = "azul", "level:2"
"""What newcomers can begin with, on days of other boxes."""
NEWCOMER = 3
"""Days that somebody plays as a newcomer."""

PAR_PLAYER = "level:7"
PAR_NODES = 100_000

SEAT, OTHER = 0, 1
"""The seats of the person and of the bot."""

GRACE = timedelta(hours=12)
"""How long after the end of the day a game counts that was begun before."""


BOT_VISITOR = "bot:"
"""Before the word of a bot that plays along, in the place of a visitor's key."""

MOST: Final = 100
"""Points of a day, for whoever is ahead of everybody."""

RANKED: Final = "ranked"
LATE: Final = "late"
FOREIGN: Final = "foreign"
FORGED: Final = "forged"
OTHER_BOT: Final = "bot"

REFUSALS: dict[str, Message] = {
    LATE: msg("Your game was finished after the deal was closed, so it is not ranked."),
    FOREIGN: msg("This game is not your game of this day, so it is not ranked."),
    FORGED: msg("This game does not follow from the deal of the day when it is replayed, so it is not "
                "ranked."),
    OTHER_BOT: msg("The opponent's moves in this game are not those of the opponent of the day, so it is "
                   "not ranked."),
}
"""Why a game does not count, by verdict."""


@dataclass(frozen=True, kw_only=True)
class DailyDeal:
    day: str
    box: str
    rules_version: int
    seed: str
    bot: str
    nodes: int
    par: int | None = None
    """The margin of the strongest level on the same seat, once it is known."""
    easy_par: int | None = None
    easy: bool = False
    """Whether it is the one for newcomers."""

    @property
    def contest(self) -> str:
        """The page of this deal."""
        return f"daily/{self.day}{'/easy' if self.easy else ''}"

    def for_newcomers(self) -> DailyDeal | None:
        """The easy deal of the same day; None if the box of the day is the easy one. Its seed follows from
        that of the day, but nobody can tell the draws of one from those of the other."""
        if self.easy or self.box == EASY_BOX:
            return None
        return replace(
            self, box=EASY_BOX, rules_version=registry.find(EASY_BOX)[0].version, bot=EASY_OPPONENT,
            seed=commitment(f"azulejos easy {self.seed}"), par=self.easy_par, easy=True,
        )

    @property
    def ends(self) -> datetime:
        """From then on nobody can begin a game that counts."""
        return datetime.fromisoformat(self.day).replace(tzinfo=UTC) + timedelta(days=1)

    @property
    def closes(self) -> datetime:
        """From then on no game counts, and the seed is shown."""
        return self.ends + GRACE

    def table(self, *, name: str, opponent: str, ranked: bool) -> SavedTable:
        """A new game of this deal."""
        seats = (
            SavedSeat(seat=SEAT, kind=HUMAN, name=name),
            SavedSeat(seat=OTHER, kind=BOT, name=opponent, bot=self.bot),
        )
        table = new_table(self.box, seats, {}, chat=NO_CHAT, seed=self.seed)
        return replace(table, contest=self.contest, ranked=ranked, nodes=self.nodes)


@dataclass(frozen=True, kw_only=True)
class FirstGame:
    """The first game of a visitor in a deal."""

    day: str
    visitor: str
    game: str
    """The id of its table."""
    name: str
    verdict: str = ""
    """RANKED, a key of REFUSALS, or empty: not finished, or not checked yet."""
    margin: int | None = None
    points: int | None = None
    easy: bool = False


def day_of(seconds: float) -> str:
    """The day in UTC of a moment in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def new_deal(day: str) -> DailyDeal:
    """The seed is random and made on the day, so that nobody can know it before."""
    box = box_of(date.fromisoformat(day))
    return DailyDeal(
        day=day, box=box, rules_version=registry.find(box)[0].version, seed=new_seed(), bot=OPPONENT,
        nodes=NODES,
    )


def box_of(day: date) -> str:
    """The boxes for two take turns; each time another variant of the box."""
    boxes = sorted((box for box in shelf() if box.players[0] <= 2 <= box.players[1]), key=lambda b: b.name)
    turn, number = divmod(day.toordinal(), len(boxes))
    variants = boxes[number].presets
    return variants[turn % len(variants)].name


def points_of(margins: Sequence[int], own: int) -> int:
    """What a margin is worth among all of a day, its own included: the share of the others who did worse;
    equals count half. Whoever is alone has half of the points."""
    others = len(margins) - 1
    if others < 1:
        return MOST // 2
    worse = sum(margin < own for margin in margins)
    equal = sum(margin == own for margin in margins) - 1
    return round(MOST * (worse + equal / 2) / others)


# --- in the database ---------------------------------------------------------------------------------


_NEW_DEAL = text(
    "INSERT INTO daily_deals (day, box, rules_version, seed, bot, nodes) "
    "VALUES (:day, :box, :rules_version, :seed, :bot, :nodes) ON CONFLICT DO NOTHING"
)
_FIRST_GAME = text(
    "INSERT INTO daily_attempts (day, visitor, easy, game, name, verdict) "
    "VALUES (:day, :visitor, :easy, :game, :name, '') ON CONFLICT DO NOTHING"
)

_BOT_GAME = text(
    "INSERT INTO daily_attempts (day, visitor, easy, game, name, verdict, margin, points) "
    "VALUES (:day, :visitor, :easy, :game, :name, :verdict, :margin, :points) ON CONFLICT DO NOTHING"
)


def _ranked(day: str, easy: bool) -> ColumnElement[bool]:
    columns = schema.daily_attempts.c
    return (columns.day == day) & (columns.easy == int(easy)) & (columns.verdict == RANKED)


def _first_game(row: Any) -> FirstGame:
    return FirstGame(**{**row._mapping, "easy": bool(row.easy)})


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
        deals, attempts = schema.daily_deals, schema.daily_attempts.c
        for easy, par in enumerate((deals.c.par, deals.c.easy_par)):
            begun = exists().where(attempts.day == deals.c.day, attempts.easy == easy)
            found = await self._store.rows(
                select(deals).where(deals.c.day >= since, par.is_(None), begun).limit(1)
            )
            deal = DailyDeal(**found[0]._mapping) if found else None
            chosen = deal.for_newcomers() if deal and easy else deal
            if chosen is not None:
                return chosen
        return None

    async def without_bots(self, *, since: str) -> list[tuple[DailyDeal, str]]:
        """Deals with par, and the levels that have not played them yet."""
        deals, attempts = schema.daily_deals, schema.daily_attempts
        found = await self._store.rows(select(deals).where(deals.c.day >= since))
        missing = []
        for row in found:
            usual = DailyDeal(**row._mapping)
            for deal in (usual, usual.for_newcomers()):
                if deal is None or deal.par is None:
                    continue
                there = await self._store.rows(
                    select(attempts.c.visitor)
                    .where(attempts.c.day == row.day, attempts.c.easy == int(deal.easy),
                           attempts.c.visitor.startswith(BOT_VISITOR))
                )
                known = {one.visitor for one in there}
                words = [f"level:{level}" for level in range(1, len(NAMES))]
                missing += [(deal, word) for word in words if f"{BOT_VISITOR}{word}" not in known]
        return missing

    async def enter(self, attempt: FirstGame) -> None:
        """The game of a bot; a second one changes nothing."""
        given = {**asdict(attempt), "easy": int(attempt.easy)}
        await self._store.database.write(lambda connection: connection.execute(_BOT_GAME, given))

    async def set_par(self, day: str, par: int, *, easy: bool = False) -> None:
        deals = schema.daily_deals
        column = deals.c.easy_par if easy else deals.c.par
        changed = update(deals).where(deals.c.day == day, column.is_(None)).values({column: par})
        await self._store.database.write(lambda connection: connection.execute(changed))

    # --- first games -------------------------------------------------------------------------------

    async def begin(self, table: SavedTable, day: str, visitor: str, *, easy: bool = False) -> str:
        """Open the first game of a visitor; if there is one already, nothing is changed. Returns its id."""
        given = {"day": day, "visitor": visitor, "easy": int(easy), "game": table.id,
                 "name": table.seats[SEAT].name}

        def act(connection: Connection) -> bool:
            first = connection.execute(_FIRST_GAME, given).rowcount == 1
            if first:
                self._store.insert(connection, table, [(SEAT, visitor)])
            return first

        if await self._store.database.write(act):
            return table.id
        found = await self.attempt(day, visitor, easy=easy)
        assert found is not None
        return found.game

    async def attempt(self, day: str, visitor: str, *, easy: bool = False) -> FirstGame | None:
        columns = schema.daily_attempts.c
        query = select(schema.daily_attempts).where(
            columns.day == day, columns.visitor == visitor, columns.easy == int(easy)
        )
        found = await self._store.rows(query)
        return _first_game(found[0]) if found else None

    async def days_played(self, visitor: str, *, before: str) -> int:
        """How many earlier days somebody has played."""
        columns = schema.daily_attempts.c
        found = await self._store.rows(
            select(columns.day).where(columns.visitor == visitor, columns.day < before).distinct()
            .limit(NEWCOMER)
        )
        return len(found)

    async def unchecked(self) -> list[FirstGame]:
        """Finished games that wait for their verdict."""
        attempts, tables = schema.daily_attempts, schema.tables.c
        found = await self._store.rows(
            select(attempts).join(schema.tables, tables.id == attempts.c.game)
            .where(attempts.c.verdict == "", tables.state == FINISHED).order_by(tables.changed)
        )
        return [_first_game(row) for row in found]

    async def settle(self, attempt: FirstGame) -> None:
        """Keep the verdict of a game that has none."""
        columns = schema.daily_attempts.c
        changed = (
            update(schema.daily_attempts)
            .where(columns.day == attempt.day, columns.visitor == attempt.visitor,
                   columns.easy == int(attempt.easy), columns.verdict == "")
            .values(verdict=attempt.verdict, margin=attempt.margin, points=attempt.points)
        )
        await self._store.database.write(lambda connection: connection.execute(changed))

    # --- ranking -----------------------------------------------------------------------------------

    async def best(self, day: str, *, limit: int, easy: bool = False) -> Sequence[FirstGame]:
        """Ranked games, the largest margin first; among equal ones the most points."""
        columns = schema.daily_attempts.c
        found = await self._store.rows(
            select(schema.daily_attempts).where(_ranked(day, easy))
            .order_by(columns.margin.desc(), columns.points.desc(), columns.name).limit(limit)
        )
        return [_first_game(row) for row in found]

    async def ranked(self, day: str, *, easy: bool = False) -> set[str]:
        """Visitors with a ranked game."""
        columns = schema.daily_attempts.c
        found = await self._store.rows(
            select(columns.visitor).where(_ranked(day, easy))
        )
        return {str(row.visitor) for row in found}

    async def margins(self, day: str, *, easy: bool = False) -> dict[int, int]:
        """How many ranked games ended with each margin."""
        columns = schema.daily_attempts.c
        found = await self._store.rows(
            select(columns.margin, func.count().label("games"))
            .where(_ranked(day, easy)).group_by(columns.margin)
            .order_by(columns.margin)
        )
        return {int(row.margin): int(row.games) for row in found}
