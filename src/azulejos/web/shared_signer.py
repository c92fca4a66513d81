"""The secrets that sign cookies and links. The database keeps them, so that all servers share them.

The newest one signs; older ones are still accepted. A new one signs only some time after it was added, when
every server has read it: a cookie that a server cannot read would be replaced, and a seat lost.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, text

from azulejos.web.store import schema
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import now
from azulejos.web.store.store import Store
from azulejos.web.visitor import Signer

NOTICE = "*secrets"
"""What other servers are told; no table has this id."""

SPREADING = 60.0
"""Seconds from adding a secret until it signs."""

_FIRST = text("INSERT INTO secrets (id, secret, since) VALUES (1, :secret, 0) ON CONFLICT DO NOTHING")


@dataclass(frozen=True, slots=True)
class Secret:
    value: str
    since: float
    """When it begins to sign, in seconds since 1970."""


def new_secret() -> str:
    return secrets.token_urlsafe(32)


async def shared_secrets(store: Store, *, first: str) -> list[Secret]:
    """The secrets of all servers, oldest first; `first` is the one to begin with if there is none."""

    def act(connection: Connection) -> list[Secret]:
        connection.execute(_FIRST, {"secret": first})
        found = connection.execute(select(schema.secrets).order_by(schema.secrets.c.id))
        return [Secret(row.secret, row.since) for row in found]

    return await store.database.write(act)


async def add_secret(store: Store, *, forget: bool = False) -> None:
    """Add a secret, which signs from then on; with `forget`, at once, and no older one is accepted."""
    columns = schema.secrets.c
    since = 0.0 if forget else now() / 1000 + SPREADING

    def act(connection: Connection) -> None:
        last = connection.execute(select(func.max(columns.id))).scalar_one() or 0
        connection.execute(insert(schema.secrets).values(id=last + 1, secret=new_secret(), since=since))
        if forget:
            connection.execute(delete(schema.secrets).where(columns.id <= last))
        store.tell(connection, NOTICE)

    await store.database.write(act)


def in_order(found: Sequence[Secret], former: Iterable[str], at: float) -> list[str]:
    """The values, that of the secret which signs at this time last."""
    early = [one.value for one in found if one.since > at]
    return [*former, *early, *(one.value for one in found if one.since <= at)]


RETRY_SECONDS = 2.0

log = logging.getLogger("azulejos.web")


class SharedSigner:
    """Keeps a server's signer up to date.

    `former` are secrets of this server alone, from before: still accepted, and the first of them becomes
    the first shared one.
    """

    def __init__(self, store: Store, signer: Signer, former: Sequence[str]) -> None:
        self._store, self._signer, self._former = store, signer, former
        self._found: list[Secret] = []
        self._reading: asyncio.Task[None] | None = None

    async def read(self) -> None:
        first = self._former[0] if self._former else new_secret()
        self._found = await shared_secrets(self._store, first=first)
        self._apply()

    def _apply(self) -> None:
        at = now() / 1000
        self._signer.use(in_order(self._found, self._former, at))
        for secret in self._found:
            if secret.since > at:
                asyncio.get_running_loop().call_later(secret.since - at + 0.01, self._apply)

    def heard(self, notice: str) -> bool:
        """Whether a notice of another server was about the secrets; then they are read again."""
        if notice == NOTICE:
            self.read_later()
        return notice == NOTICE

    def read_later(self) -> None:
        self._reading = asyncio.get_running_loop().create_task(self._read_until_done())

    async def _read_until_done(self) -> None:
        while True:
            try:
                await self.read()
                return
            except DatabaseFault as error:
                log.warning("the shared secrets cannot be read: %s", error)
                await asyncio.sleep(RETRY_SECONDS)
