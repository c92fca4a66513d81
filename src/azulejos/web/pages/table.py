"""A table's page and the actions around it: sit down, invite, replace a player, return, play again."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterable
from dataclasses import replace

import segno
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.websockets import WebSocket

from azulejos.bots import levels
from azulejos.bots.words import in_times
from azulejos.core.message import msg
from azulejos.core.record import Record
from azulejos.core.scene import Panel, Scene
from azulejos.i18n import translator
from azulejos.web.frames.account import account_of
from azulejos.web.frames.frame import Showing
from azulejos.web.frames.viewer import Viewer
from azulejos.web.frames.words import title
from azulejos.web.guard.hosts import same_origin
from azulejos.web.guard.prices import Charges, Limits, address_of
from azulejos.web.live.connection import Terms, converse
from azulejos.web.live.messages import PROTOCOL
from azulejos.web.pages.invite import free_seat, show_taken, show_waiting
from azulejos.web.pages.last_choice import keep_name
from azulejos.web.pages.response import form, lobby, page, redirect, signer, visitor
from azulejos.web.tables.bots import TIMES, offered
from azulejos.web.tables.faults import DatabaseFault
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.refused import Refused
from azulejos.web.tables.saved import (
    BOT,
    OPEN,
    TABLE_ID,
    SavedSeat,
    Unreplayable,
    new_table,
    raw_record,
)
from azulejos.web.tables.table_record import record_of
from azulejos.web.visitor import read_name

TRY_AGAIN = 1013
"""Close code for a connection that cannot be served now (registry of RFC 6455: try again later)."""

log = logging.getLogger("azulejos.web")


async def table_of(connection: HTTPConnection) -> LiveTable:
    table = await lobby(connection).table(_id(connection))
    if table is None:
        raise HTTPException(404)
    return table


def _id(connection: HTTPConnection) -> str:
    """The id in the address; other texts (a NUL, for example) are not shown to the database."""
    name = str(connection.path_params["id"])
    if not TABLE_ID.fullmatch(name):
        raise HTTPException(404)
    return name


async def viewer_of(connection: HTTPConnection, table: LiveTable) -> Viewer:
    who = visitor(connection)
    seats = await lobby(connection).store.seats_of(table.id, who.key)
    return Viewer(seats=seats, language=who.language)


async def show_table(request: Request) -> Response:
    """The page with its first frame embedded, so that the table is visible before the connection opens."""
    table = await table_of(request)
    viewer = await viewer_of(request, table)
    free = free_seat(table)
    if free is not None and "watch" not in request.query_params:
        return show_waiting(request, table, viewer, free)
    showing = Showing(table, viewer)
    frame, _ = showing.next(table)
    plan, scene = showing.plan, account_of(table).scene(table.seen_by(viewer.seats))
    carries = {seat: _carry_link(request, table, seat) for seat in sorted(viewer.seats)}
    return page(
        request, "table.html", table=table, viewer=viewer, plan=plan, protocol=PROTOCOL,
        frame=in_script(frame), title=title(table, viewer), link=str(request.url.replace(query="")),
        boards=boards(scene, viewer), shared=[panel for panel in scene.plan.panels if panel.seat is None],
        carries=carries, levels=offered(table.position.game), names=table.names, seat_names=scene.names,
        OPEN=OPEN, BOT=BOT,
    )


def in_script(data: bytes) -> str:
    """JSON escaped for use in a script element."""
    return data.decode().replace("<", "\\u003c")


def boards(scene: Scene, viewer: Viewer) -> list[Panel]:
    """The viewer's board first (on a shared screen, that of the player to move), then in turn order."""
    found = [panel for panel in scene.plan.panels if panel.seat is not None]
    first = scene.to_move if scene.to_move in viewer.seats else min(viewer.seats, default=0)
    return [*found[first:], *found[:first]]


def _carry_link(request: Request, table: LiveTable, seat: int) -> str:
    word = signer(request).carry(table.id, seat)
    return str(request.url.replace(path=f"/t/{table.id}/carry/{word}", query=""))


