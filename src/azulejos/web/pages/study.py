"""The study board: open a record or a position, keep lines and comments under a link, play on."""

from __future__ import annotations

import logging
from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.websockets import WebSocket

from azulejos import svg
from azulejos.bots import levels
from azulejos.bots.words import in_times, programs
from azulejos.core.message import Problem, msg, raw
from azulejos.core.position import Position, new
from azulejos.core.record import Player, Record, RecordError
from azulejos.core.scene import scene_of
from azulejos.i18n import translator
from azulejos.i18n.catalogue import Say
from azulejos.web.guard.hosts import same_origin
from azulejos.web.learn.line_tree import LineTree, tree_of
from azulejos.web.learn.studies import Studies, Study, Unreadable
from azulejos.web.learn.study_conversation import StudyConversation
from azulejos.web.names import named
from azulejos.web.pages.home import your_games
from azulejos.web.pages.replay import LINK, MAX_ACTIONS, located
from azulejos.web.pages.response import (
    form, lobby, open_table, page, payer, redirect, slowly, terms, visitor,
)
from azulejos.web.pages.table import TRY_AGAIN, show_picture, table_of
from azulejos.web.refused import Refused
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import BOT, HUMAN, PLAYING, TABLE_ID, SavedSeat, SavedTable
from azulejos.web.tables.boxes import playable, shelf, title_of
from azulejos.web.tables.table_record import Tag, record_of, source_of, table_of as saved_table_of
from azulejos.web.wire.conversation import Terms
from azulejos.web.wire.messages import PROTOCOL
from azulejos.web.wire.plan import plan_of
from azulejos.web.work.bots import TIMES
from azulejos.web.work.judge import Analyst
from azulejos.web.work.slow_work import Owing

MOST_READ = 6000
"""Actions of a record that becomes a study, whether its lines are new or repeat others."""

LOOKED_AT, LAST_GAMES = 24, 6
"""Games of the visitor among which the finished ones are sought, and how many of them are shown."""

log = logging.getLogger("azulejos.web")


def studies_of(connection: HTTPConnection) -> Studies:
    found: Studies = connection.app.state.studies
    return found


def analyst_of(connection: HTTPConnection) -> Analyst:
    found: Analyst = connection.app.state.analyst
    return found


async def study_of(request: Request) -> Study:
    """The study of the address, to be looked at."""
    found = await studies_of(request).look(payer(request), _name(request))
    if found is None:
        raise HTTPException(404)
    return found


def _name(connection: HTTPConnection) -> str:
    name = str(connection.path_params["id"])
    if not TABLE_ID.fullmatch(name):
        raise HTTPException(404)
    return name


# --- opening ---------------------------------------------------------------------------------------------


async def show_list(request: Request) -> Response:
    """The visitor's studies, and ways to begin one."""
    return await _list(request)


async def _list(request: Request, *, status: int = 200, text: str = "", problem: object = None) -> Response:
    await analyst_of(request).prepare()
    known = await studies_of(request).of(visitor(request).key)
    text = text or request.query_params.get("text", "")
    mine = await lobby(request).store.mine(visitor(request).key, limit=LOOKED_AT)
    games = await your_games(lobby(request), visitor(request), mine)
    return page(request, "studies.html", status=status, studies=known, text=text, problem=problem,
                boxes=shelf(), games=[game for game in games if game.over][:LAST_GAMES])


async def open_study(request: Request) -> Response:
    """Begin a study with a record, a position, the game of a link, or an empty box."""
    given = await form(request, files=1)
    text = (given.get("file", "") or given.get("text", "")).strip()
    link = LINK.fullmatch(text)
    if link:
        return await _study_table(request, link[1], "")
    try:
        tree, source = await slowly(request, opened_study, text, given)
    except (Problem, RecordError) as problem:
        return await _list(request, status=409, text=text, problem=located(problem))
    except (ValueError, RecursionError) as error:
        return await _list(request, status=409, text=text, problem=raw(str(error)[:300]))
    return await _begin(request, tree, source)


def opened_study(text: str, given: dict[str, str]) -> tuple[LineTree, str]:
    """What somebody pastes or chooses, as a tree, and the table where it was played; a ValueError says what
    is wrong with it."""
    if text.startswith(("[", "{")):
        record = Record.read(text, most=MOST_READ)
    elif text:
        record = Record.from_position(Position.from_text(text))
    elif given.get("box", "") in playable() and given.get("players", "2") in ("2", "3", "4"):
        record = Record.from_position(new(given["box"], players=int(given.get("players", "2"))))
    else:
        raise Problem(msg("Paste a record, a position or the link of a table, or choose a file."))
    if len(record.line) > MAX_ACTIONS:
        raise Problem(msg("This record is too long: {n} actions.", n=len(record.line)))
    return tree_of(named(record)), source_of(record)


async def _begin(request: Request, tree: LineTree, source: str, fragment: str = "") -> Response:
    who = visitor(request)
    title = translator(who.language)(title_of(tree.start.preset.name))
    name = await studies_of(request).create(
        payer(request), who.key, f"{title}: {', '.join(tree.names)}", tree, source=source
    )
    return redirect(request, f"study/{name}{fragment}")


async def to_table(request: Request) -> Response:
    """Somebody has typed the address of the form: the table has a button for it."""
    return redirect(request, f"t/{_name(request)}")


async def study_table(request: Request) -> Response:
    """Study a finished game."""
    given = await form(request)
    return await _study_table(request, str(request.path_params["id"]), given.get("ply", ""))


