"""Meeting others: open tables and quick match, and circles with their members, tables and ratings."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.message import Message, msg
from azulejos.i18n import translator
from azulejos.web.circle.circles import Circle, Circles
from azulejos.web.circle.ratings import Rating, ranked, season_of
from azulejos.web.names import FORMER, MAX_TITLE, read_name
from azulejos.web.pages.response import (
    form, lobby, open_table, page, payer, person_of, persons, redirect, visitor,
)
from azulejos.web.pages.setup import DAYS, keep_name, own_name, read_agreement, seated_as
from azulejos.web.refused import FULL, Refused, Taken
from azulejos.web.store.saved import HUMAN, OPEN, SavedSeat, SavedTable, now
from azulejos.web.tables.boxes import shelf, title_of
from azulejos.web.tables.live_table import new_table

SIZE = 400
"""About how many bytes of the database a circle takes."""
QUICK_MINUTES = 10


def circles(request: Request) -> Circles:
    found: Circles = request.app.state.circles
    return found


# --- open tables ---------------------------------------------------------------------------------------


async def show_meet(request: Request) -> Response:
    known = circles(request)
    return page(
        request, "meet.html", tables=await known.waiting(), people_here=await known.here(), shelf=shelf(),
        circles=await known.of(visitor(request).key), title_of=title_of, name=await own_name(request),
        minutes=QUICK_MINUTES,
    )


async def quick_match(request: Request) -> Response:
    """Sit down at a table of the box that waits for somebody, or open one that does."""
    given = await form(request)
    box = next((box for box in shelf() if box.name == given.get("box")), None)
    if box is None:
        raise HTTPException(404)
    name = await _name(request, given.get("name", ""))
    person = await person_of(request)
    for waiting in await circles(request).quick(box.name, visitor(request).key):
        table = await lobby(request).table(waiting.id)
        free = [seat.seat for seat in table.seats if seat.kind == OPEN] if table else []
        if table is None or not free:
            continue
        try:
            await table.people.sit(free[0], name, visitor(request).key, face=person.face if person else "")
        except Taken:
            continue
        return await _to(request, table.id, given.get("name", ""))
    seats = (SavedSeat(seat=0, kind=HUMAN, name=name, face=person.face if person else ""),
             SavedSeat(seat=1, kind=OPEN))
    saved = new_table(box.name, seats, {}, listed=True, minutes=QUICK_MINUTES, at_zero="lose",
                      takes_back=False, mixed=given.get("numbers") == "on")
    made = await open_table(request, saved, [(0, visitor(request).key)])
    return await _to(request, made.id, given.get("name", ""))


async def _name(request: Request, given: str) -> str:
    guest = translator(visitor(request).language)(msg("Guest"))
    return read_name(given) or await own_name(request) or guest


async def _to(request: Request, table: str, name: str) -> Response:
    response = redirect(request, f"t/{table}")
    await keep_name(request, response, read_name(name))
    return response


# --- circles ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Member:
    name: str
    face: str
    own: bool


@dataclass(frozen=True, kw_only=True)
class Standings:
    title: Message
    lines: list[tuple[Member, Rating]]


async def open_circle(request: Request) -> Response:
    given = await form(request)
    title = read_name(given.get("title", ""), most=MAX_TITLE)
    if not title:
        raise Refused(msg("A circle needs a name."))
    if not payer(request).store(SIZE):
        raise Refused(FULL)
    made = await circles(request).open(title, visitor(request).key)
    if made is None:
        raise Refused(msg("You are in enough circles. Leave one first."))
    response = redirect(request, f"c/{made.id}")
    await keep_name(request, response, read_name(given.get("name", "")))
    return response


async def _circle(request: Request) -> Circle:
    found = await circles(request).find(str(request.path_params["id"]))
    if found is None:
        raise HTTPException(404)
    return found


async def show_circle(request: Request) -> Response:
    circle, known = await _circle(request), circles(request)
    keys, own = await known.members(circle.id), visitor(request).key
    if own not in keys:
        return page(request, "circle_door.html", circle=circle, count=len(keys),
                    name=await own_name(request))
    members = await _members(request, keys)
    return page(
        request, "circle.html", circle=circle, members=members, title_of=title_of, shelf=shelf(),
        tables=await known.tables(circle.id), link=str(request.url.replace(query="")), DAYS=DAYS,
        standings=await _standings(request, circle.id, members), season=season_of(now() / 1000),
    )


async def _members(request: Request, keys: list[str]) -> dict[str, Member]:
    found = await persons(request).of_all(keys)
    former = translator(visitor(request).language)(FORMER)
    return {
        key: Member(name=found[key].name if key in found else former, own=key == visitor(request).key,
                    face=found[key].face if key in found else "") for key in keys
    }


async def _standings(request: Request, circle: str, members: dict[str, Member]) -> list[Standings]:
    made = []
    for box in shelf():
        lines = await ranked(lobby(request).store, circle, box.name, season_of(now() / 1000))
        known = [(members[one.key], one) for one in lines if one.key in members]
        if known:
            made.append(Standings(title=box.cover.title, lines=known))
    return made


async def join(request: Request) -> Response:
    circle, given = await _circle(request), await form(request)
    name = read_name(given.get("name", "")) or await own_name(request)
    if not name:
        raise Refused(msg("A name needs a letter, at least."))
    if not await circles(request).join(circle.id, visitor(request).key):
        raise Refused(msg("This circle is full, or you are in enough circles."))
    response = redirect(request, f"c/{circle.id}")
    await keep_name(request, response, name)
    return response


async def leave(request: Request) -> Response:
    circle = await _circle(request)
    await circles(request).leave(circle.id, visitor(request).key)
    return redirect(request, "meet")


async def open_at(request: Request) -> Response:
    """A table of the circle, for its members."""
    circle, given = await _circle(request), await form(request)
    if visitor(request).key not in await circles(request).members(circle.id):
        raise HTTPException(404)
    box = next((box for box in shelf() if box.name == given.get("box")), None)
    count = given.get("players", "2")
    if box is None or count not in map(str, range(box.players[0], box.players[1] + 1)):
        raise HTTPException(404)
    name = await _name(request, "")
    seats = (SavedSeat(seat=0, kind=HUMAN, name=name),
             *(SavedSeat(seat=seat, kind=OPEN) for seat in range(1, int(count))))
    saved: SavedTable = new_table(box.name, seats, {}, circle=circle.id, mixed=given.get("numbers") == "on",
                                  **read_agreement(given))
    saved = seated_as(saved, frozenset({0}), await person_of(request), visitor(request).language)
    table = await open_table(request, saved, [(0, visitor(request).key)])
    return redirect(request, f"t/{table.id}")


routes = [
    Route("/meet", show_meet),
    Route("/meet/quick", quick_match, methods=["POST"]),
    Route("/circles", open_circle, methods=["POST"]),
    Route("/c/{id}", show_circle),
    Route("/c/{id}/join", join, methods=["POST"]),
    Route("/c/{id}/leave", leave, methods=["POST"]),
    Route("/c/{id}/table", open_at, methods=["POST"]),
]