async def show_qr(request: Request) -> Response:
    """The QR code of the page that this address belongs to, drawn on request."""
    await table_of(request)
    page_of = request.url.replace(path=request.url.path.removesuffix("/qr.svg"), query="")
    svg = await asyncio.to_thread(_qr, str(page_of))
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})


def _qr(text: str) -> bytes:
    out = io.BytesIO()
    segno.make(text, error="l").save(out, kind="svg", scale=6, border=2, light="#fff")
    return out.getvalue()


async def live(socket: WebSocket) -> None:
    """The live connection; other origins and unknown tables are refused before it opens."""
    if not same_origin(socket.headers, required=True):
        log.warning("refused: a line from %.80r", socket.headers.get("origin"))
        await socket.close(4403)
        return
    try:
        table = await table_of(socket)
        viewer = await viewer_of(socket, table)
    except (HTTPException, Unreplayable):
        log.warning("refused: a line to %.80r", socket.url.path)
        await socket.close(4404)
        return
    except DatabaseFault:
        await socket.close(TRY_AGAIN)
        return
    await socket.accept()
    await converse(socket, table, viewer, _terms(socket, table))


def _terms(socket: WebSocket, table: LiveTable) -> Terms:
    state = socket.app.state
    limits: Limits = state.limits
    charges: Charges = state.charges
    key, address = visitor(socket).key, address_of(socket.scope.get("client"))
    return Terms(
        charge=lambda price: charges.charge(price, visitor=key, address=address), pause=limits.pause,
        hello_seconds=limits.request_seconds, one_question=state.one_question,
        acknowledged=state.metrics.acknowledged,
        watching=lambda: lobby(socket).watched(table),
    )


async def sit(request: Request) -> Response:
    table = await table_of(request)
    given = await form(request)
    seat = _seat(given.get("seat", ""), table)
    guest = translator(visitor(request).language)(msg("Guest"))
    name = read_name(given.get("name", ""))
    try:
        await table.sit(seat, name or guest, visitor(request).key)
    except Refused:
        return show_taken(request, table)
    response = redirect(request, f"/t/{table.id}")
    keep_name(request, response, name)
    return response


def _seat(text: str, table: LiveTable) -> int:
    if not text.isdecimal() or len(text) > 1 or int(text) >= table.saved.players:
        raise HTTPException(404)
    return int(text)


async def carry(request: Request) -> Response:
    """A link opened on another device: this visitor can play the seat too."""
    table = await table_of(request)
    carried = signer(request).carried(request.path_params["word"])
    if carried is None or carried[0] != table.id:
        raise Refused(msg("This link has expired. Make a new one at the table, on the device you are "
                          "playing on."))
    await lobby(request).store.give_key(table.id, carried[1], visitor(request).key)
    return redirect(request, f"/t/{table.id}")


async def put_bot(request: Request) -> Response:
    """A player at the table lets a bot play for a seat that is not moving."""
    table = await table_of(request)
    viewer = await viewer_of(request, table)
    given = await form(request)
    seat = _seat(given.get("seat", ""), table)
    if not viewer.seats:
        raise Refused(msg("Only players at the table can do that."))
    word = given.get("bot", "")
    if word not in {level.word for level in offered(table.position.game)}:
        raise Refused(msg("There is no bot of that strength."))
    await table.replace_by_bot(seat, word)
    return redirect(request, f"/t/{table.id}")


async def come_back(request: Request) -> Response:
    table = await table_of(request)
    viewer = await viewer_of(request, table)
    seat = _seat((await form(request)).get("seat", ""), table)
    if seat not in viewer.seats:
        raise Refused(msg("This is not your seat."))
    await table.replace_by_bot(seat, "")
    return redirect(request, f"/t/{table.id}")


async def play_again(request: Request) -> Response:
    """A new table with the same players, each one seat further, so that the first player changes."""
    table = await table_of(request)
    viewer = await viewer_of(request, table)
    if not table.over:
        raise Refused(msg("The game is not over yet."))
    if not viewer.seats:
        raise Refused(msg("Only players at the table can do that."))
    if table.saved.rematch is None:
        await _open_rematch(request, table)
    return redirect(request, f"/t/{table.saved.rematch}")