async def _study_table(request: Request, id_: str, ply: str) -> Response:
    request.scope["path_params"] = {"id": id_}
    table = await table_of(request)
    if not table.over:
        raise Refused(msg("This game is not finished. It can be studied after the game."))
    count = int(ply) if ply.isdecimal() and len(ply) < 6 else table.ply
    tree, depth = await slowly(request, _tree_of_table, table.whole(), count)
    return await _begin(request, tree, table.id, f"#{depth}")


def _tree_of_table(table: SavedTable, ply: int) -> tuple[LineTree, int]:
    """The game as a tree, and how deep in its line a ply is."""
    tree = tree_of(replace(record_of(table), tags={}))
    node = tree.root
    while node.children and tree.position(node).ply < ply:
        node = tree.children(node)[0]
    return tree, len(tree.path(node))


# --- the board -------------------------------------------------------------------------------------------


async def show_study(request: Request) -> Response:
    study = await study_of(request)
    await analyst_of(request).prepare()
    who = visitor(request)
    scene, plan = scene_of(study.tree.start, study.tree.names), plan_of(study.tree.start, who.language)
    boards = [panel for panel in scene.plan.panels if panel.seat is not None]
    return page(
        request, "study.html", study=study, plan=plan, protocol=PROTOCOL, owns=study.owner == who.key,
        boards=boards, shared=[panel for panel in scene.plan.panels if panel.seat is None],
        names=study.tree.names, engines=sorted(programs()), game=study.tree.start.game,
        preset=study.tree.start.preset, players=study.tree.start.players,
    )


async def live(socket: WebSocket) -> None:
    if not same_origin(socket, required=True):
        log.warning("refused: a line from %.80r", socket.headers.get("origin"))
        await socket.close(4403)
        return
    granted = terms(socket)
    with studies_of(socket).board(granted.payer.address, granted.limits.boards) as free:
        if free:
            await _converse(socket, granted)
        else:
            await socket.close(TRY_AGAIN)


async def _converse(socket: WebSocket, granted: Terms) -> None:
    try:
        study = await studies_of(socket).load(granted.payer, _name(socket))
    except (HTTPException, Unreadable):
        study = None
    except (DatabaseFault, Owing):
        await socket.close(TRY_AGAIN)
        return
    if study is None:
        await socket.close(4404)
        return
    await socket.accept()
    await StudyConversation(
        socket, study, studies_of(socket), analyst_of(socket), socket.app.state.slow_work, granted,
        tuple(programs()),
    ).run()


# --- taking away -----------------------------------------------------------------------------------------


async def record_text(request: Request) -> Response:
    try:
        study = await study_of(request)
    except Unreadable:
        return PlainTextResponse(await studies_of(request).text(_name(request)))
    return PlainTextResponse(await slowly(request, lambda: study.tree.record().write()))


async def picture_svg(request: Request) -> Response:
    study, address = await study_of(request), request.query_params.get("at", "")[:1000]
    say, dark = translator(visitor(request).language), "dark" in request.query_params

    def draw() -> str:
        position = study.tree.position(study.tree.at(address))
        return svg.position(position, names=study.tree.names, say=say, dark=dark)

    return Response(await slowly(request, draw), media_type="image/svg+xml")


async def picture_png(request: Request) -> Response:
    study, address = await study_of(request), request.query_params.get("at", "")[:1000]
    return await show_picture(await slowly(request, lambda: study.tree.position(study.tree.at(address))))


async def play_on(request: Request) -> Response:
    """A table that begins with a line of the study: the visitor plays the seat to move, against bots."""
    study, given = await study_of(request), await form(request)
    say = translator(visitor(request).language)
    saved, own = await slowly(request, _played_on, study, given.get("at", "")[:1000], say)
    table = await open_table(request, saved, [(own, visitor(request).key)])
    return redirect(request, f"t/{table.id}")


def _played_on(study: Study, address: str, say: Say) -> tuple[SavedTable, int]:
    """The table, and the seat of the visitor."""
    node = study.tree.at(address)
    position = study.tree.position(node)
    if position.is_over:
        raise Refused(msg("The game is over there. Go back to an earlier move to play on."))
    own = max(0, position.to_move)
    level = in_times(levels(position.game)[-1], TIMES[0])[0]
    seats = tuple(
        SavedSeat(seat=seat, kind=HUMAN, name=name) if seat == own
        else SavedSeat(seat=seat, kind=BOT, name=say(level.name), bot=level.word)
        for seat, name in enumerate(study.tree.names)
    )
    record = study.tree.record(node)
    record.seats = tuple(Player(seat.name, seat.bot) for seat in seats)
    record.tags = {Tag.STATE: PLAYING, Tag.SEAT_KINDS: " ".join(seat.kind for seat in seats)}
    return saved_table_of(record), own


async def remove(request: Request) -> Response:
    await studies_of(request).remove(_name(request), visitor(request).key)
    return redirect(request, "study")


routes = [
    Route("/study", show_list),
    Route("/study", open_study, methods=["POST"]),
    Route("/study/{id}", show_study),
    Route("/study/{id}/record.txt", record_text),
    Route("/study/{id}/picture.svg", picture_svg),
    Route("/study/{id}/picture.png", picture_png),
    Route("/study/{id}/play", play_on, methods=["POST"]),
    Route("/study/{id}/remove", remove, methods=["POST"]),
    Route("/t/{id}/study", to_table),
    Route("/t/{id}/study", study_table, methods=["POST"]),
]
