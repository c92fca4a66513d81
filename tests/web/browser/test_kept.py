"""A turn made without a connection, in a real Chromium: kept, sent later, or refused with a sentence."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from web.guests import Guest
from web.server import Server, running

MINE = "html[data-turn=mine]"
LOST = "html[data-line=lost]"
SENT = "The turn that you made without a connection was sent."


def choose(guest: Guest) -> None:
    """A whole turn but for Confirm."""
    guest.page.locator(".offer .piece.can").first.click()
    targets = guest.page.locator(".own .slot.can")
    if targets.count():
        targets.first.click(force=True)
    expect(guest.page.locator("#hint")).to_contain_text("There is no connection.")
    expect(guest.page.locator("#confirm")).to_be_enabled()


def two_at_a_table(browser: Browser, server: Server) -> tuple[Guest, Guest, str]:
    ana, bo = Guest(browser, server), Guest(browser, server)
    url = ana.open_table("you", "friend", start="1", agreed={"minutes": "d3"})
    bo.page.goto(url)
    bo.page.get_by_label("Your name").first.fill("Bo")
    bo.page.get_by_role("button", name="Sit down").first.click()
    expect(bo.page.locator("#where")).to_have_text("move 0 of 0")
    expect(ana.page.locator(MINE)).to_have_count(1)
    ana.ready()
    return ana, bo, url


def test_a_turn_without_a_connection_is_sent_later_even_if_the_tab_was_closed(
    browser: Browser, tmp_path: Path
) -> None:
    with running(tmp_path) as server:
        ana, bo, url = two_at_a_table(browser, server)
        server.kill()
        expect(ana.page.locator(LOST)).to_have_count(1)
        choose(ana)
        ana.page.locator("#undo").click()  # not that one
        expect(ana.page.locator(".offer .piece.can").first).to_be_visible()
        choose(ana)
        ana.page.locator("#confirm").click()
        expect(ana.page.locator("#hint")).to_contain_text("Your turn is kept in this browser.")
        ana.page.close()
        server.restart()
        ana.page = ana.context.new_page()
        ana.page.goto(server.url)
        ana.page.get_by_role("link", name="A turn that you made without a connection").click()
        expect(ana.page.locator("#hint")).to_have_text(SENT)
        expect(bo.page.locator(MINE), "the turn was lost").to_have_count(1)
        ana.page.reload()
        expect(ana.page.locator("#where")).not_to_have_text("move 0 of 0")
        ana.page.goto(server.url)
        expect(ana.page.locator(".unsent")).to_have_count(0)

        # in the page that stays open, and by somebody whose network says that it is gone
        bo.context.set_offline(True)
        expect(bo.page.locator(LOST)).to_have_count(1)
        choose(bo)
        bo.page.locator("#confirm").click()
        expect(bo.page.locator("#hint")).to_contain_text("Your turn is kept in this browser.")
        bo.context.set_offline(False)
        expect(bo.page.locator("#hint")).to_have_text(SENT)
        ana.page.goto(url)
        expect(ana.page.locator(MINE)).to_have_count(1)
        for someone in (ana, bo):
            someone.context.close()


def test_a_turn_is_refused_if_the_game_has_gone_on(browser: Browser, server: Server) -> None:
    ana, bo, _ = two_at_a_table(browser, server)
    phone = Guest(browser, server, phone=True)
    ana.page.locator("[data-opens=people]").first.click()
    ana.page.locator("#side-people summary", has_text="Continue on another device").click()
    phone.page.goto(ana.page.get_by_label("Link that lets another device play your seat").input_value())
    expect(phone.page.locator(MINE)).to_have_count(1)
    ana.context.set_offline(True)
    expect(ana.page.locator(LOST)).to_have_count(1)
    choose(ana)
    ana.page.locator("#confirm").click()
    expect(ana.page.locator("#hint")).to_contain_text("Your turn is kept in this browser.")
    phone.take("tap")
    expect(bo.page.locator(MINE)).to_have_count(1)
    ana.context.set_offline(False)
    expect(ana.page.locator("#hint")).to_contain_text("The game has gone on")
    expect(ana.page.locator("#where")).to_have_text("move 1 of 1")
    assert ana.page.evaluate("Object.keys(localStorage).filter((name) => name.includes('kept'))") == []
    for someone in (ana, bo, phone):
        someone.context.close()
