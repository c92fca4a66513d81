"""The rules of each game as a page: its guide in the visitor's language, with drawn positions."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core import registry
from azulejos.core.game import MAX_SEATS, Game
from azulejos.core.guide import Part, Picture, guide_of
from azulejos.core.message import Message, msg
from azulejos.core.scene import Panel, Scene
from azulejos.i18n import translator
from azulejos.i18n.catalogue import Say
from azulejos.i18n.terms import terms
from azulejos.render import own_names, panel_svg, piece_svg
from azulejos.render.arrows import arrows
from azulejos.web.pages.lesson import courses
from azulejos.web.pages.response import page, redirect, visitor


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A picture of a guide: its panels as SVG, a caption, and the explanations of its numbers."""

    theme: str
    panels: tuple[str, ...]
    caption: Message
    parts: tuple[Part, ...]


async def show_rules(request: Request) -> Response:
    games = {game.name: game for game in registry.games() if game.guide is not None}
    game = games.get(request.path_params["game"])
    if game is None:
        raise HTTPException(404)
    guides = {name: guide_of(game) for name, game in games.items()}
    guide, theme, box = guides[game.name], game.presets[0].theme, game.presets[0].name
    return page(
        request, "rules.html", guide=guide, guides=guides,
        drawn=pictures(game, visitor(request).language),
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


routes = [Route("/rules", show_first), Route("/rules/{game}", show_rules)]
