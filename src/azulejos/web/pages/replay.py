"""What can be done with a game that was played: save it, show a moment of it, play on from there, open one
that was saved anywhere."""

from __future__ import annotations

import re
from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from azulejos import svg
from azulejos.bots import levels
from azulejos.bots.words import in_times
from azulejos.core.message import Message, Problem, msg, raw
from azulejos.core.position import Position
from azulejos.core.record import Record, RecordError
from azulejos.i18n import translator
from azulejos.web.guard.budgets import in_thread
from azulejos.web.names import default_name, named
from azulejos.web.pages.response import form, open_table, page, person_of, redirect, slowly, visitor
from azulejos.web.pages.setup import own_name
from azulejos.web.pages.table import show_picture, table_of, viewer_of
from azulejos.web.refused import Refused
from azulejos.web.store.saved import BOT, FINISHED, HUMAN, SavedAction, SavedSeat, SavedTable
from azulejos.web.tables import table_record
from azulejos.web.tables.live_table import LiveTable, new_table
from azulejos.web.tables.table_record import Tag, record_of, source_of
from azulejos.web.work.bots import TIMES

MAX_ACTIONS = 3000
"""Actions of a record that is opened, with all that was tried or taken back, and entries of the table that
it becomes; the longest games have about 600."""

LINK = re.compile(r"(?:https?://[^/\s]+)?/t/([A-Za-z0-9_-]{1,32})(?:[/?#]\S*)?")
"""The address of a table."""

KEPT_TAGS = (Tag.PROMISE, Tag.SEED, Tag.NUMBERS, Tag.DEALT_FROM, Tag.TIME_UP)
"""What a record that is opened keeps of the table where it was played."""


# --- play on from here -----------------------------------------------------------------------------------


async def branch(request: Request) -> Response:
    """Continue from an earlier position, or from one that was taken back, against bots: a new table that
    begins with the old moves."""
    table = await table_of(request)
    viewer = await viewer_of(request, table)
    actions, cut = _line(table, await form(request))
    bots_only = all(seat.kind == BOT or seat.seat in viewer.seats for seat in table.seats)
    if not table.over and not bots_only:
        raise Refused(msg("Other people are playing at this table, so you can go back only after the game "
                          "is over."))
    if not table.over and table.ranked:
        raise Refused(msg("This game is ranked, so you can try other moves only after it is over."))
    own = min(viewer.seats, default=0)
    player = replace(table.seats[own], kind=HUMAN, bot="", guest="", number="") if viewer.seats else (
        await _newcomer(request, own))
    level = in_times(levels(table.position.game)[-1], TIMES[0])[0]
    name = translator(visitor(request).language)(level.name)
    seats = tuple(player if seat.seat == own else _branch_seat(seat, level.word, name)
                  for seat in table.seats)
    saved = replace(
        new_table(table.saved.box, seats, table.saved.options), start_position=table.saved.start_position,
        actions=actions, dealt_from=cut, branch_of=table.id,
    )
    if saved.replay().is_over:
        raise Refused(msg("The game is over there. Go back to an earlier move to play on."))
    new = await open_table(request, saved, [(own, visitor(request).key)])
    return redirect(request, f"t/{new.id}")


def _line(table: LiveTable, given: dict[str, str]) -> tuple[tuple[SavedAction, ...], int]:
    """The entries of the line to continue: the game up to a ply, or a whole line that was taken back."""
    if "line" in given:
        branches = table.log.branches
        number = _number(given["line"], len(branches) - 1)
        return branches[number].entries, len(branches[number].entries)
    cut = _number(given.get("ply", ""), table.ply)
    return tuple(table.log.entries[:cut]), cut


def _number(text: str, last: int) -> int:
    if not text.isdecimal() or len(text) > 6 or int(text) > last:
        raise HTTPException(404)
    return int(text)


async def _newcomer(request: Request, seat: int) -> SavedSeat:
    """The visitor at a seat that was somebody else's."""
    person = await person_of(request)
    name = await own_name(request) or default_name(seat, visitor(request).language)
    return SavedSeat(seat=seat, kind=HUMAN, name=name, face=person.face if person else "")


