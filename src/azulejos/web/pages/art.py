"""Style sheet and drawings that Python makes, as files that browsers cache for ever.

    style.css             colours, scales and the rules of drawings (render/css.py)
    logo.svg              four tiles
    face-3.svg            the face of the bot of level 3
    THEME-cover.svg       the cover of a box
    THEME-frieze.svg      one repeat of the frieze under the header
    THEME-table.svg       what is painted on the table: light, shadow, texture

In a template, ``art("face-3.svg")`` is the address of a file.
"""

from __future__ import annotations

import functools

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.render import drawings
from azulejos.render.css import digest
from azulejos.render.page_style import page_css
from azulejos.web.pages.kept import kept

TYPES = {"css": "text/css", "svg": "image/svg+xml"}
STYLE = "style.css"


@functools.cache
def file(name: str) -> bytes:
    """Raises KeyError if there is no such file."""
    return (page_css() if name == STYLE else drawings.drawing(name.removesuffix(".svg"))).encode()


@functools.cache
def art(name: str) -> str:
    """The address of a file, after that of the home page."""
    return f"art/{digest(file(name))}/{name}"


async def show(request: Request) -> Response:
    name = request.path_params["name"]
    try:
        body = file(name)
    except KeyError:
        raise HTTPException(404) from None
    return Response(body, media_type=TYPES[name.rpartition(".")[2]], headers=kept(request, digest(body)))


routes = [Route("/art/{digest}/{name}", show)]
