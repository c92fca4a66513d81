"""What somebody reads who does not know a game yet: its lesson and its rules."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.bots import levels
from azulejos.core import registry, stored_files
from azulejos.core.game import MAX_SEATS, Game
from azulejos.core.guide import Course, Picture, Pin, guide_of
from azulejos.core.message import Message, msg
from azulejos.core.scene import Panel, Scene, scene_of
from azulejos.i18n import LANGUAGES, translator
from azulejos.i18n.catalogue import Say, terms
from azulejos.render import own_names, panel_svg, piece_svg
from azulejos.render.svg import arrows
from azulejos.render.themes import digest
from azulejos.web.guard.budgets import in_thread
from azulejos.web.learn.script import lesson_script
from azulejos.web.names import read_name
from azulejos.web.pages.files import kept
from azulejos.web.pages.response import lobby, page, redirect, visitor
from azulejos.web.store.saved import TABLE_ID
from azulejos.web.tables.boxes import Box, shelf

# --- lessons -----------------------------------------------------------------------------------------


FIRST_BOT = "level:1"


@functools.cache
def courses() -> dict[str, tuple[Box, Course]]:
    """The lessons, by the name of a box: all its presets share one."""
    found = {}
    for box in shelf():
        own = {} if box.game.lesson is None else box.game.lesson.courses
        course = next((own[preset.name] for preset in box.presets if preset.name in own), None)
        if course is not None:
            found.update({preset.name: (box, course) for preset in box.presets})
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class LessonFile:
    address: str
    body: bytes
    panels: tuple[tuple[str, int | None], ...]
    theme: str


LESSONS: Final = Path(__file__).parent / "lessons"
"""A folder without a server has the scripts of lessons as files: they are played before Python runs."""


@functools.cache
def lesson_file(box: str, language: str) -> LessonFile:
    """The script of a lesson in a language, as a file."""
    course, say = courses()[box][1], translator(language)
    names = [say(msg("You")), say(msg("The other player"))]
    noted = LESSONS / f"{box}.{language}.json"
    if noted.exists():
        body = stored_files.read(noted)
    else:
        body = msgspec.json.encode(lesson_script(course, names, language))
    scene = scene_of(course.steps[0].table(), names)
    return LessonFile(
        address=f"lesson/{digest(body)}/{language}/{box}", body=body, theme=scene.theme,
        panels=tuple((panel.id, panel.seat) for panel in scene.plan.panels),
    )


async def show_lessons(request: Request) -> Response:
    boxes = [box for box in shelf() if box.name in courses()]
    return page(request, "learn.html", boxes=boxes, courses=courses())


async def show_lesson(request: Request) -> Response:
    if request.path_params["box"] not in courses():
        raise HTTPException(404)
    box, course = courses()[request.path_params["box"]]
    table, name = request.query_params.get("table", ""), read_name(request.query_params.get("name", ""))
    invited = TABLE_ID.fullmatch(table) is not None
    if invited:
        await _tell(request, table, name)
    script = await in_thread(lesson_file, box.name, visitor(request).language)
    return page(
        request, "lesson.html", box=box, course=course, back=_back(table, name) if invited else "",
        script=script, FIRST_BOT=FIRST_BOT,
        first_bot=levels(box.game)[0],
    )


async def _tell(request: Request, table: str, name: str) -> None:
    """Those who wait at a table hear that an invited friend learns the game first."""
    found = await lobby(request).table(table)
    if found is not None and not found.playing and found.people.learners.begin(visitor(request).key, name):
        found.changed()


def _back(table: str, name: str) -> str:
    """The way back to the invitation; the name that was entered there is kept."""
    return f"t/{table}?{urlencode({'name': name})}" if name else f"t/{table}"


async def show_script(request: Request) -> Response:
    box, language = request.path_params["box"], request.path_params["language"]
    if language not in LANGUAGES or box not in courses():
        raise HTTPException(404)
    found = await in_thread(lesson_file, courses()[box][0].name, language)
    return Response(found.body, media_type="application/json", headers=kept(request, digest(found.body)))


# --- rules -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A picture of a guide: its panels as SVG, a caption, and the explanations of its numbers."""

    theme: str
    panels: tuple[str, ...]
    caption: Message
    parts: tuple[Pin, ...]


async def show_rules(request: Request) -> Response:
    games = {game.name: game for game in registry.games() if game.guide is not None}
    game = games.get(request.path_params["game"])
    if game is None:
        raise HTTPException(404)
    guides = {name: guide_of(game) for name, game in games.items()}
    guide, theme, box = guides[game.name], game.presets[0].theme, game.presets[0].name
    return page(
        request, "rules.html", guide=guide, guides=guides,
        drawn=await in_thread(pictures, game, visitor(request).language),
        icon=functools.partial(piece_svg, theme=theme), alone=_alone(),
        box=box, lesson=box if box in courses() else "",
        terms=[terms()[name] for name in guide.terms],
    )


@functools.cache
def pictures(game: Game, language: str) -> dict[Picture, Drawn]:
    """The pictures of a guide, drawn once for each language."""
    return {picture: _drawn(picture, language) for picture in guide_of(game).pictures}


def _drawn(picture: Picture, language: str) -> Drawn:
    say = translator(language)
    names = [say(msg("Player {n}", n=seat + 1)) for seat in range(MAX_SEATS)]
    scene = picture.scene(names)
    before = picture.scene_before(names) if picture.move else None
    panels = tuple(_panel(panel, scene, before, say) for panel in scene.panels)
    return Drawn(theme=scene.theme, panels=panels, caption=picture.caption, parts=picture.parts)


def _panel(panel: Panel, scene: Scene, before: Scene | None, say: Say) -> str:
    moved = "" if before is None else arrows(panel, before, scene)
    return panel_svg(panel, theme=scene.theme, say=say, above=moved)


def _alone() -> Callable[[str], str]:
    """Renames what a drawing defines, so that no two on a page define the same name.

    The first keeps its names: the style sheet refers to them.
    """
    prefixes = itertools.chain([""], (f"d{n}-" for n in itertools.count(1)))
    return lambda drawn: own_names(drawn, next(prefixes))


async def show_first(request: Request) -> Response:
    first = next(game for game in registry.games() if game.guide is not None)
    return redirect(request, f"rules/{first.name}")


routes = [
    Route("/learn", show_lessons),
    Route("/learn/{box}", show_lesson),
    Route("/lesson/{digest}/{language}/{box}", show_script),
    Route("/rules", show_first), Route("/rules/{game}", show_rules),
]
