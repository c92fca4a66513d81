"""The page of a person: name and face, games and records, the climb, other devices, what is stored."""

from __future__ import annotations

import hashlib
import io
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

import msgspec
import segno
from markupsafe import Markup
from sqlalchemy import select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from azulejos.bots.levels import NAMES
from azulejos.core.message import Message, msg
from azulejos.i18n import translator
from azulejos.i18n.catalogue import long_date
from azulejos.render.drawings import FEATURES, GLAZES, is_face
from azulejos.web.base_path import root
from azulejos.web.circle import ladder
from azulejos.web.circle.ladder import Climb, Medal, Tally
from azulejos.web.circle.persons import Person
from azulejos.web.circle.ratings import Rating, ratings_of, season_of
from azulejos.web.circle.results import Played, played_by
from azulejos.web.names import FORMER, read_name
from azulejos.web.pages.pictures import boards_picture
from azulejos.web.pages.response import (
    form, lobby, page, person_of, persons, redirect, remember, signer, slowly, visitor,
)
from azulejos.web.pages.setup import LAST_COOKIE, keep_name, last_choice
from azulejos.web.pages.you import personal
from azulejos.web.refused import Refused
from azulejos.web.store import schema
from azulejos.web.store.saved import Unreplayable, now
from azulejos.web.store.store import Store
from azulejos.web.tables.boxes import Box, shelf, title_of
from azulejos.web.visitor import KEY_COOKIE, Visitor

FRIENDS = 12
"""People in the list of those one has played with."""


# --- a profile -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Friend:
    name: str
    face: str
    tally: Tally


@dataclass(frozen=True, kw_only=True)
class Best:
    title: Message
    points: int
    game: str
    picture: Markup


@dataclass(frozen=True, kw_only=True)
class Profile:
    person: Person
    since: str
    record: ladder.PersonRecord
    climbs: list[tuple[Box, Climb]]
    medals: list[Medal]
    friends: list[Friend]
    best: list[Best]
    ratings: list[tuple[Message, Rating]]

    @property
    def games(self) -> int:
        return sum(tally.games for tally in self.record.boxes.values())

    @property
    def won(self) -> int:
        return sum(tally.won for tally in self.record.boxes.values())


async def profile_of(request: Request, person: Person) -> Profile:
    store, language = lobby(request).store, visitor(request).language
    games = await played_by(store, person.key)
    record, climbs = ladder.record_of(games), ladder.climbs(games)
    found = await ratings_of(store, person.key, season_of(now() / 1000))
    return Profile(
        person=person, since=long_date(datetime.fromtimestamp(person.since, UTC).date(), language),
        record=record, medals=ladder.medals(games, climbs, len(shelf())),
        climbs=[(box, climbs.get(box.name, Climb())) for box in shelf()],
        friends=[friend async for friend in _friends(request, store, games, record.people)],
        best=[best async for best in _best(request, record.best)],
        ratings=[(title_of(box), rating) for (circle, box), rating in sorted(found.items()) if not circle],
    )


async def _friends(
    request: Request, store: Store, games: Sequence[Played], tallies: Mapping[str, Tally]
) -> AsyncIterator[Friend]:
    """Those one has played with most, by their names of today."""
    most = sorted(tallies, key=lambda key: -tallies[key].games)[:FRIENDS]
    known = await persons(request).of_all(most)
    last = {one.key: game.game for game in games for one in game.others if one.key in most}
    names = await _seat_names(store, last)
    former = translator(visitor(request).language)(FORMER)
    for key in most:
        person = known.get(key)
        yield Friend(
            name=person.name if person else names.get(key, former), face=person.face if person else "",
            tally=tallies[key],
        )


async def _seat_names(store: Store, last: Mapping[str, str]) -> dict[str, str]:
    """What people without a name of their own were called at the last table."""
    keys, seats = schema.keys.c, schema.seats.c
    found = await store.rows(
        select(keys.key, keys.table_id, seats.name)
        .join(schema.seats, (seats.table_id == keys.table_id) & (seats.seat == keys.seat))
        .where(keys.key.in_(last), keys.table_id.in_(set(last.values())))
    )
    return {row.key: row.name for row in found if last.get(row.key) == row.table_id}


async def _best(request: Request, best: Mapping[str, Played]) -> AsyncIterator[Best]:
    """The games with the most points, as far as their tables still exist."""
    for box, game in sorted(best.items()):
        try:
            table = await lobby(request).table(game.game)
        except Unreplayable:
            table = None
        if table is not None:
            yield Best(title=title_of(box), points=game.points, game=game.game,
                       picture=Markup(boards_picture(table.position)))


# --- the own page --------------------------------------------------------------------------------------


def looks() -> Iterator[tuple[str, Message, int]]:
    """The parts of a face, and how many there are of each."""
    yield "glaze", msg("Colour"), GLAZES
    yield "hair", msg("Hair"), len(FEATURES)
    yield "look", msg("Expression"), len(FEATURES)


async def show_me(request: Request) -> Response:
    return await _page(request)


async def _page(request: Request, *, done: Message | None = None, code: str = "") -> Response:
    person = await person_of(request)
    profile = await profile_of(request, person) if person else None
    face = person.face if person and person.face else _any_face(visitor(request).key)
    link = str(request.url.replace(path=f"{root(request)}me/from/{code}", query="")) if code else ""
    return page(
        request, "me.html", person=person, profile=profile, face_code=face, looks=list(looks()), done=done,
        name=person.name if person else last_choice(request).names[0], code=code, link=link,
        qr=_qr(link) if link else "", bot_names=NAMES, title_of=title_of,
        shared=str(request.url.replace(path=f"{root(request)}p/{person.id}", query=""))
        if person and person.shared else "",
    )


