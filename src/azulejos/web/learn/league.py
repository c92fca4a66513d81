"""The league of the daily deal: points by percentile, summed over a week or a month; bots play along."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from sqlalchemy import select

from azulejos.web.learn.daily import BOT_VISITOR, RANKED
from azulejos.web.store import schema
from azulejos.web.store.store import Store

MOST = 100
"""Points of a day, for whoever is ahead of everybody."""
LONGEST = 50_000
"""Games of a month that are read."""


@dataclass(kw_only=True)
class Place:
    visitor: str
    name: str
    points: int = 0
    days: int = 0
    by_day: dict[str, int] = field(default_factory=dict)

    @property
    def bot(self) -> str:
        return self.visitor.removeprefix(BOT_VISITOR) if self.visitor.startswith(BOT_VISITOR) else ""


def points_of(margins: Sequence[int], own: int) -> int:
    """What a margin is worth among all of a day, its own included: the share of the others who did worse;
    equals count half. Whoever is alone has half of the points."""
    others = len(margins) - 1
    if others < 1:
        return MOST // 2
    worse = sum(margin < own for margin in margins)
    equal = sum(margin == own for margin in margins) - 1
    return round(MOST * (worse + equal / 2) / others)


def league(games: Iterable[tuple[str, str, str, int]]) -> list[Place]:
    """Places from games: day, visitor, name, margin; the most points first. The name is the last one."""
    days: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for day, visitor, name, margin in games:
        days[day].append((visitor, name, margin))
    places: dict[str, Place] = {}
    for day, played in sorted(days.items()):
        margins = [margin for _, _, margin in played]
        for visitor, name, margin in played:
            place = places.setdefault(visitor, Place(visitor=visitor, name=name))
            place.name = name
            place.by_day[day] = points_of(margins, margin)
            place.points += place.by_day[day]
            place.days += 1
    return sorted(places.values(), key=lambda place: (-place.points, place.days, place.name))


def week_of(day: date) -> tuple[date, date]:
    """Monday and Sunday."""
    first = day - timedelta(days=day.weekday())
    return first, first + timedelta(days=6)


def month_of(day: date) -> tuple[date, date]:
    first = day.replace(day=1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


async def games_between(store: Store, first: date, last: date) -> list[tuple[str, str, str, int]]:
    columns = schema.daily_attempts.c
    found = await store.rows(
        select(columns.day, columns.visitor, columns.name, columns.margin)
        .where(columns.day >= first.isoformat(), columns.day <= last.isoformat(),
               columns.verdict == RANKED).limit(LONGEST)
    )
    return [(row.day, row.visitor, row.name, row.margin) for row in found]
