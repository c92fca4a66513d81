"""No page has a barrier that axe knows, by day and in the evening."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from azulejos.core import registry
from samples import sampled
from web.guests import Guest
from web.node import AXE
from web.server import Server


@pytest.mark.parametrize("dark", sampled([False, True], quick=[True]))
def test_every_page_is_accessible_in_light_and_dark(browser: Browser, server: Server, dark: bool) -> None:
    for phone in (False, True):
        kind = f"{'-dark' if dark else ''}{'-phone' if phone else ''}"
        guest = Guest(browser, server, dark=dark, phone=phone)
        for path in ("/", "/new", "/games", "/rules/azul", "/nothing"):
            guest.page.goto(server.url + path)
            if path != "/nothing":
                guest.check(name=f"page{path.replace('/', '-')}{kind}")
        guest.open_table("you", "bot:random", "bot:random", "bot:random")
        guest.errors.clear()
        guest.ready()
        guest.check(name=f"four{kind}")
        guest.context.close()


@pytest.mark.skipif(not AXE.exists(), reason="axe is not installed")
@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_barrier_on_any_page(browser: Browser, server: Server, dark: bool) -> None:
    for phone in (False, True):
        guest = Guest(browser, server, dark=dark, phone=phone)
        rules = [f"/rules/{game.name}" for game in registry.games()]
        for path in ("/", "/new", "/new?box=garden", "/games", *rules):
            guest.page.goto(server.url + path)
            guest.find_barriers()
        for game in registry.games():
            guest.open_table("you", "bot:random", box=game.presets[0].name)
            guest.ready()
            guest.find_barriers()
        guest.context.close()
