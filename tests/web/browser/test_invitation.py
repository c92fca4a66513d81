"""Inviting a friend, in a real Chromium: link, chair, and who comes too late."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from web.guests import Guest
from web.server import Server


def small_phone(guest: Guest) -> Page:
    guest.page.set_viewport_size({"width": 360, "height": 640})
    return guest.page


def test_an_invited_friend_sees_how_to_join_on_a_small_phone(browser: Browser, server: Server) -> None:
    host, friend = Guest(browser, server), Guest(browser, server, phone=True)
    host.page.goto(server.url)
    host.page.get_by_role("button", name="Play with a friend").click()
    host.page.wait_for_url("**/t/*")
    expect(host.page.locator("#invite .link")).to_have_value(host.page.url)
    expect(host.page.locator("#invite .qr")).to_be_visible()
    page = small_phone(friend)
    page.goto(host.page.url)
    for part in ("#invitation", "input[name=name]", ".invitation .primary", ".invitation .other"):
        expect(page.locator(part), f"{part} is outside the window").to_be_in_viewport(ratio=1)
    friend.check(name="invitation-360")
    friend.find_barriers()
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Sit down").tap()
    for someone in (host, friend):
        expect(someone.page.locator("#where")).to_have_text("move 0 of 0")
        someone.context.close()


def test_a_seat_that_is_taken_says_so(browser: Browser, server: Server) -> None:
    """The page of the late one does not notice it before the button is pressed."""
    host = Guest(browser, server)
    url = host.open_table("you", "friend")
    late = browser.new_context(java_script_enabled=False)
    page = late.new_page()
    page.goto(url)
    host.page.request.post(f"{url}/sit", form={"seat": "1", "name": "Bo"}, headers={"origin": server.url})
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Somebody else sat down first.")
    expect(page.get_by_role("link", name="Watch")).to_have_attribute("href", url.removeprefix(server.url))
    late.close()
    host.context.close()


def test_a_friend_finds_the_chair_and_the_host_the_link(browser: Browser, server: Server) -> None:
    """Both are in the place of the moves, visible on a phone; they disappear when the game begins."""
    host, friend = Guest(browser, server, phone=True), Guest(browser, server, phone=True)
    url = host.open_table("you", "friend")
    expect(host.page.locator("#invite .link"), "the host is not given the link").to_have_value(url)
    expect(host.page.locator("#invite .qr")).to_be_visible()
    host.check(name="phone-invite")
    friend.page.goto(url)
    friend.page.get_by_label("Your name").fill("Bo")
    friend.check(name="phone-sit")
    friend.page.get_by_role("button", name="Sit down").tap()
    for someone in (host, friend):
        expect(someone.page.locator("#invite"), "the invitation stays in a running game").to_have_count(0)
        expect(someone.page.locator("#where")).to_have_text("move 0 of 0")
        someone.context.close()
