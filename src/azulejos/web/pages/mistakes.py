"""The visitor's own mistakes: cards from reviews, asked on the real table when they are due."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.bots.workspaces import is_solvable
from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.i18n import translator
from azulejos.i18n.catalogue import day_and_month
from azulejos.insight.practice import RETIRED_AFTER, Planned, due
from azulejos.insight.progress import Card, JudgedGame
from azulejos.insight.puzzles.explain import OTHER_NAME
from azulejos.insight.results import Review
from azulejos.web.learn.questions import card_script
from azulejos.web.pages.response import page, payer, slowly, visitor
from azulejos.web.pages.table import asked_position
from azulejos.web.pages.you import plan_for, progress_of, today
from azulejos.web.work.cards import Cards, game_of

MOST_TRIED = 20

# --- asking ----------------------------------------------------------------------------------------------


async def show_next(request: Request) -> Response:
    """The card that has been due for the longest time, or when the next one is."""
    plan = await slowly(request, plan_for, await progress_of(request))
    done = request.query_params.get("after", "")
    waiting = [each for each in due(plan, today()) if each.card.id != done]
    found = await slowly(request, _first_readable, waiting)
    if found is not None:
        return await _ask(request, found, len(waiting))
    open_cards = [each for each in plan if not each.retired]
    return page(
        request, "no_mistakes.html", open_cards=len(open_cards),
        retired=len(plan) - len(open_cards), RETIRED_AFTER=RETIRED_AFTER,
        next=day_and_month(open_cards[0].due.date(), visitor(request).language) if open_cards else "",
    )


def _first_readable(waiting: Sequence[Planned]) -> Planned | None:
    """Only some are tried: a file may hold hundreds that cannot be read."""
    return next((each for each in waiting[:MOST_TRIED] if is_readable(each.card)), None)


async def show_card(request: Request) -> Response:
    return await _ask(request, await _found(request), 1)


async def _found(request: Request) -> Planned:
    plan = await slowly(request, plan_for, await progress_of(request))
    found = [each for each in plan if each.card.id == request.path_params["card"]]
    if not found:
        raise HTTPException(404)
    return found[0]


async def _ask(request: Request, found: Planned, count: int) -> Response:
    card, language = found.card, visitor(request).language
    say, position = translator(language), await slowly(request, readable, card)
    names = seat_names(card, position, language)
    asked = await slowly(request, asked_position, position, names, position.to_move, language)
    return page(
        request, "card.html", **asked, card=card, found=found, count=count, name=card.id, goal="card",
        safe=False,
        task=say(msg("What is the better turn?")), about=say(msg("From a game of yours.")),
        right=say(msg("Yes, that is the better turn.")), proved="", theme="", up="you",
        title_line=say(msg("Your mistakes")), script=f"you/mistakes/{card.id}/script.json",
        RETIRED_AFTER=RETIRED_AFTER,
    )


def is_readable(card: Card) -> bool:
    """A card from a file may hold anything; what is asked has few enough turns to be written down."""
    try:
        position = Position.from_text(card.position)
    except ValueError:
        return False
    return position.to_move >= 0 and is_solvable(position)


def readable(card: Card) -> Position:
    if not is_readable(card):
        raise HTTPException(404)
    return Position.from_text(card.position)


def seat_names(card: Card, position: Position, language: str) -> list[str]:
    """Bots by their names; other people have none here: a card outlives who they are."""
    known = card.names if len(card.names) == position.players else [""] * position.players
    names = [name or OTHER_NAME for name in known]
    names[position.to_move] = translator(language)(msg("You"))
    return names


async def show_script(request: Request) -> Response:
    card = (await _found(request)).card
    body = await slowly(request, _script, card, visitor(request).language)
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


def _script(card: Card, language: str) -> bytes:
    names = seat_names(card, readable(card), language)
    try:
        return msgspec.json.encode(card_script(card, names, language))
    except ValueError as error:
        raise HTTPException(404) from error


# --- cards from reviews ----------------------------------------------------------------------------------


async def keep_mistakes(
    request: Request, table: str, review: Review | None, seats: frozenset[int]
) -> JudgedGame | None:
    """Make cards of the visitor's own turns of a finished review; the result if that is done."""
    if review is None or not review.finished or len(seats) != 1:
        return None
    seat, jobs = min(seats), jobs_of(request)
    game = game_of(await progress_of(request), table, seat)
    if game is not None and (game.judge, game.weights) == (review.judge, review.weights):
        return game
    jobs.start(visitor(request).key, table, seat, review, address=payer(request).address)
    return None


def jobs_of(request: Request) -> Cards:
    found: Cards = request.app.state.cards
    return found


routes = [
    Route("/you/mistakes", show_next),
    Route("/you/mistakes/{card}", show_card),
    Route("/you/mistakes/{card}/script.json", show_script),
]
