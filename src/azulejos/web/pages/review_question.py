"""A turn of a review on the real table: choose what you would play, before the answer is shown."""

from __future__ import annotations

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.message import msg
from azulejos.i18n import translator
from azulejos.insight.results import JudgedTurn
from azulejos.insight.words import sentences
from azulejos.web.learn.judged_turn import can_be_asked, turn_decision
from azulejos.web.learn.solving import Decision, script_of
from azulejos.web.pages.asked_position import asked_position
from azulejos.web.pages.response import page, slowly, visitor
from azulejos.web.pages.review import judged_turn
from azulejos.web.tables.live_table import LiveTable


async def show_question(request: Request) -> Response:
    table, turn, decision = await _asked(request)
    language = visitor(request).language
    say = translator(language)
    asked = await slowly(request, asked_position, decision.position, table.names, turn.seat, language)
    review = f"t/{table.id}/review?seat={turn.seat}"
    return page(
        request, "review_question.html", **asked, goal="review", safe=False, name=f"{table.id}/{turn.ply}",
        title_line=say(msg("Review")), task=say(msg("What would you play here?")),
        about=say(msg("Round {round}", round=turn.round)), right=say(msg("Yes, that is the better turn.")),
        proved="", theme="", up=f"{review}#turn-{turn.ply}",
        next=f"{review}&tried={turn.ply}#turn-{turn.ply}", table=table, ply=turn.ply,
        script=f"t/{table.id}/review/{turn.ply}/script.json",
    )


async def show_script(request: Request) -> Response:
    table, _, decision = await _asked(request)
    body = await slowly(request, _script, decision, table.names, visitor(request).language)
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


def _script(decision: Decision, names: list[str], language: str) -> bytes:
    return msgspec.json.encode(script_of(decision, names, language))


async def _asked(request: Request) -> tuple[LiveTable, JudgedTurn, Decision]:
    """The turn of the address; 404 if the review does not say of it that another is better."""
    table, review, turn = await judged_turn(request)
    if turn.better is None or not can_be_asked(table.position):
        raise HTTPException(404)
    decision = await slowly(request, turn_decision, table.log.at(turn.ply), turn, sentences(review, turn))
    return table, turn, decision


routes = [
    Route("/t/{id}/review/{ply}", show_question),
    Route("/t/{id}/review/{ply}/script.json", show_script),
]
