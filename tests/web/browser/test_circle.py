"""People who come back, in real browsers: a name and a face, a friend over days, another device."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from web.guests import Guest
from web.node import AXE
from web.server import Server


@pytest.fixture
def bo(browser: Browser, server: Server) -> Iterator[Guest]:
    someone = Guest(browser, server, phone=True)
    yield someone
    someone.context.close()


def choose(page: Page, server: Server, name: str) -> None:
    page.goto(f"{server.url}/me")
    page.locator(".be input[name=name]").fill(name)
    page.locator(".look").first.locator("label").nth(6).click()
    page.locator(".be button").click()
    expect(page.locator("#me")).to_have_text(name)


def test_a_name_and_a_face_sit_at_the_table_and_go_to_another_device(
    guest: Guest, bo: Guest, server: Server
) -> None:
    page = guest.page
    choose(page, server, "Ana")
    page.goto(f"{server.url}/new")
    page.locator("input[name=minutes][value=d3]").check(force=True)
    page.locator(".chip .pick").nth(1).click()
    page.locator("input[name=pick][value=friend]").check(force=True)
    page.locator(".sheet-foot .primary").click()
    expect(page.locator("#invitation")).to_have_text("Send this link")
    bo.page.goto(page.url)
    expect(bo.page.locator(".facts").nth(1)).to_have_text("3 days a turn")
    bo.page.locator("#sit input[name=name]").fill("Bo")
    bo.page.locator("#sit .primary").click()
    face = bo.page.locator('[data-seat-card="0"] .face img')
    expect(face).to_be_visible()
    expect(bo.page.locator(".clock").first).to_contain_text("d")

    page.goto(f"{server.url}/me")
    page.get_by_role("button", name="Take me along").click()
    code = page.locator(".code-words code").inner_text()
    phone = bo.context.browser.new_context() if bo.context.browser else None
    assert phone is not None
    other = phone.new_page()
    other.goto(f"{server.url}/me")
    other.locator("input[name=code]").fill(code)
    other.get_by_role("button", name="Become the same here").click()
    expect(other.locator("#me")).to_have_text("Ana")
    other.goto(server.url)
    expect(other.locator(".games .game")).to_have_count(1)
    phone.close()


def test_bots_say_a_line_unless_they_are_told_not_to(guest: Guest, server: Server) -> None:
    page = guest.page
    guest.open_table("you", "bot:random")
    page.wait_for_function("() => document.documentElement.dataset.ply !== undefined")
    page.evaluate("""async () => {
      const { Banter } = await import("/static/banter.js");
      const lines = [];
      const banter = new Banter({ "banter-gift": "one|two|three" });
      for (let i = 0; i < 30; i++) { banter.quiet = 0; banter.say(1, "gift"); lines.push(banter.last); }
      window.lines = lines;
    }""")
    lines = page.evaluate("window.lines")
    assert set(lines) == {"one", "two", "three"}
    assert all(one != other for one, other in pairwise(lines))


@pytest.mark.skipif(not AXE.exists(), reason="axe is not installed")
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_barrier_on_the_pages_of_people(browser: Browser, server: Server, dark: bool) -> None:
    guest = Guest(browser, server, keys=False, dark=dark)
    page = guest.page
    choose(page, server, "Ana")
    page.goto(f"{server.url}/meet")
    page.locator("input[name=title]").fill("Club")
    page.get_by_role("button", name="Open a circle").click()
    expect(page.locator("#circle")).to_have_text("Club")
    guest.find_barriers()
    for path in ("/me", "/meet", "/league", "/archive", "/notices"):
        page.goto(server.url + path)
        guest.find_barriers()
    guest.context.close()
