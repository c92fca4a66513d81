"""The page of a table: who plays, an invitation to a free seat, and how other programs show its link."""

from __future__ import annotations

import functools
import io
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import segno
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.websockets import WebSocket

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.scene import Panel, Scene, scene_of
from azulejos.i18n import translator
from azulejos.insight.words import GLOW
from azulejos.render.svg import preview_png
from azulejos.web.base_path import root
from azulejos.web.guard.budgets import in_thread
from azulejos.web.guard.hosts import same_origin
from azulejos.web.learn.script import first_node
from azulejos.web.names import is_default, read_name
from azulejos.web.pages.guides import courses
from azulejos.web.pages.pictures import level_faces
from azulejos.web.pages.response import (
    form, lobby, make_room, page, person_of, redirect, signer, slowly, terms, visitor,
)
from azulejos.web.pages.setup import keep_name, last_choice, opponents
from azulejos.web.refused import Refused, Taken
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import (
    BOT, HUMAN, OPEN, TABLE_ID, CarryLink, SavedSeat, Unreplayable, raw_record,
)
from azulejos.web.tables.boxes import box_of, title_of
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.people import AGAIN, PHRASES
from azulejos.web.wire.account import account_of, result
from azulejos.web.wire.frame import Showing
from azulejos.web.wire.messages import PROTOCOL
from azulejos.web.wire.plan import plan_of
from azulejos.web.wire.table_conversation import TableConversation
from azulejos.web.wire.words import Viewer, title, viewer_of as find_viewer
from azulejos.web.work.bots import offered

# --- how other programs show the link ----------------------------------------------------------------


A_WHILE = {"cache-control": "public, max-age=600"}
"""Not for ever: after a take-back another position has the same ply."""
PICTURES = 500
"""Pictures that are kept, of 40 kB each."""


@dataclass(frozen=True, kw_only=True)
class LinkPreview:
    heading: Message
    sentence: Message
    link: str
    picture: str


def preview_of(
    request: Request, table: LiveTable, *, heading: Message | None = None, sentence: Message | None = None
) -> LinkPreview:
    """What a table is called and what is going on there, unless somebody has something better to say."""
    here = request.url.replace(query="", fragment="")
    picture = here.replace(path=f"{here.path}/preview.png", query=f"ply={table.ply}")
    return LinkPreview(
        heading=heading or msg(
            "{game}: {names}", game=title_of(table.saved.box), names=", ".join(table.names)),
        sentence=sentence or _situation(table), link=str(here), picture=str(picture),
    )


def _situation(table: LiveTable) -> Message:
    outcome = table.position.outcome()
    if outcome is not None:
        return result(outcome, table.names, frozenset())
    return scene_of(table.position, table.names).status


def picture_of(position: Position) -> bytes:
    return _picture(position.text())


@functools.lru_cache(maxsize=PICTURES)
def _picture(text: str) -> bytes:
    """The picture of a position: everything on the table is public, and names are not shown."""
    return preview_png(Position.from_text(text))


async def show_picture(position: Position) -> Response:
    png = await in_thread(picture_of, position)
    return Response(png, media_type="image/png", headers=A_WHILE)


# --- the page ----------------------------------------------------------------------------------------


TRY_AGAIN = 1013
"""Close code for a connection that cannot be served now (registry of RFC 6455: try again later)."""

MAKER = 16
"""Characters of the owner's key in a carry link: 64 bits, so that its QR code stays small."""

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
    await in_thread(plan_of, table.position, who.language)  # drawn once, which takes a tenth of a second
    return await find_viewer(lobby(connection).store, table, who.key, who.language)


async def show_table(request: Request) -> Response:
    """The page with its first frame embedded, so that the table is visible before the connection opens."""
    table = await table_of(request)
    viewer = await viewer_of(request, table)
    free = free_seat(table)
    if free is not None and table.saved.contest:
        return redirect(request, table.saved.contest)
    if free is not None and "watch" not in request.query_params:
        return await show_waiting(request, table, viewer, free)
    showing = Showing(table, viewer)
    begins = request.query_params.get("go", "")
    frame, _ = showing.next(table, int(begins) if begins.isdecimal() and len(begins) < 6 else None)
    plan, scene = showing.plan, account_of(table).scene(table.seen_by(viewer.seats))
    carries = {seat: _carry_link(request, table, seat) for seat in sorted(viewer.own)}
    return page(
        request, "table.html", table=table, viewer=viewer, plan=plan, protocol=PROTOCOL,
        frame=in_script(frame), title=title(table, viewer), link=str(request.url.replace(query="")),
        boards=boards(scene, viewer), shared=[panel for panel in scene.plan.panels if panel.seat is None],
        carries=carries, levels=offered(table.position.game), names=table.names, seat_names=scene.names,
        OPEN=OPEN, BOT=BOT, HUMAN=HUMAN, phrases=PHRASES, preview=preview_of(request, table),
        next_table=next((name for name in await lobby(request).store.turns_of(visitor(request).key)
                         if name != table.id), ""),
        faces=level_faces(root(request)), forgot=request.query_params.get("forgot", ""),
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
    word = signer(request).carry(CarryLink(
        table=table.id, seat=seat, maker=visitor(request).key[:MAKER],
        revocations=table.seats[seat].revocations,
    ))
    return str(request.url.replace(path=f"{root(request)}t/{table.id}/carry/{word}", query=""))


async def show_qr(request: Request) -> Response:
    """The QR code of the page that this address belongs to, drawn on request."""
    await table_of(request)
    page_of = request.url.replace(path=request.url.path.removesuffix("/qr.svg"), query="")
    svg = await in_thread(_qr, str(page_of))
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})


