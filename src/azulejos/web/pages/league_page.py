"""The league of the daily deal, by week and month, and the archive of past deals."""

from __future__ import annotations

import re
from datetime import date, timedelta

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.bots.levels import NAMES
from azulejos.i18n.dates import day_and_month, long_date
from azulejos.web.circle.ladder import level_of
from azulejos.web.learn.league import games_between, league, month_of, week_of
from azulejos.web.pages.contests import daily_of
from azulejos.web.pages.response import lobby, page, slowly, visitor
from azulejos.web.pages.whoami import persons

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
