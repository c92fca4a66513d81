"""The answers of puzzles as files. They are worked out apart from the tables, one at a time, and kept."""

from __future__ import annotations

import asyncio
import functools
import gzip
import hashlib
from collections import OrderedDict

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.message import msg
from azulejos.i18n import LANGUAGES, translator
from azulejos.insight.puzzles import Puzzle, find, packs
from azulejos.insight.puzzles.words import OTHER_NAME
from azulejos.web.learn.puzzle import puzzle_script
from azulejos.web.pages.kept import kept
from azulejos.web.pages.response import later

KEPT = 2000
"""Files kept in memory, about 10 kB each."""
_files: OrderedDict[str, bytes] = OrderedDict()


def seat_names(puzzle: Puzzle, language: str) -> list[str]:
    names = [OTHER_NAME] * 2
    names[puzzle.seat] = translator(language)(msg("You"))
    return names


def address_of(puzzle: Puzzle, language: str) -> str:
    return f"puzzle/{digest_of(puzzle)}/{language}/{puzzle.box}/{puzzle.id}"


@functools.lru_cache(4096)
def digest_of(puzzle: Puzzle) -> str:
    """Changes with the puzzle and with the code and words that its answers are made of."""
    return hashlib.sha256(f"{program()} {puzzle}".encode()).hexdigest()[:16]


@functools.cache
def program() -> str:
    from azulejos.web.pages.app_files import version

    return version()


def puzzle_of(request: Request) -> Puzzle:
    box, name = request.path_params["box"], request.path_params["id"]
    if box not in packs():
        raise HTTPException(404)
    try:
        return find(box, name)
    except ValueError as error:
        raise HTTPException(404) from error


async def script_file(request: Request, puzzle: Puzzle, language: str) -> bytes:
    """The answers, compressed. It takes some tenths of a second to work them out."""
    address = address_of(puzzle, language)
    if address not in _files:
        _files[address] = await later(request, _made, puzzle, language)
    _files.move_to_end(address)
    while len(_files) > KEPT:
        _files.popitem(last=False)
    return _files[address]


def _made(puzzle: Puzzle, language: str) -> bytes:
    script = puzzle_script(puzzle, seat_names(puzzle, language), language)
    return gzip.compress(msgspec.json.encode(script), 6)


async def show_script(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404)
    puzzle = await asyncio.to_thread(puzzle_of, request)
    body = await script_file(request, puzzle, language)
    headers = kept(request, digest_of(puzzle)) | {"content-encoding": "gzip", "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        body = gzip.decompress(body)
        del headers["content-encoding"]
    return Response(body, media_type="application/json", headers=headers)


routes = [Route("/puzzle/{digest}/{language}/{box}/{id}", show_script)]
