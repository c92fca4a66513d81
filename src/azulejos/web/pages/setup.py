"""The set-up: a box, who sits where, and how; and the form that opens a table."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.components import read_components, uncertain, write_components
from azulejos.core.game import MAX_SEATS, Game, Preset
from azulejos.core.message import Problem, msg, raw
from azulejos.i18n import translator
from azulejos.web.names import read_name
from azulejos.web.pages.agreement import read_agreement
from azulejos.web.pages.last_choice import keep_choice, last_choice
from azulejos.web.pages.opponents import opponents
from azulejos.web.pages.response import form, open_table, page, redirect, slowly, visitor
from azulejos.web.pages.small_picture import variant_picture
from azulejos.web.refused import Refused
from azulejos.web.store.faults import Unsaved
from azulejos.web.store.saved import BOT, HUMAN, OPEN, SavedSeat, SavedTable
from azulejos.web.tables.boxes import START_OPTION, box_of, playable, shelf
from azulejos.web.tables.live_table import new_table
from azulejos.web.visitor import Visitor
from azulejos.web.work.bots import FIRST_OPPONENT, offered

CLOCKS = (0, 3, 10, 20, 30, 60)
"""Minutes per player; 0: no clock."""


async def show_setup(request: Request) -> Response:
    last = last_choice(request)
    chosen = request.query_params.get("box", last.box)
    if chosen not in playable():
        raise HTTPException(404)
    game, preset = playable()[chosen]
    return page(
        request, "setup.html", shelf=shelf(), box=box_of(chosen), preset=preset, last=last,
        opponents=opponents(game, preset), variant_picture=variant_picture,
        CLOCKS=CLOCKS, MAX_SEATS=MAX_SEATS, START=START_OPTION, first_opponent=FIRST_OPPONENT,
        components=[(box, uncertain(box.game), write_components(box.game, _usual(box.game, box.presets[0])))
                    for box in shelf() if uncertain(box.game)],
        usual_of=_usual,
    )


def _usual(game: Game, preset: Preset) -> dict[str, str]:
    return game.read_options(preset.options)


# --- opening a table ----------------------------------------------------------------------------------


async def create(request: Request) -> Response:
    given = await form(request, files=1)
    who = visitor(request)
    saved, holders = (
        await slowly(request, read_table, given, who) if _components(given) else read_table(given, who)
    )
    try:
        table = await open_table(request, saved, holders.items())
    except Unsaved as error:
        raise Refused(msg("The table could not be saved, so it was not opened. ({error})",
                          error=str(error)[:200])) from error
    response = redirect(request, f"t/{table.id}")
    if given.get("keep") != "no":
        keep_choice(request, response, given)
    return response


def read_table(given: Mapping[str, str], who: Visitor) -> tuple[SavedTable, dict[int, str]]:
    """The table that a form describes, and the keys of the seats that are taken from the start."""
    game, preset = _read_box(given)
    seats, holders = _read_seats(given, game, who)
    try:
        return new_table(
            preset.name, seats, _read_options(given, game, preset), listed=given.get("listed") == "on",
            **read_agreement(given),
        ), holders
    except Problem as problem:
        raise Refused(problem.reason) from problem
    except ValueError as error:
        raise Refused(raw(str(error))) from error


def _read_box(given: Mapping[str, str]) -> tuple[Game, Preset]:
    """`box` is a preset. Without scripts, another cover may be chosen than that of the preset."""
    name, cover = given.get("box", ""), given.get("cover", "")
    if name not in playable() or cover not in ("", *playable()):
        raise HTTPException(404)
    of_cover = [preset.name for preset in box_of(cover or name).presets]
    return playable()[name if name in of_cover else of_cover[0]]


def _read_options(given: Mapping[str, str], game: Game, preset: Preset) -> dict[str, str]:
    """Options that differ from the box's defaults, and the components that were pasted or uploaded."""
    usual = _usual(game, preset)
    chosen = {o.name: given.get(f"option-{o.name}", usual[o.name]) for o in game.options}
    components = _components(given)
    own = read_components(components, game) if components else {}
    return {name: value for name, value in {**chosen, **own}.items() if value != usual[name]}


def _components(given: Mapping[str, str]) -> str:
    return given.get("components-file", "").strip() or given.get("components", "").strip()


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


routes = [
    Route("/new", show_setup),
    Route("/tables", create, methods=["POST"]),
]
