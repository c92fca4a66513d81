"""The rules of each game as a page: its guide in the visitor's language, with drawn positions."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core import registry
from azulejos.core.game import MAX_SEATS, Game
from azulejos.core.guide import Picture, guide_of
from azulejos.core.message import Message, msg
from azulejos.i18n import translator
from azulejos.render import panel_svg
from azulejos.web.pages.response import page, visitor


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A picture of a guide: its panels as SVG, and a sentence."""

    theme: str
    panels: tuple[str, ...]
    caption: Message


async def show_rules(request: Request) -> Response:
    games = {game.name: game for game in registry.games() if game.guide is not None}
    game = games.get(request.path_params["game"])
    if game is None:
        raise HTTPException(404)
    guides = {name: guide_of(game) for name, game in games.items()}
    drawn = pictures(game, visitor(request).language)
    return page(request, "rules.html", guide=guides[game.name], guides=guides, drawn=drawn)


@functools.cache
def pictures(game: Game, language: str) -> dict[str, Drawn]:
    """The pictures of a guide by section, drawn once for each language."""
    found = {section.id: section.picture for section in guide_of(game).sections}
    return {id_: _drawn(picture, language) for id_, picture in found.items() if picture is not None}


def _drawn(picture: Picture, language: str) -> Drawn:
    say = translator(language)
    scene = picture.scene([say(msg("Player {n}", n=seat + 1)) for seat in range(MAX_SEATS)])
    panels = tuple(panel_svg(panel, theme=scene.theme, say=say) for panel in scene.panels)
    return Drawn(theme=scene.theme, panels=panels, caption=picture.caption)


routes = [Route("/rules/{game}", show_rules)]
