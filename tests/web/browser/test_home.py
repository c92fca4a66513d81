"""The home page in a real Chromium: three clicks to a move, what was played last, own games."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from web.browser.test_visibility import SIDEWAYS
from web.guests import Guest
from web.server import Server


def test_three_clicks_from_a_cold_page_to_the_first_move(guest: Guest) -> None:
    page = guest.page
    page.goto(guest.server.url)
    page.get_by_role("button", name=re.compile("^Play Azul")).click()
    page.wait_for_url("**/t/*")
    page.locator(".offer .piece.can").first.click()
    page.locator(".own .slot.can").first.click(force=True)
    expect(page.locator("#confirm"), "after three clicks no move is on the table").to_be_enabled()


def test_play_repeats_what_was_played_last_and_remembers_the_name(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new")
    page.locator("label.box", has_text="Master Chocolatier").click()
    page.locator(".chip .pick").first.click()
    page.get_by_label("Your name").fill("Ana")
    page.locator(".chip .pick").nth(1).click()
    page.locator("label.bot", has_text="Clay").click()
    page.locator(".sheet-foot .primary").click()
    page.wait_for_url("**/t/*")
    page.goto(guest.server.url)
    expect(page.locator(".play")).to_contain_text("Master Chocolatier, against Clay, easy")
    page.goto(f"{guest.server.url}/new")
    expect(page.locator(".chip b").first).to_have_text("Ana")


def test_a_table_that_is_gone_offers_another(guest: Guest) -> None:
    guest.page.goto(f"{guest.server.url}/t/nothing-here")
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("This table is gone.")
    guest.page.get_by_role("link", name="Start one of your own").click()
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("Set up a game")


def test_your_games_can_be_told_apart_and_your_turn_comes_first(guest: Guest) -> None:
    guest.open_table("you", "friend")
    guest.open_table("you", "you", box="garden")
    guest.page.goto(guest.server.url)
    cards = guest.page.locator(".game")
    expect(cards.first).to_contain_text("Your turn")
    expect(cards.first.locator("svg.small")).to_be_visible()
    texts = cards.all_inner_texts()
    assert len(set(texts)) == len(texts), texts


def test_the_living_board_is_still_for_whoever_wants_less_motion(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, motion="system", still=True)
    guest.page.goto(server.url)
    expect(guest.page.locator("#living[data-ready]")).to_have_count(1)
    expect(guest.page.locator("#living .piece").first).to_be_attached()
    assert guest.page.evaluate("document.getAnimations().filter((one) => "
                               "one.effect.target.closest('#living')).length") == 0
    guest.page.get_by_role("link", name="Watch").click()
    expect(guest.page.locator("#table[data-watching]")).to_be_visible()
    guest.context.close()


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_the_daily_deal_and_a_duplicate_are_one_press_away(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(server.url)
    page.get_by_role("link", name=re.compile("^The easy deal of the day")).click()  # a newcomer's
    page.get_by_label("Your name").fill("Ana")
    assert page.evaluate(SIDEWAYS) == 0
    page.get_by_role("button", name="Play today").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#band"), "the table of the day does not open").not_to_be_empty()
    page.goto(f"{server.url}/duplicate")
    assert page.evaluate(SIDEWAYS) == 0
    page.get_by_role("button", name="Deal").click()
    expect(page.get_by_role("link", name="To your table")).to_be_visible()
    expect(page.get_by_label("Link to this duplicate")).to_have_value(re.compile("/duplicate/"))
    assert page.evaluate(SIDEWAYS) == 0
    context.close()
