"""A font, a picture or a script that arrives after the page has been drawn moves nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect
from starlette.testclient import TestClient

from azulejos.web.pages.response import fonts_of
from samples import sampled
from web.guests import Guest
from web.server import Server

PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
TWO_FRAMES = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
LATE = ("font", "image")
PAGES = ("/", "/new", "/learn", "/learn/azul", "/rules/azul", "/puzzles", "/puzzles/today?box=azul",
         "/daily", "/you", "/study", "/open")


@pytest.fixture(params=sampled(["en", "pl on a phone"], quick=["pl on a phone"]))
def guest(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Guest]:
    language, *phone = request.param.split(maxsplit=1)
    someone = Guest(browser, server, keys=False, language=language, phone=bool(phone))
    yield someone
    someone.context.close()


def parts_arrive_late(guest: Guest, url: str) -> None:
    """Open a page; its fonts and pictures arrive when it has been drawn without them."""
    page = guest.page
    held: list[Route] = []
    drawn = False

    def hold(route: Route) -> None:
        if route.request.resource_type in LATE and not drawn:
            held.append(route)
        else:
            route.continue_()

    page.route("**/*", hold)
    page.goto(url, wait_until="domcontentloaded")
    page.wait_for_function(PAINTED)
    assert any(route.request.resource_type == "font" for route in held), "the page asks for no font"
    drawn = True
    for route in held:
        route.continue_()
    page.wait_for_load_state("load")
    page.evaluate(TWO_FRAMES)
    assert page.evaluate("window.shifts") == []


@pytest.mark.parametrize("path", PAGES)
def test_what_comes_late_moves_nothing_on_a_page(guest: Guest, path: str) -> None:
    parts_arrive_late(guest, guest.server.url + path)


def test_what_comes_late_moves_nothing_on_a_table(guest: Guest) -> None:
    parts_arrive_late(guest, guest.open_table("you", "bot:random"))


@pytest.mark.parametrize("box", ["azul", "sintra-a", "garden"])
def test_proportions_that_come_late_move_nothing(browser: Browser, server: Server, box: str) -> None:
    """A script gives the pictures of an upright window their proportions."""
    someone = Guest(browser, server, keys=False, language="pl", phone=True)
    page = someone.page
    held: list[Route] = []
    page.route("**/upright.js", lambda route: held.append(route))
    page.goto(f"{server.url}/puzzles/today?box={box}", wait_until="commit")
    page.locator(".own svg").wait_for(state="attached")
    page.wait_for_function(PAINTED)
    expect(page.locator(".own"), "a board without its proportions").to_be_hidden()
    for route in held:
        route.continue_()
    page.locator("#table[data-ready]").wait_for()
    page.evaluate(TWO_FRAMES)
    assert held, "the page does not ask for the script"
    assert page.evaluate("window.shifts") == []
    expect(page.locator(".own")).to_be_visible()
    someone.context.close()


def test_a_table_comes_alive_although_a_part_was_refused(guest: Guest) -> None:
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=429)

    guest.page.route("**/plan/**", refuse_once)
    guest.open_table("you", "bot:random")
    expect(guest.page.locator(".mat .can").first).to_be_attached()
    assert refused


def test_a_browser_keeps_the_fonts(client: TestClient) -> None:
    """Otherwise a slow connection would show the second page without them too."""
    for language in ("en", "cs"):
        for font in fonts_of(language):
            answer = client.get(f"/static/fonts/{font}.woff2")
            assert answer.headers["content-type"] == "font/woff2"
            assert "max-age" in answer.headers["cache-control"]
