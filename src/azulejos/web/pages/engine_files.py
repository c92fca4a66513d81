"""The files with which pages think (`wire/page_engine.py`), which browsers keep for ever."""

from __future__ import annotations

import gzip

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core import registry
from azulejos.core.module import DESCRIPTION, MODULE
from azulejos.web.guard.metered import in_thread
from azulejos.web.pages.files import kept
from azulejos.web.wire.page_engine import EngineFile, game_file, memory_of

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


routes = [
    Route("/engine/{digest}/{game}/{file}", show_game_file),
    Route("/engine/{digest}/{what}", show_memory),
]
