"""The home page: play again, your games, others' games, and a game of two bots that is replayed."""

from __future__ import annotations

import bisect
import functools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from azulejos.bots import Level
from azulejos.core.game import Outcome
from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.core.scene import WIDE, Scene, scene_of
from azulejos.i18n import LANGUAGES, translator
from azulejos.i18n.catalogue import ago
from azulejos.insight.progress import Progress
from azulejos.render.themes import digest
from azulejos.web.base_path import root
from azulejos.web.circle.ladder import level_of, proposed
from azulejos.web.circle.results import played_by
from azulejos.web.guard.budgets import in_thread
from azulejos.web.learn.script import Reply, Script, Shown
from azulejos.web.pages.contests import daily_card
from azulejos.web.pages.files import kept
from azulejos.web.pages.pictures import boards_picture
from azulejos.web.pages.puzzles import task_of_today
from azulejos.web.pages.response import form, lobby, own_path, page, redirect, remember, slowly, visitor
from azulejos.web.pages.setup import FRIEND, NOBODY, YOU, LastChoice, last_choice, named
from azulejos.web.pages.you import level_of as estimated_level, progress_of, streak_of
from azulejos.web.store.saved import OPEN, SavedTable, Unreplayable
from azulejos.web.tables.boxes import Box, box_of, playable, shelf, title_of
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.lobby import Lobby
from azulejos.web.tables.table_record import table_of
from azulejos.web.visitor import WISH_COOKIE, Visitor, changed_wishes, set_cookie, write_wishes
from azulejos.web.wire.plan import news, plan_of

# --- the visitor's games -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class YourGame:
    """A line of the list."""

    id: str
    title: Message
    theme: str
    picture: Markup
    others: str
    """The names of the other players; empty if the visitor sits on all seats."""
    scores: str
    state: Message
    your_turn: bool
    over: bool
    when: str
    deal: bool = False
    """Whether the same deal can be played again."""


async def your_games(lobby: Lobby, who: Visitor, tables: Sequence[SavedTable]) -> list[YourGame]:
    """Those that wait for the visitor come first; otherwise the order is kept."""
    games = [await _game(lobby, who, saved) for saved in tables]
    return sorted(games, key=lambda game: not game.your_turn)


async def _game(lobby: Lobby, who: Visitor, saved: SavedTable) -> YourGame:
    try:
        table = await lobby.table(saved.id)
    except Unreplayable:
        table = None
    if table is None:
        return _set_aside(saved, who)
    own = await lobby.store.seats_of(saved.id, who.key)
    return YourGame(
        id=saved.id, title=title_of(table.saved.box), theme=table.position.preset.theme,
        picture=Markup(boards_picture(table.position)), others=_others(table, own, who),
        scores=" : ".join(map(str, _own_first(table, own))), state=_state(table, own),
        your_turn=table.turn_of(own), over=table.over, deal=table.over and not table.saved.start_position,
        when=ago(time.time() - table.saved.changed, who.language),
    )


def _set_aside(saved: SavedTable, who: Visitor) -> YourGame:
    """A table that these rules cannot show."""
    return YourGame(
        id=saved.id, title=title_of(saved.box), theme="", picture=Markup(""),
        others=", ".join(seat.name for seat in saved.seats), scores="", state=msg("set aside"),
        your_turn=False, over=True, when=ago(time.time() - saved.changed, who.language),
    )


def _others(table: LiveTable, own: frozenset[int], who: Visitor) -> str:
    free = translator(who.language)(msg("free seat"))
    return ", ".join(
        free if seat.kind == OPEN else seat.name for seat in table.seats if seat.seat not in own
    )


def _own_first(table: LiveTable, own: frozenset[int]) -> list[int]:
    scores = list(enumerate(table.position.scores))
    return [score for seat, score in sorted(scores, key=lambda pair: pair[0] not in own)]


def _state(table: LiveTable, own: frozenset[int]) -> Message:
    outcome = table.position.outcome()
    if outcome is not None:
        return _result(outcome, own)
    if any(seat.kind == OPEN for seat in table.seats):
        return msg("Waiting for players")
    if table.turn_of(own):
        return msg("Your turn")
    return msg("{name} is to move", name=table.names[max(0, table.position.to_move)])


def _result(outcome: Outcome, own: frozenset[int]) -> Message:
    if not own.intersection(outcome.winners):
        return msg("Lost")
    return msg("Won") if len(outcome.winners) == 1 else msg("Shared win")


# --- the living board --------------------------------------------------------------------------------


GAME = Path(__file__).parent.parent / "static" / "living.txt"
BEGINS = 0.4
"""The share of the game that is over when the replay begins: a board with some tiles looks better."""


MOST_DIGITS = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class Living:
    """What the home page needs to know."""

    theme: str
    panels: tuple[tuple[str, int | None, float, float], ...]
    caption: Message
    address: str
    body: bytes


