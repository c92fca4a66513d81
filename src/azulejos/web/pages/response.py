"""Templates and responses: every page is in the visitor's language and contains no inline script or style.

Beside them is what every handler needs to know about its request, and how a request is refused.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from azulejos.core.message import Message, msg, nmsg, pmsg, signed
from azulejos.i18n import LANGUAGES, NAMES, ONLY_TRADITIONAL, translator
from azulejos.i18n.catalogue import Say, html_tag
from azulejos.web.base_path import root
from azulejos.web.circle.persons import Person, Persons
from azulejos.web.edition import ALONE
from azulejos.web.guard.budgets import address_of
from azulejos.web.guard.doors import is_ahead
from azulejos.web.pages.files import art
from azulejos.web.pages.pictures import cover_art, face, portrait
from azulejos.web.refused import FULL, Refused
from azulejos.web.store.saved import OPEN, SavedTable
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.lobby import Lobby
from azulejos.web.visitor import CHOICES, Signer, Visitor, Wishes
from azulejos.web.wire.conversation import Terms
from azulejos.web.work.slow_work import Payer, SlowWork

FONTS = ("figtree-latin", "alegreya-latin")
EXTENDED = {"cs": ("figtree-latin-ext",), "pl": ("figtree-latin-ext",)}
"""Fonts for letters that every page in a language has."""


def fonts_of(language: str) -> tuple[str, ...]:
    """The fonts to load before anything else, because a page does not use one that comes late."""
    return FONTS + EXTENDED.get(language, ())


@functools.cache
def environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("azulejos.web", "templates"), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, undefined=StrictUndefined, auto_reload=False,
    )
    environment.globals.update(LANGUAGES=LANGUAGES, NAMES=NAMES, html_tag=html_tag, signed=signed, art=art,
                        fonts_of=fonts_of, alone=ALONE)
    return environment


@functools.cache
def _template(name: str) -> Template:
    template = environment().get_template(name)
    template.globals = dict(template.globals)  # a chain of maps would be searched at every rendering
    return template


def fragment(template: str, say: Say, /, **values: Any) -> str:
    """Render a template. `say` translates a message; in the template, ``_("…")``, ``_n("one", "many",
    n=…)`` and ``_p("context", "…")`` do."""

    def _(text: str, **args: Any) -> str:
        return say(msg(text, **args))

    def _p(context: str, text: str, **args: Any) -> str:
        return say(pmsg(context, text, **args))

    def _n(one: str, many: str, *, n: int, **args: Any) -> str:
        return say(nmsg(one, many, n=n, **args))

    def said(message: Message | str) -> str:
        return say(message) if isinstance(message, Message) else message

    values = {**values, "say": said}
    return _template(template).render(_=_, _n=_n, _p=_p, Markup=Markup, **values)


# --- the request -------------------------------------------------------------------------------------


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
    they leave. What a page fetches in advance waits until there is time."""
    slow: SlowWork = request.app.state.slow_work
    do = slow.do_later if is_ahead(request.headers) else slow.do
    return await _unless_they_leave(request, do(payer(request), work, *args, **names))


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
    pictures = {"face": face, "cover_art": cover_art, "portrait": portrait}
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


# --- refusals, which must cost next to nothing -------------------------------------------------------


REFUSALS_KEPT = 500
"""More than there are sentences, times languages."""


def refusal(connection: HTTPConnection, status: int, reason: Message) -> Response:
    """Say to a visitor, in their language, why a request is refused."""
    language = visitor(connection).language
    if "text/html" in connection.headers.get("accept", ""):
        return HTMLResponse(_refusal_page(status, reason, language, root(connection)), status)
    return PlainTextResponse(translator(language)(reason) + "\n", status)


@functools.lru_cache(REFUSALS_KEPT)
def _refusal_page(status: int, reason: Message, language: str, root: str) -> str:
    return fragment(
        "error.html", translator(language), language=language, wishes=Wishes(), CHOICES=CHOICES, here=root,
        only_traditional="", code=status, reason=reason, **addresses(root),
    )


# --- what pages know of the person behind a request -------------------------------------------------------

SIZE = 400
"""About how many bytes of the database a person takes."""


def persons(connection: HTTPConnection) -> Persons:
    found: Persons = connection.app.state.persons
    return found


async def person_of(connection: HTTPConnection) -> Person | None:
    """Who the visitor is; None: they have not said."""
    who = visitor(connection)
    return None if who.fresh else await persons(connection).of(who.key)


async def call(request: Request, name: str, face: str = "") -> Person | None:
    """The visitor has this name from now on, and this face, if one is given."""
    if not payer(request).store(SIZE):
        raise Refused(FULL)
    key = visitor(request).key
    await persons(request).call(key, name, face)
    return await persons(request).of(key)
