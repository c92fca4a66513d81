"""Looking back in a real Chromium: at any speed, on a phone, while others play, and in opened records."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from azulejos import Record, new
from web.browser.test_people import join
from web.guests import Guest
from web.played import played_out
from web.server import Server


def few_moves() -> str:
    """The record of a game that has just begun."""
    position, rng = new("azul"), random.Random(1)
    position.deal(rng)
    for _ in range(4):
        position.play(position.legal_actions()[0])
        position.deal(rng)
    return Record.from_position(position, seats=["Ana", "Bo"]).write()


def test_looking_back_on_a_phone_moves_nothing(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, phone=True)
    page = guest.page
    page.set_viewport_size({"width": 360, "height": 640})
    opened = page.request.post(f"{server.url}/open", form={"text": few_moves()}, max_redirects=0,
                               headers={"origin": server.url})
    page.goto(f"{server.url}{opened.headers['location'].partition('#')[0]}")
    board = page.locator(".own")
    expect(page.locator("html[data-ply]")).to_have_count(1)
    before = board.bounding_box()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("html[data-looking]")).to_have_count(1)
    for button in ("#first", "#back", "#on", "#now", "#branch button"):
        expect(page.locator(button)).to_be_in_viewport(ratio=1)
    assert board.bounding_box() == before, "the board moves when the buttons for looking back come"
    guest.context.close()


def test_looking_back_offers_to_play_on_from_there(guest: Guest) -> None:
    """In the place of undo and confirm; not while other people play."""
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.take("click")
    guest.ready()
    guest.page.keyboard.press("ArrowLeft")
    expect(guest.page.locator("#confirm")).to_be_hidden()
    table = guest.page.url
    guest.page.get_by_role("button", name="Play on from here").click()
    guest.page.wait_for_url(re.compile(f"^(?!{re.escape(table)}$).*/t/"))
    guest.ready()
    guest.check()


@pytest.mark.slow
def test_twenty_presses_are_twenty_steps(guest: Guest) -> None:
    guest.open_table("you", "you")
    assert guest.play("key", 24) == 24
    page = guest.page
    last, deals = int(page.locator("#moment").get_attribute("max") or 0), page.locator("#deals option")
    dealt = [int(deal.get_attribute("value") or 0) for deal in deals.all()]
    assert len(dealt) > 1, "no round has ended"
    turns = page.locator("#log [data-turn]").count()
    assert last == turns + len(dealt)

    def moves(stop: int) -> str:
        return f"move {stop - sum(deal <= stop for deal in dealt)} of {turns}"

    expect(page.locator("#where"), "deals are counted as moves").to_have_text(moves(last))
    expect(page.locator("#log .goto span").first).to_have_text(str(turns))
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#where")).to_have_text(moves(last - 20))
    page.wait_for_url(re.compile(f"#{last - 20}$"))
    expect(page.locator("#log [aria-current=step]")).to_have_count(1)
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_have_text(moves(last - 13))
    shown = page.locator("#log [aria-current=step] .goto")
    expect(shown).to_have_attribute("data-stop", str(last - 13))
    page.reload()
    where = page.locator("#where")
    expect(where, "the link to a move shows another one").to_have_text(moves(last - 13))
    expect(page.locator("html[data-looking]")).to_have_count(1)
    expect(page.locator("#band")).to_contain_text("Your turn")
    page.get_by_role("button", name="Back to the game", exact=True).first.click()
    expect(page.locator("html[data-looking]")).to_have_count(0)
    page.keyboard.press("Home")
    expect(page.locator("#where")).to_have_text(f"move 0 of {turns}")
    page.keyboard.press("End")
    expect(page.locator("html[data-looking]")).to_have_count(0)
    guest.check()


def test_ones_turn_arrives_while_looking_back(browser: Browser, server: Server) -> None:
    ana, bo = Guest(browser, server), Guest(browser, server)
    url = ana.open_table("you", "friend", start="1")
    join(bo, url)
    ana.ready()
    ana.take("click")
    expect(bo.page.locator("html[data-turn=mine]")).to_have_count(1)
    ana.page.keyboard.press("ArrowLeft")
    expect(ana.page.locator("html[data-looking]")).to_have_count(1)
    expect(ana.page).not_to_have_title(re.compile("^●"))
    bo.ready()
    bo.take("click")
    expect(ana.page, "the title does not say that it is one's turn").to_have_title(re.compile("^●"))
    expect(ana.page.locator("#band")).to_contain_text("Your turn")
    ana.page.locator("#asks").get_by_role("button", name="Back to the game").click()
    expect(ana.page.locator("html[data-turn=mine]")).to_have_count(1)
    for someone in (ana, bo):
        someone.check()
        someone.context.close()


def test_a_saved_record_is_opened_by_file(guest: Guest, tmp_path: Path) -> None:
    page, record = guest.page, tmp_path / "game.txt"
    record.write_text(Record.from_position(played_out().replay(), seats=["Ana", "Bo"]).write())
    page.goto(f"{guest.server.url}/open")
    page.locator("input[type=file]").set_input_files(record)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#where")).to_have_text(re.compile("move 0 of"))
    page.keyboard.press("ArrowRight")  # the deal
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_have_text(re.compile("move 1 of"))
    expect(page.locator("#branch"), "playing on is not offered").to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("html[data-looking]")).to_have_count(0)
    expect(page.locator("#branch"), "playing on is offered at the end").to_be_hidden()
    guest.check()


def test_walking_with_the_arrow_keys(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    for _ in range(2):
        guest.ready()
        before = guest.where()
        guest.take("key")
        expect(guest.page.locator("#where")).not_to_have_text(before)
    guest.ready()
    present = guest.where()
    guest.page.keyboard.press("ArrowLeft")
    expect(guest.page.locator("#band")).to_contain_text("earlier position")
    guest.page.keyboard.press("ArrowLeft")
    guest.page.keyboard.press("End")
    expect(guest.page.locator("#where")).to_have_text(present)
    expect(guest.page.locator("#sheet button").first).to_be_visible()
    guest.check()
