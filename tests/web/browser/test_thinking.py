"""Bots think in the page of the one person who plays with them, and on the server if the page cannot."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from azulejos.web.tables.table_record import record_of as record_of_table
from bots.positions import played
from samples import sampled
from web.guests import Guest
from web.played import played_out
from web.server import Server

IN_PAGE = "[%bot page]"
THINKS = "html[data-thinks]"
HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
BROKEN = 'WebAssembly.instantiateStreaming = () => Promise.reject(new WebAssembly.RuntimeError("no"));'


def is_rated(said: object) -> bool:
    """Whether a page has sent what it finds about turns."""
    return '"rated"' in str(said)


def record_of(page: Page) -> str:
    """The record of the table that a page shows."""
    answer = page.request.get(re.sub(r"[?#].*", "", page.url) + "/record.txt")
    return answer.text()


def thoughts(page: Page) -> int:
    """How many actions of bots were found in a page."""
    return record_of(page).count(IN_PAGE)


@pytest.mark.parametrize(("box", "bots"), sampled(
    [("azul", ("level:3",)), ("azul", ("level:7@1", "level:2")), ("garden", ("level:2",)),
     ("sintra-a", ("level:6",))],
    quick=[("azul", ("level:3",))],
))
def test_bots_think_in_the_page_and_the_record_says_so(
    guest: Guest, box: str, bots: tuple[str, ...]
) -> None:
    guest.open_table("you", *(f"bot:{word}" for word in bots), box=box)
    page = guest.page
    expect(page.locator(THINKS)).to_have_count(1)
    known = thoughts(page)
    for _ in range(2):
        guest.ready()
        guest.take("roam")
    guest.ready()
    assert thoughts(page) >= known + 1
    assert not guest.errors


def test_a_hidden_page_rests_and_the_server_thinks(guest: Guest) -> None:
    guest.open_table("you", "bot:level:3")
    page = guest.page
    expect(page.locator(THINKS)).to_have_count(1)
    guest.ready()
    page.evaluate(HIDDEN, True)
    known = thoughts(page)
    guest.take("roam")
    guest.ready()
    assert thoughts(page) == known
    page.evaluate(HIDDEN, False)
    expect(page.locator(THINKS)).to_have_count(1)
    for _ in range(2):
        guest.take("roam")
        guest.ready()
    assert thoughts(page) > known


def test_if_the_module_fails_in_a_page_the_server_thinks(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server)
    page = guest.page

    def break_module(route: object) -> None:
        answer = route.fetch()  # type: ignore[attr-defined]
        route.fulfill(response=answer, body=BROKEN + answer.text())  # type: ignore[attr-defined]

    guest.context.route("**/static/thinking_worker.js", break_module)
    with page.expect_console_message(lambda said: "server thinks" in said.text):
        guest.open_table("you", "bot:level:3")
    guest.ready()
    guest.take("roam")
    guest.ready()
    assert thoughts(page) == 0
    guest.context.close()


@pytest.mark.parametrize(("box", "players"), sampled([("azul", 2), ("garden", 3)], quick=[("azul", 2)]))
def test_the_page_of_a_study_rates_the_turns(guest: Guest, box: str, players: int) -> None:
    page, url, text = guest.page, guest.server.url, played(box, players, seed=3, decisions=4).text()
    made = page.request.post(f"{url}/study", form={"text": text}, headers={"origin": url})
    with page.expect_websocket() as opened:
        page.goto(made.url)
    with opened.value.expect_event("framesent", is_rated):
        expect(page.locator(THINKS)).to_have_count(1)
    expect(page.locator("#turns button").first).to_be_visible()
    with opened.value.expect_event("framesent", is_rated):
        page.locator("#turns button").first.click()
    expect(page.locator("#turns button").first).to_be_visible()
    assert not guest.errors


def test_nothing_is_read_where_several_people_play(guest: Guest) -> None:
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(request.url))
    guest.open_table("you", "you", "bot:level:2")
    guest.ready()
    guest.take("roam")
    guest.ready()
    assert not [url for url in asked if "/engine/" in url]


@pytest.mark.parametrize("fault", [
    "Object.defineProperty(Animation.prototype, 'finished', { get: () => new Promise(() => {}) })",
    "Element.prototype.animate = () => { throw new Error('no animation'); }",
], ids=["never over", "failing"])
def test_a_turn_is_offered_whatever_animations_do(browser: Browser, server: Server, fault: str) -> None:
    guest = Guest(browser, server)
    guest.context.add_init_script(fault)
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.take("roam")
    guest.ready()
    guest.context.close()


DEAF = """(() => {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (said) {
    if (!window.deaf || !said.play) return post.call(this, said);
    window.deaf = false;
    this.terminate();
  };
})()"""


@pytest.mark.slow
def test_a_worker_that_the_browser_has_ended_is_replaced(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server)
    guest.context.add_init_script(DEAF)
    guest.open_table("you", "bot:level:3")
    page = guest.page
    expect(page.locator(THINKS)).to_have_count(1)
    guest.ready()
    page.evaluate("window.deaf = true")
    with page.expect_worker():
        guest.take("roam")
        guest.ready()
    known = thoughts(page)
    expect(page.locator(THINKS)).to_have_count(1)
    while thoughts(page) == known:
        guest.take("roam")
        guest.ready()
    guest.context.close()


def test_files_that_fail_for_a_moment_are_read_again(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server)
    guest.context.route("**/engine/**", lambda route: route.fulfill(status=429), times=3)
    guest.open_table("you", "bot:level:3")
    expect(guest.page.locator(THINKS)).to_have_count(1)
    guest.context.close()


def test_the_page_searches_for_a_hint(guest: Guest) -> None:
    page = guest.page
    with page.expect_websocket() as opened:
        guest.open_table("you", "bot:level:3")
    expect(page.locator(THINKS)).to_have_count(1)
    guest.ready()
    with opened.value.expect_event("framesent", lambda said: '"searched"' in str(said)):
        page.locator("#hint-button").click()
    expect(page.locator("#hint")).not_to_be_empty()
    assert not guest.errors


def test_the_page_weighs_the_moments_of_a_game_that_is_looked_back_at(guest: Guest) -> None:
    page, url = guest.page, guest.server.url
    text = record_of_table(played_out()).write()
    opened = page.request.post(f"{url}/open", form={"text": text}, headers={"origin": url})
    said: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda each: said.append(str(each))))
    page.goto(opened.url)
    page.locator("[data-opens=moves]").click()
    expect(page.locator("#prospects-line .line")).to_have_count(1)
    assert any('"searched"' in each for each in said)
    page.locator("#on").click()
    expect(page.locator("#prospects-win")).to_contain_text("%")
    before = page.locator("#where").inner_text()
    page.locator("#prospects-line").click()
    expect(page.locator("#where")).not_to_have_text(before)
    assert not guest.errors
