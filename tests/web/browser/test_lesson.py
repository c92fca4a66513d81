"""Lessons in a real Chromium: by taps, by keyboard, and shown from beginning to end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from azulejos.web.pages.guides import courses
from samples import sampled
from web.guests import Guest
from web.server import Server

BOXES = sorted({box.name for box, _ in courses().values()})


@pytest.mark.parametrize(("box", "phone"), sampled(
    [(box, phone) for box in BOXES for phone in (False, True)], quick=[("azul", True)]
))
def test_a_lesson_shows_itself_from_beginning_to_end(
    browser: Browser, server: Server, box: str, phone: bool
) -> None:
    guest = Guest(browser, server, phone=phone)
    page = guest.page
    page.goto(f"{server.url}/learn/{box}")
    finished = page.locator("#finished")
    for _ in range(20):
        expect(page.locator("#lesson[data-ready]")).to_have_count(1)
        offered = "#show:not([hidden]), #next:not([hidden]), #finished:not([hidden]), #places button"
        expect(page.locator(offered).first).to_be_attached()
        if finished.is_visible():
            break
        take_a_step(page)
    expect(finished).to_be_visible()
    expect(finished.get_by_role("button", name="Play against Sand")).to_be_visible()
    guest.check()
    guest.context.close()


def take_a_step(page: Page) -> None:
    """Press what is offered: Next, Show me, or any accepted place."""
    task = page.locator("#task").inner_text()
    if page.locator("#next").is_visible():
        page.locator("#next").click()
        page.wait_for_function("(was) => document.getElementById('task').textContent !== was || "
                               "!document.getElementById('finished').hidden", arg=task)
    elif page.locator("#show").is_visible():
        page.locator("#show").click()
        page.wait_for_function("(was) => document.getElementById('task').textContent !== was || "
                               "!document.getElementById('next').hidden", arg=task)
    else:
        page.locator("#places button").first.evaluate("(button) => button.click()")


def test_a_lesson_refuses_with_a_reason_and_goes_on_by_taps(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, phone=True)
    page = guest.page
    page.goto(f"{server.url}/learn/azul")
    expect(page.locator("#lesson[data-ready]")).to_have_count(1)
    says = page.locator("#says")
    page.locator(".piece[data-slot='F1.red']").first.tap(force=True)
    expect(says).to_have_text("The right factory, but we need blue: tap one of the two blue tiles.")
    expect(page.locator("#guide[data-mood=error]")).to_have_count(1)
    page.locator(".piece[data-slot='F2.yellow']").first.tap(force=True)
    expect(says).to_contain_text("the bright circle")
    expect(page.locator("#show.primary"), "after two errors it does not offer to show").to_be_visible()
    page.locator(".piece[data-slot='F1.blue']").first.tap(force=True)
    expect(page.locator("#task")).to_have_text("Put them in line 2.")
    page.locator(".slot[data-slot='seat1.line2']").tap(force=True)
    expect(page.locator("#next")).to_be_visible()
    assert page.locator(".piece[data-slot='seat1.line2']").count() == 2
    page.locator("#next").tap()
    expect(page.locator("#count")).to_have_text("3 of 8")
    page.reload()
    expect(page.locator("#count"), "the place in the lesson was not kept").to_have_text("3 of 8")
    guest.check(name="lesson-phone")
    guest.find_barriers()
    guest.context.close()


POINTED_AT = """() => {
  const hand = document.querySelector(".hand").getBoundingClientRect();
  const [x, y] = [hand.left + hand.width / 3, hand.top + 2];  // the tip of its finger
  document.getElementById("veil").style.display = "none";
  return document.elementFromPoint(x, y).closest("[data-slot]").dataset.slot;
}"""


@pytest.mark.parametrize(("box", "slot"), sampled(
    [("azul", "F1.blue"), ("sintra-a", "F1.pink")], quick=[("azul", "F1.blue")]
))
def test_the_hand_of_a_lesson_points_at_what_to_take(
    browser: Browser, server: Server, box: str, slot: str
) -> None:
    for phone in (False, True):
        guest = Guest(browser, server, phone=phone)
        guest.page.goto(f"{server.url}/learn/{box}")
        expect(guest.page.locator("#lesson[data-ready] .hand")).to_have_count(1)
        assert guest.page.evaluate(POINTED_AT) == slot
        guest.context.close()


def test_a_lesson_by_keyboard(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/learn/azul")
    expect(page.locator("#lesson[data-ready]")).to_have_count(1)
    page.locator("#places button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#task")).to_have_text("Put them in line 2.")
    page.locator("#places button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#next")).to_be_focused()


def test_rules_end_in_trying_and_playing(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/rules/azul")
    page.get_by_role("link", name="Try it").click()
    expect(page.locator("#lesson[data-ready]")).to_have_count(1)
