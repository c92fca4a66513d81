"""What pages know of the person behind a request."""

from __future__ import annotations

from starlette.requests import HTTPConnection, Request

from azulejos.web.circle.persons import Person, Persons
from azulejos.web.pages.response import payer, visitor
from azulejos.web.refused import FULL, Refused

SIZE = 400
"""About how many bytes of the database a person takes."""


def persons(connection: HTTPConnection) -> Persons:
    found: Persons = connection.app.state.persons
    return found


async def person_of(connection: HTTPConnection) -> Person | None:
    """Who the visitor is; None: they have not said."""
    who = visitor(connection)
    return None if who.fresh else await persons(connection).of(who.key)


async def call(request: Request, name: str, face: str = "") -> Person | None:
    """The visitor has this name from now on, and this face, if one is given."""
    if not payer(request).store(SIZE):
        raise Refused(FULL)
    key = visitor(request).key
    await persons(request).call(key, name, face)
    return await persons(request).of(key)
