"""The application without a network: requests, cookies and lines as values."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from azulejos.web.alone.site import Site
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.wire.messages import PROTOCOL

BASE = "/folder/app"
FORM = {"content-type": "application/x-www-form-urlencoded"}


def in_a_browser(folder: Path, act: Callable[[Site], Awaitable[None]], languages: str = "pl") -> None:
    """Do something with the site of a browser that keeps its games in a folder."""

    async def run() -> None:
        settings = Settings(
            database=f"sqlite:///{folder}/games.sqlite", secret="s" * 32, base_path=BASE, limits=UNLIMITED,
        )
        site = Site(create_app(settings), "https://example.org", folder / "cookies.json", languages)
        await site.start()
        await act(site)
        await site.end()

    asyncio.run(run())


async def submit(site: Site, address: str, **fields: str) -> tuple[int, dict[str, str]]:
    body = urlencode(fields).encode()
    status, headers, _ = await site.request(
        "POST", f"{BASE}/{address}", {**FORM, "content-length": str(len(body))}, body
    )
    return status, dict(headers)


async def opened_table(site: Site) -> str:
    """The path of a new table against a bot that plays at random."""
    status, headers = await submit(site, "tables", box="azul", seat0="you", name0="Ana", seat1="bot:random",
                                   seat2="none", seat3="none")
    assert status == 303, headers
    return headers["location"].removeprefix(f"{BASE}/")


def test_pages_are_in_the_language_of_the_browser_and_may_be_shown_in_its_frame(tmp_path: Path) -> None:
    async def act(site: Site) -> None:
        status, pairs, body = await site.request("GET", f"{BASE}/", {}, b"")
        headers = dict(pairs)
        assert status == 200
        assert '<html lang="pl"' in body.decode()
        assert "frame-ancestors 'self'" in headers["content-security-policy"]
        assert not {"x-frame-options", "set-cookie"} & headers.keys()

    in_a_browser(tmp_path, act)


def test_settings_and_games_are_there_again_after_the_browser_was_closed(tmp_path: Path) -> None:
    tables = []

    async def first(site: Site) -> None:
        assert (await submit(site, "wishes", language="cs"))[0] == 303
        tables.append(await opened_table(site))

    async def later(site: Site) -> None:
        assert site.language == "cs"
        _, _, body = await site.request("GET", f"{BASE}/{tables[0]}", {}, b"")
        assert '<html lang="cs"' in body.decode()
        assert "data-watching" not in body.decode()

    in_a_browser(tmp_path, first)
    in_a_browser(tmp_path, later)


def test_a_line_carries_the_messages_of_a_table(tmp_path: Path) -> None:
    async def act(site: Site) -> None:
        table = await opened_table(site)
        _, _, page = await site.request("GET", f"{BASE}/{table}", {}, b"")
        digest = re.search(r'data-digest="([^"]+)"', page.decode())
        assert digest is not None
        said: asyncio.Queue[str] = asyncio.Queue()
        site.open(1, f"{BASE}/{table}/live", said.put_nowait)
        site.hear(1, json.dumps({"do": "hello", "protocol": PROTOCOL, "plan": digest[1]}))
        frame: dict[str, Any] = json.loads(await asyncio.wait_for(said.get(), 60))
        assert frame["type"] == "frame"
        site.close(1)
        while await asyncio.wait_for(said.get(), 60):  # an empty text says that it is closed
            pass

    in_a_browser(tmp_path, act)
