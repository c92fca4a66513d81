"""Faults of earlier tables that nothing else looks for, each in a real browser."""

from __future__ import annotations

import json
import random
import re
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from azulejos import Record, new
from azulejos.bots.compiled import BOTS
from azulejos.core import code_cache, registry
from web.guests import Guest
from web.server import Server, running


def test_a_sign_of_a_special_factory_says_what_it_means(guest: Guest) -> None:
    guest.open_table("you", "you", box="chocolatier", factories="special")
    guest.ready()
    sign = guest.page.locator(".offer [data-slot$='.effect']").first
    for act in (sign.hover, sign.click):
        guest.page.mouse.move(2, 2)
        act(force=True)
        expect(guest.page.locator("#hint"), "a sign is not explained").to_contain_text(":")
    assert guest.errors == []


def test_the_frame_stays_with_the_player_during_a_draft(guest: Guest) -> None:
    guest.open_table("you", "bot:random", start="1")
    guest.ready()
    expect(guest.page.locator(".own.to-move")).to_have_count(1)
    guest.page.locator(".offer .piece.can").first.click()
    if guest.page.locator("#confirm[disabled]").count():
        guest.page.locator(".own .slot.can").first.click(force=True)
    expect(guest.page.locator("#confirm")).to_be_enabled()
    expect(guest.page.locator(".own.to-move"), "the frame left during the draft").to_have_count(1)
    expect(guest.page.locator(".other.to-move")).to_have_count(0)


def test_seconds_of_thinking_stay_away_from_the_last_move(guest: Guest) -> None:
    guest.open_table("you", "bot:level:7@10", start="2")
    page = guest.page
    page.evaluate("document.documentElement.classList.remove('show-keys')")
    expect(page.locator("#band")).to_contain_text("thinking")
    expect(page.locator("#seconds"), "seconds are printed over the table").to_be_hidden()


@pytest.mark.parametrize("seats", [2, 4])
def test_every_clock_is_in_sight_on_a_small_phone(browser: Browser, server: Server, seats: int) -> None:
    guest = Guest(browser, server, phone=True)
    guest.page.set_viewport_size({"width": 360, "height": 640})
    guest.open_table(*["you"] * seats, agreed={"minutes": "10"})
    guest.ready()
    clocks = guest.page.locator(".board-place .clock")
    expect(clocks).to_have_count(seats)
    for clock in clocks.all():
        expect(clock).to_be_visible()
        expect(clock).to_be_in_viewport(ratio=1)
    guest.context.close()


def test_pictures_of_a_move_are_as_high_as_its_words(guest: Guest) -> None:
    guest.open_table("you", "bot:random", start="1")
    guest.ready()
    guest.take("click")
    icon = guest.page.locator(".seat-card .last .icon").first
    expect(icon).to_be_visible()
    box = icon.bounding_box()
    assert box is not None
    assert box["height"] < 26, f"a piece in a line of text is {box['height']} px high"


def test_a_turn_is_taken_back_from_the_bar(guest: Guest) -> None:
    guest.open_table("you", "bot:random", start="1")
    guest.ready()
    expect(guest.page.locator("#ask-back")).to_be_hidden()
    guest.take("click")
    back = guest.page.locator("#ask-back")
    expect(back).to_be_visible()
    expect(guest.page.locator("#undo"), "two buttons that undo").to_be_hidden()
    guest.ready()
    guest.page.locator(".offer .piece.can").first.click()
    expect(guest.page.locator("#undo"), "the step that was chosen cannot be undone").to_be_visible()
    guest.page.locator("#undo").click()
    back.click()
    expect(guest.page.locator(".taken-back"), "what was taken back is not in the log").to_have_count(1)
    assert guest.errors == []


def test_the_set_up_fits_into_a_laptop(guest: Guest) -> None:
    guest.page.goto(f"{guest.server.url}/new")
    expect(guest.page.locator(".chip").first).to_be_visible()
    expect(guest.page.locator(".sheet-foot .primary")).to_be_in_viewport(ratio=1)
    expect(guest.page.get_by_text("More settings")).to_be_in_viewport(ratio=1)
    beyond = "document.documentElement.scrollHeight - innerHeight"
    assert guest.page.evaluate(beyond) <= 0, "the set-up has to be scrolled"
    expect(guest.page.locator("input[name=minutes]")).to_have_count(6)


