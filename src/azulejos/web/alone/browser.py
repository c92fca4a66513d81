"""The application in a worker of the browser (`shell/python.js` calls `opened`), and what thinks in another
one (`desk`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import msgspec

from azulejos.web.alone.threadless import settle

settle()
(Path(__file__).parent.parent / "static" / "fonts").mkdir(parents=True, exist_ok=True)  # served by sw.js

from azulejos.web.alone.fetched_files import (  # noqa: E402  # threads are asked for when modules are loaded
    fetch_from,
)
from azulejos.web.alone.site import Site  # noqa: E402
from azulejos.web.app import Settings, create_app  # noqa: E402
from azulejos.web.guard import UNLIMITED  # noqa: E402
from azulejos.web.work import cards, hints, judge, reviews  # noqa: E402
from azulejos.web.work.pool import Lane, Pool, PoolJob, Unanswered  # noqa: E402
from azulejos.web.work.thinker import Answer, Lost, Task  # noqa: E402

SECRET = "this browser is its own server, and nobody else's"
"""Signs what nobody but its reader could forge."""
KINDS: Final = frozenset(each.__name__ for each in (cards, hints, judge, reviews))
"""What is thought about. Pages think for their bots (tables/thinking_pages.py)."""
IDLE: Final = 120.0
"""Seconds after which a worker that has nothing to do ends: its memory is large."""
GRACE: Final = 0.5
"""Seconds until a worker is ended that does not stop: it cannot hear while it searches."""


class PageWorker:
    """Another worker of the browser, with a Python of its own."""

    def __init__(self, thinker: Any) -> None:
        self._thinker = thinker
        self._answers: asyncio.Queue[str] = asyncio.Queue()
        self._ending: asyncio.TimerHandle | None = None
        thinker.hear(self._answers.put_nowait)

    @classmethod
    async def start(cls, niceness: int) -> PageWorker:
        import js  # type: ignore[import-not-found]  # the browser, in Pyodide

        return cls(js.startThinker())

    async def ask(self, task: Task) -> AsyncIterator[Answer]:
        if self._ending is not None:
            self._ending.cancel()
        self._thinker.ask(msgspec.json.encode(task).decode())
        last = False
        while not last:
            text = await self._answers.get()
            if not text:
                raise Lost("the worker has ended")
            answer = msgspec.json.decode(text, type=Answer)
            last = answer.last
            yield answer
        self._ending = asyncio.get_running_loop().call_later(IDLE, self._end)

    def stop(self) -> None:
        self._thinker.stop()

    def reply(self, said: bytes) -> None:
        """It asks for nothing: it searches itself."""

    async def close(self) -> None:
        self._end()

    def _end(self) -> None:
        self._thinker.close()
        self._answers.put_nowait("")


class PagePool(Pool):
    """One worker for what somebody waits for, and one for what can wait."""

    def __init__(self) -> None:
        super().__init__(sizes=dict.fromkeys(Lane, 1), start=PageWorker.start, grace=GRACE)

    async def do(self, job: PoolJob) -> bytes:
        if job.kind not in KINDS:
            raise Unanswered("only pages think about this")
        return await super().do(job)


async def opened(base: str, origin: str, folder: str, languages: str) -> Site:
    """The application, with its database in a folder."""
    fetch_from(base.removesuffix("app"))
    app = create_app(Settings(
        database=f"sqlite:///{folder}/games.sqlite", secret=SECRET, base_path=base, limits=UNLIMITED,
        pool=PagePool,
    ))
    site = Site(app, origin, Path(folder) / "cookies.json", languages)
    await site.start()
    return site
