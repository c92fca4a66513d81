"""Turns by dragging, with a mouse and with a finger, in a real Chromium."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Browser, Page, expect

from azulejos.web.tables.boxes import playable
from web.guests import Guest
from web.hands import Finger, Hand, Mouse, drag_turn, drop, middle, pick_up, rested
from web.server import Server


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
