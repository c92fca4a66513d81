"""The home page: choose a box and the players, or find a table."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core import registry
from azulejos.core.components import read_components, uncertain, write_components
from azulejos.core.game import MAX_SEATS, Game, Preset
from azulejos.core.message import Message, Problem, msg, raw
from azulejos.i18n import translator
from azulejos.render import piece_svg, themes
from azulejos.web.pages.agreement import read_agreement
from azulejos.web.pages.response import form, lobby, own_path, page, redirect, visitor
from azulejos.web.tables.bots import USUAL_LEVEL, offered
from azulejos.web.tables.faults import Unsaved
from azulejos.web.tables.refused import Refused
from azulejos.web.tables.saved import BOT, HUMAN, OPEN, SavedSeat, new_table
from azulejos.web.visitor import WISH_COOKIE, Visitor, changed_wishes, read_name, set_cookie, write_wishes


@functools.cache
def playable() -> dict[str, tuple[Game, Preset]]:
    """Boxes whose table can be drawn."""
    return {
        name: (game, preset) for name, (game, preset) in registry.presets().items()
        if game.view is not None
    }


async def show_home(request: Request) -> Response:
    who = visitor(request)
    store = lobby(request).store
    boxes = playable()
    chosen = request.query_params.get("box", "")
    game, preset = boxes.get(chosen) or next(iter(boxes.values()))
    return page(
        request, "home.html", boxes=boxes, game=game, preset=preset,
        levels=offered(game, options=preset.options), usual_level=USUAL_LEVEL + 1,
        usual=game.read_options(preset.options), MAX_SEATS=MAX_SEATS, uncertain=uncertain(game),
        components=write_components(game, game.read_options(preset.options)),
        mine=await store.mine(who.key), listed=await store.listed(), title=_title, art=_art,
    )


@functools.cache
def _art(theme: str) -> list[str]:
    """Some pieces of a box, for its card."""
    return [piece_svg(kind, theme=theme) for kind in list(themes()[theme].pieces)[:5]]


def _title(box: str) -> Message:
    """The title of a box; for one that is no longer installed, its name."""
    found = registry.presets().get(box)
    return raw(box) if found is None else found[1].title


async def create(request: Request) -> Response:
    given = await form(request, files=1)
    boxes = playable()
    if given.get("box", "") not in boxes:
        raise HTTPException(404)
    game, preset = boxes[given["box"]]
    seats, holders = _read_seats(given, game, visitor(request))
    try:
        saved = new_table(
            preset.name, seats, _read_options(given, game, preset), listed=given.get("listed") == "on",
            **read_agreement(given),
        )
    except Problem as problem:
        raise Refused(problem.reason) from problem
    except ValueError as error:
        raise Refused(raw(str(error))) from error
    try:
        table = await lobby(request).create(saved, holders.items())
    except Unsaved as error:
        raise Refused(msg("The table could not be saved, so it was not opened. ({error})",
                          error=error.reason)) from error
    return redirect(request, f"/t/{table.id}")


def _read_options(given: Mapping[str, str], game: Game, preset: Preset) -> dict[str, str]:
    """Options that differ from the box's defaults, and the components that were pasted or uploaded."""
    usual = game.read_options(preset.options)
    chosen = {o.name: given.get(f"option-{o.name}", usual[o.name]) for o in game.options}
    components = given.get("components-file", "").strip() or given.get("components", "").strip()
    own = read_components(components, game) if components else {}
    return {name: value for name, value in {**chosen, **own}.items() if value != usual[name]}


def _read_seats(
    given: Mapping[str, str], game: Game, who: Visitor
) -> tuple[tuple[SavedSeat, ...], dict[int, str]]:
    """Who sits where: "you" (also for the others at this screen), "friend" by link, "bot:WORD", "none"."""
    kinds = [given.get(f"seat{i}", "none") for i in range(MAX_SEATS)]
    seats: list[SavedSeat] = []
    holders: dict[int, str] = {}
    for i, kind in enumerate(kinds):
        if kind == "none":
            continue
        seat = len(seats)
        name = read_name(given.get(f"name{i}", ""))
        if kind == "you":
            unnamed = translator(who.language)(msg("Player {n}", n=seat + 1))
            seats.append(SavedSeat(seat=seat, kind=HUMAN, name=name or unnamed))
            holders[seat] = who.key
        elif kind.startswith("bot:"):
            seats.append(_bot_seat(seat, kind[4:], game, seats, who.language))
        else:
            seats.append(SavedSeat(seat=seat, kind=OPEN))
    return tuple(seats), holders


def _bot_seat(seat: int, word: str, game: Game, others: list[SavedSeat], language: str) -> SavedSeat:
    level = next((level for level in offered(game) if level.word == word), None)
    if level is None:
        raise Refused(msg("There is no bot of that strength."))
    name = translator(language)(level.name)
    same = sum(other.bot == word for other in others)
    return SavedSeat(seat=seat, kind=BOT, name=f"{name} {same + 1}" if same else name, bot=word)


async def change_wishes(request: Request) -> Response:
    given = await form(request)
    wishes = changed_wishes(visitor(request).wishes, given)
    response = redirect(request, own_path(given.get("back", "/")))
    secure = request.url.scheme == "https"
    set_cookie(response, WISH_COOKIE, write_wishes(wishes), secure=secure, hidden=False)
    return response


routes = [
    Route("/", show_home),
    Route("/tables", create, methods=["POST"]),
    Route("/wishes", change_wishes, methods=["POST"]),
]