def _qr(text: str) -> bytes:
    out = io.BytesIO()
    segno.make(text, error="l").save(out, kind="svg", scale=6, border=2, light="#fff")
    return out.getvalue()


async def live(socket: WebSocket) -> None:
    """The live connection; other origins and unknown tables are refused before it opens."""
    if not same_origin(socket, required=True):
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
    await TableConversation(
        socket, lobby(socket), table, viewer, terms(socket), socket.app.state.turns
    ).run()


async def sit(request: Request) -> Response:
    table = await table_of(request)
    given = await form(request)
    if table.saved.contest:  # its page knows who may sit where
        return redirect(request, table.saved.contest)
    seat = _seat(given.get("seat", ""), table)
    guest = translator(visitor(request).language)(msg("Guest"))
    name = read_name(given.get("name", ""))
    try:
        person = await person_of(request)
        await table.people.sit(
            seat, name or (person.name if person else guest), visitor(request).key,
            face=person.face if person else "",
        )
    except Taken:
        return show_taken(request, table)
    table.people.learners.end(visitor(request).key)
    response = redirect(request, f"t/{table.id}")
    await keep_name(request, response, name)
    return response


def _seat(text: str, table: LiveTable) -> int:
    if not text.isdecimal() or len(text) > 1 or int(text) >= table.saved.players:
        raise HTTPException(404)
    return int(text)


async def name_yourself(request: Request) -> Response:
    """Whoever invites says who that is."""
    table = await table_of(request)
    viewer, given = await viewer_of(request, table), await form(request)
    name = read_name(given.get("name", ""))
    if name and viewer.own:
        await table.people.rename(min(viewer.own), name)
    response = redirect(request, f"t/{table.id}")
    await keep_name(request, response, name)
    return response


async def carry(request: Request) -> Response:
    """A link opened on another device: this visitor can play the seat too."""
    table = await table_of(request)
    link = signer(request).carried(request.path_params["word"])
    valid = link is not None and link.table == table.id
    if link is None or not valid or not await lobby(request).store.carry(link, visitor(request).key):
        raise Refused(msg("This link has expired. Make a new one at the table, on the device you are "
                          "playing on."))
    return redirect(request, f"t/{table.id}")


async def forget_devices(request: Request) -> Response:
    """Only the device that asks for it plays the seat from now on."""
    table = await table_of(request)
    seat = _seat((await form(request)).get("seat", ""), table)
    await table.people.forget_devices(seat, visitor(request).key)
    return redirect(request, f"t/{table.id}?forgot={seat}")


async def put_bot(request: Request) -> Response:
    """A player at the table gives a free seat to a bot, or lets one play for somebody who has left."""
    table = await table_of(request)
    viewer = await viewer_of(request, table)
    given = await form(request)
    seat = _seat(given.get("seat", ""), table)
    if not viewer.seats | viewer.own:
        raise Refused(msg("Only players at the table can do that."))
    if table.ranked:
        raise Refused(msg("This game is ranked, so nobody can play for somebody else."))
    if table.seats[seat].kind == OPEN:
        word = given.get("bot", "")
        level = next((one for one in offered(table.position.game) if one.word == word), None)
        if level is None:
            raise Refused(msg("There is no bot of that strength."))
        await table.people.seat_bot(seat, word, translator(viewer.language)(level.name))
    else:
        await table.people.replace_absent(seat)
    return redirect(request, f"t/{table.id}")


