"""The table in a real Chromium: pieces, marks, reasons, points and words where one looks for them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from web.guests import Guest
from web.server import Server


def test_a_sign_of_a_special_factory_says_what_it_means(guest: Guest) -> None:
    guest.open_table("you", "you", box="chocolatier", factories="special")
    guest.ready()
    sign = guest.page.locator(".offer [data-slot$='.effect']").first
    for act in (sign.hover, sign.click):
        guest.page.mouse.move(2, 2)
        act(force=True)
        expect(guest.page.locator("#hint"), "a sign is not explained").to_contain_text(":")
    assert guest.errors == []


@pytest.mark.parametrize("phone", [False, True])
def test_the_words_of_a_special_factory_stand_beside_its_sign(
    browser: Browser, server: Server, phone: bool
) -> None:
    guest = Guest(browser, server, phone=phone)
    page, tip = guest.page, guest.page.locator(".tip")
    guest.open_table("you", "you", box="chocolatier", factories="special")
    guest.ready()
    signs = page.locator(".offer .badge-slot[tabindex]")
    for sign in signs.all():
        if phone:
            sign.tap(force=True)
        else:
            sign.hover(force=True)
        expect(tip).to_have_text(str(sign.get_attribute("aria-label")))
        box, words, window = sign.bounding_box(), tip.bounding_box(), page.viewport_size
        assert box is not None
        assert words is not None
        assert window is not None
        assert 0 <= words["x"] <= words["x"] + words["width"] <= window["width"]
        between = max(box["y"] - words["y"] - words["height"], words["y"] - box["y"] - box["height"])
        assert 0 <= between <= 20, "the words are far from the sign, or on it"
    page.mouse.click(2, 2)
    expect(tip).to_be_hidden()
    signs.first.focus()
    expect(tip, "whoever uses keys reads nothing").to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    assert guest.errors == []
    guest.context.close()


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


TURNS = "[...document.querySelectorAll('#log li')].map((line) => line.dataset.turn)"


def choose_where_something_is_blocked(guest: Guest) -> None:
    """Two people play until a chosen source has a blocked line."""
    page = guest.page
    for _ in range(10):
        guest.ready()
        for source in range(page.locator("#sheet button").count()):
            page.locator("#sheet button").nth(source).click()
            expect(page.locator("#sheet .effect").first, "the moves are not foretold").not_to_be_empty()
            if page.locator("#sheet .blocked").count():
                return
            page.locator("#sheet [data-back]").click()
        before = guest.where()
        page.keyboard.type(page.locator("#sheet button .letter").first.inner_text())
        page.locator("#sheet .target").nth(-2).click()
        page.locator("#confirm:not([disabled])").click()
        expect(page.locator("#where"), "the turn was not played").not_to_have_text(before)
    raise AssertionError("in ten turns no line was ever blocked")


SLOT_OF = """async (number) => {
  const plan = await fetch(document.getElementById("table").dataset.plan);
  return (await plan.json()).slots[number].id;
}"""


@pytest.mark.slow
def test_a_blocked_place_says_why_where_one_looks(guest: Guest) -> None:
    """Under the pointer, in the sheet for keyboards and screen readers, and announced on request."""
    guest.open_table("you", "you")
    choose_where_something_is_blocked(guest)
    page = guest.page
    blocked = page.locator("#sheet .blocked").first
    expect(blocked).to_have_attribute("aria-disabled", "true")
    reason = blocked.locator(".reason").inner_text()
    assert re.search(r"holds|is full|already", reason), f"no reason for a blocked line: {reason!r}"
    slot = page.evaluate(SLOT_OF, blocked.get_attribute("data-blocked"))
    place = page.locator(f".mat .slot[data-slot='{slot}']")
    place.hover(force=True)
    expect(page.locator("#hint"), "pointing at a blocked line says no reason").to_contain_text(reason)
    expect(page.locator("#spoken"), "what is only pointed at is not spoken").not_to_have_text(reason)
    page.locator("#sheet .target:not(.blocked)").first.hover()
    expect(page.locator("#hint"), "the reason stays when the pointer has left").not_to_contain_text(reason)
    blocked.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#spoken"), "who asks is not told aloud").to_have_text(reason)
    expect(page.locator("#hint a"), "there is no way from the reason to the rules").to_be_visible()
    guest.check(name="blocked")


@pytest.mark.slow
def test_points_are_told_when_the_last_turn_of_a_round_is_confirmed(guest: Guest) -> None:
    """Before that nothing is scored; then each player's points are announced once, as on the board."""
    guest.open_table("you", "you")
    page = guest.page
    for _ in range(40):
        guest.ready()
        last = page.locator("#sheet button:not([data-back])").count() == 1
        page.locator("#sheet button:not([data-back])").first.click()
        target = page.locator("#sheet .target:not(.blocked)")
        if target.count():  # a single legal target is chosen for the player
            target.first.click()
        expect(page.locator("#confirm"), "the turn is not complete").to_be_enabled()
        assert page.locator(".rise").count() == 0, "points rise before the turn is confirmed"
        before = guest.where()
        page.locator("#confirm").click()
        expect(page.locator("#where"), "the turn was not played").not_to_have_text(before)
        if last:
            break
    expect(page.locator("#tally .sum").first, "nothing is scored after the round").to_be_attached()
    guest.ready()
    scores = [score for score in page.locator(".mat .score").all_text_contents() if score != "0"]
    for score in scores:
        expect(page.locator("#spoken"), "the new score is not told").to_contain_text(f": {score}.")
    guest.check()


