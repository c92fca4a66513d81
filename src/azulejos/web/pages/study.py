"""The study board: open a record or a position, keep lines and comments under a link, play on."""

from __future__ import annotations

import asyncio
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
from azulejos.core import record_tags as tags
from azulejos.core.message import Problem, msg, raw
from azulejos.core.position import Position, new
from azulejos.core.record import Player, Record, RecordError
from azulejos.core.scene import scene_of
from azulejos.i18n import translator
from azulejos.web.frames.plan import plan_of
from azulejos.web.guard.hosts import same_origin
from azulejos.web.guard.prices import Charges, Limits, address_of
from azulejos.web.live.study_messages import PROTOCOL
from azulejos.web.pages.boxes import playable, shelf, title_of
from azulejos.web.pages.preview import show_picture
from azulejos.web.pages.replay import LINK, MAX_ACTIONS, located
from azulejos.web.pages.response import form, lobby, page, redirect, visitor
from azulejos.web.pages.table import TRY_AGAIN, table_of
from azulejos.web.study.analyst import Analyst
from azulejos.web.study.connection import StudyTerms, converse
from azulejos.web.study.line_tree import LineTree, Node, tree_of
from azulejos.web.study.studies import Studies, Study
from azulejos.web.tables.bots import TIMES
from azulejos.web.tables.faults import DatabaseFault
from azulejos.web.tables.refused import Refused
from azulejos.web.tables.saved import BOT, HUMAN, PLAYING, TABLE_ID, SavedSeat
from azulejos.web.tables.table_record import record_of
from azulejos.web.tables.table_record import table_of as saved_table_of

log = logging.getLogger("azulejos.web")


def studies_of(connection: HTTPConnection) -> Studies:
    found: Studies = connection.app.state.studies
    return found


def analyst_of(connection: HTTPConnection) -> Analyst:
    found: Analyst = connection.app.state.analyst
    return found


async def study_of(connection: HTTPConnection) -> Study:
    name = str(connection.path_params["id"])
    found = await studies_of(connection).load(name) if TABLE_ID.fullmatch(name) else None
    if found is None:
        raise HTTPException(404)
    return found


# --- opening ---------------------------------------------------------------------------------------------


async def show_list(request: Request) -> Response:
    """The visitor's studies, and ways to begin one."""
    return await _list(request)


async def _list(request: Request, *, status: int = 200, text: str = "", problem: object = None) -> Response:
    await analyst_of(request).prepare()
    known = await studies_of(request).of(visitor(request).key)
    text = text or request.query_params.get("text", "")
    return page(request, "studies.html", status=status, studies=known, text=text, problem=problem,
                boxes=shelf())


async def open_study(request: Request) -> Response:
    """Begin a study with a record, a position, the game of a link, or an empty box."""
    given = await form(request, files=1)
    text = (given.get("file", "") or given.get("text", "")).strip()
    link = LINK.fullmatch(text)
    if link:
        return await _study_table(request, link[1], "")
    try:
        tree = await asyncio.to_thread(_opened, text, given)
    except (Problem, RecordError) as problem:
        return await _list(request, status=409, text=text, problem=located(problem))
    except (ValueError, RecursionError) as error:
        return await _list(request, status=409, text=text, problem=raw(str(error)[:300]))
    return await _begin(request, tree)


def _opened(text: str, given: dict[str, str]) -> LineTree:
    if text.startswith(("[", "{")):
        record = Record.read(text)
    elif text:
        record = Record.from_position(Position.from_text(text))
    elif given.get("box", "") in playable() and given.get("players", "2") in ("2", "3", "4"):
        record = Record.from_position(new(given["box"], players=int(given.get("players", "2"))))
    else:
        raise Problem(msg("Paste a record, a position or the link of a table, or choose a file."))
    if len(record.steps) > MAX_ACTIONS:
        raise Problem(msg("This record is too long: {n} actions.", n=len(record.steps)))
    return tree_of(record)


