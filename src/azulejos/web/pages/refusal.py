"""Refusals that must cost next to nothing: a page for browsers, one line of text for programs.

Pages are kept by sentence, language and root. They are the same for all visitors of a language, so their
settings show what is usual.
"""

from __future__ import annotations

import functools

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from azulejos.core.message import Message
from azulejos.i18n import translator
from azulejos.web.base_path import root
from azulejos.web.pages.response import addresses, visitor
from azulejos.web.pages.templates import fragment
from azulejos.web.visitor import CHOICES, Wishes

KEPT = 500
"""More than there are sentences, times languages."""


def refusal(connection: HTTPConnection, status: int, reason: Message) -> Response:
    """Say to a visitor, in their language, why a request is refused."""
    language = visitor(connection).language
    if "text/html" in connection.headers.get("accept", ""):
        return HTMLResponse(_page(status, reason, language, root(connection)), status)
    return PlainTextResponse(translator(language)(reason) + "\n", status)


@functools.lru_cache(KEPT)
def _page(status: int, reason: Message, language: str, root: str) -> str:
    return fragment(
        "error.html", translator(language), language=language, wishes=Wishes(), CHOICES=CHOICES, here=root,
        only_traditional="", code=status, reason=reason, **addresses(root),
    )
