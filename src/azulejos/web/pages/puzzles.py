"""Puzzles: the one of today, a choice of others, and each of them on the real table."""

from __future__ import annotations

import functools
import gzip
import hashlib
import itertools
import random
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos import svg
from azulejos.bots import Level, levels
from azulejos.bots.levels import standards
from azulejos.bots.words import in_times
from azulejos.core.message import Message, msg
from azulejos.core.position import new
from azulejos.core.scene import WIDE
from azulejos.core.writing import header
from azulejos.i18n import LANGUAGES, translator
from azulejos.i18n.catalogue import day_and_month
from azulejos.insight.practice import results, skill
from azulejos.insight.progress import Progress
from azulejos.insight.puzzles import Goal, Puzzle, PuzzleTheme, daily, find, level_of, pack, packs
from azulejos.insight.puzzles.explain import ABOUT, OTHER_NAME, PROVED, SHORT, SOLVED, TASKS, THEMES
from azulejos.insight.results import Estimate
from azulejos.web.base_path import root
from azulejos.web.guard.budgets import in_thread
from azulejos.web.learn.questions import puzzle_script
from azulejos.web.pages.files import kept
from azulejos.web.pages.response import open_table, page, redirect, slowly, visitor
from azulejos.web.pages.setup import last_choice
from azulejos.web.pages.table import asked_position
from azulejos.web.pages.you import progress_of, streak_of, today
from azulejos.web.store.saved import BOT, HUMAN, SavedSeat
from azulejos.web.tables.boxes import Box, playable, shelf
from azulejos.web.tables.live_table import new_table
from azulejos.web.wire.plan import plan_of
from azulejos.web.work.bots import TIMES

# --- the answers, as files ---------------------------------------------------------------------------


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
        _files[address] = await slowly(request, _answers, puzzle, language)
    _files.move_to_end(address)
    while len(_files) > KEPT:
        _files.popitem(last=False)
    return _files[address]


def _answers(puzzle: Puzzle, language: str) -> bytes:
    script = puzzle_script(puzzle, seat_names(puzzle, language), language)
    return gzip.compress(msgspec.json.encode(script), 6)


