"""The web application: its routes and the state they share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from azulejos.core.message import Message, msg
from azulejos.core.time_limit import TooSlow
from azulejos.web.base_path import BasePath
from azulejos.web.circle.circles import Circles
from azulejos.web.circle.deadlines import Deadlines
from azulejos.web.circle.notices import Notices, Outside
from azulejos.web.circle.persons import Persons
from azulejos.web.circle.results import Ledger
from azulejos.web.garbage import collecting_when_quiet
from azulejos.web.guard.budgets import Charges, Limits
from azulejos.web.guard.connections import Doorkeeper
from azulejos.web.guard.doors import HEADERS, OF_PAGES, TOO_MANY, BadBody, Guard, is_ahead, not_now
from azulejos.web.guard.hosts import ANY
from azulejos.web.learn.daily_check import Daily
from azulejos.web.learn.studies import Studies
from azulejos.web.metrics import Metrics, measuring, show_metrics
from azulejos.web.pages import (
    app_files, contests, deals_page, drills, files, guides, home, league_page, machine_page, me, meet,
    mistakes, notices_page, puzzles, replay, review, setup, study, table, you,
)
from azulejos.web.pages.files import Fonts
from azulejos.web.pages.response import page, refusal, visitor
from azulejos.web.refused import Refused
from azulejos.web.shared_signer import SharedSigner
from azulejos.web.store.expiry import KEEP_ALL, Policy, expiring
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.personal import Personal
from azulejos.web.store.saved import Unreplayable
from azulejos.web.store.store import Store
from azulejos.web.tables.lobby import THINKING_SECONDS, Lobby
from azulejos.web.tables.people import AWAY_AFTER
from azulejos.web.visitor import Signer
from azulejos.web.wire.table_conversation import FrameTurns
from azulejos.web.work.cards import Cards
from azulejos.web.work.judge import Analyst
from azulejos.web.work.pool import Pool
from azulejos.web.work.reviews import Reviews
from azulejos.web.work.slow_work import Owing, SlowWork

STATIC = Path(__file__).parent / "static"
log = logging.getLogger("azulejos.web")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a server, fixed when it starts."""

    database: str
    """URL of the database."""
    secret: str | None = None
    """Signs cookies and links. None: the database keeps secrets for all servers."""
    former_secrets: tuple[str, ...] = ()
    """Cookies and links that were signed with these are still accepted."""
    expiry: Policy = KEEP_ALL
    """When abandoned tables are removed."""
    seconds: float = THINKING_SECONDS
    """Time limit of a bot for a move."""
    away_after: float = AWAY_AFTER
    """Seconds without a connection after which a player counts as away."""
    limits: Limits = field(default_factory=Limits)
    metrics: bool = False
    """Whether this machine may read /metrics."""
    hosts: frozenset[str] = frozenset({ANY})
    """Names under which browsers may reach the server, besides the addresses at which it is reached."""
    proxies: frozenset[str] = frozenset()
    """Addresses of proxies whose headers say where a request comes from."""
    base_path: str = ""
    """The path under which the site is, such as "/azulejos"; empty: at the root."""
    outside: Outside = field(default_factory=Outside)
    """How people who are away can be told."""
    thinks_ahead: bool = False
    """Whether hints are thought about before anybody asks for them."""
    pool: Callable[[], Pool] = Pool
    """Makes what thinks."""
    spares_garbage: bool = False
    """Whether the server has the process to itself, so that it may control the garbage collector."""


ROUTES: Final = (
    *home.routes,
    *setup.routes,
    *guides.routes,
    *app_files.routes,
    *table.routes,
    *replay.routes,
    *review.routes,
    *mistakes.routes,
    *you.routes,
    *me.routes,
    *meet.routes,
    *league_page.routes,
    *deals_page.routes,
    *machine_page.routes,
    *notices_page.routes,
    *drills.routes,
    *puzzles.routes,
    *contests.routes,
    *study.routes,
    *files.routes,
    WebSocketRoute("/t/{id}/live", table.live),
    WebSocketRoute("/study/{id}/live", study.live),
    Mount("/static/fonts", Fonts(directory=STATIC / "fonts")),
    Mount("/static", StaticFiles(directory=STATIC), name="static"),
)


