"""What makes the site an app: manifest, icons, service worker, and the page for no connection."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from azulejos.core.message import msg
from azulejos.core.scene import FORMS, WIDE
from azulejos.i18n import translator
from azulejos.render.themes import ground
from azulejos.web.base_path import root
from azulejos.web.guard.budgets import in_thread
from azulejos.web.pages.files import art
from azulejos.web.pages.guides import courses, lesson_file
from azulejos.web.pages.response import page, visitor
from azulejos.web.wire.messages import PROTOCOL
from azulejos.web.wire.plan import plan_of

WEB = Path(__file__).parent.parent
STATIC = WEB / "static"
SCRIPTS = ("lesson.js", "learned.js", "puzzle.js", "practice.js", "settings.js", "app.js")
OTHER_FILES = ("pages.css", "lesson.css", "base.css", "table.css", "look.css", "hands.css", "solve.css",
               "upright.js", "fonts/alegreya-latin.woff2", "fonts/figtree-latin.woff2")
IMPORT = re.compile(r'^(?:import|export) .*?from "\./([^"]+)"', re.MULTILINE)
WORKER = STATIC / "worker" / "worker.js"


async def show_manifest(request: Request) -> Response:
    say, at = translator(visitor(request).language), root(request)
    manifest = {
        "name": "azulejos", "short_name": "azulejos", "start_url": at, "scope": at,
        "display": "standalone",
        "description": say(msg("Board games of one family, to play and to learn.")),
        "background_color": ground()["light"]["wall"], "theme_color": ground()["light"]["accent"],
        "icons": [
            {"src": f"{at}static/{name}-{size}.png", "sizes": f"{size}x{size}", "type": "image/png",
             "purpose": purpose}
            for name, purpose in (("icon", "any"), ("maskable", "maskable")) for size in (192, 512)
        ],
    }
    return JSONResponse(manifest, media_type="application/manifest+json")


async def show_offline(request: Request) -> Response:
    return page(request, "offline.html", boxes={box.name: box for box, _ in courses().values()}.values())


async def show_worker(request: Request) -> Response:
    """The worker of this version in the visitor's language; a changed text makes browsers install it."""
    at = root(request)
    files = json.dumps([at + file for file in await in_thread(shell, visitor(request).language)])
    head = f'const VERSION = "{version()}-{digest(files)}";\nconst SHELL = {files};\n'
    body = head + WORKER.read_text("utf-8")
    return Response(body, media_type="text/javascript", headers={"cache-control": "no-cache"})


@functools.cache
def version() -> str:
    """A digest of everything that a page is made of."""
    found = hashlib.sha256(PROTOCOL.encode())
    for folder in ("static", "templates"):
        for file in sorted((WEB / folder).rglob("*")):
            found.update(file.read_bytes() if file.is_file() else b"")
    return found.hexdigest()[:12]


def with_imports(scripts: Iterable[str]) -> list[str]:
    """Scripts, and all that they import."""
    found: dict[str, None] = {}
    waiting = list(scripts)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += IMPORT.findall((STATIC / name).read_text("utf-8"))
    return sorted(found)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@functools.cache
def shell(language: str) -> list[str]:
    """What lessons need without a connection, and the files of puzzle pages, which keep puzzles themselves
    (static/puzzle.js); addresses after that of the home page."""
    boxes = sorted({box.name for box, _ in courses().values()})
    plans = [plan_of(courses()[box][1].steps[0].table(), language) for box in boxes]
    sprites = [msgspec.json.decode(plan.forms[WIDE].body)["sprite"] for plan in plans]
    return [
        "offline", "learn", *(f"learn/{box}" for box in boxes), art("style.css"), art("logo.svg"),
        art("face-1.svg"), *sorted({art(f"{courses()[box][0].theme}-cover.svg") for box in boxes}),
        *(f"static/{name}" for name in (*OTHER_FILES, *with_imports(SCRIPTS))),
        *(lesson_file(box, language).address for box in boxes), *sprites,
        *(plan.forms[form].address for plan in plans for form in FORMS),
    ]


routes = [
    Route("/manifest.webmanifest", show_manifest),
    Route("/offline", show_offline),
    Route("/sw.js", show_worker),
]
