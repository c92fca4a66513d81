"""The folder in a real Chromium: served by a plain server below a path, then cut off from it."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import time
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error

from azulejos.core import registry
from web.alone import same_answers
from web.alone.conftest import visitor
from web.guests import FIND_BARRIERS
from web.node import AXE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Frame, Page, Worker

pytestmark = pytest.mark.slow  # exporting proves puzzles and lays out every network: a minute
STARTING = 300_000
"""Milliseconds that Python may take to start on a busy machine."""
TESTS = Path(__file__).parents[2]
PLAYING = 600
"""Seconds for a game."""
READY = re.compile("Ready to be played without a connection")


def opened(page: Page, address: str) -> Frame:
    """The frame with the pages, once the application answers."""
    page.goto(address)
    return shown(page)


def shown(page: Page) -> Frame:
    page.wait_for_selector("#page:not([hidden])", timeout=STARTING)
    return next(frame for frame in page.frames if "/app/" in frame.url)


CLICKED = ("#confirm:not([disabled])", ".mat .piece.can, .mat .slot.can")
TAPPED = ("#confirm:not([disabled])", ".own .slot.can", ".loupe .piece.can", ".offer .piece.can")


def play(frame: Frame, *, moves: int = 10**6, by_touch: bool = False) -> int:
    """Choose pieces and places until the game is over or so many moves were played; returns how many."""
    played, end = 0, time.monotonic() + PLAYING
    while played < moves and time.monotonic() < end and not frame.query_selector("#again:not([hidden])"):
        place = next(filter(None, map(frame.query_selector, TAPPED if by_touch else CLICKED)), None)
        if place is None:
            frame.wait_for_timeout(50)
            continue
        confirms = place.get_attribute("id") == "confirm"
        if by_touch:
            with contextlib.suppress(Error):  # what was to be touched has just gone
                place.tap(force=True, timeout=2000)
        else:
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
    page.get_by_text(READY).wait_for(timeout=STARTING)
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


def test_home_and_lessons_are_shown_before_python_runs(
    context: BrowserContext, site: str, python_comes: Event
) -> None:
    python_comes.clear()
    frame = opened(context.new_page(), site)
    frame.get_by_role("link", name="Learn in two minutes").click()
    frame.wait_for_selector(".piece", state="attached", timeout=STARTING)
    assert not python_comes.is_set()


@pytest.fixture(scope="module", params=[2, 4])
def cut_off(
    browser: Browser, site: str, request: pytest.FixtureRequest
) -> Iterator[tuple[Frame, int]]:
    """A visitor without a connection, and how many sit at the table: Python starts once for all boxes."""
    with visitor(browser, site) as context:
        page = context.new_page()
        frame = opened(page, f"{site}#new")
        page.get_by_text(READY).wait_for(timeout=STARTING)
        context.set_offline(True)
        yield frame, request.param


@pytest.mark.parametrize("box", registry.presets())
def test_every_box_is_played_to_its_end_by_clicks(cut_off: tuple[Frame, int], site: str, box: str) -> None:
    frame, players = cut_off
    frame.goto(f"{site}app/new?box={box}")
    for seat, kind in enumerate(("you", "bot:level:1", "bot:level:2", "bot:random")):
        frame.select_option(f"#seat{seat}", kind if seat < players else "none", force=True)
    frame.click("main form button.primary")
    frame.wait_for_selector("#table .piece", timeout=STARTING)
    assert frame.locator("#table svg[data-seat]").count() == players
    play(frame)
    frame.wait_for_selector("#again:not([hidden])", timeout=60_000)


def test_a_hint_comes_without_a_server(context: BrowserContext, site: str) -> None:
    frame = opened(context.new_page(), f"{site}#new?box=azul")
    frame.click("main form button.primary")
    frame.wait_for_selector("#table .piece.can", timeout=STARTING)
    frame.click("#hint-button", timeout=STARTING)
    said = "The best turn is among the places that glow."
    frame.get_by_text(said, exact=True).wait_for(timeout=STARTING)


@pytest.fixture(scope="module")
def python(browser: Browser, site: str) -> Iterator[Worker]:
    """The worker in which the application runs, with the program of `same_answers`."""
    with visitor(browser, site) as context:
        page = context.new_page()
        opened(page, f"{site}#rules/azul")
        worker = next(worker for worker in page.workers if worker.url.endswith("python.js"))
        program = Path(same_answers.__file__).read_text("utf-8")
        worker.evaluate("program => { self.python.runPython(program); }", program)
        yield worker


@pytest.mark.parametrize("box", registry.presets())
def test_frames_and_bots_are_those_of_a_server(
    python: Worker, box: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AZULEJOS_JIT")  # the server's searches are compiled
    for call in (f"frames({box!r}, 200)", f"moves({box!r}, 63, 'search', 300)"):
        program = f"from web.alone import same_answers; print(same_answers.{call})"
        known = subprocess.run([sys.executable, "-c", program], cwd=TESTS, check=True, text=True,
                               capture_output=True).stdout.strip()
        assert python.evaluate("call => self.python.runPython(call)", call) == known


def test_lessons_rules_and_puzzles_are_there(context: BrowserContext, site: str) -> None:
    frame = opened(context.new_page(), site)
    frame.goto(f"{site}app/learn/garden")
    frame.wait_for_selector("[data-loaded], #table .piece", timeout=STARTING)
    frame.goto(f"{site}app/rules/stained_glass")
    assert frame.query_selector("main h2") is not None
    frame.goto(f"{site}app/puzzles/today")
    frame.wait_for_selector("#table[data-loaded]", timeout=STARTING)


def test_a_record_saved_without_a_server_is_replayed_by_the_command(
    context: BrowserContext, site: str, tmp_path: Path
) -> None:
    page = context.new_page()
    frame = opened(page, f"{site}#new?box=azul")
    frame.click("main form button.primary")
    frame.wait_for_selector("#table .piece.can", timeout=STARTING)
    context.set_offline(True)
    assert play(frame, moves=2) == 2
    record = tmp_path / "game.txt"
    text = frame.evaluate("async () => (await fetch(`${location.pathname}/record.txt`)).text()")
    record.write_text(text, encoding="utf-8")
    shown = subprocess.run([sys.executable, "-m", "azulejos", "replay", str(record)],
                           check=True, capture_output=True, text=True)
    score = frame.locator(".own .score").first.text_content()
    assert score
    assert score in shown.stdout


@pytest.mark.skipif(not AXE.exists(), reason="axe is not installed")
def test_home_and_table_have_no_barriers(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    frame = opened(page, f"{site}#new?box=azul")
    frame.click("main form button.primary")
    frame.wait_for_selector("#table .piece.can", timeout=STARTING)
    find_barriers(frame)
    frame.goto(f"{site}app/")
    find_barriers(frame)


def find_barriers(frame: Frame) -> None:
    frame.evaluate(AXE.read_text(encoding="utf-8"))
    found = frame.evaluate(FIND_BARRIERS)
    assert not found, f"{frame.url}: {found}"


def test_a_game_by_touch_on_a_small_phone(browser: Browser, site: str) -> None:
    with visitor(browser, site, viewport={"width": 360, "height": 640}, has_touch=True,
                 is_mobile=True) as context:
        frame = opened(context.new_page(), f"{site}#new?box=azul")
        frame.tap("main form button.primary")
        frame.wait_for_selector("#table .piece.can", timeout=STARTING)
        play(frame, by_touch=True)
        frame.wait_for_selector("#again:not([hidden])", timeout=60_000)


def test_a_second_window_is_told_and_may_take_over(context: BrowserContext, site: str) -> None:
    first, second = context.new_page(), context.new_page()
    opened(first, site)
    second.goto(site)
    second.get_by_role("button", name="Play here").click()
    shown(second)
    first.get_by_text("The table is open in another window.").wait_for()