@pytest.mark.slow
def test_the_log_names_pieces_for_whoever_listens_and_has_one_line_a_turn(guest: Guest) -> None:
    guest.open_table("you", "you", box="garden")
    for _ in range(8):
        guest.ready()
        guest.take("roam")
    expect(guest.page.locator("#log li"), "eight turns are not eight lines").to_have_count(8)
    turns = guest.page.evaluate(TURNS)
    assert len(turns) == len(set(turns)), f"a turn has several lines: {turns}"
    pictures = guest.page.locator("#log .pieces")
    assert pictures.count() > 0, "the log shows no piece"
    for picture in pictures.all():
        name = picture.get_attribute("aria-label") or ""
        assert re.match(r"\d+ \w", name), f"a picture in the log is called {name!r}"
    guest.page.reload()
    guest.ready()
    assert guest.page.evaluate(TURNS) == turns, "after a reload the log has other lines"


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


def test_blocked_places_say_why_and_hover_says_what_would_happen(guest: Guest) -> None:
    guest.open_table("you", "you")
    guest.ready()
    guest.page.locator(".offer .piece.can").first.hover()
    lit = guest.page.locator(".offer .piece.hover")
    kinds = {lit.nth(i).get_attribute("data-slot") for i in range(lit.count())}
    assert len(kinds) == 1
    expect(guest.page.locator("#hint")).to_contain_text("Factory")
    guest.page.locator(".offer .piece.can").first.click()
    target = guest.page.locator(".slot.can").last
    target.hover()
    expect(guest.page.locator("#hint")).to_contain_text("fall")
    guest.page.locator(".own [data-slot$='wall1-1']").first.click()
    expect(guest.page.locator("#hint.bad")).to_be_visible()
    guest.page.fill("#question", "0b1")
    guest.page.keyboard.press("Enter")
    expect(guest.page.locator("#hint.bad")).to_contain_text("in the centre")
    with guest.context.expect_page() as rules:
        guest.page.locator("#hint a").click()
    expect(rules.value).to_have_url(re.compile("/rules/azul#turn$"))
    expect(rules.value.locator("h2#turn")).to_be_in_viewport()
    rules.value.close()
    guest.page.locator("#question").blur()
    guest.page.keyboard.press("Escape")
    expect(guest.page.locator(".chosen")).to_have_count(0)


EDGES = """async () => {
  const { rise } = await import("/static/rising.js");
  const across = (slot) => slot.getBoundingClientRect();
  const slots = [...document.querySelectorAll(".mat [data-seat] .slot")];
  slots.sort((a, b) => across(a).left - across(b).left);
  const words = [slots[0], slots.at(-1)].map((slot) => across(rise(100, across(slot)).word));
  return words.every((box) => box.left >= 0 && box.right <= innerWidth);
}"""
HIGHEST = """async () => {
  const { rise } = await import("/static/rising.js");
  const board = document.querySelector(".others .board-place").getBoundingClientRect();
  const top = document.querySelector(".others .slot").getBoundingClientRect();
  const { word, animation } = rise(5, top, board);
  animation.finish();
  return word.getBoundingClientRect().top >= board.top;
}"""


def test_points_stay_on_their_board(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    guest.ready()
    assert guest.page.evaluate(HIGHEST)


def test_no_place_is_proposed_to_whoever_picks_with_a_mouse(guest: Guest) -> None:
    """The preview of a place would look like an advice; the keyboard shows it where its focus is."""
    guest.open_table("you", "bot:random")
    page = guest.page
    guest.ready()
    page.locator(".offer .piece.can").first.click(force=True)
    page.mouse.move(640, 2)
    expect(page.locator(".choosing .own .slot.can").first).to_be_attached()
    assert page.locator(".ghost, .foreseen, .slot.target").count() == 0
    page.keyboard.press("Tab")
    expect(page.locator(".ghost").first).to_be_attached()


def test_the_last_turn_stays_marked_until_the_next_one(guest: Guest) -> None:
    guest.open_table("you", "bot:random", start="1")
    guest.ready()
    assert guest.page.locator(".moved-last").count() == 0
    guest.take("click")
    guest.ready()
    expect(guest.page.locator(".others .piece.moved-last").first).to_be_attached()
    expect(guest.page.locator(".offer .slot.moved-last").first).to_be_attached()
    marked = guest.page.locator(".others .piece.moved-last").count()
    guest.page.locator(".offer .piece.can").first.click(force=True)
    assert guest.page.locator(".others .piece.moved-last").count() == marked


def test_points_at_the_edge_stay_on_the_page(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    guest.ready()
    assert guest.page.evaluate(EDGES)


def test_wishes_take_effect_at_once_and_are_remembered(guest: Guest) -> None:
    page: Page = guest.page
    page.goto(guest.server.url)
    page.get_by_role("button", name="Settings").click()
    with page.expect_response("**/wishes"):
        page.locator("[name=scheme][value=dark]").check()
    expect(page.locator("html[data-scheme=dark]")).to_have_count(1)
    page.reload()
    expect(page.locator("html[data-scheme=dark]")).to_have_count(1)
    page.get_by_role("button", name="Settings").click()
    page.select_option("[name=language]", "cs")
    expect(page.locator("html[lang=cs]")).to_have_count(1)
