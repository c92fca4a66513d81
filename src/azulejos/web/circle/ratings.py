"""Ratings of people who have agreed to them: openskill, by box, circle and season.

A rating is a normal distribution. The number that ranks is its mean less twice its deviation, so nobody is
first by two lucky games. Each season begins with what the last one found, less surely.

Of openskill's models it is Thurstone and Mosteller's: for 24 simulated players with 20 games each, 20 to 22
of the intervals of 95 % hold the strength; Plackett and Luce's hold 12, because its means lie twice as far
apart as the strengths (tests/web/circle/test_meeting.py).

What cannot change a rating: a bot, a program, a substitute, a second seat of the same visitor, more than
MOST_A_DAY games of the same people in a day, and, for whoever has played enough, somebody new: with the
other models and without that rule, 40 wins against 40 new names were worth 1,080 points.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from azulejos.web.store import schema
from azulejos.web.store.saved import HUMAN, SavedTable
from azulejos.web.store.store import Store

MOST_A_DAY = 5
"""Games of the same people that count in 24 hours: more would be work for points, or a gift of points."""
DAY = 24 * 3600.0
SURE = 2.0
"""Deviations below the mean at which somebody is ranked."""
SPREAD = 6.0
"""Deviation to which a rating returns, at least, when a season begins."""
FEWEST = 3
"""Games before somebody is in the list."""
SCALE, CENTRE = 40.0, 1500.0
"""Ratings are shown like those of chess: openskill's 25 ± 8.3 is 1500 ± 333."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rating:
    key: str
    mu: float
    sigma: float
    games: int

    @property
    def shown(self) -> int:
        return round(CENTRE + SCALE * (self.mu - 25))

    @property
    def spread(self) -> int:
        """Half of the interval in which the strength is with 95 % chance."""
        return round(1.96 * SCALE * self.sigma)

    @property
    def sure(self) -> float:
        return self.mu - SURE * self.sigma


def season_of(seconds: float) -> str:
    """A quarter of a year, such as 2026-4."""
    day = datetime.fromtimestamp(seconds, UTC)
    return f"{day.year}-{(day.month + 2) // 3}"


@functools.cache
def model() -> Any:
    from openskill.models import ThurstoneMostellerFull

    return ThurstoneMostellerFull()


def after(before: Sequence[tuple[float, float]], places: Sequence[int]) -> list[tuple[float, float]]:
    """Ratings after a game, from those before it and the places."""
    known = model()
    teams = [[known.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    rated = known.rate(teams, ranks=[float(place) for place in places])
    return [(team[0].mu, team[0].sigma) for team in rated]


def after_game(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The same for people. Those who have played enough are rated among themselves."""
    found = after([(one.mu, one.sigma) for one in before], places)
    known = [i for i, one in enumerate(before) if one.games >= FEWEST]
    if len(known) < len(before):
        among = after([(before[i].mu, before[i].sigma) for i in known], [places[i] for i in known]) \
            if len(known) > 1 else [(before[i].mu, before[i].sigma) for i in known]
        for i, rating in zip(known, among, strict=True):
            found[i] = rating
    return [
        Rating(key=one.key, mu=mu, sigma=sigma, games=one.games + 1)
        for one, (mu, sigma) in zip(before, found, strict=True)
    ]


def beginning(former: tuple[float, float] | None) -> tuple[float, float]:
    """With what somebody begins a season."""
    if former is None:
        return 25.0, 25.0 / 3
    mu, sigma = former
    return mu, min(25.0 / 3, math.hypot(sigma, SPREAD / 2)) if sigma < SPREAD else sigma


def rate(connection: Connection, table: SavedTable, rows: Sequence[Mapping[str, Any]]) -> None:
    """Count a finished game that was agreed to be rated, in the transaction that notes its result."""
    keys = [str(row["key"]) for row in rows]
    people = all(s.kind == HUMAN and not s.bot and not s.guest and not s.program for s in table.seats)
    if not people or len(rows) != table.players or len(set(keys)) < len(keys) or "" in keys:
        return
    if table.circle and not _all_members(connection, table.circle, keys):
        return
    at, box = float(rows[0]["at"]), str(rows[0]["box"])
    if _met_lately(connection, keys, at, str(rows[0]["game"])) >= MOST_A_DAY:
        return
    season = season_of(at)
    before = [_known(connection, table.circle, box, season, key) for key in keys]
    for one in after_game(before, [int(row["place"]) for row in rows]):
        _put(connection, table.circle, box, season, one)


def _all_members(connection: Connection, circle: str, keys: Sequence[str]) -> bool:
    members = schema.members.c
    found = connection.execute(select(members.key).where(members.circle == circle, members.key.in_(keys)))
    return len(found.all()) == len(keys)


def _met_lately(connection: Connection, keys: Sequence[str], at: float, game: str) -> int:
    """How many other games of exactly these people ended in the day before."""
    results, tables = schema.results.c, schema.tables.c
    mine = (
        select(results.game).join(schema.tables, tables.id == results.game)
        .where(results.key == keys[0], results.at > at - DAY, results.game != game, tables.rated == 1,
               results.players == len(keys))
    )
    count = 0
    for row in connection.execute(mine).all():
        found = connection.execute(select(results.key).where(results.game == row.game))
        count += sorted(str(one.key) for one in found) == sorted(keys)
    return count


def _known(connection: Connection, circle: str, box: str, season: str, key: str) -> Rating:
    """The rating of this season, or what it begins with."""
    columns = schema.ratings.c
    row = connection.execute(
        select(schema.ratings)
        .where(columns.circle == circle, columns.box == box, columns.key == key, columns.season <= season)
        .order_by(columns.season.desc()).limit(1)
    ).one_or_none()
    if row is not None and row.season == season:
        return Rating(key=key, mu=row.mu, sigma=row.sigma, games=row.games)
    mu, sigma = beginning(None if row is None else (row.mu, row.sigma))
    return Rating(key=key, mu=mu, sigma=sigma, games=0)


def _put(connection: Connection, circle: str, box: str, season: str, one: Rating) -> None:
    columns = schema.ratings.c
    connection.execute(delete(schema.ratings).where(
        columns.circle == circle, columns.box == box, columns.season == season, columns.key == one.key
    ))
    connection.execute(insert(schema.ratings).values(
        circle=circle, box=box, season=season, key=one.key, mu=one.mu, sigma=one.sigma, games=one.games
    ))


async def ranked(store: Store, circle: str, box: str, season: str, *, limit: int = 100) -> list[Rating]:
    """The list of a box: whoever has played enough, by what is sure."""
    columns = schema.ratings.c
    found = await store.rows(
        select(schema.ratings)
        .where(columns.circle == circle, columns.box == box, columns.season == season,
               columns.games >= FEWEST)
        .order_by((columns.mu - SURE * columns.sigma).desc()).limit(limit)
    )
    return [Rating(key=row.key, mu=row.mu, sigma=row.sigma, games=row.games) for row in found]


async def ratings_of(store: Store, key: str, season: str) -> dict[tuple[str, str], Rating]:
    """By circle and box."""
    columns = schema.ratings.c
    found = await store.rows(
        select(schema.ratings).where(columns.key == key, columns.season == season)
    )
    return {(row.circle, row.box): Rating(key=key, mu=row.mu, sigma=row.sigma, games=row.games)
            for row in found}
