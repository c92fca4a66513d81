"""A table's page, and what people do around it: sit down, invite, replace, come back, play again."""

from __future__ import annotations

import asyncio
import io
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
from azulejos.core.message import msg, raw
from azulejos.core.record import Record
from azulejos.i18n import translator
from azulejos.web.drawing import drawing_of
from azulejos.web.guard import same_origin
from azulejos.web.live.connection import converse
from azulejos.web.pages.response import form, lobby, page, redirect, signer, visitor
from azulejos.web.picture import LOG_LINES, Viewer, boards, frame
from azulejos.web.tables.bots import TIMES, offered
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.refused import Refused
from azulejos.web.tables.saved import BOT, OPEN, SavedSeat, new_table, record_of
from azulejos.web.visitor import read_name

log = logging.getLogger("azulejos.web")


async def room_of(connection: HTTPConnection) -> LiveTable:
    table = connection.path_params["id"]
    room = await lobby(connection).room(table) if len(table) <= 32 else None
    if room is None:
        raise HTTPException(404)
    return room


async def viewer_of(connection: HTTPConnection, room: LiveTable) -> Viewer:
    who = visitor(connection)
    seats = await lobby(connection).store.seats_of(room.id, who.key)
    return Viewer(seats=seats, language=who.language)


async def show_table(request: Request) -> Response:
    room = await room_of(request)
    viewer = await viewer_of(request, room)
    drawing = drawing_of(room)
    await drawing.prepare(LOG_LINES)
    made = frame(room, drawing, viewer)
    scene = drawing.scene(room.seen_by(viewer.seats))
    link = str(request.url.replace(query=""))
    carries = {seat: _carry_link(request, room, seat) for seat in sorted(viewer.seats)}
    return page(
        request, "table.html", room=room, viewer=viewer, frame=made, link=link,
        boards=boards(scene.panels, viewer, room.table.players), theme=scene.theme, carries=carries,
        shared=[panel for panel in scene.panels if panel.seat is None],
        levels=offered(room.position.game), names=room.names, OPEN=OPEN, BOT=BOT,
    )


def _carry_link(request: Request, room: LiveTable, seat: int) -> str:
    word = signer(request).carry(room.id, seat)
    return str(request.url.replace(path=f"/t/{room.id}/carry/{word}", query=""))


async def show_qr(request: Request) -> Response:
    """The QR code of the page that this address belongs to; drawn when somebody wants to see it."""
    await room_of(request)
    page_of = request.url.replace(path=request.url.path.removesuffix("/qr.svg"), query="")
    svg = await asyncio.to_thread(_qr, str(page_of))
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})


def _qr(text: str) -> bytes:
    out = io.BytesIO()
    segno.make(text, error="l").save(out, kind="svg", scale=6, border=2, light="#fff")
    return out.getvalue()


async def live(socket: WebSocket) -> None:
    """The live connection; foreign pages and unknown tables are refused before it opens."""
    if not same_origin(socket.headers, required=True):
        log.warning("refused: a line from %.80r", socket.headers.get("origin"))
        await socket.close(4403)
        return
    try:
        room = await room_of(socket)
    except HTTPException:
        log.warning("refused: a line to %.80r", socket.url.path)
        await socket.close(4404)
        return
    viewer = await viewer_of(socket, room)
    await socket.accept()
    pace = socket.app.state.limits.commands
    await converse(socket, room, viewer, lobby(socket).easel, pace)


async def sit(request: Request) -> Response:
    room = await room_of(request)
    given = await form(request)
    seat = _seat(given.get("seat", ""), room)
    name = read_name(given.get("name", "")) or f"{seat + 1}"
    await room.sit(seat, name, visitor(request).key)
    return redirect(request, f"/t/{room.id}")


def _seat(text: str, room: LiveTable) -> int:
    if not text.isdecimal() or len(text) > 1 or int(text) >= room.table.players:
        raise HTTPException(404)
    return int(text)


async def carry(request: Request) -> Response:
    """Opened on another device: this visitor plays the seat too."""
    room = await room_of(request)
    carried = signer(request).carried(request.path_params["word"])
    if carried is None or carried[0] != room.id:
        raise Refused(msg("This link has expired. Make a new one at the table, on the device you are "
                          "playing on."))
    await lobby(request).store.give_key(room.id, carried[1], visitor(request).key)
    return redirect(request, f"/t/{room.id}")


