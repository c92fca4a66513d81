"""The answers of puzzles as files. They are worked out off the event loop, one at a time, and kept."""

from __future__ import annotations

import asyncio
import functools
import gzip
import hashlib
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.message import msg
from azulejos.i18n import LANGUAGES, translator
from azulejos.insight.puzzles import Puzzle, find, packs
from azulejos.insight.puzzles.words import OTHER_NAME
from azulejos.web.frames.puzzle import puzzle_script
from azulejos.web.pages.kept import kept

KEPT = 2000
"""Files kept in memory, about 10 kB each."""
_files: OrderedDict[str, bytes] = OrderedDict()
ONE = threading.Lock()
"""Answers are worked out one after the other, whoever asks: it takes a core for some tenths of a second."""
_maker = ThreadPoolExecutor(1, "puzzles")
"""A thread of its own: those of the event loop would all wait for puzzles, and no page would be made."""


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


def script_file(puzzle: Puzzle, language: str) -> bytes:
    """The answers, compressed."""
    address = address_of(puzzle, language)
    with ONE:
        if address not in _files:
            script = puzzle_script(puzzle, seat_names(puzzle, language), language)
            _files[address] = gzip.compress(msgspec.json.encode(script), 6)
        _files.move_to_end(address)
        while len(_files) > KEPT:
            _files.popitem(last=False)
        return _files[address]


async def show_script(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404)
    puzzle = await asyncio.to_thread(puzzle_of, request)
    body = await asyncio.get_running_loop().run_in_executor(_maker, script_file, puzzle, language)
    headers = kept(request, digest_of(puzzle)) | {"content-encoding": "gzip", "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        body = gzip.decompress(body)
        del headers["content-encoding"]
    return Response(body, media_type="application/json", headers=headers)


routes = [Route("/puzzle/{digest}/{language}/{box}/{id}", show_script)]
