"""What belongs to a visitor: what they have practised, as a page, as a file to save and to bring back."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.core import registry
from azulejos.core.message import Message, Problem, msg
from azulejos.i18n.catalogue import day_and_month
from azulejos.insight.drills import PREFIX
from azulejos.insight.judge import VERSION
from azulejos.insight.level import SCALE, VERSION as LEVEL_VERSION, LevelEstimate, estimate, told
from azulejos.insight.practice import Planned, Streak, due, game_losses, planned, streak
from azulejos.insight.progress import MOST_BYTES, Attempt, CardAnswer, JudgedGame, Progress, read, written
from azulejos.insight.review import weights_version
from azulejos.web.guard.doors import LONG_BODIES
from azulejos.web.pages.response import page, payer, refusal, remember, slowly, visitor
from azulejos.web.store.personal import Personal
from azulejos.web.tables.boxes import title_of

# --- the plot ----------------------------------------------------------------------------------------


WIDTH, HEIGHT, FOOT = 600, 200, 24
MEAN_OF = 5
"""Games in the running mean."""


@dataclass(frozen=True, kw_only=True)
class GameRow:
    """A game as a line of the table."""

    day: date
    box: str
    turns: int
    given: float
    """Points given away a turn."""


def rows_of(games: Sequence[JudgedGame]) -> list[GameRow]:
    """Games with a turn to judge, oldest first."""
    return [
        GameRow(
            day=datetime.fromtimestamp(game.at / 1000, UTC).date(), box=game.box, turns=len(game.losses),
            given=sum(own for own, _ in game.losses) / len(game.losses),
        )
        for game in sorted(games, key=lambda game: game.at) if game.losses
    ]


def running_mean(values: Sequence[float]) -> list[float]:
    parts = [values[max(0, end - MEAN_OF) : end] for end in range(1, len(values) + 1)]
    return [sum(part) / len(part) for part in parts]


def plot(rows: Sequence[GameRow]) -> str:
    """SVG elements: a dot for each game, the running mean as a line; the less, the higher."""
    given = [row.given for row in rows]
    most = max(1.0, *given)

    def x(index: int) -> float:
        return round(30 + (WIDTH - 50) * (index / max(1, len(rows) - 1)), 1)

    def y(points: float) -> float:
        return round(10 + (HEIGHT - 20) * points / most, 1)

    drawn = [f'<path class="grid" d="M30 {y(value)}H{WIDTH}"/><text class="scale" x="0" y="{y(value) + 5}">'
             f'{value:.1f}</text>' for value in (0, most / 2, most)]
    drawn += [f'<circle class="game" cx="{x(i)}" cy="{y(value)}" r="5"/>' for i, value in enumerate(given)]
    line = " ".join(f"{x(i)},{y(value)}" for i, value in enumerate(running_mean(given)))
    return "".join([*drawn, f'<polyline class="mean" points="{line}"/>'])


MOST_AT_ONCE = 1000
"""Entries that a browser may send in one request."""


class Unsent(msgspec.Struct, forbid_unknown_fields=True):
    """What a browser has that the server may not have yet."""

    attempts: tuple[Attempt, ...] = ()
    answers: tuple[CardAnswer, ...] = ()


class ProgressSummary(msgspec.Struct, kw_only=True):
    """What the server has now."""

    attempts: int
    answers: int
    cards: int
    games: int
    due: int
    """Cards to be asked now."""
    days: int
    """In a row."""


def personal(request: Request) -> Personal:
    found: Personal = request.app.state.personal
    return found


async def progress_of(request: Request) -> Progress:
    """Of the visitor; nobody without a cookie has any."""
    who = visitor(request)
    return Progress() if who.fresh else await personal(request).of(who.key, apart=partial(slowly, request))


async def add_to(request: Request, entries: Progress) -> Progress:
    """Merge entries into what the visitor has; return all of it."""
    return await personal(request).add(
        visitor(request).key, entries, apart=partial(slowly, request), may_grow=payer(request).store
    )


def today() -> datetime:
    return datetime.now(UTC)


def decimal(points: float) -> Message:
    """A number as the language writes it."""
    return Message("{raw}", (("raw", round(points, 2)),))


def streak_of(progress: Progress) -> Streak:
    return streak(progress.attempts, today().date())


@functools.cache
def judges() -> Mapping[int, set[str]]:
    """Today's judges: version of the method, and weights of every game."""
    return {VERSION: {weights_version(game) for game, _ in registry.presets().values()}}


