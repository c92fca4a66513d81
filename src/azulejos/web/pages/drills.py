"""Drills: a position, a turn, a question with four answers; one tap answers, one goes on."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.message import msg
from azulejos.i18n import translator
from azulejos.insight.drills import PREFIX, TITLES, Drill, DrillKind, due_drills, named, next_drill
from azulejos.insight.puzzles import packs
from azulejos.insight.puzzles.explain import OTHER_NAME
from azulejos.web.pages.pictures import better, turn_picture, turn_picture_size
from azulejos.web.pages.puzzles import box_of_today, boxes
from azulejos.web.pages.response import page, redirect, slowly, visitor
from azulejos.web.pages.you import progress_of, today


async def show_next(request: Request) -> Response:
    """Leads to the drill that is to be asked now."""
    box, kind = request.query_params.get("box", ""), request.query_params.get("kind", "")
    chosen = box if box in packs() else box_of_today(request)
    kinds = [DrillKind(kind)] if kind in list(DrillKind) else list(DrillKind)
    found = await slowly(request, _next, chosen, (await progress_of(request)).attempts, kinds)
    if found is None:
        raise HTTPException(404)
    return redirect(request, f"drills/{found.name.removeprefix(PREFIX)}{f'?kind={kind}' if kind else ''}")


def _next(box: str, attempts: object, kinds: list[DrillKind]) -> Drill | None:
    return next_drill(box, attempts, today(), kinds=kinds)  # type: ignore[arg-type]


async def _found(request: Request) -> Drill:
    name = f"{PREFIX}{request.path_params['box']}/{request.path_params['drill']}"
    found = await slowly(request, named, name) if request.path_params["box"] in packs() else None
    if found is None:
        raise HTTPException(404)
    return found


async def show_drill(request: Request) -> Response:
    found, kind = await _found(request), request.query_params.get("kind", "")
    seat, names = found.before.to_move, _names(found, visitor(request).language)
    chosen = f"&kind={kind}" if kind in list(DrillKind) else ""
    attempts = (await progress_of(request)).attempts
    return page(
        request, "drill.html", drill=found, title=TITLES[found.kind], boxes=boxes(), packs=packs(),
        TITLES=TITLES, kind=kind, waiting=len(due_drills(attempts, today())),
        next=f"drills?box={found.box}{chosen}", size=turn_picture_size(found.before, names, seat),
        picture=f"drills/{found.name.removeprefix(PREFIX)}/picture.svg",
        scheme=visitor(request).wishes.scheme,
    )


def _names(found: Drill, language: str) -> list[str]:
    names = [OTHER_NAME] * found.before.players
    names[found.before.to_move] = translator(language)(msg("You"))
    return names


async def show_picture(request: Request) -> Response:
    """The boards before the turn, with an arrow for it; after it, if the question is what follows."""
    found, language = await _found(request), visitor(request).language
    asks_reply = found.kind is DrillKind.REPLY
    shown = found.before.after(found.turn) if asks_reply else found.before
    drawn = await slowly(
        request, turn_picture, shown, _names(found, language), [] if asks_reply else [better(found.turn)],
        seat=None if asks_reply else found.before.to_move, say=translator(language),
        dark="dark" in request.query_params,
    )
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})


routes = [
    Route("/drills", show_next),
    Route("/drills/{box}/{drill}", show_drill),
    Route("/drills/{box}/{drill}/picture.svg", show_picture),
]
