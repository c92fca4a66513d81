"""Files that browsers keep: plans, sprites, style sheet, drawings and fonts.

The addresses of plans, sprites and of what is in `/art` contain their digests, so they are kept for ever:

    style.css             colours, scales and the rules of drawings (render/themes.py)
    logo.svg              four tiles
    face-3.svg            the face of the bot of level 3
    THEME-cover.svg       the cover of a box
    THEME-frieze.svg      one repeat of the frieze under the header
    THEME-table.svg       what is painted on the table: light, shadow, texture

In a template, ``art("face-3.svg")`` is the address of a file.
"""

from __future__ import annotations

import functools
import gzip
import os
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from azulejos.core import registry
from azulejos.core.game import MAX_SEATS
from azulejos.core.module import DESCRIPTION, MODULE
from azulejos.core.scene import WIDE
from azulejos.i18n import LANGUAGES
from azulejos.render import drawings
from azulejos.render.drawings import is_face, person_svg
from azulejos.render.page_style import page_css
from azulejos.render.themes import digest
from azulejos.web.guard.budgets import in_thread
from azulejos.web.wire.page_engine import EngineFile, game_file, memory_of
from azulejos.web.wire.plan import PagePlan, plan_for

FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}
NOT_AT_ALL = {"cache-control": "no-store"}
"""For a page from before an update of the server: it gets the current file and reloads soon afterwards."""


def kept(request: Request, digest: str) -> dict[str, str]:
    return FOR_EVER if request.path_params["digest"] == digest else NOT_AT_ALL


async def show_plan(request: Request) -> Response:
    plan = await in_thread(_plan, request, request.path_params["language"])
    file = plan.forms.get(request.query_params.get("form", WIDE))
    if file is None:
        raise HTTPException(404)
    return Response(file.body, media_type="application/json", headers=kept(request, file.digest))


async def show_sprite(request: Request) -> Response:
    sprite = (await in_thread(_plan, request, LANGUAGES[0])).sprite
    return Response(sprite, media_type="image/svg+xml", headers=kept(request, digest(sprite)))


async def show_face(request: Request) -> Response:
    code = request.path_params["code"]
    if not is_face(code):
        raise HTTPException(404)
    return Response(person_svg(code), media_type="image/svg+xml", headers=FOR_EVER)


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


# --- what Python draws for every page ----------------------------------------------------------------


TYPES = {"css": "text/css", "svg": "image/svg+xml"}
STYLE = "style.css"


@functools.cache
def art_file(name: str) -> bytes:
    """Raises KeyError if there is no such file."""
    return (page_css() if name == STYLE else drawings.drawing(name.removesuffix(".svg"))).encode()


@functools.cache
def art(name: str) -> str:
    """The address of a file, after that of the home page."""
    return f"art/{digest(art_file(name))}/{name}"


async def show_art(request: Request) -> Response:
    name = request.path_params["name"]
    try:
        body = art_file(name)
    except KeyError:
        raise HTTPException(404) from None
    return Response(body, media_type=TYPES[name.rpartition(".")[2]], headers=kept(request, digest(body)))


# --- fonts -------------------------------------------------------------------------------------------


MONTH: Final = 30 * 24 * 3600


class Fonts(StaticFiles):
    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = f"public, max-age={MONTH}"
        return response


routes = [
    Route("/plan/{digest}/{language}", show_plan),
    Route("/sprite/{digest}", show_sprite),
    Route("/art/{digest}/{name}", show_art),
    Route("/face/{code}.svg", show_face),
]


# --- the engine of a page -----------------------------------------------------------------------------


FILES = (MODULE, DESCRIPTION)
MOST = 600
"""Characters of a query."""


async def show_game_file(request: Request) -> Response:
    name, file = request.path_params["game"], request.path_params["file"]
    game = next((game for game in registry.games() if game.name == name), None)
    if game is None or file not in FILES or not (game.folder / file).exists():
        raise HTTPException(404)
    return _answer(request, await in_thread(game_file, game, file))


async def show_memory(request: Request) -> Response:
    searches = {"searches": True, "turns": False}.get(request.path_params["what"])
    if searches is None or len(request.url.query) > MOST:
        raise HTTPException(404)
    try:
        file = await in_thread(memory_of, request.query_params, searches=searches)
    except (ValueError, KeyError) as error:
        raise HTTPException(404) from error
    return _answer(request, file)


def _answer(request: Request, file: EngineFile) -> Response:
    headers = {**kept(request, file.digest), "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, media_type=file.media_type,
                        headers={**headers, "content-encoding": "gzip"})
    return Response(gzip.decompress(file.packed), media_type=file.media_type, headers=headers)


routes += [
    Route("/engine/{digest}/{game}/{file}", show_game_file),
    Route("/engine/{digest}/{what}", show_memory),
]
