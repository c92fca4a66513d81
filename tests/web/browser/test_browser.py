"""The table in a real Chromium: whole games by mouse, keyboard and touch, and everything around them."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from azulejos.core import registry
from azulejos.i18n import LANGUAGES
from azulejos.i18n.catalogue import FOLDER, html_tag, read
from azulejos.web.tables.boxes import playable
from samples import sampled
from web.guests import Guest
from web.hands import rested
from web.node import AXE
from web.server import Server, running

TEXTS = """
() => [
  ...[...document.querySelectorAll("body *:not(script, template)")].flatMap((e) => [...e.childNodes])
    .filter((n) => n.nodeType === 3).map((n) => n.textContent.trim()),
  ...[...document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")].flatMap((e) =>
    ["aria-label", "title", "placeholder", "alt"].map((name) => (e.getAttribute(name) ?? "").trim())),
  document.title,
].filter(Boolean)
"""
"""All texts of a page that can be read or heard."""
MOMENT = "document.documentElement.dataset.ply + document.getElementById('where').textContent"
"""Changes with every step of a turn, and when it is confirmed."""


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


def test_turns_by_keyboard_alone(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    assert guest.play("key", 8) == 8
    guest.check()


@pytest.mark.slow
def test_a_whole_game_by_keyboard_alone(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    assert 10 < guest.play("key") < 400
    guest.check()


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


@pytest.mark.slow
def test_a_payment_by_keyboard_alone(guest: Guest) -> None:
    """Players who can place something worth three or more; pieces are unmarked and marked by their keys."""
    guest.open_table("you", "you", box="garden")
    page = guest.page
    for _ in range(60):
        guest.ready()
        if page.locator("#sheet .mark[aria-pressed=true]").count():
            break
        before = page.evaluate(MOMENT)
        letters = page.locator("#sheet button .letter").all_inner_texts()
        dear = [letter for letter in letters if re.fullmatch("[blygdp][3-6]", letter)]
        others = [letter for letter in letters if letter not in "-fj"]
        if letters:
            page.keyboard.type((dear or others or letters)[0])
        else:
            page.keyboard.press("Enter")
        page.wait_for_function(f"(was) => {MOMENT} !== was", arg=before)
    marked = page.locator("#sheet .mark[aria-pressed=true]")
    expect(page.locator("#confirm")).to_be_enabled()
    key, count = marked.first.locator(".letter").inner_text(), marked.count()
    for _ in range(page.locator("#sheet .mark .letter", has_text=re.compile(f"^{key}$")).count() + 1):
        page.keyboard.type(key)
        if marked.count() < count:
            break
    expect(page.locator("#confirm")).to_be_disabled()
    guest.check(name="payment")
    page.keyboard.type(key)
    while page.locator("#confirm").is_disabled() and marked.count() < count:
        page.keyboard.type(key)
    expect(page.locator("#confirm")).to_be_enabled()
    before = guest.where()
    page.keyboard.press("Enter")
    expect(page.locator("#where")).not_to_have_text(before)
    guest.check()


OTHERS = [language for language in LANGUAGES if language != "en"]


@functools.cache
def english_only(language: str) -> list[re.Pattern[str]]:
    """Sentences of the program whose translation differs: whole ones, with at least two words."""
    found = []
    for entry in read(FOLDER / f"{language}.po"):
        for form in [entry.id] if isinstance(entry.id, str) else entry.id:
            words = re.findall(r"[A-Za-z]{3,}", re.sub(r"{\w+}", "", form))
            if len(words) > 1 and form not in (entry.string, *(entry.string or ())):
                found.append(re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(form))))
    return found


def untranslated(guest: Guest, language: str) -> list[str]:
    """Texts on the page that are English sentences."""
    texts: list[str] = guest.page.evaluate(TEXTS)
    return [text for text in texts if any(form.fullmatch(text) for form in english_only(language))]


@pytest.mark.parametrize("language", sampled(OTHERS, quick=["zh_Hant"]))
def test_pages_speak_the_language_of_the_browser(browser: Browser, server: Server, language: str) -> None:
    guest = Guest(browser, server, language=html_tag(language))
    guest.page.goto(server.url)
    expect(guest.page.locator("html")).to_have_attribute("lang", html_tag(language))
    assert untranslated(guest, language) == []
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.page.locator(".offer .piece.can").first.click()
    expect(guest.page.locator("#sheet .target .effect").first).not_to_be_empty()
    assert untranslated(guest, language) == []
    guest.check()
    guest.context.close()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("box", ["chocolatier", "sintra-a", "garden"])
@pytest.mark.parametrize("language", OTHERS)
def test_a_whole_game_in_every_language(browser: Browser, server: Server, language: str, box: str) -> None:
    """The page is checked after every turn."""
    guest = Guest(browser, server, language=html_tag(language))
    guest.open_table("you", "bot:random", box=box)
    found = set()
    while guest.play("roam", 1):
        found |= {*untranslated(guest, language)}
    assert found == set()
    expect(guest.page.locator("html")).to_have_attribute("lang", html_tag(language))
    guest.check(name=f"language-{language}-{box}")
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
    for move, mover in enumerate((ana, bo) * 3, start=1):
        for someone in (ana, bo, eye):
            expect(someone.page.locator("#where")).to_have_text(f"move {move} of {move}")
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


def test_blocked_places_say_why_and_hover_says_what_would_happen(guest: Guest) -> None:
    guest.open_table("you", "you")
    guest.ready()
    guest.page.locator(".offer .piece.can").first.hover()
    lit = guest.page.locator(".offer .piece.hover")
    kinds = {lit.nth(i).get_attribute("data-slot") for i in range(lit.count())}
    assert len(kinds) == 1
    expect(guest.page.locator("#hint")).to_contain_text("factory")
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


def test_typed_questions_answer_in_words(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.page.fill("#question", "f")
    guest.page.keyboard.press("Enter")
    expect(guest.page.locator("#answer")).to_contain_text(re.compile(r"factory \d: \d"))


@pytest.mark.parametrize("dark", sampled([False, True], quick=[True]))
def test_every_page_is_accessible_in_light_and_dark(browser: Browser, server: Server, dark: bool) -> None:
    for phone in (False, True):
        kind = f"{'-dark' if dark else ''}{'-phone' if phone else ''}"
        guest = Guest(browser, server, dark=dark, phone=phone)
        for path in ("/", "/new", "/games", "/rules/azul", "/nothing"):
            guest.page.goto(server.url + path)
            if path != "/nothing":
                guest.check(name=f"page{path.replace('/', '-')}{kind}")
        guest.open_table("you", "bot:random", "bot:random", "bot:random")
        guest.errors.clear()
        guest.ready()
        guest.check(name=f"four{kind}")
        guest.context.close()


@pytest.mark.skipif(not AXE.exists(), reason="axe is not installed")
@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_barrier_on_any_page(browser: Browser, server: Server, dark: bool) -> None:
    for phone in (False, True):
        guest = Guest(browser, server, dark=dark, phone=phone)
        rules = [f"/rules/{game.name}" for game in registry.games()]
        for path in ("/", "/new", "/new?box=garden", "/games", *rules):
            guest.page.goto(server.url + path)
            guest.find_barriers()
        for game in registry.games():
            guest.open_table("you", "bot:random", box=game.presets[0].name)
            guest.ready()
            guest.find_barriers()
        guest.context.close()


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


PIECES = """() => [...document.querySelectorAll(".mat .piece:not(.ghost)")].reduce(
  (sum, piece) => sum + Number(piece.querySelector(".count-text")?.textContent ?? 1), 0)"""
"""All pieces on the table; stacks count by their numbers."""


WHOLE_BOX = 101
"""Tiles and start marker of Azul."""


def test_pieces_travel_and_leave_nothing_behind(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, motion="fast")
    guest.open_table("you", "bot:random")
    guest.ready()
    rested(guest.page)
    assert guest.page.evaluate(PIECES) == WHOLE_BOX
    guest.page.evaluate(COUNT_JOURNEYS)
    guest.page.locator(".offer .piece.can").first.click()
    guest.page.locator(".own .slot.can").first.click(force=True)  # a tile may lie on the place
    guest.page.wait_for_function("() => window.journeys > 0")
    rested(guest.page)
    expect(guest.page.locator(".arriving, .travelling")).to_have_count(0)
    assert guest.page.evaluate(PIECES) == WHOLE_BOX
    guest.check()
    guest.context.close()


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