async def _open_rematch(request: Request, table: LiveTable) -> None:
    count = table.saved.players
    turned = [table.seats[(i + 1) % count] for i in range(count)]
    seats = tuple(
        replace(seat, seat=i, bot=seat.bot if seat.kind == BOT else "") for i, seat in enumerate(turned)
    )
    saved = new_table(
        table.saved.box, seats, table.saved.options, listed=table.saved.listed, minutes=table.saved.minutes
    )
    holders = await lobby(request).store.holders(table.id)
    turned_holders = [((seat - 1) % count, key) for seat, key in holders]
    new = await lobby(request).create(saved, turned_holders, rematch_of=table.id)
    table.saved = replace(table.saved, rematch=new.id)
    table.changed()


async def branch(request: Request) -> Response:
    """Continue from an earlier position against bots: a new table that begins with the old moves."""
    table = await table_of(request)
    viewer = await viewer_of(request, table)
    given = await form(request)
    text = given.get("ply", "")
    if not text.isdecimal() or len(text) > 6 or int(text) > table.ply:
        raise HTTPException(404)
    bots_only = all(seat.kind == BOT or seat.seat in viewer.seats for seat in table.seats)
    if not table.over and not bots_only:
        raise Refused(msg("Other people are playing at this table, so you can go back only after the game "
                          "is over."))
    own = min(viewer.seats, default=0)
    level = in_times(levels(table.position.game)[-1], TIMES[0])[0]
    name = translator(visitor(request).language)(level.name)
    seats = tuple(_branch_seat(seat, own, level.word, name) for seat in table.seats)
    saved = new_table(table.saved.box, seats, table.saved.options)
    cut = int(text)
    saved = replace(saved, actions=tuple(table.timeline.entries[:cut]), dealt_from=cut, branch_of=table.id)
    new = await lobby(request).create(saved, [(own, visitor(request).key)])
    return redirect(request, f"/t/{new.id}")


def _branch_seat(seat: SavedSeat, own: int, word: str, name: str) -> SavedSeat:
    if seat.seat == own:
        return replace(seat, kind="human", bot="")
    if seat.kind == BOT:
        return seat
    return SavedSeat(seat=seat.seat, kind=BOT, name=name, bot=word)


async def record_text(request: Request) -> Response:
    """The whole game as text, for people and for `azulejos replay` and `verify`."""
    record = await _record(request)
    return PlainTextResponse(await asyncio.to_thread(record.write))


async def record_json(request: Request) -> Response:
    """The same as JSON Lines, for programs."""
    record = await _record(request)
    return PlainTextResponse(await asyncio.to_thread(record.write_json), media_type="application/jsonl")


async def _record(request: Request) -> Record:
    table = await table_of(request)
    return record_of(table.whole())


async def raw_json(request: Request) -> Response:
    """What the store holds about a table, even if it does not replay."""
    saved = await lobby(request).store.load(_id(request))
    if saved is None:
        raise HTTPException(404)
    text = json.dumps(raw_record(saved), indent=1)
    return PlainTextResponse(text, media_type="application/json")


def _routes() -> Iterable[Route]:
    yield Route("/t/{id}", show_table)
    yield Route("/t/{id}/record.txt", record_text)
    yield Route("/t/{id}/record.jsonl", record_json)
    yield Route("/t/{id}/raw.json", raw_json)
    yield Route("/t/{id}/qr.svg", show_qr)
    yield Route("/t/{id}/carry/{word}", carry)
    yield Route("/t/{id}/carry/{word}/qr.svg", show_qr)
    for path, handler in (
        ("sit", sit), ("bot", put_bot), ("back", come_back), ("again", play_again), ("branch", branch),
    ):
        yield Route(f"/t/{{id}}/{path}", handler, methods=["POST"])


routes = list(_routes())