def create_app(settings: Settings) -> Starlette:
    """Build the application. What it starts, and ends again, is in `_serving`."""
    charges = Charges(settings.limits)
    keeper = Doorkeeper(settings.limits, charges, settings.proxies)
    app = Starlette(
        lifespan=lambda app: _serving(app, settings),
        routes=[
            *ROUTES, Route("/healthz", _health),
            *([Route("/metrics", show_metrics)] if settings.metrics else []),
        ],
        middleware=[
            Middleware(BasePath, base=settings.base_path),
            Middleware(Guard, keeper=keeper, identify=_visitor_key, refuse=refusal, hosts=settings.hosts),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={
            HTTPException: _http_error, Refused: _refused, BadBody: _bad_body, ClientDisconnect: _gone,
            Owing: _owing, TooSlow: _too_slow, Unreplayable: _set_aside, DatabaseFault: _no_database,
            500: _failure,
        },
    )
    app.state.limits = settings.limits
    app.state.charges = charges
    app.state.doorkeeper = keeper
    app.state.signer = Signer(*settings.former_secrets, *([settings.secret] if settings.secret else []))
    return app


@asynccontextmanager
async def _serving(app: Starlette, settings: Settings) -> AsyncIterator[None]:
    """Open the database, wake the bots that are to move, and do what runs beside the tables."""
    app.state.slow_work = SlowWork()
    store = await Store.open(settings.database, serving=True)
    metrics, pool = Metrics(), settings.pool()
    app.state.metrics = metrics
    app.state.turns = FrameTurns(metrics.acknowledged)
    app.state.lobby = lobby = Lobby(
        store, seconds=settings.seconds, away_after=settings.away_after, bots=metrics.bots,
        thinks_ahead=settings.thinks_ahead, pool=pool,
    )
    app.state.reviews = Reviews(store, pool)
    app.state.personal = Personal(store)
    app.state.persons = Persons(store)
    app.state.ledger = ledger = Ledger(store)
    lobby.over = ledger.wake
    app.state.circles = Circles(store)
    app.state.notices = notices = Notices(store, settings.outside)
    lobby.turned = notices.wake
    deadlines = app.state.deadlines = Deadlines(store, lobby, notices)
    app.state.daily = daily = Daily(store, pool)
    lobby.ranked_over = daily.wake
    app.state.cards = Cards(app.state.personal, pool)
    app.state.studies = Studies(store, app.state.slow_work)
    app.state.analyst = Analyst(pool)
    await _listen(store, lobby, app.state.signer, settings)
    await lobby.wake_up()
    try:
        async with (
            measuring(metrics, store) if settings.metrics else nullcontext(),
            collecting_when_quiet(lobby.idle) if settings.spares_garbage else nullcontext(),
            _checking(store), expiring(store, settings.expiry),
            daily.working(), ledger.working(), notices.working(), deadlines.working(),
        ):
            yield
    finally:
        app.state.slow_work.close()
        await app.state.reviews.close()
        await app.state.cards.close()
        await app.state.analyst.close()
        await lobby.close()
        await store.close()


@asynccontextmanager
async def _checking(store: Store) -> AsyncIterator[None]:
    """Look at the database's files once, beside the tables, and warn the operator if they are damaged."""

    async def check() -> None:
        found = await store.database.damage(quick=True)
        if found:
            log.error("the file of the database is damaged (%s); see azulejos store check", found[0])

    running = asyncio.create_task(check())
    try:
        yield
    finally:
        running.cancel()


async def _listen(store: Store, lobby: Lobby, signer: Signer, settings: Settings) -> None:
    """Follow what other servers do to the tables, and to the secrets if these are shared."""
    if settings.secret is not None:
        await store.listen(lobby.heard, lobby.missed)
        return
    shared = SharedSigner(store, signer, settings.former_secrets)
    await shared.read()

    def heard(notice: str) -> None:
        if not shared.heard(notice):
            lobby.heard(notice)

    def missed() -> None:
        shared.read_later()
        lobby.missed()

    await store.listen(heard, missed)


def _visitor_key(connection: HTTPConnection) -> str:
    who = visitor(connection)
    return "" if who.fresh else who.key


async def _health(request: Request) -> Response:
    return PlainTextResponse("ok\n")


EXPLANATIONS: dict[int, Message] = {
    404: msg("The link may be incomplete, or the table is on another server."),
    405: msg("This address does not accept that kind of request."),
}


def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    log.warning("refused: %s at %.80r", status, request.url.path)
    detail = EXPLANATIONS.get(status, msg("This request cannot be answered."))
    return page(request, "error.html", status=status, code=status, reason=detail)


def _refused(request: Request, error: Exception) -> Response:
    reason = error.reason if isinstance(error, Refused) else msg("This request cannot be answered.")
    return page(request, "error.html", status=409, code=409, reason=reason)


def _no_database(request: Request, error: Exception) -> Response:
    assert isinstance(error, DatabaseFault)
    reason = msg("The server cannot use its database now, so this page cannot be shown. Every move shown "
                 "as played has been saved. Try again in a moment. ({error})", error=error.reason)
    return page(request, "error.html", status=503, code=503, reason=reason)


def _set_aside(request: Request, error: Exception) -> Response:
    """The page of a table that does not replay: why, and its data as it is stored."""
    assert isinstance(error, Unreplayable)
    log.warning("set aside: %s", error)
    return page(request, "set_aside.html", status=409, table=error.table.id, reason=error.reason)


def _gone(request: Request, error: Exception) -> Response:
    """The client left, or took too long, in the middle of its request."""
    return refusal(request, 400, msg("This request is incomplete."))


def _bad_body(request: Request, error: Exception) -> Response:
    assert isinstance(error, BadBody)
    log.warning("refused: %s at %.80r", error.objection.note, request.url.path)
    return refusal(request, error.objection.status, error.objection.reason)


def _owing(request: Request, error: Exception) -> Response:
    if is_ahead(request.headers):
        return not_now()
    log.warning("refused: %s at %.80r", TOO_MANY.note, request.url.path)
    return refusal(request, TOO_MANY.status, TOO_MANY.reason)


def _too_slow(request: Request, error: Exception) -> Response:
    assert isinstance(error, TooSlow)
    if is_ahead(request.headers):
        return not_now()
    log.warning("refused: work without end at %.80r", request.url.path)
    return refusal(request, 409, error.reason)


def _failure(request: Request, error: Exception) -> Response:
    log.error("%.80r failed", request.url.path, exc_info=error)
    reason = msg("Something went wrong on the server. Every move shown as played has been saved; please "
                 "reload the page.")
    answer = page(request, "error.html", status=500, code=500, reason=reason)
    answer.headers.update(HEADERS | OF_PAGES)  # this response did not pass through the guard
    return answer
