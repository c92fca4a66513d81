"""What is said and shown around a move: whole sentences, losses that look like it, names that differ."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from azulejos.core.position import new
from azulejos.i18n import LANGUAGES
from azulejos.insight.puzzles import Goal
from azulejos.web.pages.puzzles import name_of
from azulejos.web.tables.boxes import playable
from bots.positions import played
from samples import sampled
from web.guests import Guest
from web.learn.test_puzzles import ask, smallest
from web.server import Server

CUT = """() => [...document.querySelectorAll("#hint, #last, #confirm .does, .bar .word")].filter((node) =>
  node.checkVisibility() &&
  (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1)
).map((node) => `${node.id || node.className}: ${node.textContent}`)"""
ACTORS = """() => [...document.querySelectorAll("button, [role=button], a[href]")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest("#side-keys"))
  .map((node) => (node.getAttribute("aria-label") || node.textContent).trim())"""
NAMED = "() => [...document.querySelectorAll('.own .slot')].map((node) => node.getAttribute('aria-label'))"

def point_at(guest: Guest, place: Locator) -> str:
    """Rest on a place; returns what is said about it then."""
    guest.page.mouse.move(640, 2)
    place.hover(force=True)
    expect(guest.page.locator("#hint")).not_to_be_empty()
    return guest.page.locator("#hint").inner_text()


@pytest.mark.parametrize("language", sampled(LANGUAGES, quick=["en", "pl"]))
def test_sentences_of_the_bar_are_whole(browser: Browser, server: Server, language: str) -> None:
    """At 1280 px, where the bar is narrowest: each target of two groups of tiles, and a turn to confirm."""
    guest = Guest(browser, server, language=language, keys=False)
    guest.open_table("you", "bot:random", start="1")
    guest.ready()
    page, cut = guest.page, []
    for piece in (page.locator(".offer .piece.can").first, page.locator(".offer .piece.can").last):
        piece.click(force=True)
        for target in page.locator(".own .slot.can").all():
            said = point_at(guest, target)
            assert said[0] == said[0].upper()
            cut += page.evaluate(CUT)
        page.keyboard.press("Escape")
    page.locator(".offer .piece.can").first.click(force=True)
    page.locator(".own .slot.can").first.click(force=True)
    expect(page.locator("#confirm")).to_be_enabled()
    cut += page.evaluate(CUT)
    guest.context.close()
    assert cut == []


def floor_only() -> tuple[str, str]:
    """A position in which one colour fits into no line any more, as text, and how its move is typed."""
    for seed in range(200):
        rng, position = random.Random(seed), new("azul", players=2)
        while not position.is_over:
            texts = [position.game.moves.text(action) for action in position.legal_actions()]
            taken = {} if position.is_chance else Counter(text[:2] for text in texts)
            only = [text for text in texts if text.endswith("f") and taken.get(text[:2]) == 1]
            if only:
                return position.text(), only[0]
            position.play(rng.choice(position.legal_actions()))
    pytest.fail("some line takes every colour in every game")


def test_tiles_thrown_away_look_like_a_loss_also_as_the_only_choice(guest: Guest) -> None:
    """Nobody could point at the place before it was chosen."""
    text, move = floor_only()
    page, url = guest.page, guest.server.url
    study = page.request.post(f"{url}/study", form={"text": text}, headers={"origin": url})
    opened = page.request.post(f"{study.url}/play", form={"at": ""}, headers={"origin": url})
    page.goto(opened.url)
    guest.ready()
    page.keyboard.type(move[:2])
    page.locator("#sheet .target").first.click()
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator(".foreseen.loss")).to_be_visible()
    expect(page.locator("#worth.loss")).to_have_text(re.compile("^−"))
    expect(page.locator("#hint.loses")).to_contain_text("−")


def test_pointing_at_what_was_chosen_refuses_nothing(guest: Guest) -> None:
    guest.open_table("you", "bot:random", box="garden", start="1")
    guest.ready()
    page = guest.page
    page.locator(".offer .piece.can").first.click(force=True)
    expect(page.locator("html[data-pending]")).to_have_count(0)
    for piece in page.locator(".offer .piece.chosen, .own .piece").all()[:6]:
        piece.hover(force=True)
        page.mouse.move(640, 2)
    expect(page.locator("#hint.bad")).to_have_count(0)


@pytest.mark.parametrize("box", sampled(list(playable()), quick=["azul", "garden"]))
def test_buttons_with_one_name_do_one_thing(guest: Guest, box: str) -> None:
    """On the table as it is dealt, and with something chosen."""
    guest.open_table("you", "bot:random", box=box, start="1")
    guest.ready()
    assert alike(guest.page) == []
    guest.page.locator(".offer .piece.can").first.click(force=True)
    expect(guest.page.locator("html[data-pending]")).to_have_count(0)
    assert alike(guest.page) == []


def alike(page: Page) -> list[str]:
    return [name for name, count in Counter(page.evaluate(ACTORS)).items() if count > 1]


def test_places_of_a_board_are_told_apart(guest: Guest) -> None:
    guest.open_table("you", "bot:random", start="1")
    guest.ready()
    names = guest.page.evaluate(NAMED)
    assert "wall, row 2, column 1, for white" in names
    assert len(set(names)) == len(names)
    plates = guest.page.locator(".offer .group-slot")
    for place in plates.all():
        expect(place).to_have_attribute("aria-label", re.compile(r"^factory \d: \d"))


def test_the_log_names_turns_in_words(guest: Guest) -> None:
    guest.open_table("you", "bot:random", start="1")
    guest.play("click", 1)
    guest.ready()
    line = guest.page.locator("#log .goto").last
    expect(line).to_have_attribute("aria-label", re.compile(r"Ana: \d \w+ factory \d → "))
    assert "factory 1line" not in guest.page.locator("#log").inner_text()


COVERED = """() => {
  const asks = document.getElementById("asks").getBoundingClientRect();
  const plates = [...document.querySelectorAll(".offer .piece, .offer .plate-slot > .plate")];
  const meets = ({ left, right, top, bottom }) =>
    left < asks.right - 1 && right > asks.left + 1 && top < asks.bottom - 1 && bottom > asks.top + 1;
  const buttons = [...document.querySelectorAll("#asks button")].map((one) => one.getBoundingClientRect());
  return {
    covered: plates.filter((one) => meets(one.getBoundingClientRect())).length,
    outside: buttons.filter(({ left, right, top }) => left < 0 || right > innerWidth || top < 0).length,
    small: buttons.filter(({ height }) => height < 43.5).length,
  };
}"""


@pytest.mark.parametrize("phone", [False, True])
def test_a_request_lies_on_no_plate(browser: Browser, server: Server, phone: bool) -> None:
    """Whoever asks and whoever answers see all that is on offer."""
    host, friend = Guest(browser, server, keys=False, phone=phone), Guest(browser, server, keys=False)
    host.open_table("you", "friend", start="1")
    address = host.page.url
    friend.page.goto(address)
    friend.page.fill("[name=name]", "Bea")
    friend.page.get_by_role("button", name="Sit down").click()
    host.ready()
    host.take("tap" if phone else "click")
    friend.ready()
    host.page.evaluate("document.getElementById('take-back').click()")
    expect(host.page.get_by_role("button", name="Withdraw")).to_be_visible()
    expect(friend.page.get_by_role("button", name="Yes")).to_be_visible()
    for someone in (host, friend):
        sizes = ((360, 640), (390, 844)) if someone.phone else ((1280, 800), (1440, 900), (1920, 1080))
        for width, height in sizes:
            someone.page.set_viewport_size({"width": width, "height": height})
            assert someone.page.evaluate(COVERED) == {"covered": 0, "outside": 0, "small": 0}
    host.context.close()
    friend.context.close()


def test_somebody_without_a_name_is_called_you_and_has_a_face(guest: Guest) -> None:
    guest.open_table("you", "bot:random", agreed={"name0": ""})
    guest.ready()
    card = guest.page.locator(".own .seat-card")
    expect(card.locator(".name")).to_have_text("You")
    expect(card.locator(".face")).not_to_be_empty()
    expect(guest.page.locator(".own .called")).to_be_hidden()


def test_whoever_invites_can_say_who_that_is(browser: Browser, server: Server) -> None:
    host, friend = Guest(browser, server, keys=False), Guest(browser, server, phone=True)
    host.open_table("you", "friend", agreed={"name0": ""})
    friend.page.goto(host.page.url)
    expect(friend.page.get_by_role("heading", name="You are invited to Azul")).to_be_visible()
    host.page.get_by_label("Your name, for the invitation").fill("Ana")
    host.page.get_by_role("button", name="Save").click()
    expect(friend.page.get_by_role("heading", name="Ana invites you to Azul")).to_be_visible()
    host.context.close()
    friend.context.close()


def test_the_game_that_is_watched_goes_on(guest: Guest) -> None:
    """The result of the game at the home page is not told; the table shows the moment and plays on."""
    page = guest.page
    page.goto(guest.server.url)
    expect(page.locator("#living[data-ready]")).to_be_attached()
    page.get_by_role("link", name="Watch").click()
    expect(page.locator("html[data-looking]")).to_be_attached()
    expect(page.locator("#band strong")).not_to_contain_text("won")
    before = guest.where()
    expect(page.locator("#where")).not_to_have_text(before)
    page.get_by_role("button", name="Play by itself").click()
    expect(page.get_by_role("button", name="Play by itself")).to_have_attribute("aria-pressed", "false")


def test_looking_back_names_and_marks_the_turn(guest: Guest) -> None:
    guest.open_table("you", "bot:random", start="1")
    guest.play("click", 2)
    guest.ready()
    page = guest.page
    page.keyboard.press("ArrowLeft")
    expect(page.locator("html[data-looking]")).to_be_attached()
    expect(page.locator("#band .detail")).to_contain_text("→")
    expect(page.locator(".own .piece.moved-last").first).to_be_attached()
    expect(page.locator(".offer .slot.moved-last, .offer .piece.moved-last").first).to_be_attached()


LARGEST = """(what) => Math.max(
  ...[...document.querySelectorAll(what)].map((node) => node.getBoundingClientRect().width))"""


@pytest.mark.parametrize(("box", "places", "least"), [
    ("azul", ".other .square-slot > .well", 29), ("sintra-a", ".other [data-slot*=strip] > .well", 21.5),
])
def test_the_only_other_board_is_as_large_as_its_card_allows(
    browser: Browser, server: Server, box: str, places: str, least: float
) -> None:
    """Nothing of it lies under the name, and its places are larger than those of a board among three."""
    guest = Guest(browser, server, keys=False)
    page = guest.page
    guest.open_table("you", "bot:random", box=box, start="1")
    guest.ready()
    assert page.evaluate(LARGEST, places) >= least
    assert page.evaluate(UNDER_THE_NAME) == []
    guest.context.close()


UNDER_THE_NAME = """() => {
  const boxes = [".name", ".last", ".score-now", ".face"].map((part) =>
    document.querySelector(`.other .seat-card ${part}`).getBoundingClientRect());
  return [...document.querySelectorAll(".other .slot, .other .piece, .other text")].filter((node) => {
    const { left, right, top, bottom, width } = node.getBoundingClientRect();
    return width && node.checkVisibility() && boxes.some((box) =>
      left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1);
  }).map((node) => node.getAttribute("data-slot") ?? node.textContent);
}"""


def test_a_puzzle_shows_what_is_left_and_no_empty_plates(guest: Guest) -> None:
    page = guest.page
    ask(page, f"{guest.server.url}/puzzles/{name_of(smallest(Goal.POINTS))}")
    assert page.locator(".offer .plate-slot:visible").count() < 5
    own = page.evaluate(LARGEST, ".own .piece .carrier, .own .piece")
    assert page.evaluate(LARGEST, ".offer .piece .carrier, .offer .piece") > own
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.evaluate(LARGEST, ".offer .piece .carrier, .offer .piece") > own
    guest.check()


LYING_ON = """() => [...document.querySelectorAll(".other")].flatMap((other) => {
  const box = (node) => node.getBoundingClientRect();
  const name = box(other.querySelector(".name")), inside = box(other);
  const parts = [".face", ".drawn svg [data-layer=ground]"].map(
    (part) => [part, box(other.querySelector(part))]);
  return [...parts.filter(([, { left, right, top, bottom }]) =>
    name.left < right - 1 && left < name.right - 1 && name.top < bottom - 1 && top < name.bottom - 1
  ).map(([part]) => part), ...name.left < inside.left || name.right > inside.right ? ["outside"] : []];
})"""


def test_three_opponents_on_a_phone(browser: Browser, server: Server) -> None:
    """Each has a name, and a face of tiles; equal bots have frames of other colours."""
    guest = Guest(browser, server, phone=True)
    page = guest.page
    page.set_viewport_size({"width": 360, "height": 640})
    guest.open_table("you", "bot:random", "bot:level:3", "bot:random", start="1")
    guest.ready()
    names = page.locator(".other .name")
    expect(names).to_have_text(["Dust", "Brick", "Dust 2"])
    for name in names.all():
        expect(name).to_be_visible()
    assert page.evaluate(LYING_ON) == []
    expect(page.locator(".other .face img")).to_have_count(3)
    frames = [face.evaluate("node => getComputedStyle(node).backgroundColor")
              for face in page.locator(".other .face").all()]
    assert frames[0] == frames[1] != frames[2]
    expect(page.locator("#band .round .whole"), "a phone has no room for it").to_be_hidden()
    expect(page.locator("#band .round .brief")).to_have_text("Round 1")
    expect(page.locator("#band .round")).to_be_in_viewport(ratio=1)
    guest.check()
    guest.context.close()


def test_a_study_shows_large_plates_and_whole_moves(guest: Guest) -> None:
    """At 1280 x 800: plates of 100 px, and the words of a move in its place among the lines."""
    page, url, text = guest.page, guest.server.url, played("azul", 2, seed=3, decisions=24).text()
    made = page.request.post(f"{url}/study", form={"text": text}, headers={"origin": url})
    page.goto(made.url)
    page.locator("#turns button").first.click()
    expect(page.locator(".canvas .move span").first).to_be_visible()
    plate = page.locator(".offer [data-slot=F1] .plate").bounding_box()
    assert plate is not None
    assert plate["width"] > 100
    cut = page.evaluate("""() => [...document.querySelectorAll(".canvas .move span")]
      .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)""")
    assert not cut


@pytest.fixture
def small(browser: Browser, server: Server) -> Iterator[Guest]:
    """Somebody with a small phone."""
    someone = Guest(browser, server, phone=True, keys=False)
    someone.page.set_viewport_size({"width": 360, "height": 640})
    yield someone
    someone.context.close()


MEETING = """([one, others]) => {
  const box = (node) => node.getBoundingClientRect();
  const here = box(document.querySelector(one));
  return [...document.querySelectorAll(others)].filter((node) => node.checkVisibility()).filter((node) => {
    const { left, right, top, bottom, width } = box(node);
    return width && left < here.right - 1 && right > here.left + 1
      && top < here.bottom - 1 && bottom > here.top + 1;
  }).map((node) => node.id || node.getAttribute("class") || node.textContent);
}"""
"""What lies on something."""


def test_what_a_bot_says_lies_on_no_headline_of_a_phone(small: Guest) -> None:
    page = small.page
    small.open_table("you", "bot:random", start="1")
    small.ready()
    page.evaluate("""async () => {
      const { Banter } = await import("/static/banter.js");
      new Banter({ "banter-won": "Close your eyes, then look again." }).say(1, "won");
    }""")
    expect(page.locator(".bubble")).to_be_visible()
    assert page.evaluate(MEETING, [".bubble", "#band strong, .frieze"]) == []


def test_the_track_of_a_phone_lies_on_no_word(small: Guest) -> None:
    small.open_table("you", "bot:random", box="sintra-a", start="1")
    small.ready()
    assert small.page.evaluate(MEETING, [".more svg", "#band strong, #band .round"]) == []


def test_the_way_to_the_living_board_lies_on_no_plate(small: Guest) -> None:
    small.page.goto(small.server.url)
    expect(small.page.locator("#living[data-ready]")).to_be_attached()
    assert small.page.evaluate(MEETING, [".living > .caption", ".living .piece, .living .plate"]) == []


def test_a_bought_expansion_has_its_price_on_a_phone(small: Guest) -> None:
    small.open_table("you", "bot:random", box="garden", start="1")
    small.ready()
    price = small.page.locator(".offer text", has_text="6 points")
    expect(price).to_be_visible()
    expect(price).to_be_in_viewport(ratio=1)
    words, supply = price.bounding_box(), small.page.locator(".slot[data-slot=supply]").bounding_box()
    assert words is not None
    assert supply is not None
    assert words["y"] + words["height"] <= supply["y"] + 3, "the price lies on what it is for"
    assert words["y"] + words["height"] > supply["y"] - 12, "the price stands far from what it is for"
