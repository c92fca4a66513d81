"""The home page: play at once, invite, learn; the boxes, and the visitor's games."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from azulejos.bots import Level
from azulejos.bots.preparing import preparing
from azulejos.core.message import Message, msg
from azulejos.web.base_path import root
from azulejos.web.pages.daily_page import daily_card
from azulejos.web.pages.last_choice import FRIEND, LastChoice, last_choice
from azulejos.web.pages.living import living
from azulejos.web.pages.opponents import named
from azulejos.web.pages.puzzles import task_of_today
from azulejos.web.pages.response import form, lobby, own_path, page, remember, visitor
from azulejos.web.pages.you import progress_of, streak_of
from azulejos.web.pages.your_games import your_games
from azulejos.web.tables.boxes import Box, box_of, playable, shelf, title_of
from azulejos.web.visitor import WISH_COOKIE, changed_wishes, set_cookie, write_wishes

SHOWN = 6
"""Games with a picture on the home page."""
LISTED = 100


@dataclass(frozen=True, kw_only=True)
class PlayButton:
    """What the main button opens."""

    fields: dict[str, str]
    box: Box
    bots: tuple[Level, ...]
    line: Message
    preparing: Message | None


def _play_button(last: LastChoice) -> PlayButton:
    game, preset = playable()[last.box]
    bots = tuple(named(word, game, preset) for word in last.bots)
    waits = next(filter(None, (preparing(game, bot.word, bot.name) for bot in bots)), None)
    return PlayButton(
        fields=last.fields, box=box_of(last.box), bots=bots, preparing=waits,
        line=_against(title_of(last.box), bots, last),
    )


def _against(title: Message, bots: tuple[Level, ...], last: LastChoice) -> Message:
    if FRIEND in last.seats:
        return msg("{game}, with a friend", game=title)
    if not bots:
        return msg("{game}, at this screen", game=title)
    if len(bots) > 1:
        return msg("{game}, against {n} bots", game=title, n=len(bots))
    if bots[0].character is None:
        return msg("{game}, against {name}", game=title, name=bots[0].name)
    return msg("{game}, against {name}, {character}", game=title, name=bots[0].name,
               character=bots[0].character)


async def show_home(request: Request) -> Response:
    who = visitor(request)
    last = last_choice(request)
    mine = await lobby(request).store.mine(who.key, limit=LISTED)
    games = await your_games(lobby(request), who, mine[:SHOWN])
    waiting = sum(game.your_turn for game in games)
    progress = await progress_of(request)
    return page(
        request, "home.html", play=_play_button(last), name=last.names[0], shelf=shelf(),
        games=games, count=len(mine), waiting=waiting,
        puzzle=await asyncio.to_thread(task_of_today, request), streak=streak_of(progress),
        daily=await daily_card(request), living=living(who.language),
        listed=await lobby(request).store.listed(), title_of=title_of,
    )


async def show_games(request: Request) -> Response:
    """All games of the visitor, those that wait for them first."""
    who = visitor(request)
    games = await your_games(lobby(request), who, await lobby(request).store.mine(who.key, limit=LISTED))
    return page(request, "games.html", games=games)


async def change_wishes(request: Request) -> Response:
    given = await form(request)
    wishes = changed_wishes(visitor(request).wishes, given)
    back = own_path(given.get("back", ""), otherwise=root(request))
    response = remember(request, RedirectResponse(back, 303))
    set_cookie(request, response, WISH_COOKIE, write_wishes(wishes), hidden=False)
    return response


routes = [
    Route("/", show_home),
    Route("/games", show_games),
    Route("/wishes", change_wishes, methods=["POST"]),
]
