"""The league of the daily deal, points by percentile, by week and month; the archive of past deals."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta

from sqlalchemy import select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.bots.levels import NAMES
from azulejos.i18n.catalogue import day_and_month, long_date
from azulejos.web.circle.ladder import level_of
from azulejos.web.learn.daily import BOT_VISITOR, RANKED, points_of
from azulejos.web.pages.contests import daily_of
from azulejos.web.pages.response import lobby, page, persons, slowly, visitor
from azulejos.web.store import schema
from azulejos.web.store.store import Store

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


def league(games: Iterable[tuple[str, str, str, int]]) -> list[Place]:
    """Places from games: deal, visitor, name, margin; the most points first. The name is the last one. A
    deal begins with its day: of two in a day the better one counts."""
    days: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for day, key, name, margin in games:
        days[day].append((key, name, margin))
    places: dict[str, Place] = {}
    for day, played in sorted(days.items()):
        margins = [margin for _, _, margin in played]
        for key, name, margin in played:
            place = places.setdefault(key, Place(visitor=key, name=name))
            place.name = name
            won = points_of(margins, margin)
            place.by_day[day[:10]] = max(won, place.by_day.get(day[:10], 0))
    for place in places.values():
        place.points, place.days = sum(place.by_day.values()), len(place.by_day)
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
        select(columns.day, columns.visitor, columns.name, columns.margin, columns.easy)
        .where(columns.day >= first.isoformat(), columns.day <= last.isoformat(),
               columns.verdict == RANKED).limit(LONGEST)
    )
    return [(f"{row.day}{'/easy' if row.easy else ''}", row.visitor, row.name, row.margin) for row in found]


SHOWN = 50
ARCHIVE = 400
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
PERIODS = {"week": week_of, "month": month_of}


async def show_league(request: Request) -> Response:
    period = request.query_params.get("by", "week")
    if period not in PERIODS:
        raise HTTPException(404)
    today = date.fromisoformat((await daily_of(request).today()).day)
    first, last = PERIODS[period](_asked(request, today))
    games = await games_between(lobby(request).store, first, last)
    places = await slowly(request, league, games)
    who = visitor(request)
    own = next((place for place in places if place.visitor == who.key), None)
    shown = places[:SHOWN] + ([own] if own and own not in places[:SHOWN] else [])
    return page(
        request, "league.html", period=period, places=[(places.index(place) + 1, place) for place in shown],
        own=own, first=day_and_month(first, who.language), last=day_and_month(last, who.language),
        earlier=(first - timedelta(days=1)).isoformat(), count=len(places), level_of=level_of,
        later=(last + timedelta(days=1)).isoformat() if last < today else "", bot_names=NAMES,
        faces=await persons(request).of_all([place.visitor for place in shown]),
    )


def _asked(request: Request, today: date) -> date:
    text = request.query_params.get("day", "")
    try:
        asked = date.fromisoformat(text) if DAY.fullmatch(text) else today
    except ValueError:
        return today
    return min(max(asked, date(2000, 1, 1)), today)


async def show_archive(request: Request) -> Response:
    today, language = (await daily_of(request).today()).day, visitor(request).language
    days = await daily_of(request).store.days(before=today, limit=ARCHIVE)
    return page(request, "archive.html",
                days=[(day, long_date(date.fromisoformat(day), language)) for day in days])


routes = [
    Route("/league", show_league),
    Route("/archive", show_archive),
]