MIDDLE = """(board) => {
  const { left, top, width, height } = board.getBoundingClientRect();
  return board.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "wide"])
def test_the_board_of_somebody_else_is_shown_large(browser: Browser, server: Server, phone: bool) -> None:
    guest = Guest(browser, server, phone=phone)
    page = guest.page
    if phone:
        page.set_viewport_size({"width": 360, "height": 640})
    guest.open_table("you", "bot:random", "bot:random", start="1")
    guest.ready()
    small = page.locator(".other svg").first.bounding_box()
    page.locator(".other .enlarge").first.click()
    board = page.locator(".place.large")
    expect(board).to_be_in_viewport(ratio=1)
    large = board.locator("svg").bounding_box()
    assert small is not None
    assert large is not None
    assert large["width"] > 1.5 * small["width"]
    assert board.evaluate(MIDDLE), "something lies over the large board"
    page.keyboard.press("Escape")
    expect(board).to_have_count(0)
    guest.context.close()


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


def test_codes_of_moves_and_seeds_are_for_those_who_ask(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, keys=False)
    guest.open_table("you", "bot:random", start="1")
    guest.ready()
    guest.take("click")
    guest.page.locator("[data-opens=moves]").click()
    line = guest.page.locator("#log .goto").first
    expect(line.locator("span")).to_be_visible()
    expect(line.locator("code"), "a code in the list of moves").to_be_hidden()
    guest.page.evaluate("document.documentElement.classList.add('show-keys')")
    expect(line.locator("code")).to_be_visible()
    guest.context.close()


def test_what_a_place_shows_fades_in_its_own_colour(guest: Guest) -> None:
    """A dark box flashed where a chosen place lost its light: only its opacity may change."""
    guest.open_table("you", "you", start="1")
    guest.ready()
    colours = "() => [...document.querySelectorAll('.own .hit')].map((hit) => getComputedStyle(hit).fill)"
    before = set(guest.page.evaluate(colours))
    guest.page.locator(".offer .piece.can").first.click()
    expect(guest.page.locator(".own .slot.legal").first).to_be_attached()
    assert set(guest.page.evaluate(colours)) == before
    assert len(before) == 1


LATE_ANSWERS = """
window.held = [];
window.WebSocket = class extends WebSocket {
  set onmessage(heard) {
    super.onmessage = (event) => {
      if (window.late && JSON.parse(event.data).type === "done") window.held.push(() => heard(event));
      else heard(event);
    };
  }
};
"""


def test_a_quick_confirmation_is_not_lost(guest: Guest) -> None:
    """A frame may be shown before the answer to its command is here: Confirm can be pressed already."""
    guest.context.add_init_script(LATE_ANSWERS)
    guest.open_table("you", "you", start="1")
    guest.ready()
    page, before = guest.page, guest.where()
    page.evaluate("window.late = true")
    page.locator(".offer .piece.can").first.click()
    if page.locator("#confirm[disabled]").count():
        page.locator(".own .slot.can").first.click(force=True)
    page.locator("#confirm:not([disabled])").click()
    assert page.evaluate("window.held.length") == 1
    page.evaluate("window.late = false; window.held.shift()()")
    expect(page.locator("#where"), "the click on Confirm was lost").not_to_have_text(before)
    assert guest.errors == []


PRESS_AND_DRAW = """async (button) => {
  button.click();
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}"""


def test_another_view_does_not_count_as_something_that_slid_away(
    browser: Browser, server: Server
) -> None:
    """On a phone the garden and the display take turns, also long after the last touch."""
    guest = Guest(browser, server, phone=True)
    guest.open_table("you", "bot:random", box="garden", start="1")
    guest.ready()
    for view in ("own", "shared"):
        guest.page.locator(f".views [data-view={view}]").evaluate(PRESS_AND_DRAW)  # no finger is involved
        expect(guest.page.locator(f".mat[data-view={view}]")).to_have_count(1)
    assert guest.page.evaluate("window.shifts") == []
    guest.context.close()


def test_the_band_says_when_bots_play_at_full_strength(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the code of a bot is compiled it plays more weakly, and the table says how long."""
    monkeypatch.setenv("AZULEJOS_CACHE", str(tmp_path / "cache"))
    with ExitStack() as held:
        for game in registry.games():
            held.enter_context(code_cache.alone(game.name))  # nothing is compiled during this test
        server = held.enter_context(running(tmp_path, compiled=True))
        report = code_cache.cache_root() / f"azul-{BOTS.name}.progress"
        hour = 3600  # ahead of the clock, so that the report does not become too old on a busy machine
        report.write_text(json.dumps({"at": time.time() + hour, "left": 600}))
        guest = Guest(browser, server)
        guest.open_table("you", "bot:level:3", start="1")
        guest.ready()
        expect(guest.page.locator("#band .notice")).to_have_text(
            re.compile(r"^Brick plays at full strength in about (69|70) minutes\.$")
        )
        guest.context.close()
