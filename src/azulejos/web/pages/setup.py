"""Setting up a table: the form, what people agree on, and what *Play* repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict
from urllib.parse import parse_qsl, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.bots import Level, levels
from azulejos.bots.words import in_times
from azulejos.core.game import MAX_SEATS, Game, Preset
from azulejos.core.message import Problem, msg, raw
from azulejos.core.registry import read_components, uncertain, write_components
from azulejos.i18n import translator
from azulejos.web.circle.persons import Person
from azulejos.web.names import MAX_NAME, default_name, read_name
from azulejos.web.pages.pictures import variant_picture
from azulejos.web.pages.response import call, form, open_table, page, person_of, redirect, slowly, visitor
from azulejos.web.refused import Refused
from azulejos.web.store.faults import Unsaved
from azulejos.web.store.saved import (
    AT_ZERO, BOT, BOT_PLAYS, CHATS, FREE_CHAT, HUMAN, LOSE, OPEN, PHRASES, REMIND, REPLACE_AFTER, SavedSeat,
    SavedTable,
)
from azulejos.web.tables.boxes import START_OPTION, box_of, playable, shelf
from azulejos.web.tables.live_table import new_table
from azulejos.web.visitor import Visitor, set_cookie
from azulejos.web.work.bots import DUST, FIRST_OPPONENT, TIMES, offered

# --- opponents to choose from ------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Opponents:
    usual: tuple[Level, ...]
    """The seven strengths, weakest first."""
    others: tuple[Level, ...]
    """Dust, more time for the strongest, programs of the operator."""


def opponents(game: Game, preset: Preset) -> Opponents:
    """The bots for a box. The strongest takes the shortest of its times, under its plain name."""
    *weaker, strongest = levels(game, 2, preset.options)
    quick = replace(in_times(strongest, TIMES[0])[0], name=strongest.name, strength=strongest.strength)
    seven = (*weaker, quick)
    words = {level.word for level in seven}
    others = (level for level in offered(game, options=preset.options) if level.word not in words)
    return Opponents(usual=seven, others=tuple(others))


def named(word: str, game: Game, preset: Preset) -> Level:
    """The bot of a word, as it is called on cards."""
    found = opponents(game, preset)
    return next((level for level in (*found.usual, *found.others) if level.word == word), DUST)


# --- what people agree on ----------------------------------------------------------------------------


MAX_MINUTES = 120
DAYS = (1, 3, 7)
"""Days for each turn that can be chosen."""
USUAL_DAYS = DAYS[1]
"""What stands beside the other clocks: for all of them there is no room on a laptop."""


class Agreement(TypedDict):
    minutes: int
    days: int
    takes_back: bool
    helps: bool
    rated: bool
    programs: bool
    at_zero: str
    replace_after: int
    chat: str


def read_agreement(given: Mapping[str, str]) -> Agreement:
    """The fields of the form; what is missing or makes no sense gets its usual value. Strangers may join a
    table that everybody can see, so there any text has to be allowed expressly."""
    usual_chat = PHRASES if given.get("listed") == "on" else FREE_CHAT
    days, rated = _days(given), given.get("rated") == "on"
    at_zero = LOSE if rated else BOT_PLAYS if days else REMIND
    return Agreement(
        minutes=0 if days else _minutes(given, "minutes", 0), days=days, rated=rated,
        takes_back=not rated and given.get("no-take-backs") != "on",
        helps=given.get("no-hints") != "on",
        programs=given.get("programs") == "on" and not rated,
        at_zero=at_zero if rated else _word(given, "at_zero", AT_ZERO, at_zero),
        replace_after=60 * _minutes(given, "replace", REPLACE_AFTER // 60),
        chat=_word(given, "chat", CHATS, usual_chat),
    )


def _days(given: Mapping[str, str]) -> int:
    """The clock of the form is in minutes, or in days for each turn: "d3"; other days have a field."""
    clock = given.get("minutes", "")
    text = given.get("days", "") or (clock[1:] if clock.startswith("d") else "")
    return int(text) if text in map(str, DAYS) else 0


def _minutes(given: Mapping[str, str], name: str, usual: int) -> int:
    text = given.get(name, "")
    return min(MAX_MINUTES, int(text)) if text.isdecimal() and len(text) < 5 else usual


def _word(given: Mapping[str, str], name: str, known: Sequence[str], usual: str) -> str:
    text = given.get(name, usual)
    return text if text in known else usual


# --- what Play repeats, in a cookie ------------------------------------------------------------------


LAST_COOKIE = "azulejos_last"
MAX_COOKIE = 2000
YOU, FRIEND, NOBODY = "you", "friend", "none"


@dataclass(frozen=True, kw_only=True)
class LastChoice:
    """The fields of the set-up form. `seats` are "you", "friend", "bot:WORD" or "none"."""

    box: str
    seats: tuple[str, ...]
    names: tuple[str, ...] = ("",) * MAX_SEATS
    minutes: str = "0"
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def fields(self) -> dict[str, str]:
        """As a form sends them."""
        return {
            "box": self.box, "minutes": self.minutes,
            **{f"seat{i}": kind for i, kind in enumerate(self.seats)},
            **{f"name{i}": name for i, name in enumerate(self.names) if name},
            **{f"option-{name}": value for name, value in self.options.items()},
        }

    @property
    def bots(self) -> tuple[str, ...]:
        """The words of the bots, in the order of their seats."""
        return tuple(kind.removeprefix("bot:") for kind in self.seats if kind.startswith("bot:"))


def usual() -> LastChoice:
    """For a first visit: the first box, against an easy bot."""
    return LastChoice(box=shelf()[0].name, seats=(YOU, f"bot:{FIRST_OPPONENT}", NOBODY, NOBODY))


def last_choice(connection: HTTPConnection) -> LastChoice:
    """What the cookie says; anything that this server does not offer is replaced by the usual."""
    given = dict(parse_qsl(connection.cookies.get(LAST_COOKIE, "")[:MAX_COOKIE], max_num_fields=40))
    first = usual()
    if given.get("box") not in playable():
        return first
    game, _ = playable()[given["box"]]
    words = {level.word for level in offered(game)}
    seats = tuple(_seat(given.get(f"seat{i}", NOBODY), words) for i in range(MAX_SEATS))
    known = {option.name for option in game.options if not option.component}
    return LastChoice(
        box=given["box"],
        seats=seats if YOU in seats and sum(kind != NOBODY for kind in seats) > 1 else first.seats,
        names=tuple(read_name(given.get(f"name{i}", "")) for i in range(MAX_SEATS)),
        minutes=given.get("minutes", "0"),
        options={name: value for name in known if (value := given.get(f"option-{name}"))},
    )


def _seat(kind: str, words: set[str]) -> str:
    known = kind in (YOU, FRIEND, NOBODY) or kind.removeprefix("bot:") in words
    return kind if known else f"bot:{FIRST_OPPONENT}"


async def own_name(request: Request) -> str:
    """What the visitor is called; empty: they have not said."""
    person = await person_of(request)
    return person.name if person else last_choice(request).names[0]


async def keep_name(request: Request, response: Response, name: str, face: str = "") -> None:
    """Remember how a visitor called themselves: in the fields of the form, and as who they are."""
    if not name:
        return
    last = last_choice(request)
    keep_choice(request, response, replace(last, names=(name, *last.names[1:])).fields)
    await call(request, name, face)


def keep_choice(connection: HTTPConnection, response: Response, form: Mapping[str, str]) -> None:
    """Remember the fields of a form that opened a table, without components."""
    kept = {
        name: value[: 2 * MAX_NAME] for name, value in form.items()
        if value and name.startswith(("box", "seat", "name", "minutes", "option-"))
    }
    set_cookie(connection, response, LAST_COOKIE, urlencode(kept)[:MAX_COOKIE], hidden=True)


# --- the form ----------------------------------------------------------------------------------------


CLOCKS = (0, 3, 10, 30)
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
        CLOCKS=CLOCKS, DAYS=DAYS, USUAL_DAYS=USUAL_DAYS,
        MAX_SEATS=MAX_SEATS, START=START_OPTION, first_opponent=FIRST_OPPONENT,
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
    person = await person_of(request)
    if person is None and (name := read_name(given.get(f"name{_own_field(given)}", ""))):
        person = await call(request, name)
    saved = seated_as(saved, frozenset(holders), person, who.language)
    try:
        table = await open_table(request, saved, holders.items())
    except Unsaved as error:
        raise Refused(msg("The table could not be saved, so it was not opened. ({error})",
                          error=str(error)[:200])) from error
    response = redirect(request, f"t/{table.id}")
    if given.get("keep") != "no":
        keep_choice(request, response, given)
    return response


def seated_as(saved: SavedTable, own: frozenset[int], person: Person | None, language: str) -> SavedTable:
    """The first own seat with the visitor's name and face, unless another name was given."""
    first = min(own, default=None)
    if person is None or first is None:
        return saved
    chair = saved.seats[first]
    if chair.name not in (person.name, default_name(first, language)):
        return saved
    changed = replace(chair, name=person.name, face=person.face)
    return replace(saved, seats=tuple(changed if seat is chair else seat for seat in saved.seats))


def _own_field(given: Mapping[str, str]) -> int:
    """The number of the first field in which the visitor sits."""
    return next((i for i in range(MAX_SEATS) if given.get(f"seat{i}") == YOU), 0)


def read_table(given: Mapping[str, str], who: Visitor) -> tuple[SavedTable, dict[int, str]]:
    """The table that a form describes, and the keys of the seats that are taken from the start."""
    game, preset = _read_box(given)
    seats, holders = _read_seats(given, game, who)
    try:
        return new_table(
            preset.name, seats, _read_options(given, game, preset), listed=given.get("listed") == "on",
            mixed=given.get("numbers") == "on", **read_agreement(given),
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
            seats.append(SavedSeat(seat=seat, kind=HUMAN, name=name or default_name(seat, who.language)))
            holders[seat] = who.key
        elif kind.startswith("bot:"):
            seats.append(bot_seat(seat, kind[4:], game, seats, who.language))
        else:
            seats.append(SavedSeat(seat=seat, kind=OPEN))
    return tuple(seats), holders


def bot_seat(
    seat: int, word: str, game: Game, others: Sequence[SavedSeat], language: str
) -> SavedSeat:
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
