"""Whole games in a real Chromium, by mouse and touch; two browsers, reloads, a server that is killed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from azulejos.web.tables.boxes import playable
from samples import sampled
from web.guests import Guest
from web.server import Server, running


@pytest.mark.slow
def test_a_whole_game_by_clicks_on_the_board(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.check(name="table")
    assert 10 < guest.play("click") < 400
    ends_with_points_and_another_game(guest)


def ends_with_points_and_another_game(guest: Guest) -> None:
    assert guest.scorings > 0
    guest.check(name="over")
    sums_equal_scores(guest)
    over = guest.page.url
    guest.page.get_by_role("button", name="Play again").click()
    guest.page.wait_for_url(lambda url: url != over)
    assert guest.ready()


def sums_equal_scores(guest: Guest) -> None:
    """The breakdown at the end gives every player the score shown on the board."""
    rows = guest.page.locator(".breakdown .tall tr" if guest.phone else ".breakdown .wide tbody tr")
    sums = rows.last.locator("td") if guest.phone else rows.locator("td:last-child")
    boards = guest.page.locator(".mat [data-seat] .score")
    assert sums.count() == boards.count() > 1
    assert sorted(sums.all_inner_texts()) == sorted(boards.all_text_contents())


@pytest.mark.slow
def test_a_whole_game_by_touch_on_a_small_phone(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, phone=True)
    guest.open_table("you", "bot:random")
    assert 10 < guest.play("tap") < 400
    guest.check(name="phone-over")
    sums_equal_scores(guest)
    guest.context.close()


@pytest.mark.parametrize("phone", sampled([False, True], quick=[True]))
def test_a_shared_screen_turns_to_whoever_is_to_move(browser: Browser, server: Server, phone: bool) -> None:
    guest = Guest(browser, server, phone=phone)
    guest.open_table("you", "you", "you")
    own, others = guest.page.locator(".own svg[data-seat]"), guest.page.locator(".other svg[data-seat]")
    guest.ready()
    before = str(own.get_attribute("data-seat"))
    for turn in (1, 2, 3):
        guest.take("tap" if phone else "click")
        following = [str((int(before) + turn + i) % 3) for i in range(3)]
        expect(own).to_have_attribute("data-seat", following[0])
        for place, seat in zip(others.all(), following[1:], strict=True):
            expect(place).to_have_attribute("data-seat", seat)
        guest.ready()
    guest.check(name="shared-phone" if phone else "shared")
    guest.context.close()


def test_turns_by_touch_on_a_small_phone(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, phone=True)
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.check(name="phone")
    guest.tap_piece()
    guest.check(name="phone-target")
    guest.page.locator("#undo").tap()
    expect(guest.page.locator(".mat .chosen")).to_have_count(0)
    assert guest.play("tap", 6) == 6
    guest.check()
    guest.context.close()


PLAIN = {"chocolatier": {"factories": "plain"}, "chocolatier-grey": {"factories": "plain"}}
TABLES: list[tuple[str, dict[str, str]]] = [
    *((box, {}) for box in playable() if box != "azul"), *PLAIN.items(),
]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("box", "options"), TABLES, ids=str)
def test_a_whole_game_of_every_box_by_clicks(guest: Guest, box: str, options: dict[str, Any]) -> None:
    name = "-".join(["box", box, *options.values()])
    guest.open_table("you", "bot:random", box=box, **options)
    guest.ready()
    guest.check(name=name)
    guest.page.emulate_media(color_scheme="dark")
    guest.check(name=f"{name}-dark")
    guest.page.emulate_media(color_scheme="light")
    assert 4 < guest.play("roam") < 400
    guest.check(name=f"{name}-over")
    assert guest.scorings > 0
    assert guest.payments > 0 or not box.startswith("garden")
    sums_equal_scores(guest)


@pytest.mark.slow
@pytest.mark.parametrize("box", playable())
def test_turns_of_every_box_by_touch_on_a_small_phone(browser: Browser, server: Server, box: str) -> None:
    guest = Guest(browser, server, phone=True, dark=box in ("garden", "sintra-b"))
    guest.open_table("you", "you", box=box)
    guest.ready()
    guest.check(name=f"phone-{box}")
    assert guest.play("wander", 16) == 16
    guest.ready()
    guest.check(name=f"phone-{box}-later")
    guest.context.close()


DRAWN = """(panel) => [...document.querySelectorAll(`[data-panel=${panel}] :is(.slot, .piece)`)].map(
  (node) => [node.dataset.slot, node.dataset.kind, node.getAttribute("transform"), node.ariaLabel,
    node.textContent].join(" ")
).sort()"""


def test_two_browsers_and_a_spectator_see_the_same(browser: Browser, server: Server) -> None:
    ana, bo, eye = (Guest(browser, server) for _ in range(3))
    url = ana.open_table("you", "friend", start="1")
    for other in (bo, eye):
        other.page.goto(url)
    bo.page.get_by_label("Your name").fill("Bo")
    bo.page.get_by_role("button", name="Sit down").click()
    for move, mover in enumerate((ana, bo) * 3):
        for someone in (ana, bo, eye):
            expect(someone.page.locator("#where")).to_have_text(f"move {move} of {move}")
            expect(someone.page.locator("[data-panel=offer] .piece").first).to_be_attached()
        drawn = [one.page.evaluate(DRAWN, "offer") for one in (ana, bo, eye)]
        assert drawn[0]
        assert drawn[0] == drawn[1] == drawn[2]
        mover.ready()
        mover.take("click")
    expect(eye.page.locator("#sheet button")).to_have_count(0)
    for someone in (ana, bo, eye):
        someone.check()
        someone.context.close()


def test_a_reload_in_the_middle_changes_nothing(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    for _ in range(3):
        guest.ready()
        before = guest.where()
        guest.take("click")
        expect(guest.page.locator("#where")).not_to_have_text(before)
    guest.ready()
    guest.page.wait_for_timeout(0)
    board = guest.page.evaluate(DRAWN, "seat1")
    guest.page.locator("#sheet button").first.click()
    guest.page.reload()
    guest.ready()
    assert guest.page.evaluate(DRAWN, "seat1") == board
    guest.check()


def test_the_server_is_killed_and_the_table_comes_back(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path) as server:
        guest = Guest(browser, server)
        guest.open_table("you", "bot:random")
        guest.ready()
        guest.take("click")
        guest.ready()
        before = guest.where()
        server.kill()
        expect(guest.page.locator("#hint")).to_contain_text("Connection lost")
        server.restart()
        expect(guest.page.locator("html[data-line=lost]")).to_have_count(0)
        expect(guest.page.locator("#where")).to_have_text(before)
        guest.take("click")
        expect(guest.page.locator("#where")).not_to_have_text(before)
        guest.context.close()
