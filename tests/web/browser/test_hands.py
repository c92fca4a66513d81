"""Hands and motion in a real browser: dragging, ghosts, journeys, the scoring show, the result."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from azulejos.web.tables.boxes import playable
from samples import sampled
from web.guests import Guest
from web.hands import Finger, Hand, Mouse, drag_turn, drop, middle, pick_up, rested
from web.server import Server

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


@pytest.fixture
def moving(browser: Browser, server: Server) -> Iterator[Guest]:
    """A person whose table moves."""
    guest = Guest(browser, server, motion="fast")
    yield guest
    guest.context.close()


# --- dragging ----------------------------------------------------------------------------------------


def test_chosen_pieces_follow_the_pointer_and_return_when_dropped_elsewhere(moving: Guest) -> None:
    moving.open_table("you", "you")
    moving.ready()
    page = moving.page
    rested(page)
    piece = page.locator(".offer .piece.can").first
    before = middle(piece)
    pick_up(Mouse(page), piece)
    page.mouse.move(before[0] + 60, before[1] + 30)
    expect(page.locator("html[data-drag]")).to_have_count(1)
    assert middle(page.locator(".piece.dragged").first) != before
    expect(page.locator(".slot.legal").first).to_be_attached()
    expect(page.locator(".offer .piece.quiet").first).to_be_attached()
    page.mouse.move(3, 3)
    page.mouse.up()
    rested(page)
    expect(page.locator(".chosen, .dragged, .legal")).to_have_count(0)
    after = middle(piece)
    assert abs(after[0] - before[0]) + abs(after[1] - before[1]) < 2
    expect(page.locator("#confirm")).to_be_disabled()
    moving.check()


def test_a_dragged_group_is_placed_where_it_is_dropped(moving: Guest) -> None:
    moving.open_table("you", "you")
    moving.ready()
    page = moving.page
    rested(page)
    pick_up(Mouse(page), page.locator(".offer .piece.can").first)
    drop(Mouse(page), page.locator(".own .slot.legal").nth(4))
    expect(page.locator("#confirm")).to_be_enabled()
    rested(page)
    expect(page.locator(".own .piece[data-slot$='line5']").first).to_be_attached()
    moving.check()


def test_turns_by_dragging(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    assert dragged_game(guest, Mouse(guest.page), 4) == 4
    guest.check()


def test_turns_by_dragging_with_a_finger_on_a_small_phone(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, phone=True)
    guest.page.set_viewport_size({"width": 360, "height": 640})
    guest.open_table("you", "bot:random")
    assert dragged_game(guest, Finger(guest.page), 3) == 3
    assert guest.errors == []
    guest.context.close()


def test_a_drag_from_a_plate_shown_large_is_confirmed_at_once(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, phone=True)
    page = guest.page
    page.set_viewport_size({"width": 360, "height": 640})
    guest.open_table("you", "bot:random", start="1")
    guest.ready()
    rested(page)
    before = guest.where()
    page.locator(f".offer .piece.can[data-slot^='{plate_with_a_choice(page)}.']").first.tap()
    expect(page.locator(".loupe")).to_be_visible()
    finger = Finger(page)
    pick_up(finger, page.locator(".loupe .piece.can").first)
    expect(page.locator(".loupe")).to_be_hidden()
    drop(finger, page.locator(".own .slot.legal").nth(4))
    page.locator("#confirm:not([disabled])").tap()
    expect(page.locator("#where")).not_to_have_text(before)
    guest.context.close()


def plate_with_a_choice(page: Page) -> str:
    """A factory with pieces of several kinds: a tap shows it large."""
    slots: list[str] = page.locator(".offer .piece.can").evaluate_all(
        "(all) => all.map((one) => one.dataset.slot)")
    plates = Counter(slot.partition(".")[0] for slot in set(slots))
    return next(plate for plate, kinds in plates.items() if kinds > 1)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("box", playable())
def test_a_whole_game_of_every_box_by_dragging(guest: Guest, box: str) -> None:
    guest.open_table("you", "bot:random", box=box)
    assert 4 < dragged_game(guest, Mouse(guest.page), 400) < 400
    assert guest.scorings > 0
    guest.check(name=f"dragged-{box}")


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("box", playable())
def test_a_whole_game_of_every_box_with_a_finger(browser: Browser, server: Server, box: str) -> None:
    guest = Guest(browser, server, phone=True)
    guest.page.set_viewport_size({"width": 360, "height": 640})
    guest.open_table("you", "bot:random", box=box)
    assert 4 < dragged_game(guest, Finger(guest.page), 400) < 400
    guest.check(name=f"finger-{box}")
    guest.context.close()


def dragged_game(guest: Guest, hand: Hand, turns: int) -> int:
    for turn in range(turns):
        if not guest.ready():
            return turn
        before = guest.where()
        drag_turn(guest, hand)
        expect(guest.page.locator("#where")).not_to_have_text(before)
    return turns


# --- previews in place -------------------------------------------------------------------------------

GHOSTS = """() => [...document.querySelectorAll(".own .piece.ghost")].map((node) =>
  [node.dataset.slot, node.dataset.kind].join(" ")).sort()"""
PIECES = """() => [...document.querySelectorAll(".own .piece:not(.ghost)")].map((node) =>
  [node.dataset.slot, node.dataset.kind].join(" ")).sort()"""


def test_ghosts_are_where_the_pieces_then_lie(guest: Guest) -> None:
    guest.open_table("you", "you")
    page = guest.page
    for wanted in ("line5", "line4", "line1", "floor"):
        guest.ready()
        page.locator(".offer .piece.can").first.click()
        target = page.locator(f".own .slot.legal[data-slot$={wanted}]")
        target.hover(force=True)
        expect(page.locator(".own .piece.ghost").first).to_be_attached()
        ghosts, before = page.evaluate(GHOSTS), page.evaluate(PIECES)
        target.click(force=True)
        expect(page.locator("#confirm")).to_be_enabled()
        now = page.evaluate(PIECES)
        for old in before:
            now.remove(old)
        on_wall = [ghost for ghost in ghosts if ".wall" in ghost]
        assert now == [ghost for ghost in ghosts if ghost not in on_wall]
        assert page.evaluate(GHOSTS) == on_wall, "the wall is not shown until the turn is confirmed"
        page.locator("#confirm").click()
    guest.check()


def test_points_stand_beside_the_places_that_gain_or_lose_them(guest: Guest) -> None:
    guest.open_table("you", "you")
    guest.ready()
    page = guest.page
    page.locator(".offer .piece.can").first.click()
    page.locator(".own .slot.legal").last.hover(force=True)
    expect(page.locator(".own .foreseen.loss")).to_contain_text("−")
    page.locator(".own .slot.legal").first.hover(force=True)
    expect(page.locator(".own .foreseen.gain")).to_have_text("+1")
    page.mouse.move(1, 1)
    expect(page.locator(".foreseen, .ghost")).to_have_count(0)


def test_places_can_be_reached_and_chosen_with_the_tab_key(guest: Guest) -> None:
    guest.open_table("you", "you")
    guest.ready()
    page = guest.page
    page.wait_for_load_state("networkidle")
    page.locator(".offer .slot.can").first.press("Enter")
    expect(page.locator(".own .slot.legal").first).to_be_focused()
    expect(page.locator(".own .ghost").first).to_be_attached()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_enabled()


# --- the scoring show --------------------------------------------------------------------------------


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
    headlines = page.evaluate("() => window.headlines")
    assert {headline for headline, _ in headlines} == {
        "The points are counted.", "The last points are counted …"
    }
    assert not any(live for _, live in headlines), "a button can be pressed while points are counted"
    guest.context.close()


# --- the result --------------------------------------------------------------------------------------


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
    expect(page.locator("#result-rematch")).to_be_focused()
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
