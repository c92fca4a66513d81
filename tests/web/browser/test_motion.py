"""Motion in a real Chromium: journeys, the scoring show, the result, and less of all that."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from samples import sampled
from web.guests import Guest
from web.hands import middle, rested
from web.server import Server


def test_less_motion_is_said_with_a_switch(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, motion="system", still=True)
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.page.get_by_role("button", name="Settings").click()
    line = guest.page.locator(".less-motion")
    expect(line, "it is not said that pieces do not fly").to_be_visible()
    with guest.page.expect_response("**/wishes"):
        guest.page.get_by_role("button", name="Animate anyway").click()
    expect(line).to_be_hidden()
    expect(guest.page.locator("html[data-motion=normal]"), "the switch does nothing").to_have_count(1)
    guest.context.close()


SHOWS = """() => {
  const root = document.documentElement;
  window.told = [];
  window.strayed = [];
  const within = (inner, outer) => inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
    && inner.right <= outer.right + 1;
  new MutationObserver(() => {
    const bar = document.querySelector(".bar").getBoundingClientRect();
    for (const chip of document.querySelectorAll(".counts > *")) {
      const where = `${root.dataset.beat}: ${chip.className}`;
      if (!within(chip.getBoundingClientRect(), bar)) window.strayed.push(where);
    }
    const pieces = document.querySelectorAll(".offer .piece:not([data-kind=marker])").length;
    const now = [root.dataset.show ?? "", root.dataset.beat ?? "", pieces].join("|");
    if (window.told.at(-1) !== now) window.told.push(now);
  }).observe(root, { attributes: true, attributeFilter: ["data-show", "data-beat", "data-ply"] });
}"""


def play_until_points_are_counted(guest: Guest) -> None:
    """Return when the show has begun. (It may be over already.)"""
    page = guest.page
    page.evaluate(SHOWS)
    begun = page.locator("html[data-show], html[data-shows]")
    for _ in range(60):
        expect(page.locator(".mat .can").or_(begun).first).to_be_attached()
        if begun.count():
            return
        before = guest.where()
        guest.take("click")
        expect(page.locator("#where")).not_to_have_text(before)
    pytest.fail("the round never ends")


@pytest.mark.parametrize("still", sampled([False, True], quick=[False]))
def test_a_round_is_scored_seat_by_seat_before_the_next_deal(
    browser: Browser, server: Server, still: bool
) -> None:
    guest = Guest(browser, server, motion="system" if still else "fast", still=still)
    guest.open_table("you", "you")
    play_until_points_are_counted(guest)
    page = guest.page
    expect(page.locator("html[data-shows='1']")).to_have_count(1)
    expect(page.locator(".offer .piece.can").first).to_be_attached()
    told = [one.split("|") for one in page.evaluate("() => window.told")]
    lines = [(beat, int(pieces)) for show, beat, pieces in told if show]
    assert len(lines) >= 2
    assert all(pieces == 0 for _, pieces in lines), "the deal came before the show was over"
    assert [beat.split(" ")[0] for beat, _ in lines if beat] == [str(n + 1) for n in range(len(lines))]
    assert page.locator(".rise, .lit, .waits, .counting").count() == 0
    assert page.evaluate("() => window.strayed") == []
    guest.check()
    guest.context.close()


@pytest.mark.parametrize("how", sampled(["key", "click"], quick=["key"]))
def test_any_key_or_click_skips_the_show(moving: Guest, how: str) -> None:
    page = moving.page
    page.clock.install()
    moving.open_table("you", "you")
    moving.ready()
    page.clock.pause_at(page.evaluate("Date.now() + 60_000"))  # the show stays at its first line
    play_until_points_are_counted(moving)
    expect(page.locator("html[data-show=scoring] .rise").first).to_be_attached()
    beat = str(page.locator("html").get_attribute("data-beat"))
    assert re.match(r"1 of ([2-9]|\d\d):", beat)
    if how == "key":
        page.keyboard.press("Shift")
    else:
        page.mouse.click(*middle(page.locator(".skip-show")))  # it is gone before the button is released
    expect(page.locator("html[data-show]")).to_have_count(0)
    expect(page.locator(".offer .piece.can").first).to_be_attached()
    seen = [one for one in page.evaluate("() => window.told") if one.startswith("scoring|")]
    assert {one.split("|")[1] for one in seen} - {""} == {beat}, "another line was shown"


def test_quick_keys_during_motion_are_never_lost(moving: Guest) -> None:
    """A whole turn typed while pieces are still on their way, ten times."""
    moving.open_table("you", "you")
    page = moving.page
    for _ in range(5):
        moving.ready()
        before = moving.where()
        keys = page.locator("#sheet button:not([data-back]) .letter").first.text_content()
        page.keyboard.type(str(keys))
        if page.locator("#sheet .target").count():
            page.keyboard.type(str(page.locator("#sheet .target .letter").first.text_content()))
        expect(page.locator("#confirm")).to_be_enabled()
        page.keyboard.press("Enter")
        expect(page.locator("#where")).not_to_have_text(before)
    moving.check()


TOLD = """() => {
  window.headlines = [];
  const root = document.documentElement;
  new MutationObserver(() => {
    const live = [...document.querySelectorAll(".bar > :not(.counts) button, .bar > :is(a, button)")]
      .some((one) => getComputedStyle(one).visibility === "visible" && one.offsetParent);
    const headline = document.querySelector("#band strong").textContent;
    if (root.dataset.show) window.headlines.push([headline, live]);
  }).observe(root, { attributes: true, attributeFilter: ["data-show", "data-beat"] });
}"""


@pytest.mark.slow
def test_the_result_is_not_told_before_the_last_points_are_counted(
    browser: Browser, server: Server
) -> None:
    guest = Guest(browser, server, motion="fast")
    guest.open_table("you", "you")
    page = guest.page
    page.evaluate(TOLD)
    while page.locator("#again[hidden]").count():
        guest.take("click")
        expect(page.locator(".mat .can, #again:not([hidden]), html[data-show]").first).to_be_attached()
        if page.locator("html[data-show]").count() and not page.locator("#again:not([hidden])").count():
            page.keyboard.press("Shift")
    expect(page.locator("#result")).to_be_visible()
    for board in page.locator("#result-boards svg").all():
        expect(board).to_be_visible()
        expect(board).to_be_in_viewport(ratio=0.99)
    expect(page.locator("#result-boards figure")).to_have_count(2)
    for figure in page.locator("#result-boards figure").all():
        expect(figure.locator(".called, figcaption b").locator("visible=true").first).not_to_be_empty()
    expect(page.locator("#result-yours")).not_to_be_empty()
    headlines = page.evaluate("() => window.headlines")
    assert {headline for headline, _ in headlines} == {
        "The points are counted.", "The last points are counted …"
    }
    assert not any(live for _, live in headlines), "a button can be pressed while points are counted"
    guest.context.close()


@pytest.mark.slow
def test_the_result_names_the_winner_and_gives_back_the_focus(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    page = guest.page
    while page.locator("#again[hidden]").count():
        guest.take("click")
        expect(page.locator(".mat .can, #again:not([hidden]), html[data-show]").first).to_be_attached()
        if page.locator("html[data-show]").count():
            page.keyboard.press("Shift")
    card = page.locator("#result")
    expect(card).to_be_visible()
    expect(card.locator("h2")).to_have_text(page.locator("#band strong").inner_text())
    expect(page.locator("#result-review")).to_be_focused()
    sums = card.locator(".total td").all_inner_texts()
    assert sorted(sums) == sorted(page.locator(".mat svg .score").all_text_contents())
    guest.check(name="result")
    page.locator("#result-close").click()
    expect(card).to_be_hidden()
    expect(page.locator("#again button")).to_be_focused()
    page.reload()
    expect(page.locator("#to-review"), "the review is gone with the card").to_be_visible()
    page.locator("#to-review").click()
    expect(page.locator("[data-state=none]")).to_have_count(0)
    expect(page.locator("[data-state]").first).to_be_attached()


COUNT_JOURNEYS = """() => {
  window.journeys = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, ...how) {
    const travels = frames.some(({ transform }) => transform);
    if (travels && this.classList.contains("carrier")) window.journeys += 1;
    return animate.call(this, frames, ...how);
  };
}"""
"""A journey takes a quarter of a second, too short to be observed reliably on a busy machine."""


def test_whoever_wants_less_motion_sees_no_journeys(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, motion="system", still=True)
    guest.open_table("you", "bot:random")
    guest.page.evaluate(COUNT_JOURNEYS)
    assert guest.play("click", 2) == 2
    assert guest.page.evaluate("window.journeys") == 0
    guest.check()
    guest.context.close()


ALL_PIECES = """() => [...document.querySelectorAll(".mat .piece:not(.ghost)")].reduce(
  (sum, piece) => sum + Number(piece.querySelector(".count-text")?.textContent ?? 1), 0)"""
"""All pieces on the table; stacks count by their numbers."""
WHOLE_BOX = 101
"""Tiles and start marker of Azul."""


def test_pieces_travel_and_leave_nothing_behind(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, motion="fast")
    guest.open_table("you", "bot:random")
    guest.ready()
    rested(guest.page)
    assert guest.page.evaluate(ALL_PIECES) == WHOLE_BOX
    guest.page.evaluate(COUNT_JOURNEYS)
    guest.page.locator(".offer .piece.can").first.click()
    guest.page.locator(".own .slot.can").first.click(force=True)  # a tile may lie on the place
    guest.page.wait_for_function("() => window.journeys > 0")
    rested(guest.page)
    expect(guest.page.locator(".arriving, .travelling")).to_have_count(0)
    assert guest.page.evaluate(ALL_PIECES) == WHOLE_BOX
    guest.check()
    guest.context.close()
