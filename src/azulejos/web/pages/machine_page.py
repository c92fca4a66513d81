"""Programs at a table: a token for a free seat, and two ways to play with it, HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import re
import secrets

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from azulejos.core.message import msg
from azulejos.i18n import translator
from azulejos.web.guard.budgets import Bucket
from azulejos.web.names import read_name
from azulejos.web.pages.response import form, lobby, page
from azulejos.web.pages.table import free_seat, table_of, viewer_of
from azulejos.web.refused import Refused
from azulejos.web.tables.live_table import LiveTable

TOKEN = re.compile(r"[A-Za-z0-9_-]{20,60}")
ANSWER = re.compile(r"bestmove id (\d{1,6}) (\S{1,60})")
LONGEST = 1000
"""Characters of a message from a program."""


def key_of(token: str) -> str | None:
    """The key of a program's seat; None: this is no token."""
    return hashlib.sha256(token.encode()).hexdigest() if TOKEN.fullmatch(token) else None


def told(table: LiveTable, seats: frozenset[int]) -> str:
    """What a program at these seats is to know now: the question if it is to move."""
    if table.over:
        scores = " ".join(map(str, table.position.scores))
        return f"gameover scores {scores}\n"
    if not table.turn_of(seats):
        return "wait\n"
    position = table.seen_by(seats)
    head = position.text().partition("/")[0]
    moves = " ".join(position.game.moves.text(action) for action in position.legal_actions())
    return (f"newgame {head} seat {position.to_move + 1}\nposition {position.text()}\n"
            f"go id {number_of(table, seats)} searchmoves {moves}\n")


def number_of(table: LiveTable, seats: frozenset[int]) -> int:
    """The number of the question: how many actions were played before it."""
    drafted = len(table.draft) if table.drafting(seats) else 0
    return int(table.ply + drafted)


def moment_of(table: LiveTable, seats: frozenset[int]) -> tuple[int, bool, bool]:
    """What changes when there is something new to tell."""
    return number_of(table, seats), table.turn_of(seats), table.over


async def heard(table: LiveTable, seats: frozenset[int], line: str) -> None:
    """A line of a program: the answer to the question. Lines that mean nothing here are ignored."""
    if len(line) > LONGEST:
        raise Refused(msg("This is too long."))
    answer = ANSWER.fullmatch(" ".join(line.split()))
    if answer is None:
        return
    number, move = int(answer[1]), answer[2]
    if number != number_of(table, seats) or not table.turn_of(seats):
        raise Refused(msg("Someone has moved in the meantime; please look again."))
    await table.play(seats, move, number, at_once=True)


WAIT = 20.0
"""Seconds that a question may wait for something new."""
HELLO = 10.0
"""Seconds within which a program names its token."""
BURST, RATE = 20, 5.0
"""Lines that a connection may send at once, and per second: a turn takes a few."""
REFUSED = 4403

log = logging.getLogger("azulejos.web")


async def invite(request: Request) -> Response:
    """Give a free seat to a program: its token is shown once."""
    table = await table_of(request)
    viewer, given = await viewer_of(request, table), await form(request)
    free = free_seat(table)
    if not viewer.own or free is None:
        raise Refused(msg("Only players at the table can do that."))
    if not table.saved.programs:
        raise Refused(msg("At this table programs may not sit down."))
    token = secrets.token_urlsafe(24)
    key = key_of(token)
    assert key is not None
    name = read_name(given.get("name", "")) or translator(viewer.language)(msg("A program"))
    await table.people.sit(free.seat, name, key, program=True)
    return page(request, "program.html", table=table, name=name, token=token)


async def _seats(connection: HTTPConnection, table: LiveTable, token: str) -> frozenset[int]:
    """The seats of a program; an unknown token has none."""
    key = key_of(token)
    return await lobby(connection).store.seats_of(table.id, key) if key else frozenset()


def _token(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _said(text: str, status: int = 200) -> Response:
    return PlainTextResponse(text, status, {"cache-control": "no-store"})


async def ask(request: Request) -> Response:
    """What there is to do; `?after=N`: as soon as that is something else than question N."""
    table = await table_of(request)
    seats = await _seats(request, table, _token(request))
    if not seats:
        return _said("info string unknown token\n", 403)
    await table.people.arrive(seats)
    try:
        await _news(table, seats, after=request.query_params.get("after", ""))
    finally:
        await table.people.leave(seats)
    return _said(told(table, seats))


async def _news(table: LiveTable, seats: frozenset[int], *, after: str) -> None:
    """Returns when the program is to move, or the game is over, or after a while."""
    changed = asyncio.Event()
    table.watchers.add(changed.set)
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAIT):
                while not table.over and not (
                    table.turn_of(seats) and str(number_of(table, seats)) != after
                ):
                    await changed.wait()
                    changed.clear()
    finally:
        table.watchers.discard(changed.set)


async def answer(request: Request) -> Response:
    """A line of the program."""
    table = await table_of(request)
    seats = await _seats(request, table, _token(request))
    if not seats:
        return _said("info string unknown token\n", 403)
    try:
        line = (await request.body()).decode()
        await heard(table, seats, line)
    except UnicodeDecodeError:
        return _said("info string this is not text\n", 400)
    except Refused as refused:
        return _said(f"info string {refused.reason}\n", 409)
    return _said(told(table, seats))


async def live(socket: WebSocket) -> None:
    """The same on one connection: the first line is `token …`. No cookie counts here, so pages of other
    sites can do nothing with it."""
    try:
        table = await table_of(socket)
    except Exception:  # whatever is wrong with the address: it is refused before it opens
        await socket.close(REFUSED)
        return
    await socket.accept()
    try:
        async with asyncio.timeout(HELLO):
            word, _, token = (await socket.receive_text()).strip().partition(" ")
        seats = await _seats(socket, table, token) if word == "token" else frozenset()
        if not seats:
            await socket.close(REFUSED)
            return
        await _converse(socket, table, seats)
    except (WebSocketDisconnect, TimeoutError, KeyError, RuntimeError):
        with contextlib.suppress(RuntimeError):
            await socket.close()


async def _converse(socket: WebSocket, table: LiveTable, seats: frozenset[int]) -> None:
    changed = asyncio.Event()
    changed.set()
    table.watchers.add(changed.set)
    await table.people.arrive(seats)
    telling = asyncio.create_task(_tell(socket, table, seats, changed))
    pace = Bucket(BURST, RATE)
    try:
        while True:
            line = await socket.receive_text()
            if len(line) > LONGEST:
                await socket.close(1008)
                return
            while not pace.take():  # what comes too fast waits
                await asyncio.sleep(1 / RATE)
            try:
                await heard(table, seats, line)
            except Refused as refused:
                await socket.send_text(f"info string {refused.reason}\n")
    finally:
        telling.cancel()
        table.watchers.discard(changed.set)
        await table.people.leave(seats)


async def _tell(
    socket: WebSocket, table: LiveTable, seats: frozenset[int], changed: asyncio.Event
) -> None:
    known: tuple[int, bool, bool] | None = None
    while True:
        await changed.wait()
        changed.clear()
        moment = moment_of(table, seats)
        if moment != known and (table.over or table.turn_of(seats)):
            await socket.send_text(told(table, seats))
        known = moment
        if table.over:
            await socket.close()
            return


routes = [
    Route("/t/{id}/programs", invite, methods=["POST"]),
    Route("/t/{id}/program", ask),
    Route("/t/{id}/program", answer, methods=["POST"]),
    WebSocketRoute("/t/{id}/program/live", live),
]
