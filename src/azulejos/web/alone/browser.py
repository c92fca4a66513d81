"""The application in a worker of the browser (`shell/python.js` calls `opened`)."""

from __future__ import annotations

from pathlib import Path

from azulejos.web.alone.threadless import settle

settle()
(Path(__file__).parent.parent / "static" / "fonts").mkdir(parents=True, exist_ok=True)  # served by sw.js

from azulejos.web.alone.site import Site  # noqa: E402  # threads are asked for when modules are loaded
from azulejos.web.app import Settings, create_app  # noqa: E402
from azulejos.web.guard import UNLIMITED  # noqa: E402
from azulejos.web.work.pool import Lane, Pool, PoolJob, Unanswered  # noqa: E402

SECRET = "this browser is its own server, and nobody else's"
"""Signs what nobody but its reader could forge."""


class Nobody(Pool):
    """There are no processes to think: pages think for their bots (tables/thinking_pages.py)."""

    async def do(self, job: PoolJob) -> bytes:
        raise Unanswered("only pages think here")

    async def prepare(self, lane: Lane) -> None:
        pass


async def opened(base: str, origin: str, folder: str, languages: str) -> Site:
    """The application, with its database in a folder."""
    app = create_app(Settings(
        database=f"sqlite:///{folder}/games.sqlite", secret=SECRET, base_path=base, limits=UNLIMITED,
        pool=Nobody,
    ))
    site = Site(app, origin, Path(folder) / "cookies.json", languages)
    await site.start()
    return site