async def show_answers(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404)
    puzzle = await in_thread(puzzle_of, request)
    body = await script_file(request, puzzle, language)
    headers = kept(request, digest_of(puzzle)) | {"content-encoding": "gzip", "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        body = gzip.decompress(body)
        del headers["content-encoding"]
    return Response(body, media_type="application/json", headers=headers)


# --- the pages ---------------------------------------------------------------------------------------


AHEAD = 9
"""Puzzles after the one that is shown that a browser keeps for times without a connection."""


# --- which puzzle ----------------------------------------------------------------------------------------


@functools.cache
def boxes() -> tuple[Box, ...]:
    """Boxes with puzzles, as on the shelf."""
    return tuple(box for box in shelf() if any(preset.name in packs() for preset in box.presets))


def box_of_today(request: Request) -> str:
    """That of the visitor's last game, if it has puzzles; empty: there are none at all."""
    last = last_choice(request).box
    return last if last in packs() else next((name for name in playable() if name in packs()), "")


def task_of_today(request: Request) -> Message | None:
    """What today's puzzle asks for; None: there are no puzzles."""
    return TASKS[daily(box_of_today(request), today().date()).goal] if packs() else None


LADDER: Final = "ladder"
"""All puzzles of a box, the easiest first; of equally hard ones those that surprise most come last."""
SPRINT: Final = "sprint"
"""Some of them, from easy to hard: others for every number that follows."""
SPRINT_LENGTH: Final = 60
SPRINTS: Final = 1000
WAYS: Final = (LADDER, *Goal, *PuzzleTheme)
"""Ways through the puzzles of a box, as addresses name them."""


def way_of(request: Request, puzzle: Puzzle) -> str:
    """The way on which somebody walks; without a name that of the puzzle's goal."""
    way = request.query_params.get("way", "")
    known = way in WAYS or re.fullmatch(rf"{SPRINT}-\d{{1,3}}", way)
    return way if known and puzzle in in_order(puzzle.box, way) else str(puzzle.goal)


@functools.lru_cache(200)
def in_order(box: str, way: str) -> tuple[Puzzle, ...]:
    """The puzzles of a box on a way, the easiest first."""
    kind, _, number = way.partition("-")
    if kind == SPRINT:
        return _sprint(in_order(box, LADDER), int(number))
    return tuple(sorted(
        (puzzle for puzzle in pack(box) if way == LADDER or way == puzzle.goal or way in puzzle.themes),
        key=lambda puzzle: (puzzle.difficulty, puzzle.id),
    ))


def _sprint(ladder: Sequence[Puzzle], number: int) -> tuple[Puzzle, ...]:
    """One of each part of the ladder; the parts become harder quicker than the ladder."""
    rng, count = random.Random(f"{SPRINT}/{number}"), min(SPRINT_LENGTH, len(ladder))
    ends = [round(len(ladder) * (i / count) ** 0.7) for i in range(count + 1)]
    return tuple(rng.choice(ladder[low:high]) for low, high in itertools.pairwise(ends) if high > low)


def after(puzzle: Puzzle, solved: frozenset[str] = frozenset(), way: str = "") -> Puzzle:
    """The next one that is as hard or a little harder, not solved yet; after the last one the first. In a
    sprint whatever comes next."""
    order = in_order(puzzle.box, way or puzzle.goal)
    at = order.index(puzzle)
    following = (*order[at + 1 :], *order[:at])
    if way.startswith(SPRINT):
        solved = frozenset()
    return next((each for each in following if name_of(each) not in solved), following[0] if following
                else puzzle)


def and_those_after(
    puzzle: Puzzle, solved: frozenset[str] = frozenset(), way: str = ""
) -> list[Puzzle]:
    """A puzzle, and those to which its page and the pages after it lead."""
    found = [puzzle]
    while len(found) <= AHEAD and (following := after(found[-1], solved, way)) not in found:
        found.append(following)
    return found


def kept_offline(
    puzzle: Puzzle, language: str, solved: frozenset[str], way: str = ""
) -> Iterator[str]:
    """The addresses that the page of a puzzle keeps for times without a connection."""
    plan = plan_of(puzzle.start(), language)
    yield from ("puzzles", "puzzles/today", *(file.address for file in plan.forms.values()))
    yield msgspec.json.decode(plan.forms[WIDE].body)["sprite"]
    for each in and_those_after(puzzle, solved, way):
        yield address_of(each, language)
        yield f"puzzles/{name_of(each)}{suffix_of(each, way)}"


def suffix_of(puzzle: Puzzle, way: str) -> str:
    """What an address says about the way; nothing, if it is that of the puzzle's goal."""
    return "" if way in ("", puzzle.goal) else f"?way={way}"


def name_of(puzzle: Puzzle) -> str:
    return f"{puzzle.box}/{puzzle.id}"


def solved_by(progress: Progress) -> frozenset[str]:
    return frozenset(entry.puzzle for entry in progress.attempts if entry.solved)


@functools.cache
def difficulties() -> dict[str, float]:
    return {name_of(puzzle): puzzle.difficulty for box in packs() for puzzle in pack(box)}


def level_like(puzzle: Puzzle) -> Level:
    return levels(playable()[puzzle.box][0])[min(7, level_of(puzzle)) - 1]


# --- a puzzle --------------------------------------------------------------------------------------------


async def show_today(request: Request) -> Response:
    box = request.query_params.get("box", "")
    chosen = box if box in packs() else box_of_today(request)
    day = today().date()
    return await _show(request, await in_thread(daily, chosen, day), day)


async def show_puzzle(request: Request) -> Response:
    puzzle = await in_thread(puzzle_of, request)
    day = today().date()
    return await _show(request, puzzle, day if puzzle == daily(puzzle.box, day) else None)


async def _show(request: Request, puzzle: Puzzle, day: date | None) -> Response:
    progress, language = await progress_of(request), visitor(request).language
    found = await in_thread(_values, puzzle, language)
    say = translator(language)
    solved = solved_by(progress)
    way = way_of(request, puzzle)
    following = after(puzzle, solved, way)
    when = day_and_month(day, language) if day else ""
    title = msg("Puzzle of the day, {date}", date=when) if day else msg("Puzzle {id}", id=puzzle.id)
    return page(
        request, "puzzle.html", puzzle=puzzle, title_line=say(title), day=day.isoformat() if day else "",
        streak=streak_of(progress), up="puzzles",
        next=f"puzzles/{name_of(following)}{suffix_of(following, way)}",
        share=say(msg("azulejos, {title}: {tiles} {link}", title=title, tiles="{tiles}", link="{link}")),
        ahead=" ".join(root(request) + path for path in kept_offline(puzzle, language, solved, way)),
        **found,
    )


@functools.lru_cache(500)
def _values(puzzle: Puzzle, language: str) -> dict[str, Any]:
    """What a page needs to know about a puzzle, whoever looks at it."""
    position, say = puzzle.start(), translator(language)
    return asked_position(position, seat_names(puzzle, language), puzzle.seat, language) | {
        "name": name_of(puzzle),
        "goal": str(puzzle.goal), "safe": puzzle.goal is Goal.SAFE and puzzle.is_safe,
        "task": say(TASKS[puzzle.goal]), "right": say(SOLVED[puzzle.goal]),
        "about": say(ABOUT[puzzle.goal]),
        "theme": " · ".join(say(THEMES[theme]) for theme in puzzle.themes[:2]),
        "proved": say(PROVED[puzzle.goal]), "script": address_of(puzzle, language),
        "level": min(7, level_of(puzzle)), "level_name": say(level_like(puzzle).name),
    }


async def play_on(request: Request) -> Response:
    """A table that begins with the position of a puzzle, against a strong bot."""
    puzzle = await in_thread(puzzle_of, request)
    position, say = puzzle.start(), translator(visitor(request).language)
    level = in_times(levels(position.game)[-1], TIMES[0])[0]
    seats = tuple(
        SavedSeat(seat=seat, kind=HUMAN, name=say(msg("You"))) if seat == puzzle.seat
        else SavedSeat(seat=seat, kind=BOT, name=say(level.name), bot=level.word)
        for seat in range(position.players)
    )
    options = header(position)["options"]
    saved = replace(new_table(puzzle.box, seats, options), start_position=puzzle.position)
    table = await open_table(request, saved, [(puzzle.seat, visitor(request).key)])
    return redirect(request, f"t/{table.id}")


async def show_picture(request: Request) -> Response:
    puzzle = await in_thread(puzzle_of, request)
    language, dark = visitor(request).language, "dark" in request.query_params
    drawn = await in_thread(_picture, puzzle, language, dark)
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "private, max-age=86400"})


