"""The living board of the home page: a game of two bots from a stored record, replayed by the page."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.core.scene import WIDE, Scene, scene_of
from azulejos.i18n import LANGUAGES, translator
from azulejos.web.learn.script import news
from azulejos.web.pages.kept import kept
from azulejos.web.pages.opponents import named
from azulejos.web.pages.response import lobby, redirect
from azulejos.web.store.saved import SavedTable
from azulejos.web.tables.table_record import table_of
from azulejos.web.wire.messages import News
from azulejos.web.wire.plan import plan_of
from azulejos.web.wire.sprite import digest

GAME = Path(__file__).parent.parent / "static" / "living.txt"
BEGINS = 0.4
"""The share of the game that is over when the replay begins: a board with some tiles looks better."""


class Shot(msgspec.Struct, omit_defaults=True):
    """One moment of the replay."""

    news: News
    to_move: int
    seat: int
    """Whose board is shown."""
    target: int = -1
    """The place that glows before the pieces arrive."""


class Script(msgspec.Struct):
    plan: str
    shots: list[Shot]


@dataclass(frozen=True, kw_only=True, eq=False)
class Living:
    """What the home page needs to know."""

    theme: str
    panels: tuple[tuple[str, int | None, float, float], ...]
    caption: Message
    address: str
    body: bytes


@functools.cache
def living(language: str) -> Living:
    record = living_game()
    plan = plan_of(record.start, language).forms[WIDE].address
    script = Script(plan=plan, shots=list(_shots(record, language)))
    body = msgspec.json.encode(script)
    names = _names(record, language)
    scene = scene_of(record.start, names)
    return Living(
        theme=scene.theme, body=body, address=f"living/{digest(body)}/{language}",
        panels=tuple((panel.id, panel.seat, panel.width * 100, panel.height * 100)
                     for panel in scene.plan.panels),
        caption=msg("{name} plays {other}", name=names[0], other=names[1]),
    )


@functools.cache
def living_game() -> Record:
    return Record.read(GAME.read_text(encoding="utf-8"))


def _names(record: Record, language: str) -> list[str]:
    """The names of the bots as the language calls them."""
    game, preset = record.start.game, record.start.preset
    return [translator(language)(named(player.bot, game, preset).name) for player in record.seats]


def _shots(record: Record, language: str) -> Iterator[Shot]:
    """From the middle of the game on: one shot for each turn, and one for each deal."""
    plan, names = plan_of(record.start, language), _names(record, language)
    shown: Scene | None = None
    for before, action, after in _turns(record):
        scene = scene_of(after, names)
        yield Shot(
            news=news(plan, shown, scene), to_move=scene.to_move, seat=max(0, before.to_move),
            target=-1 if before.to_move < 0 else plan.slots[scene_of(before, names).path(action)[-1]],
        )
        shown = scene


def _turns(record: Record) -> Iterator[tuple[Position, int, Position]]:
    """Each decision or run of draws, with the positions before and after it, from a deal after `BEGINS`."""
    first = int(len(record.actions) * BEGINS)
    position, begun = record.start.copy(), False
    before = position.copy()
    for ply, action in enumerate(record.actions, 1):
        position.play(action)
        if before.is_chance and position.is_chance:
            continue
        begun = begun or (ply > first and before.is_chance)
        if begun:
            yield before, action, position.copy()
        before = position.copy()


async def show_script(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404)
    found = living(language)
    headers = kept(request, digest(found.body))
    return Response(found.body, media_type="application/json", headers=headers)


async def watch(request: Request) -> Response:
    """The same game at a table, to look at move by move."""
    saved: SavedTable = table_of(living_game())
    if await lobby(request).table(saved.id) is None:
        await lobby(request).create(saved, [])
    return redirect(request, f"t/{saved.id}")


routes = [
    Route("/living/{digest}/{language}", show_script),
    Route("/watch", watch),
]
