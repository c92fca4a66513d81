"""The folder in a real Chromium: served by a plain server below a path, then cut off from it."""

from __future__ import annotations

import functools
import http.server
import re
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from azulejos.web.alone.fetched import Missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Frame, Page

pytestmark = pytest.mark.slow  # exporting proves puzzles and lays out every network: a minute
STARTING = 300_000
"""Milliseconds that Python may take to start on a busy machine."""
PLAYING = 600
"""Seconds for a game."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the folder, on a server that knows nothing but files."""
    from azulejos.web.alone.export import export

    root = tmp_path_factory.mktemp("space")
    try:
        export(root / "below" / "azul")
    except Missing as error:
        pytest.skip(str(error))
    handler = functools.partial(Quiet, directory=str(root))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/below/azul/"
        server.shutdown()


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    """A visitor; no request may go anywhere else, and no script may fail."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en",
                                  reduced_motion="reduce")
    asked: list[str] = []
    faults: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    context.on("weberror", lambda error: faults.append(str(error.error)))
    yield context
    context.close()
    assert not faults
    assert {urlsplit(url).netloc for url in asked if url.startswith("http")} == {urlsplit(site).netloc}


def opened(page: Page, address: str) -> Frame:
    """The frame with the pages, once the application answers."""
    page.goto(address)
    return shown(page)


def shown(page: Page) -> Frame:
    page.wait_for_selector("#page:not([hidden])", timeout=STARTING)
    return next(frame for frame in page.frames if "/app/" in frame.url)


def play(frame: Frame, *, moves: int = 10**6) -> int:
    """Click pieces and places until the game is over or so many moves were played; returns how many."""
    played, end = 0, time.monotonic() + PLAYING
    while played < moves and time.monotonic() < end and not frame.query_selector("#again:not([hidden])"):
        place = next(filter(None, map(frame.query_selector, (
            "#confirm:not([disabled])", ".slot.legal", ".piece.can, .slot.can",
        ))), None)
        if place is None:
            frame.wait_for_timeout(50)
            continue
        confirms = place.get_attribute("id") == "confirm"
        place.dispatch_event("click")
        played += confirms
    return played


def test_a_whole_game_without_a_connection_survives_reload_and_a_new_window(
    context: BrowserContext, site: str
) -> None:
    page = context.new_page()
    frame = opened(page, f"{site}#new?box=azul")
    frame.click("main form button.primary")
    frame.wait_for_selector("#table .piece", timeout=STARTING)
    page.get_by_text(re.compile("Ready to be played without a connection")).wait_for(timeout=STARTING)
    assert play(frame, moves=2) == 2
    context.set_offline(True)
    table = page.url
    page.reload()
    frame = shown(page)
    assert play(frame, moves=2) == 2
    page.wait_for_timeout(2000)  # what was played is written within a second
    page.close()
    page = context.new_page()
    frame = opened(page, table)
    frame.wait_for_selector("#table .piece", timeout=STARTING)
    play(frame)
    frame.wait_for_selector("#again:not([hidden])", timeout=60_000)
    frame.goto(f"{site}app/")
    assert frame.get_by_text("Azul", exact=True).count()


def test_lessons_rules_and_puzzles_are_there(context: BrowserContext, site: str) -> None:
    frame = opened(context.new_page(), site)
    frame.goto(f"{site}app/learn/garden")
    frame.wait_for_selector("[data-loaded], #table .piece", timeout=STARTING)
    frame.goto(f"{site}app/rules/stained_glass")
    assert frame.query_selector("main h2") is not None
    frame.goto(f"{site}app/puzzles/today")
    frame.wait_for_selector("#table[data-loaded]", timeout=STARTING)


def test_a_second_window_is_told_and_may_take_over(context: BrowserContext, site: str) -> None:
    first, second = context.new_page(), context.new_page()
    opened(first, site)
    second.goto(site)
    second.get_by_role("button", name="Play here").click()
    shown(second)
    first.get_by_text("The table is open in another window.").wait_for()