def _any_face(key: str) -> str:
    """What is proposed before somebody chooses: from the key, so that it stays the same."""
    numbers = hashlib.sha256(f"face {key}".encode()).digest()
    return f"{numbers[0] % GLAZES}{numbers[1] % len(FEATURES)}{numbers[2] % len(FEATURES)}"


def _qr(text: str) -> Markup:
    out = io.BytesIO()
    segno.make(text, error="l").save(out, kind="svg", scale=5, border=2, light="#fff", xmldecl=False)
    return Markup(out.getvalue().decode())  # our own drawing, which holds nothing but squares


async def change_name(request: Request) -> Response:
    given = await form(request)
    name = read_name(given.get("name", ""))
    if not name:
        raise Refused(msg("A name needs a letter, at least."))
    face = "".join(given.get(part, "") for part, _, _ in looks())
    response = redirect(request, "me")
    await keep_name(request, response, name, face if is_face(face) else "")
    return response


async def change_sharing(request: Request) -> Response:
    given = await form(request)
    await persons(request).share(visitor(request).key, shared=given.get("shared") == "yes")
    return redirect(request, "me#share")


async def show_shared(request: Request) -> Response:
    """Somebody's page, for those who have its link."""
    person = await persons(request).shared(str(request.path_params["id"])[:40])
    if person is None:
        raise HTTPException(404)
    profile = await profile_of(request, person)
    return page(request, "profile.html", profile=profile, bot_names=NAMES, title_of=title_of)


# --- another device ------------------------------------------------------------------------------------


async def hand_over(request: Request) -> Response:
    """A link and a code for another device."""
    who = visitor(request)
    if who.fresh:
        return redirect(request, "me")
    code = await persons(request).hand_over(who.secret)
    if code is None:
        raise Refused(msg("Too many devices are being added at the moment. Try again in a few minutes."))
    return remember(request, await _page(request, code=code))


async def show_takeover(request: Request) -> Response:
    """Only a button: programs that look at links would use the code up."""
    code = str(request.path_params["code"])[:20]
    return page(request, "take_over.html", given_code=code)


async def take_over(request: Request) -> Response:
    """This device becomes the same visitor, and brings along what it has."""
    code = (await form(request)).get("code", "").lower().replace(" ", "").replace("-", "")
    secret = await persons(request).taken_over(code[:20])
    if secret is None:
        raise Refused(msg("This code is not valid any more. Make a new one on the other device."))
    who = visitor(request)
    new = as_secret(who, secret)
    if not who.fresh:
        await _bring_along(request, who.key, new.key)
    response = RedirectResponse(f"{root(request)}me", 303)
    signer(request).remember(request, response, new)
    return response


async def _bring_along(request: Request, old: str, new: str) -> None:
    if old == new:
        return
    progress = await personal(request).of(old, apart=partial(slowly, request))
    await personal(request).add(new, progress, apart=partial(slowly, request))
    await persons(request).adopt(old, new)


def as_secret(who: Visitor, secret: str) -> Visitor:
    return replace(who, secret=secret, key=hashlib.sha256(secret.encode()).hexdigest(), fresh=False)


async def forget_others(request: Request) -> Response:
    """The same visitor with another secret, so that other devices are nobody's any more."""
    who = visitor(request)
    if who.fresh:
        return redirect(request, "me")
    new = as_secret(who, secrets.token_urlsafe(24))
    await persons(request).renew(who.key, new.key)
    response = RedirectResponse(f"{root(request)}me", 303)
    signer(request).remember(request, response, new)
    return response


# --- what is stored ------------------------------------------------------------------------------------


async def export(request: Request) -> Response:
    """Everything that the database holds under the key of the visitor."""
    who = visitor(request)
    stored = {} if who.fresh else await persons(request).stored(who.key)
    for row in stored.get("channels", []):
        row.pop("secret")
    body = await slowly(request, msgspec.json.encode, stored)
    headers = {"content-disposition": 'attachment; filename="azulejos-me.json"',
               "cache-control": "no-store"}
    return Response(body, media_type="application/json", headers=headers)


async def remove(request: Request) -> Response:
    who, tables = visitor(request), lobby(request)
    if not who.fresh:
        await personal(request).forget(who.key)
        called = translator(who.language)(FORMER)
        for name in await persons(request).remove(who.key, called=called):
            tables.heard(name)
    response = page(request, "removed.html")
    for name in (KEY_COOKIE, LAST_COOKIE):
        response.delete_cookie(name, path=root(request).rstrip("/") or "/")
    return response


routes = [
    Route("/me", show_me),
    Route("/me/name", change_name, methods=["POST"]),
    Route("/me/share", change_sharing, methods=["POST"]),
    Route("/me/carry", hand_over, methods=["POST"]),
    Route("/me/from/{code}", show_takeover),
    Route("/me/from", take_over, methods=["POST"]),
    Route("/me/renew", forget_others, methods=["POST"]),
    Route("/me/stored.json", export),
    Route("/me/remove", remove, methods=["POST"]),
    Route("/p/{id}", show_shared),
]