@functools.cache
def living(language: str) -> Living:
    record = living_game()
    plan = plan_of(record.start, language).forms[WIDE].address
    game = Reply(right=True, shown=list(_shown(record, language)))
    body = msgspec.json.encode(Script(plans={WIDE: plan}, replies=[game]))
    names = _bot_names(record, language)
    scene = scene_of(record.start, names)
    return Living(
        theme=scene.theme, body=body, address=f"living/{digest(body)}/{language}",
        panels=tuple((panel.id, panel.seat, panel.width * 100, panel.height * 100)
                     for panel in scene.plan.panels),
        caption=msg("{name} plays {other}", name=names[0], other=names[1]),
    )


@functools.cache
def living_game() -> Record:
    return Record.read(GAME.read_text(encoding="utf-8"))


def _bot_names(record: Record, language: str) -> list[str]:
    """The names of the bots as the language calls them."""
    game, preset = record.start.game, record.start.preset
    return [translator(language)(named(player.bot, game, preset).name) for player in record.seats]


def _shown(record: Record, language: str) -> Iterator[Shown]:
    """From the middle of the game on: one moment for each turn, and one for each deal."""
    plan, names = plan_of(record.start, language), _bot_names(record, language)
    last: Scene | None = None
    for before, action, after in _turns(record):
        scene = scene_of(after, names)
        yield Shown(
            news=news(plan, last, scene), to_move=scene.to_move, seat=max(0, before.to_move),
            target=-1 if before.to_move < 0 else plan.slots[scene_of(before, names).path(action)[-1]],
            ply=after.ply,
        )
        last = scene


def _turns(record: Record) -> Iterator[tuple[Position, int, Position]]:
    """Each decision or run of draws, with the positions before and after it, from a deal after `BEGINS`."""
    first = int(len(record.actions) * BEGINS)
    position, begun = record.start.copy(), False
    before = position.copy()
    for ply, action in enumerate(record.actions, 1):
        position.play(action)
        if before.is_chance and position.is_chance:
            continue
        begun = begun or (ply > first and before.is_chance)
        if begun:
            yield before, action, position.copy()
        before = position.copy()


async def show_living(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404)
    found = living(language)
    headers = kept(request, digest(found.body))
    return Response(found.body, media_type="application/json", headers=headers)


async def watch(request: Request) -> Response:
    """The same game at a table, where it goes on by itself from the moment that was watched."""
    saved: SavedTable = table_of(living_game())
    table = await lobby(request).table(saved.id) or await lobby(request).create(saved, [])
    stops, asked = table.log.stops, request.query_params.get("ply", "")
    known = asked.isdecimal() and len(asked) < MOST_DIGITS
    ply = int(asked) if known else int(BEGINS * stops[-1])
    stop = max(0, bisect.bisect_right(stops, ply) - 1)
    return redirect(request, f"t/{saved.id}?go={stops[stop]}#{stop}")


# --- the page ----------------------------------------------------------------------------------------


RECENT = 20
"""Finished games from which the next opponent follows."""
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


def _play_button(last: LastChoice) -> PlayButton:
    game, preset = playable()[last.box]
    bots = tuple(named(word, game, preset) for word in last.bots)
    return PlayButton(
        fields=last.fields, box=box_of(last.box), bots=bots,
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


async def _with_right_opponent(
    request: Request, last: LastChoice, progress: Progress
) -> LastChoice:
    """Against one of the seven: the one that fits, by the strength estimate and the last games."""
    level = level_of(last.bots[0]) if len(last.bots) == 1 and last.seats[0] == YOU else 0
    if not level or sum(kind != NOBODY for kind in last.seats) != 2:
        return last
    games = await played_by(lobby(request).store, visitor(request).key, limit=RECENT)
    found = await slowly(request, estimated_level, progress) if progress.games else None
    right = proposed(games, box_of(last.box).name, estimate=found.level if found else None, first=level)
    return replace(last, seats=(last.seats[0], f"bot:level:{right}", *last.seats[2:]))


async def show_home(request: Request) -> Response:
    who = visitor(request)
    last = last_choice(request)
    mine = await lobby(request).store.mine(who.key, limit=LISTED)
    games = await your_games(lobby(request), who, mine[:SHOWN])
    waiting = sum(game.your_turn for game in games)
    progress = await progress_of(request)
    last = await _with_right_opponent(request, last, progress)
    return page(
        request, "home.html", play=_play_button(last), name=last.names[0], shelf=shelf(),
        games=games, count=len(mine), waiting=waiting,
        puzzle=await in_thread(task_of_today, request), streak=streak_of(progress),
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
    Route("/living/{digest}/{language}", show_living),
    Route("/watch", watch),
    Route("/", show_home),
    Route("/games", show_games),
    Route("/wishes", change_wishes, methods=["POST"]),
]
