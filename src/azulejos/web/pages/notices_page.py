"""Notices outside the page: how somebody wants to be told, a first yes, and an end with one click."""

from __future__ import annotations

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from azulejos.core.message import msg
from azulejos.web.base_path import root
from azulejos.web.circle.notices import (
    HOOK, MAIL, PUSH, Channel, Notices, is_mail_address, says_stop, says_yes,
)
from azulejos.web.circle.senders import Gone, Undelivered, public_address
from azulejos.web.guard.budgets import in_thread
from azulejos.web.pages.response import form, page, payer, redirect, remember, visitor
from azulejos.web.refused import FULL, Refused

SIZE = 600
"""About how many bytes of the database a channel takes."""


def notices(request: Request) -> Notices:
    found: Notices = request.app.state.notices
    return found


class PushKeys(msgspec.Struct):
    p256dh: str
    auth: str


class Subscription(msgspec.Struct):
    """What a browser says about itself; what else it says is not kept."""

    endpoint: str
    keys: PushKeys


async def show_notices(request: Request) -> Response:
    known = notices(request)
    return page(
        request, "notices.html", channels=await known.channels(visitor(request).key), kinds=known.kinds,
        push_key=known.push.public_key if known.push else "",
    )


async def add(request: Request) -> Response:
    given = await form(request)
    kind, address = given.get("kind", ""), given.get("address", "").strip()
    known = notices(request)
    if kind not in known.kinds or kind == PUSH:
        raise HTTPException(404)
    if kind == MAIL and not is_mail_address(address):
        raise Refused(msg("This is not an address for mail."))
    if kind == HOOK:
        await _check_address(request, address)
    await _add(request, kind, address)
    return redirect(request, "notices")


async def _check_address(request: Request, address: str) -> None:
    try:
        await in_thread(public_address, address, private=notices(request).outside.private)
    except (Gone, Undelivered) as error:
        raise Refused(msg("Notices can only go to a public address that begins with https://.")) from error


async def _add(request: Request, kind: str, address: str) -> None:
    if not payer(request).store(SIZE):
        raise Refused(FULL)
    who = visitor(request)
    site = str(request.url.replace(path=root(request), query="", fragment=""))
    if await notices(request).add(who.key, kind, address, language=who.language, site=site) is None:
        raise Refused(msg("There are enough ways to tell you, or this one is known already."))


async def subscribe(request: Request) -> Response:
    """A browser wants to be told even if no page is open."""
    try:
        given = msgspec.json.decode(await request.body(), type=Subscription)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(msg("This message cannot be read.")) from error
    if PUSH not in notices(request).kinds or len(given.endpoint) + len(given.keys.p256dh) > 1500:
        raise HTTPException(404)
    await _check_address(request, given.endpoint)
    await _add(request, PUSH, msgspec.json.encode(given).decode())
    return remember(request, JSONResponse({"done": True}))


async def remove(request: Request) -> Response:
    name = (await form(request)).get("channel", "")
    found = await notices(request).channel(name)
    if found is not None and found.key == visitor(request).key:
        await notices(request).stop(name)
    return redirect(request, "notices")


async def _named(request: Request) -> Channel:
    found = await notices(request).channel(str(request.path_params["id"])[:40])
    if found is None:
        raise HTTPException(404)
    return found


async def ask_yes(request: Request) -> Response:
    """Only a button: programs that look into mails open every link."""
    channel = await _named(request)
    if not says_yes(channel, request.path_params["word"]):
        raise HTTPException(404)
    return page(request, "notices_yes.html", stop=False)


async def confirm(request: Request) -> Response:
    channel = await _named(request)
    if not says_yes(channel, request.path_params["word"]):
        raise HTTPException(404)
    await notices(request).confirm(channel.id)
    return page(request, "notices_done.html", on=True)


async def ask_stop(request: Request) -> Response:
    """Whoever has stopped them already sees the same page: a link says nothing about others."""
    return page(request, "notices_yes.html", stop=True)


async def stop(request: Request) -> Response:
    """From the page, or from a mail program (RFC 8058)."""
    await request.body()
    found = await notices(request).channel(str(request.path_params["id"])[:40])
    if found is not None and says_stop(found, request.path_params["word"]):
        await notices(request).stop(found.id)
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse("ok\n")
    return page(request, "notices_done.html", on=False)


routes = [
    Route("/notices", show_notices),
    Route("/notices/add", add, methods=["POST"]),
    Route("/notices/push", subscribe, methods=["POST"]),
    Route("/notices/remove", remove, methods=["POST"]),
    Route("/notices/{id}/yes/{word}", ask_yes),
    Route("/notices/{id}/yes/{word}", confirm, methods=["POST"]),
    Route("/notices/{id}/{word}", ask_stop),
    Route("/notices/{id}/{word}", stop, methods=["POST"]),
]
