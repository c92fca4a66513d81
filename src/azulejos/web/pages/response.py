"""Responses as pages, and what every handler needs to know about its request."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit

from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from azulejos.core.message import msg
from azulejos.i18n import ONLY_TRADITIONAL, translator
from azulejos.web.base_path import root
from azulejos.web.guard.prices import address_of
from azulejos.web.pages.faces import cover_art, face
from azulejos.web.pages.templates import fragment
from azulejos.web.refused import FULL, Refused
from azulejos.web.store.saved import OPEN, SavedTable
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.lobby import Lobby
from azulejos.web.visitor import CHOICES, Signer, Visitor
from azulejos.web.wire.conversation import Terms
from azulejos.web.work.slow_work import Payer, SlowWork

P = ParamSpec("P")
T = TypeVar("T")


def lobby(connection: HTTPConnection) -> Lobby:
    found: Lobby = connection.app.state.lobby
    return found


def signer(connection: HTTPConnection) -> Signer:
    found: Signer = connection.app.state.signer
    return found


def visitor(connection: HTTPConnection) -> Visitor:
    """The visitor who sends the request; the same for the whole request, even before a cookie is set."""
    if not hasattr(connection.state, "visitor"):
        connection.state.visitor = signer(connection).visitor(connection)
    found: Visitor = connection.state.visitor
    return found


def payer(connection: HTTPConnection) -> Payer:
    """Who pays for what the request costs; visitors without a cookie share what their address has."""
    who, charges = visitor(connection), connection.app.state.charges
    address = address_of(connection.scope.get("client"))
    return Payer(charges=charges, visitor="" if who.fresh else who.key, address=address)


def terms(connection: HTTPConnection) -> Terms:
    """What a page that is connected may use."""
    who = visitor(connection)
    return Terms(
        payer=payer(connection), visitor=who.key, language=who.language,
        limits=connection.app.state.limits,
    )


async def slowly(request: Request, work: Callable[P, T], *args: P.args, **names: P.kwargs) -> T:
    """Run a function that takes long, apart from the tables and at the expense of the visitor. It ends when
    they leave."""
    slow: SlowWork = request.app.state.slow_work
    return await _unless_they_leave(request, slow.do(payer(request), work, *args, **names))


async def later(request: Request, work: Callable[P, T], *args: P.args, **names: P.kwargs) -> T:
    """The same for what a browser fetches in advance."""
    slow: SlowWork = request.app.state.slow_work
    return await _unless_they_leave(request, slow.do_later(payer(request), work, *args, **names))


async def _unless_they_leave(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of the work; ClientDisconnect, and the work is cancelled, if the client leaves before. The
    body of the request has been read."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_left(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def open_table(
    request: Request, saved: SavedTable, holders: Iterable[tuple[int, str]] = ()
) -> LiveTable:
    """Keep a new table, at the expense of the address."""
    who, tables = visitor(request), lobby(request)
    most = request.app.state.limits.waiting
    if any(seat.kind == OPEN for seat in saved.seats) and await tables.store.waiting(who.key) >= most:
        raise Refused(msg("{n} of your tables wait for players. Invite them there first.", n=most))
    make_room(request, saved)
    return await tables.create(saved, holders)


def make_room(request: Request, *tables: SavedTable) -> None:
    """Charge the address for tables that are about to be kept; Refused if it has filled the database."""
    if not payer(request).store(sum(table.size for table in tables)):
        raise Refused(FULL)


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
    who = visitor(request)
    html = fragment(
        template, translator(who.language), language=who.language, wishes=who.wishes, CHOICES=CHOICES,
        only_traditional=ONLY_TRADITIONAL if who.simplified else "",
        here=request.url.path, **addresses(root(request)), **values,
    )
    return remember(request, HTMLResponse(html, status, {"cache-control": "no-store"}))


@functools.cache
def addresses(root: str) -> dict[str, Any]:
    """What a template needs to write addresses; `root` is that of the home page."""
    pictures = {"face": face, "cover_art": cover_art}
    return {"root": root} | {name: functools.partial(draw, root) for name, draw in pictures.items()}


def redirect(request: Request, path: str) -> Response:
    """To another page; `path` comes after the address of the home page."""
    return remember(request, RedirectResponse(root(request) + path, 303))


def remember(request: Request, response: Response) -> Response:
    who = visitor(request)
    if who.fresh:
        signer(request).remember(request, response, who)
    return response


async def form(request: Request, *, files: int = 0) -> dict[str, str]:
    """The fields of a form, and the contents of up to `files` uploaded files."""
    async with request.form(max_files=files, max_fields=60) as fields:
        return {name: await _text(value) for name, value in fields.items()}


async def _text(value: UploadFile | str) -> str:
    if isinstance(value, str):
        return value
    try:
        return (await value.read()).decode()
    except UnicodeDecodeError as error:
        raise Refused(msg("{file} is not a text file.", file=str(value.filename)[:80])) from error


def own_path(text: str, *, otherwise: str) -> str:
    """A path of this server to return to; for anything else, the other one."""
    parts = urlsplit(text)
    local = text.startswith("/") and not text.startswith(("//", "/\\")) and not parts.netloc
    return text if local and "\\" not in text and text.isprintable() else otherwise