@functools.lru_cache(200)
def _picture(puzzle: Puzzle, language: str, dark: bool) -> str:
    names, say = seat_names(puzzle, language), translator(language)
    return svg.position(puzzle.start(), names=names, say=say, dark=dark)


# --- the choice ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Rung:
    """A part of the puzzles of a box: a level of the ladder, a task or a theme."""

    way: str
    title: Message
    count: int
    solved: int
    first: str
    """The name of the first that is not solved yet, or of the first of all."""
    level: int = 0
    """Of a rung of the ladder."""


async def show_puzzles(request: Request) -> Response:
    progress = await progress_of(request)
    box = request.query_params.get("box", "")
    chosen = box if box in packs() else box_of_today(request)
    day = today().date()
    found = await in_thread(daily, chosen, day)
    solved = solved_by(progress)
    ladder, others = await in_thread(_ladder, chosen, solved), await in_thread(_others, chosen, solved)
    rating = await slowly(request, _rating, progress)
    who = visitor(request)
    return page(
        request, "puzzles.html", daily=found, date=day_and_month(day, who.language), ladder=ladder,
        others=others, chosen=chosen, boxes=boxes(), packs=packs(), streak=streak_of(progress), TASKS=TASKS,
        rating=rating, like=None if rating is None else solver_level(chosen, rating),
        level=min(7, level_of(found)), level_name=level_like(found).name,
        scheme=who.wishes.scheme,
    )


def _ladder(box: str, solved: frozenset[str]) -> list[Rung]:
    by_level: dict[int, list[Puzzle]] = {}
    for puzzle in in_order(box, LADDER):
        by_level.setdefault(min(7, level_of(puzzle)), []).append(puzzle)
    names = [level.name for level in levels(playable()[box][0])]
    return [_rung(LADDER, names[level - 1], each, solved, level)
            for level, each in sorted(by_level.items())]


def _others(box: str, solved: frozenset[str]) -> dict[str, list[Rung]]:
    """By the heading: tasks, then themes."""
    return {
        name: [_rung(str(way), title, order, solved) for way, title in titles.items()
               if (order := in_order(box, str(way)))]
        for name, titles in (("tasks", SHORT), ("themes", THEMES))
    }


def _rung(
    way: str, title: Message, puzzles: Sequence[Puzzle], solved: frozenset[str], level: int = 0
) -> Rung:
    left = [puzzle for puzzle in puzzles if name_of(puzzle) not in solved]
    return Rung(way=way, title=title, count=len(puzzles), solved=len(puzzles) - len(left),
                first=name_of((left or puzzles)[0]), level=level)


async def show_sprint(request: Request) -> Response:
    """What a sprint is, how the last one went, and a button that begins another one."""
    box = request.query_params.get("box", "")
    chosen = box if box in packs() else box_of_today(request)
    way = f"{SPRINT}-{random.randrange(SPRINTS)}"
    first = (await in_thread(in_order, chosen, way))[0]
    return page(request, "sprint.html", chosen=chosen, begin=f"puzzles/{name_of(first)}?way={way}")


def _rating(progress: Progress) -> Estimate | None:
    return skill(results(progress.attempts, difficulties()))


def solver_level(box: str, rating: Estimate) -> Level:
    """The strongest level whose skill the solver reaches, or the first one."""
    game, _ = playable()[box]
    start = new(box)
    skills = [each.skill for each in standards(game, start.players, start.options)]
    return levels(game)[max(0, sum(each <= rating.value for each in skills) - 1)]


routes = [
    Route("/puzzle/{digest}/{language}/{box}/{id}", show_answers),
    Route("/puzzles", show_puzzles),
    Route("/puzzles/today", show_today),
    Route("/puzzles/sprint", show_sprint),
    Route("/puzzles/{box}/{id}", show_puzzle),
    Route("/puzzles/{box}/{id}/play", play_on, methods=["POST"]),
    Route("/puzzles/{box}/{id}/picture.svg", show_picture),
]
