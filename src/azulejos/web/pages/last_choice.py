"""What a visitor chose last at the set-up, in a cookie: *Play* repeats it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection
from starlette.responses import Response

from azulejos.core.game import MAX_SEATS
from azulejos.web.names import MAX_NAME, read_name
from azulejos.web.tables.boxes import playable, shelf
from azulejos.web.visitor import set_cookie
from azulejos.web.work.bots import FIRST_OPPONENT, offered

LAST_COOKIE = "azulejos_last"
MAX_COOKIE = 2000
YOU, FRIEND, NOBODY = "you", "friend", "none"


@dataclass(frozen=True, kw_only=True)
class LastChoice:
    """The fields of the set-up form. `seats` are "you", "friend", "bot:WORD" or "none"."""

    box: str
    seats: tuple[str, ...]
    names: tuple[str, ...] = ("",) * MAX_SEATS
    minutes: str = "0"
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def fields(self) -> dict[str, str]:
        """As a form sends them."""
        return {
            "box": self.box, "minutes": self.minutes,
            **{f"seat{i}": kind for i, kind in enumerate(self.seats)},
            **{f"name{i}": name for i, name in enumerate(self.names) if name},
            **{f"option-{name}": value for name, value in self.options.items()},
        }

    @property
    def bots(self) -> tuple[str, ...]:
        """The words of the bots, in the order of their seats."""
        return tuple(kind.removeprefix("bot:") for kind in self.seats if kind.startswith("bot:"))


def usual() -> LastChoice:
    """For a first visit: the first box, against an easy bot."""
    return LastChoice(box=shelf()[0].name, seats=(YOU, f"bot:{FIRST_OPPONENT}", NOBODY, NOBODY))


def last_choice(connection: HTTPConnection) -> LastChoice:
    """What the cookie says; anything that this server does not offer is replaced by the usual."""
    given = dict(parse_qsl(connection.cookies.get(LAST_COOKIE, "")[:MAX_COOKIE], max_num_fields=40))
    first = usual()
    if given.get("box") not in playable():
        return first
    game, _ = playable()[given["box"]]
    words = {level.word for level in offered(game)}
    seats = tuple(_seat(given.get(f"seat{i}", NOBODY), words) for i in range(MAX_SEATS))
    known = {option.name for option in game.options if not option.component}
    return LastChoice(
        box=given["box"],
        seats=seats if YOU in seats and sum(kind != NOBODY for kind in seats) > 1 else first.seats,
        names=tuple(read_name(given.get(f"name{i}", "")) for i in range(MAX_SEATS)),
        minutes=given.get("minutes", "0"),
        options={name: value for name in known if (value := given.get(f"option-{name}"))},
    )


def _seat(kind: str, words: set[str]) -> str:
    known = kind in (YOU, FRIEND, NOBODY) or kind.removeprefix("bot:") in words
    return kind if known else f"bot:{FIRST_OPPONENT}"


def keep_name(connection: HTTPConnection, response: Response, name: str) -> None:
    """Remember how a visitor called themselves at somebody else's table."""
    if name:
        last = last_choice(connection)
        keep_choice(connection, response, replace(last, names=(name, *last.names[1:])).fields)


def keep_choice(connection: HTTPConnection, response: Response, form: Mapping[str, str]) -> None:
    """Remember the fields of a form that opened a table, without components."""
    kept = {
        name: value[: 2 * MAX_NAME] for name, value in form.items()
        if value and name.startswith(("box", "seat", "name", "minutes", "option-"))
    }
    set_cookie(connection, response, LAST_COOKIE, urlencode(kept)[:MAX_COOKIE], hidden=True)