def _branch_seat(seat: SavedSeat, word: str, name: str) -> SavedSeat:
    if seat.kind == BOT:
        return seat  # bots add no numbers
    return SavedSeat(seat=seat.seat, kind=BOT, name=name, bot=word)


# --- records and positions -------------------------------------------------------------------------------


async def record_text(request: Request) -> Response:
    """The whole game as text, for people and for `azulejos replay` and `verify`."""
    record = await _record(request)
    return PlainTextResponse(await slowly(request, record.write))


async def record_json(request: Request) -> Response:
    """The same as JSON Lines, for programs."""
    record = await _record(request)
    return PlainTextResponse(await slowly(request, record.write_json), media_type="application/jsonl")


async def _record(request: Request) -> Record:
    table = await table_of(request)
    return await slowly(request, record_of, table.whole())


async def position_text(request: Request) -> Response:
    """A moment of the game in one line of text."""
    table = await table_of(request)
    return PlainTextResponse(_position(request, table).text() + "\n")


async def position_picture(request: Request) -> Response:
    table = await table_of(request)
    position, say = _position(request, table), translator(visitor(request).language)
    drawn = await in_thread(svg.position, position, names=table.names, say=say)
    return Response(drawn, media_type="image/svg+xml")


async def preview_picture(request: Request) -> Response:
    """A moment of the game as other programs show it beside a link."""
    table = await table_of(request)
    return await show_picture(_position(request, table))


def _position(request: Request, table: LiveTable) -> Position:
    text = request.query_params.get("ply", str(table.ply))
    return table.log.at(_number(text, table.ply))


# --- opening ---------------------------------------------------------------------------------------------


async def show_open(request: Request) -> Response:
    """The form. A link may bring the text of a position or a record; the visitor decides to open it."""
    return page(request, "open.html", text=request.query_params.get("text", ""), problem=None)


async def open_text(request: Request) -> Response:
    """Open a record or a position as a table to look at, or go to the table of a link."""
    given = await form(request, files=1)
    text = (given.get("file", "") or given.get("text", "")).strip()
    link = LINK.fullmatch(text)
    if link:
        return redirect(request, f"t/{link[1]}")
    try:
        saved = await slowly(request, opened, text)
        table = await open_table(request, saved)
    except (Problem, RecordError) as problem:
        return page(request, "open.html", status=409, text=text, problem=located(problem))
    except (ValueError, RecursionError) as error:
        return page(request, "open.html", status=409, text=text, problem=raw(str(error)[:300]))
    return redirect(request, f"t/{table.id}#0")


def located(problem: Problem | RecordError) -> Message:
    if isinstance(problem, RecordError):
        return msg("Line {line}, column {column}: {reason}", line=problem.line, column=problem.column,
                   reason=problem.reason)
    return problem.reason


def opened(text: str) -> SavedTable:
    """A finished table for a record, or for a position alone; a ValueError says what is wrong."""
    if not text:
        raise Problem(msg("Paste a record, a position or the link of a table, or choose a file."))
    if text.startswith(("[", "{")):
        record = Record.read(text, most=MAX_ACTIONS)
    else:
        record = Record.from_position(Position.from_text(text))
    source = source_of(record)
    record.tags = {name: record.tags[name] for name in KEPT_TAGS if name in record.tags}
    record.tags[Tag.STATE] = FINISHED
    table = table_record.table_of(named(record))
    if len(table.actions) > MAX_ACTIONS:
        raise Problem(msg("This record is too long: {n} actions.", n=len(table.actions)))
    return replace(table, branch_of=source or None)


routes = [
    Route("/open", show_open),
    Route("/open", open_text, methods=["POST"]),
    Route("/t/{id}/record.txt", record_text),
    Route("/t/{id}/record.jsonl", record_json),
    Route("/t/{id}/position.txt", position_text),
    Route("/t/{id}/position.svg", position_picture),
    Route("/t/{id}/preview.png", preview_picture),
    Route("/t/{id}/branch", branch, methods=["POST"]),
]
