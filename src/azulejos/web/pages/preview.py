"""How other programs show the link of a table: its title, one sentence, and a picture of the position."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.scene import scene_of
from azulejos.render.preview import preview_png
from azulejos.web.tables.boxes import title_of
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.wire.points import result

A_WHILE = {"cache-control": "public, max-age=600"}
"""Not for ever: after a take-back another position has the same ply."""
PICTURES = 500
"""Pictures that are kept, of 40 kB each."""


@dataclass(frozen=True, kw_only=True)
class Preview:
    heading: Message
    sentence: Message
    link: str
    picture: str


def preview_of(
    request: Request, table: LiveTable, *, heading: Message | None = None, sentence: Message | None = None
) -> Preview:
    """What a table is called and what is going on there, unless somebody has something better to say."""
    here = request.url.replace(query="", fragment="")
    picture = here.replace(path=f"{here.path}/preview.png", query=f"ply={table.ply}")
    return Preview(
        heading=heading or _title(table),
        sentence=sentence or _state(table), link=str(here), picture=str(picture),
    )


def _title(table: LiveTable) -> Message:
    return msg("{game}: {names}", game=title_of(table.saved.box), names=", ".join(table.names))


def _state(table: LiveTable) -> Message:
    outcome = table.position.outcome()
    if outcome is not None:
        return result(outcome, table.names, frozenset())
    return scene_of(table.position, table.names).status


def picture_of(position: Position) -> bytes:
    return _picture(position.text())


@functools.lru_cache(maxsize=PICTURES)
def _picture(text: str) -> bytes:
    """The picture of a position: everything on the table is public, and names are not shown."""
    return preview_png(Position.from_text(text))


async def show_picture(position: Position) -> Response:
    png = await asyncio.to_thread(picture_of, position)
    return Response(png, media_type="image/png", headers=A_WHILE)
