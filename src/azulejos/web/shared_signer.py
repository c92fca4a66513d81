"""Keeps a server's signer up to date with the secrets that all servers share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import now
from azulejos.web.store.secret_keys import NOTICE, Secret, in_order, new_secret, shared_secrets
from azulejos.web.store.store import Store
from azulejos.web.visitor import Signer

RETRY_SECONDS = 2.0

log = logging.getLogger("azulejos.web")


class SharedSigner:
    """`former` are secrets of this server alone, from before: still accepted, and the first of them becomes
    the first shared one."""

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
