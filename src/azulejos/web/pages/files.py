"""Plans and sprites as files that browsers cache for ever: their addresses contain their digests."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.game import MAX_SEATS
from azulejos.core.scene import WIDE
from azulejos.i18n import LANGUAGES
from azulejos.web.pages.kept import kept
from azulejos.web.wire.plan import PagePlan, plan_for
from azulejos.web.wire.sprite import digest


async def show_plan(request: Request) -> Response:
    plan = _plan(request, request.path_params["language"])
    file = plan.forms.get(request.query_params.get("form", WIDE))
    if file is None:
        raise HTTPException(404)
    return Response(file.body, media_type="application/json", headers=kept(request, file.digest))


async def show_sprite(request: Request) -> Response:
    sprite = _plan(request, LANGUAGES[0]).sprite
    return Response(sprite, media_type="image/svg+xml", headers=kept(request, digest(sprite)))


def _plan(request: Request, language: str) -> PagePlan:
    wanted = dict(request.query_params)
    box, players = wanted.pop("box", ""), wanted.pop("players", "")
    wanted.pop("form", None)
    if language not in LANGUAGES or players not in map(str, range(1, MAX_SEATS + 1)):
        raise HTTPException(404)
    try:
        return plan_for(box, int(players), tuple(sorted(wanted.items())), language)
    except (ValueError, KeyError) as error:
        raise HTTPException(404) from error


routes = [
    Route("/plan/{digest}/{language}", show_plan),
    Route("/sprite/{digest}", show_sprite),
]
