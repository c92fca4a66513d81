"""A deal that is played again: its page, and the way to it from a finished game."""

from __future__ import annotations

from collections import Counter

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core import registry
from azulejos.core.message import msg
from azulejos.i18n import translator
from azulejos.web.learn import duplicate
from azulejos.web.learn.replayed_deals import (
    CONTEST, Deals, OldDeal, compared, first_of_each, is_known, replays,
)
from azulejos.web.names import default_name
from azulejos.web.pages.contests import Mark, bars, drawing
from azulejos.web.pages.response import form, lobby, open_table, page, person_of, redirect, slowly, visitor
from azulejos.web.pages.setup import bot_seat, named, own_name
from azulejos.web.pages.table import table_of
from azulejos.web.refused import Refused
from azulejos.web.store.saved import HUMAN, TABLE_ID, SavedSeat, Unreplayable
from azulejos.web.tables.boxes import box_of, playable, title_of
from azulejos.web.tables.live_table import LiveTable

SHOWN = 5
"""Own games of a deal that are listed."""


def deals_of(request: Request) -> Deals:
    return Deals(lobby(request).store)


async def _found(request: Request) -> OldDeal:
    name = str(request.path_params["id"])
    deal = await deals_of(request).find(name) if TABLE_ID.fullmatch(name) else None
    if deal is None or deal.box not in playable():
        raise HTTPException(404)
    return deal


# --- from a finished game ------------------------------------------------------------------------------


async def make(request: Request) -> Response:
    """To the page of the deal of a finished game, for the seat that the visitor had."""
    table = await table_of(request)
    seats = await lobby(request).store.seats_of(table.id, visitor(request).key)
    contest = table.saved.contest
    if contest and (contest.startswith(CONTEST) or not await _is_open(request, table)):
        return redirect(request, contest)
    origin = await _origin(request, table)
    deal = await deals_of(request).of(origin.whole(), min(seats, default=0))
    return redirect(request, deal.contest)


async def _is_open(request: Request, table: LiveTable) -> bool:
    """Whether the game of a contest can be told to others: both games of a duplicate are over."""
    kind, _, name = table.saved.contest.partition("/")
    made = await duplicate.find(lobby(request).store, name) if kind == "duplicate" else None
    games = [await lobby(request).table(game) for game in made.tables] if made else []
    return bool(games) and all(game is not None and game.over for game in games)


async def _origin(request: Request, table: LiveTable) -> LiveTable:
    """The finished game from whose seed all draws of this one follow, at least at its beginning."""
    seen = {table.id}
    while not await slowly(request, is_known, table.whole()):
        source = table.saved.branch_of
        if not table.over:
            raise Refused(msg("This game is not finished. Its deal can be played again after the game."))
        found = None
        if source and source not in seen and not table.saved.start_position:
            seen.add(source)
            try:
                found = await lobby(request).table(source)
            except Unreplayable:
                found = None
        if found is None or found.saved.contest:
            raise Refused(msg("The deal of this game is not known here, so it cannot be played again."))
        table = found
    return table


# --- the page ------------------------------------------------------------------------------------------


async def show(request: Request) -> Response:
    deal, who = await _found(request), visitor(request)
    store, say = lobby(request).store, translator(who.language)
    await request.app.state.ledger.enter_some()  # a game that has just ended
    games, first = await replays(store, deal.contest), await deals_of(request).first_game(deal)
    firsts = first_of_each([*([first] if first else []), *games])
    own = firsts.get(who.key)
    others = Counter(game.margin for key, game in firsts.items() if key != who.key)
    margins = Counter(game.margin for game in firsts.values())
    found = bars(margins) if margins.total() > 1 else []
    marks = [Mark(margin=own.margin, name=say(msg("you")), kind="own")] if own else []
    if first and first is not own:
        marks.append(Mark(margin=first.margin, name=say(msg("first played")), kind="par"))
    game, preset = playable()[deal.box]
    mine = [one for one in games if one.key == who.key]
    return page(
        request, "deal.html", deal=deal, title=title_of(deal.box), box=box_of(deal.box),
        opponents=[named(word, game, preset) for word in deal.bots],
        own=compared(own, others) if own else None, games=len(firsts), bars=found,
        drawing=drawing(found, marks) if found else "",
        mine=mine[: -SHOWN - 1 : -1], unfinished=await deals_of(request).unfinished(deal, who.key),
        link=str(request.url.replace(query="")),
    )


async def play(request: Request) -> Response:
    """A new game of the deal, or the one that waits."""
    deal, who = await _found(request), visitor(request)
    await form(request)
    waiting = await deals_of(request).unfinished(deal, who.key)
    if waiting is not None:
        return redirect(request, f"t/{waiting}")
    if not deal.playable:
        raise Refused(msg("The rules of this game have changed since then, so its deal cannot be played "
                          "again."))
    table = await open_table(request, deal.table(await _seats(request, deal)), [(deal.seat, who.key)])
    return redirect(request, f"t/{table.id}")


async def _seats(request: Request, deal: OldDeal) -> tuple[SavedSeat, ...]:
    game, language = registry.find(deal.box)[0], visitor(request).language
    person, words, seats = await person_of(request), iter(deal.bots), list[SavedSeat]()
    for seat in range(len(deal.bots) + 1):
        if seat == deal.seat:
            name = await own_name(request) or default_name(seat, language)
            seats.append(SavedSeat(seat=seat, kind=HUMAN, name=name, face=person.face if person else ""))
        else:
            seats.append(bot_seat(seat, next(words), game, seats, language))
    return tuple(seats)


routes = [
    Route("/t/{id}/deal", make, methods=["POST"]),
    Route("/deal/{id}", show),
    Route("/deal/{id}/play", play, methods=["POST"]),
]
