"""A table that waits for players: the card of an invited friend, and the link for whoever opened it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from azulejos.core.message import Message, msg
from azulejos.web.names import read_name
from azulejos.web.pages.last_choice import last_choice
from azulejos.web.pages.lesson import courses
from azulejos.web.pages.opponents import opponents
from azulejos.web.pages.preview import preview_of
from azulejos.web.pages.response import page, visitor
from azulejos.web.store.saved import BOT, HUMAN, OPEN, SavedSeat
from azulejos.web.tables.boxes import box_of
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.wire.messages import PROTOCOL
from azulejos.web.wire.plan import plan_of
from azulejos.web.wire.viewer import Viewer


def free_seat(table: LiveTable) -> SavedSeat | None:
    return next((seat for seat in table.seats if seat.kind == OPEN), None)


def show_waiting(request: Request, table: LiveTable, viewer: Viewer, free: SavedSeat) -> Response:
    """The page of a table with a free seat: to sit down, or to invite if the viewer sits there already."""
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
        name=read_name(request.query_params.get("name", "")) or last_choice(request).names[0],
        own=viewer.seats, BOT=BOT, OPEN=OPEN,
        bots=opponents(position.game, position.preset).usual,
        lesson=table.saved.box in courses(),
    )


def show_taken(request: Request, table: LiveTable) -> Response:
    """Somebody else was quicker: watch, or open another table."""
    return page(request, "taken.html", status=409, table=table, box=box_of(table.saved.box))


def _heading(host: SavedSeat | None, game: Message) -> Message:
    if host is None:
        return msg("You are invited to {game}", game=game)
    return msg("{name} invites you to {game}", name=host.name, game=game)