async def _begin(request: Request, tree: LineTree, fragment: str = "") -> Response:
    who = visitor(request)
    title = translator(who.language)(title_of(tree.start.preset.name))
    name = await studies_of(request).create(who.key, f"{title}: {', '.join(tree.names)}", tree)
    return redirect(request, f"study/{name}{fragment}")


async def study_table(request: Request) -> Response:
    """Study a finished game."""
    given = await form(request)
    return await _study_table(request, str(request.path_params["id"]), given.get("ply", ""))


async def _study_table(request: Request, id_: str, ply: str) -> Response:
    request.scope["path_params"] = {"id": id_}
    table = await table_of(request)
    if not table.over:
        raise Refused(msg("This game is not finished. It can be studied after the game."))
    record = await asyncio.to_thread(record_of, table.whole())
    tree = await asyncio.to_thread(tree_of, replace(record, tags={}))
    node, count = tree.root, int(ply) if ply.isdecimal() and len(ply) < 6 else table.ply
    while node.children and tree.position(node).ply < count:
        node = node.children[0]
    return await _begin(request, tree, f"#{len(node.path())}")


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
    if not same_origin(socket.headers, required=True):
        log.warning("refused: a line from %.80r", socket.headers.get("origin"))
        await socket.close(4403)
        return
    try:
        study = await study_of(socket)
    except HTTPException:
        await socket.close(4404)
        return
    except DatabaseFault:
        await socket.close(TRY_AGAIN)
        return
    await socket.accept()
    await converse(socket, study, studies_of(socket), analyst_of(socket), _terms(socket))


def _terms(socket: WebSocket) -> StudyTerms:
    limits: Limits = socket.app.state.limits
    charges: Charges = socket.app.state.charges
    who, address = visitor(socket), address_of(socket.scope.get("client"))
    return StudyTerms(
        charge=lambda price: charges.charge(price, visitor=who.key, address=address), pause=limits.pause,
        hello_seconds=limits.request_seconds, visitor=who.key, address=address, language=who.language,
        engines=tuple(programs()),
    )


# --- taking away -----------------------------------------------------------------------------------------


async def record_text(request: Request) -> Response:
    study = await study_of(request)
    return PlainTextResponse(await asyncio.to_thread(study.tree.record().write))


async def _moment(request: Request) -> tuple[Study, Node]:
    study = await study_of(request)
    return study, study.tree.at(request.query_params.get("at", "")[:1000])


async def picture_svg(request: Request) -> Response:
    study, node = await _moment(request)
    say, dark = translator(visitor(request).language), "dark" in request.query_params
    position = study.tree.position(node)
    drawn = await asyncio.to_thread(svg.position, position, names=study.tree.names, say=say, dark=dark)
    return Response(drawn, media_type="image/svg+xml")


async def picture_png(request: Request) -> Response:
    study, node = await _moment(request)
    return await show_picture(study.tree.position(node))


async def play_on(request: Request) -> Response:
    """A table that begins with a line of the study: the visitor plays the seat to move, against bots."""
    study, given = await study_of(request), await form(request)
    node = study.tree.at(given.get("at", "")[:1000])
    position = study.tree.position(node)
    if position.is_over:
        raise Refused(msg("The game is over there. Go back to an earlier move to play on."))
    own = max(0, position.to_move)
    level = in_times(levels(position.game)[-1], TIMES[0])[0]
    say = translator(visitor(request).language)
    seats = tuple(
        SavedSeat(seat=seat, kind=HUMAN, name=name) if seat == own
        else SavedSeat(seat=seat, kind=BOT, name=say(level.name), bot=level.word)
        for seat, name in enumerate(study.tree.names)
    )
    record = study.tree.record(node)
    record.seats = tuple(Player(seat.name, seat.bot) for seat in seats)
    record.tags = {tags.STATE: PLAYING, tags.SEAT_KINDS: " ".join(seat.kind for seat in seats)}
    table = await lobby(request).create(saved_table_of(record), [(own, visitor(request).key)])
    return redirect(request, f"t/{table.id}")


async def remove(request: Request) -> Response:
    study = await study_of(request)
    await studies_of(request).remove(study.id, visitor(request).key)
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
    Route("/t/{id}/study", study_table, methods=["POST"]),
]
