"""The pages of a duplicate: the form that opens one, and its two tables with seats and result."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.message import msg
from azulejos.i18n import translator
from azulejos.web.learn import duplicate
from azulejos.web.learn.daily import OPPONENT
from azulejos.web.learn.duplicate import AGAINST_BOT, FORMS, TEAMS, Duplicate, result_of, team_name
from azulejos.web.names import read_name
from azulejos.web.pages.response import form, lobby, make_room, page, redirect, visitor
from azulejos.web.pages.setup import keep_name, last_choice, named, opponents, own_name
from azulejos.web.pages.table import free_seat
from azulejos.web.refused import Refused
from azulejos.web.store.saved import OPEN, TABLE_ID
from azulejos.web.tables.boxes import box_of, playable, shelf, title_of
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.wire.messages import PROTOCOL
from azulejos.web.wire.plan import plan_of


async def show_form(request: Request) -> Response:
    last = last_choice(request)
    game, preset = playable()[last.box]
    return page(
        request, "duplicate_form.html", shelf=shelf(), chosen=last.box, name=last.names[0], FORMS=FORMS,
        bots=opponents(game, preset).usual, OPPONENT=OPPONENT,
    )


async def create(request: Request) -> Response:
    given = await form(request)
    kind, box, word = given.get("form", AGAINST_BOT), given.get("box", ""), given.get("bot", OPPONENT)
    if kind not in FORMS or box not in playable():
        raise HTTPException(404)
    game, preset = playable()[box]
    if word.partition("@")[0] not in {bot.word.partition("@")[0] for bot in opponents(game, preset).usual}:
        raise Refused(msg("There is no bot of that strength."))
    word, name = word.partition("@")[0], await _name(request, given)
    bot_name = translator(visitor(request).language)(named(word, game, preset).name)
    tables = duplicate.new_duplicate(kind, box, host=name, bot=word, bot_name=bot_name)
    make_room(request, *tables)
    made = await duplicate.create(lobby(request).store, kind, tables, visitor(request).key)
    return await _to(request, made.page, given)


async def _name(request: Request, given: Mapping[str, str]) -> str:
    guest = translator(visitor(request).language)(msg("Guest"))
    return read_name(given.get("name", "")) or await own_name(request) or guest


async def _to(request: Request, path: str, given: Mapping[str, str]) -> Response:
    response = redirect(request, path)
    await keep_name(request, response, read_name(given.get("name", "")))
    return response


# --- one duplicate -------------------------------------------------------------------------------------


async def _found(request: Request) -> tuple[Duplicate, list[LiveTable]]:
    name = str(request.path_params["id"])
    made = await duplicate.find(lobby(request).store, name) if TABLE_ID.fullmatch(name) else None
    tables = [await lobby(request).table(table) for table in made.tables] if made else []
    present = [table for table in tables if table is not None]
    if made is None or len(present) != len(made.tables):
        raise HTTPException(404)
    return made, present


async def _own_table(request: Request, tables: list[LiveTable]) -> LiveTable | None:
    """The table at which the visitor sits."""
    store, key = lobby(request).store, visitor(request).key
    for table in tables:
        if (await store.held(table.id, key)).own:
            return table
    return None


async def show_duplicate(request: Request) -> Response:
    """Who sits where; a table of others can be looked at only when both games are over."""
    made, tables = await _found(request)
    own, found = await _own_table(request, tables), result_of(made, tables)
    saved = tables[0].saved
    return page(
        request, "duplicate.html", made=made, tables=tables, own=own, result=found, OPEN=OPEN,
        TEAMS=TEAMS, box=box_of(saved.box), title=title_of(saved.box), host=saved.seats[0].name,
        name=await own_name(request), link=str(request.url.replace(query="")),
        teams=[team_name(made, tables, team) for team in range(2)],
        free=any(free_seat(table) for table in tables), protocol=PROTOCOL,
        waiting=plan_of(own.position, visitor(request).language) if own and free_seat(own) else None,
    )


async def sit(request: Request) -> Response:
    """Take a free seat. Nobody sits twice: they would know the tiles."""
    made, tables = await _found(request)
    given = await form(request)
    if await _own_table(request, tables) is not None:
        raise Refused(msg("You already sit at one of these two tables. At the other one you would know the "
                          "tiles."))
    number, seat = given.get("table", ""), given.get("seat", "")
    if number not in ("0", "1") or seat not in ("0", "1"):
        raise HTTPException(404)
    await tables[int(number)].people.sit(
        int(seat), await _name(request, given), visitor(request).key, not_both=made.tables
    )
    return await _to(request, f"t/{made.tables[int(number)]}", given)


routes = [
    Route("/duplicate", show_form),
    Route("/duplicate", create, methods=["POST"]),
    Route("/duplicate/{id}", show_duplicate),
    Route("/duplicate/{id}/sit", sit, methods=["POST"]),
]