def plan_for(progress: Progress) -> list[Planned]:
    """The cards of today's judges; those of others are asked again once their game is reviewed again."""
    return planned(progress, judges())


def level_of(progress: Progress) -> LevelEstimate | None:
    """From the games that today's judge has judged."""
    current = [game for game in progress.games
               if game.level == LEVEL_VERSION and game.weights in judges().get(game.judge, ())]
    return estimate([game_losses(game) for game in current if is_complete(game)])


def is_complete(game: JudgedGame) -> bool:
    """Whether every turn is compared with every strength; a file may say anything."""
    return bool(game.losses) and all(len(bots) == len(SCALE) for _, bots in game.losses)


def summary(progress: Progress) -> ProgressSummary:
    return ProgressSummary(
        attempts=len(progress.attempts), answers=len(progress.answers), cards=len(progress.cards),
        games=len(progress.games), due=len(due(plan_for(progress), today())), days=streak_of(progress).days,
    )


# --- the page --------------------------------------------------------------------------------------------


async def show_you(request: Request) -> Response:
    return await _page(request, await progress_of(request))


async def _page(
    request: Request, progress: Progress, *, problem: Message | None = None, done: Message | None = None,
    status: int = 200, forgotten: bool = False,
) -> Response:
    solved = {entry.puzzle for entry in progress.attempts
              if entry.solved and not entry.puzzle.startswith(PREFIX)}
    level, rows = await slowly(request, level_of, progress), rows_of(progress.games)
    return page(
        request, "you.html", status=status, summary=await slowly(request, summary, progress),
        solved=len(solved), level=level,
        told=told(level) if level else None, plot=plot(rows) if rows else "",
        rows=[(day_and_month(row.day, visitor(request).language), row) for row in rows],
        title_of=title_of, decimal=decimal, streak=streak_of(progress), problem=problem, done=done,
        forgotten=forgotten,
    )


async def import_file(request: Request) -> Response:
    """Merge a file that was saved here or on another server."""
    async with request.form(max_files=1, max_fields=4, max_part_size=LONG_BODIES["/you/import"]) as fields:
        given = fields.get("file")
        text = b"" if given is None or isinstance(given, str) else await given.read(MOST_BYTES + 1)
    try:
        if not text:
            raise Problem(msg("Choose a file first."))
        added = await slowly(request, read, text)
    except Problem as problem:
        return await _page(request, await progress_of(request), problem=problem.reason, status=409)
    found = await add_to(request, added)
    done = msg("The file was added to what you have here. Nothing was lost.")
    return await _page(request, found, done=done)


async def save_file(request: Request) -> Response:
    """Everything, as a file."""
    headers = {"content-disposition": 'attachment; filename="azulejos-progress.json"',
               "cache-control": "no-store"}
    body = await slowly(request, written, await progress_of(request))
    return Response(body, media_type="application/json", headers=headers)


async def forget(request: Request) -> Response:
    await personal(request).forget(visitor(request).key)
    done = msg("Everything was forgotten, here and on the server.")
    return await _page(request, Progress(), done=done, forgotten=True)


# --- what a browser sends --------------------------------------------------------------------------------


async def add_entries(request: Request) -> Response:
    """Merge what a browser has kept, and say how much the server has."""
    try:
        news = msgspec.json.decode(await request.body(), type=Unsent)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return refusal(request, 400, msg("This request is not written as it should be."))
    if len(news.attempts) + len(news.answers) > MOST_AT_ONCE:
        return refusal(request, 413, msg("This is too long."))
    entries = Progress(attempts=news.attempts, answers=news.answers)
    found = await add_to(request, entries)
    said = msgspec.json.encode(await slowly(request, summary, found))
    answer = Response(said, media_type="application/json",
                      headers={"cache-control": "no-store"})
    return remember(request, answer)


routes = [
    Route("/you", show_you),
    Route("/you/progress.json", save_file),
    Route("/you/progress", add_entries, methods=["POST"]),
    Route("/you/import", import_file, methods=["POST"]),
    Route("/you/forget", forget, methods=["POST"]),
]
