"""Who is looking: a signed cookie holds a random key, another one the preferences (language, motion …)."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from azulejos.i18n import LANGUAGES, negotiate, reads_simplified
from azulejos.web.base_path import root
from azulejos.web.store.saved import CarryLink

KEY_COOKIE = "azulejos_key"
WISH_COOKIE = "azulejos_wishes"
YEAR = 365 * 24 * 3600
CARRY_SECONDS = 24 * 3600
MIN_SECRET = 16


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """A visitor's preferences. Every value is one of CHOICES."""

    language: str = ""
    scheme: str = "system"
    motion: str = "system"
    sound: str = "on"
    confirm: str = "on"
    marks: str = "on"
    chat: str = "on"
    coach: str = "off"
    banter: str = "on"


CHOICES: dict[str, tuple[str, ...]] = {
    "language": ("", *LANGUAGES),
    "scheme": ("system", "light", "dark"),
    "motion": ("system", "off", "slow", "normal", "fast"),
    "sound": ("on", "off"),
    "confirm": ("on", "countdown", "off"),
    "marks": ("on", "off"),
    "chat": ("on", "off"),
    "coach": ("on", "off"),
    "banter": ("on", "off"),
}


def read_wishes(text: str) -> Wishes:
    """The preferences in a cookie; invalid values are ignored."""
    given = {name: value for name, value in parse_qsl(text[:400]) if value in CHOICES.get(name, ())}
    return Wishes(**given)


def write_wishes(wishes: Wishes) -> str:
    return urlencode(asdict(wishes))


def changed_wishes(wishes: Wishes, form: dict[str, str]) -> Wishes:
    names = {field.name for field in fields(Wishes)}
    new = {name: value for name, value in form.items() if name in names and value in CHOICES[name]}
    return replace(wishes, **new)


@dataclass(frozen=True, kw_only=True)
class Visitor:
    key: str
    """Identifies the visitor in the store: a hash of the secret in their cookie."""
    secret: str
    wishes: Wishes
    language: str
    simplified: bool
    """Whether the browser asks for simplified Chinese, and the visitor has chosen nothing else."""
    fresh: bool


class Signer:
    """Signs values with the last of its secrets, and reads those that were signed with any of them."""

    def __init__(self, *secrets: str) -> None:
        self.use(secrets)

    def use(self, secrets: Sequence[str]) -> None:
        self._keys = URLSafeSerializer(list(secrets), "visitor")
        self._carries = URLSafeTimedSerializer(list(secrets), "carry a seat")

    def visitor(self, connection: HTTPConnection) -> Visitor:
        secret = self._read(connection.cookies.get(KEY_COOKIE, ""))
        wishes = read_wishes(connection.cookies.get(WISH_COOKIE, ""))
        accepts = connection.headers.get("accept-language", "")
        language = wishes.language or negotiate(accepts)
        simplified = not wishes.language and reads_simplified(accepts)
        fresh = secret is None
        secret = secret or secrets.token_urlsafe(24)
        key = hashlib.sha256(secret.encode()).hexdigest()
        return Visitor(
            key=key, secret=secret, wishes=wishes, language=language, simplified=simplified, fresh=fresh
        )

    def _read(self, cookie: str) -> str | None:
        try:
            secret = self._keys.loads(cookie[:400])
        except BadSignature:
            return None
        return secret if isinstance(secret, str) else None

    def remember(self, connection: HTTPConnection, response: Response, visitor: Visitor) -> None:
        set_cookie(connection, response, KEY_COOKIE, str(self._keys.dumps(visitor.secret)), hidden=True)

    def carry(self, link: CarryLink) -> str:
        """A signed token that gives a seat to anybody who opens its link within a day."""
        return str(self._carries.dumps(astuple(link)))

    def carried(self, word: str) -> CarryLink | None:
        try:
            table, seat, maker, revocations = self._carries.loads(word[:400], max_age=CARRY_SECONDS)
        except (BadSignature, TypeError, ValueError):
            return None
        return CarryLink(table=str(table), seat=int(seat), maker=str(maker), revocations=int(revocations))


def set_cookie(
    connection: HTTPConnection, response: Response, name: str, value: str, *, hidden: bool
) -> None:
    """A cookie for this site only, which may be one of several under one name."""
    response.set_cookie(
        name, value, max_age=YEAR, path=root(connection).rstrip("/") or "/", httponly=hidden,
        secure=connection.url.scheme == "https", samesite="lax",
    )


def former_secrets(folder: Path) -> list[str]:
    """The secret of the first edition, which kept it in a file instead of the database."""
    path = folder / "secret"
    return read_secrets(path) if path.exists() else []


def read_secrets(file: Path) -> list[str]:
    """The secrets in a file, one on each line; the first line is the newest and comes last here."""
    found = [line.strip() for line in file.read_text().splitlines() if line.strip()]
    if not found or min(map(len, found)) < MIN_SECRET:
        raise ValueError(f"{file} holds one secret per line, each of at least {MIN_SECRET} characters")
    return found[::-1]
