"""The set-up in a real Chromium: boxes, seats, options, with and without scripts."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from web.guests import Guest
from web.server import Server


def test_another_box_keeps_names_and_seats(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new")
    page.locator(".chip .pick").first.click()
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Add a bot").click()
    page.locator("label.bot", has_text="Porcelain").first.click()
    page.locator("label.variant", has_text="Grey wall").click()
    page.locator("label.box", has_text="Queen's Garden").click()
    names = page.locator(".chip b")
    expect(names).to_have_text(["Ana", "Clay", "Porcelain"])
    expect(page.locator("#summary"), "the choice that was lost is not named").to_contain_text("Grey wall")


def test_an_option_without_effect_is_not_offered(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new?box=azul")
    page.get_by_text("More settings").click()
    split = page.get_by_label("How SPLIT divides")
    expect(split.locator("visible=true")).to_have_count(0)
    page.get_by_label("Factories").locator("visible=true").select_option("special")
    expect(split.locator("visible=true")).to_have_count(1)


def test_bots_and_boxes_are_chosen_by_arrow_keys(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new")
    page.locator("input[name=cover]:checked").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#summary")).to_contain_text("Master Chocolatier")
    page.locator("input[name=pick]:checked").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".chip.chosen b")).to_have_text("Brick")


def test_the_set_up_works_without_scripts(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}/new?box=azul")
    page.get_by_label("Name on seat 1").fill("Ana")
    page.locator("#seat1").select_option("bot:level:1")
    page.locator(".sheet-foot .primary").click()
    assert "/t/" in page.url
    context.close()


def test_a_removed_player_can_be_brought_back(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new")
    page.get_by_role("button", name="Add a bot").click()
    page.get_by_role("button", name=re.compile("^Remove")).last.click()
    expect(page.locator(".chip:not(.add)")).to_have_count(2)
    page.locator("#summary").get_by_role("button", name="Undo").click()
    expect(page.locator(".chip:not(.add)")).to_have_count(3)


def test_the_set_up_fits_into_a_laptop(guest: Guest) -> None:
    guest.page.goto(f"{guest.server.url}/new")
    expect(guest.page.locator(".chip").first).to_be_visible()
    expect(guest.page.locator(".sheet-foot .primary")).to_be_in_viewport(ratio=1)
    expect(guest.page.get_by_text("More settings")).to_be_in_viewport(ratio=1)
    beyond = "document.documentElement.scrollHeight - innerHeight"
    assert guest.page.evaluate(beyond) <= 0, "the set-up has to be scrolled"
    expect(guest.page.locator("input[name=minutes]")).to_have_count(5)