async def play_for(request: Request) -> Response:
    """Anybody with the link plays for somebody who has been away too long."""
    table = await table_of(request)
    given = await form(request)
    seat = _seat(given.get("seat", ""), table)
    viewer = await viewer_of(request, table)
    if seat in viewer.own:
        await table.people.come_back(seat, viewer.own)
    else:
        name = read_name(given.get("name", "")) or f"{seat + 1}"
        await table.people.replace_absent(seat, guest=name, key=visitor(request).key)
    return redirect(request, f"t/{table.id}")


async def come_back(request: Request) -> Response:
    table = await table_of(request)
    viewer = await viewer_of(request, table)
    seat = _seat((await form(request)).get("seat", ""), table)
    await table.people.come_back(seat, viewer.own)
    return redirect(request, f"t/{table.id}")


async def play_again(request: Request) -> Response:
    """Ask the others to play again; to the new table when they all agree, or if there are no others."""
    table = await table_of(request)
    viewer = await viewer_of(request, table)
    if table.saved.rematch is None:
        make_room(request, table.saved)
        await table.people.ask(viewer.seats, AGAIN)
    return redirect(request, f"t/{table.saved.rematch or table.id}")


async def raw_json(request: Request) -> Response:
    """What the store holds about a table, even if it does not replay."""
    saved = await lobby(request).store.load(_id(request))
    if saved is None:
        raise HTTPException(404)
    text = await slowly(request, lambda: msgspec.json.encode(raw_record(saved)))
    return Response(text, media_type="application/json")


def _routes() -> Iterable[Route]:
    yield Route("/t/{id}", show_table)
    yield Route("/t/{id}/raw.json", raw_json)
    yield Route("/t/{id}/qr.svg", show_qr)
    yield Route("/t/{id}/carry/{word}", carry)
    yield Route("/t/{id}/carry/{word}/qr.svg", show_qr)
    for path, handler in (
        ("sit", sit), ("bot", put_bot), ("for", play_for), ("back", come_back), ("again", play_again),
        ("forget", forget_devices), ("name", name_yourself),
    ):
        yield Route(f"/t/{{id}}/{path}", handler, methods=["POST"])


routes = list(_routes())


# --- an invitation -----------------------------------------------------------------------------------


def free_seat(table: LiveTable) -> SavedSeat | None:
    return next((seat for seat in table.seats if seat.kind == OPEN), None)


async def show_waiting(
    request: Request, table: LiveTable, viewer: Viewer, free: SavedSeat
) -> Response:
    """The page of a table with a free seat: to sit down, or to invite if the viewer sits there already."""
    person = await person_of(request)
    box, position = box_of(table.saved.box), table.position
    host = next((seat for seat in table.seats if seat.kind == HUMAN), None)
    heading = _heading(host, box.cover.title)
    if table.people.learners.end(visitor(request).key):
        table.changed()
    return page(
        request, "waiting.html" if viewer.seats else "invite.html", table=table, box=box, free=free,
        host=host, heading=heading, plan=plan_of(position, viewer.language),
        protocol=PROTOCOL, link=str(request.url.replace(query="")),
        preview=preview_of(request, table, heading=heading, sentence=box.cover.sentence),
        name=read_name(request.query_params.get("name", "")) or (
            person.name if person else last_choice(request).names[0]),
        own=viewer.seats, own_name=_own_name(table, viewer), BOT=BOT, OPEN=OPEN,
        bots=opponents(position.game, position.preset).usual,
        lesson=table.saved.box in courses(),
    )


def show_taken(request: Request, table: LiveTable) -> Response:
    """Somebody else was quicker: watch, or open another table."""
    return page(request, "taken.html", status=409, table=table, box=box_of(table.saved.box))


def _own_name(table: LiveTable, viewer: Viewer) -> str:
    """The name that the viewer gave; empty: none."""
    names = [seat.name for seat in table.seats
             if seat.seat in viewer.seats and not is_default(seat.name, seat.seat)]
    return names[0] if names else ""


def _heading(host: SavedSeat | None, game: Message) -> Message:
    if host is None or is_default(host.name, host.seat):
        return msg("You are invited to {game}", game=game)
    return msg("{name} invites you to {game}", name=host.name, game=game)


# --- a position with a question ----------------------------------------------------------------------


def asked_position(position: Position, names: Sequence[str], seat: int, language: str) -> dict[str, Any]:
    """The table as the seat that is asked sees it: its board first."""
    scene = scene_of(position, names)
    panels = [panel for panel in scene.plan.panels if panel.seat is not None]
    return {
        "plan": plan_of(position, language), "seat_names": scene.names, "glow": GLOW,
        "first": in_script(msgspec.json.encode(first_node(position, names, language))),
        "boards": [*panels[seat:], *panels[:seat]],
        "shared": [panel for panel in scene.plan.panels if panel.seat is None],
    }