async def put_bot(request: Request) -> Response:
    """Somebody who sits at the table lets a bot play for a seat that is not moving."""
    room = await room_of(request)
    viewer = await viewer_of(request, room)
    given = await form(request)
    seat = _seat(given.get("seat", ""), room)
    if not viewer.seats:
        raise Refused(msg("Only players at the table can do that."))
    word = given.get("bot", "")
    if word not in {level.word for level in offered(room.position.game)}:
        raise Refused(msg("There is no bot of that strength."))
    await room.replace_by_bot(seat, word)
    return redirect(request, f"/t/{room.id}")


async def come_back(request: Request) -> Response:
    room = await room_of(request)
    viewer = await viewer_of(request, room)
    seat = _seat((await form(request)).get("seat", ""), room)
    if seat not in viewer.seats:
        raise Refused(msg("This is not your seat."))
    await room.replace_by_bot(seat, "")
    return redirect(request, f"/t/{room.id}")


async def play_again(request: Request) -> Response:
    """A new table with the same people, everybody one seat further, so that the start goes round."""
    room = await room_of(request)
    viewer = await viewer_of(request, room)
    if not room.over:
        raise Refused(msg("The game is not over yet."))
    if not viewer.seats:
        raise Refused(msg("Only players at the table can do that."))
    if room.table.rematch is None:
        await _open_rematch(request, room)
    return redirect(request, f"/t/{room.table.rematch}")


async def _open_rematch(request: Request, room: LiveTable) -> None:
    count = room.table.players
    turned = [room.seats[(i + 1) % count] for i in range(count)]
    seats = tuple(
        replace(seat, seat=i, bot=seat.bot if seat.kind == BOT else "") for i, seat in enumerate(turned)
    )
    saved = new_table(
        room.table.box, seats, room.table.options, listed=room.table.listed, minutes=room.table.minutes
    )
    store = lobby(request).store
    holders = await store.holders(room.id)
    new = await lobby(request).create(saved, {})
    for seat, key in holders:
        await store.give_key(new.id, (seat - 1) % count, key)
    chosen = await store.set_rematch(room.id, new.id)
    room.table = replace(room.table, rematch=chosen)
    room.changed()


async def branch(request: Request) -> Response:
    """Play on from an old position, against bots: a new table that begins with the old moves."""
    room = await room_of(request)
    viewer = await viewer_of(request, room)
    given = await form(request)
    text = given.get("ply", "")
    if not text.isdecimal() or len(text) > 6 or int(text) > room.ply:
        raise HTTPException(404)
    bots_only = all(seat.kind == BOT or seat.seat in viewer.seats for seat in room.seats)
    if not room.over and not bots_only:
        raise Refused(msg("Other people are playing at this table, so you can go back only after the game "
                          "is over."))
    own = min(viewer.seats, default=0)
    level = in_times(levels(room.position.game)[-1], TIMES[0])[0]
    name = translator(visitor(request).language)(level.name)
    seats = tuple(_branch_seat(seat, own, level.word, name) for seat in room.seats)
    saved = new_table(room.table.box, seats, room.table.options)
    cut = int(text)
    saved = replace(saved, actions=room.table.actions[:cut], dealt_from=cut, branch_of=room.id)
    new = await lobby(request).create(saved, {own: visitor(request).key})
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
    room = await room_of(request)
    try:
        return record_of(room.table)
    except ValueError as error:
        raise Refused(raw(str(error))) from error


def _routes() -> Iterable[Route]:
    yield Route("/t/{id}", show_table)
    yield Route("/t/{id}/record.txt", record_text)
    yield Route("/t/{id}/record.jsonl", record_json)
    yield Route("/t/{id}/qr.svg", show_qr)
    yield Route("/t/{id}/carry/{word}", carry)
    yield Route("/t/{id}/carry/{word}/qr.svg", show_qr)
    for path, handler in (
        ("sit", sit), ("bot", put_bot), ("back", come_back), ("again", play_again), ("branch", branch),
    ):
        yield Route(f"/t/{{id}}/{path}", handler, methods=["POST"])


routes = list(_routes())
