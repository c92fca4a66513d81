"""Every state between two moves is a screen of its own: it fits, covers nothing it speaks of, can be read,
has no barriers, and nothing slides when it comes.

At 360 x 640 by day and at 1280 x 800 in the evening. Pictures are kept in artefacts/states.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from azulejos.insight.puzzles import Goal
from azulejos.web.pages.puzzles import name_of
from samples import sampled
from web.browser.test_around_the_move import COVERED
from web.browser.test_contrast import SCALE
from web.browser.test_page_contrast import reviewed, unreadable  # noqa: F401 (a fixture)
from web.guests import ARTEFACTS, Guest
from web.learn.test_puzzles import ask, smallest, wrong_move
from web.server import Server

FINGER = 43.5
PRESSED = """(within) => [...document.querySelectorAll(within)].flatMap((part) => [...part.querySelectorAll(
  "button, a.button, [role=button], summary")]).filter((node) =>
  node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !node.disabled
).map((node) => {
  const { left, top, right, bottom, width, height } = node.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  return { name: (node.getAttribute("aria-label") || node.textContent).trim(),
    least: Math.min(width, height),
    inside: left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1,
    covered: !node.contains(over) };
})"""
WIDER = "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth"
CUT = """() => [...document.querySelectorAll(
  "#hint, #last, #confirm .does, .bar .word, .counts > *, .counts .now, #asks span"
  + ", .result :is(p, th, td, button)"
)].filter((node) => node.checkVisibility({ visibilityProperty: true }) &&
  (node.scrollHeight > node.clientHeight + 2 || node.scrollWidth > node.clientWidth + 2) && node.clientWidth
).map((node) => `${node.id || node.className}: ${node.textContent}`)"""
NAMED = """() => {
  const found = {};
  const page = document.querySelector("dialog[open]") ?? document;
  for (const node of page.querySelectorAll("button, [role=button], a[href]")) {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest("#side-keys")) continue;
    const name = (node.getAttribute("aria-label") || node.textContent).trim();
    (found[name] ??= new Set()).add(node.href || node.id || node.outerHTML);
  }
  return Object.entries(found).filter(([, does]) => does.size > 1).map(([name]) => name);
}"""


CLOTHED = """() => ![...document.querySelectorAll("a.primary, button.primary")].filter((node) =>
  node.checkVisibility({ visibilityProperty: true }) && !node.disabled &&
  /, 0\\)$|^transparent$/.test(getComputedStyle(node).backgroundColor)
).length"""
"""Every main button has its ground: at once, or when its transition ends."""


@pytest.fixture(params=sampled(["phone", "desktop"], quick=["phone"]))
def looker(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Guest]:
    phone = request.param == "phone"
    someone = Guest(browser, server, keys=False, phone=phone, dark=not phone, scale=SCALE)
    if phone:
        someone.page.set_viewport_size({"width": 360, "height": 640})
    yield someone
    someone.context.close()


@pytest.fixture
def meter(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


def look(
    someone: Guest, meter: Page, name: str, acts: str, *, answered: bool = False, alike: str = "",
) -> None:
    """`acts`: which parts of the page hold what can be pressed now. An answer to what somebody did may make
    room for itself; nothing else may. `alike`: the name of two buttons that do the same."""
    page = someone.page
    page.wait_for_function(CLOTHED)
    size = page.viewport_size
    assert size is not None
    (ARTEFACTS / "states").mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / "states" / f"{name}-{size['width']}.png")
    found = [f"{one['name']}: {wrong}" for one in page.evaluate(PRESSED, acts) for wrong, so in {
        "outside": not one["inside"], "covered": one["inside"] and one["covered"],
        f"{one['least']:.0f} px": someone.phone and one["least"] < FINGER,
    }.items() if so]
    found += [f"{page.evaluate(WIDER)} px too wide"] if page.evaluate(WIDER) > 0 else []
    found += [f"cut: {one}" for one in page.evaluate(CUT)]
    found += [f"two buttons: {one}" for one in page.evaluate(NAMED) if one != alike]
    found += unreadable(page, meter)
    found += [] if answered else page.evaluate("window.shifts")
    assert not found, f"{name}: " + "\n".join(found)
    someone.find_barriers()


def test_the_set_up(looker: Guest, meter: Page) -> None:
    looker.page.goto(f"{looker.server.url}/new")
    expect(looker.page.locator("#chips button").first).to_be_visible()
    look(looker, meter, "set-up", ".sheet-foot, .sheet-head")


def play_to(someone: Guest, state: str) -> None:
    """Turns of the only person until the page says that it is in this state."""
    page = someone.page
    wanted = page.locator(state)
    for _ in range(80):
        expect(page.locator(".mat .can, #confirm:not([disabled])").or_(wanted).first).to_be_attached()
        if wanted.count():
            return
        if not page.locator("html[data-show]").count():
            someone.take("tap" if someone.phone else "click")
        else:
            page.keyboard.press("Shift")
    pytest.fail(f"{state} never came")


def test_counting_in_mid_game(browser: Browser, server: Server, meter: Page) -> None:
    for phone in (True, False):
        someone = Guest(browser, server, keys=False, phone=phone, motion="slow", scale=SCALE)
        if phone:
            someone.page.set_viewport_size({"width": 360, "height": 640})
        someone.open_table("you", "bot:random", start="1")
        play_to(someone, "html[data-show=scoring] .counts .now")
        page = someone.page
        pressed = page.evaluate(PRESSED, ".bar")
        assert [one["name"] for one in pressed] == ["Skip"], "a button waits while points are counted"
        assert pressed[0]["inside"]
        bar, chips = (page.locator(part).first.bounding_box() for part in (".bar", ".counts .now"))
        assert bar is not None
        assert chips is not None
        assert bar["y"] - 1 <= chips["y"], "the line that is counted hangs out of the bar"
        assert chips["y"] + chips["height"] <= bar["y"] + bar["height"] + 1
        someone.context.close()


@pytest.mark.slow
def test_a_hint_in_three_steps(looker: Guest, meter: Page) -> None:
    page = looker.page
    looker.open_table("you", "bot:random", start="1")
    looker.ready()
    before = ""
    for step in ("where", "why", "which"):
        expect(page.locator("#hint-button")).to_be_enabled()
        page.locator("#hint-button").click()
        expect(page.locator("#hint")).not_to_have_text(before)
        before = page.locator("#hint").inner_text()
        look(looker, meter, f"hint-{step}", ".bar", answered=True)


@pytest.mark.slow
def test_what_the_coach_says(looker: Guest, meter: Page) -> None:
    """It covers nothing on offer; its words are whole, and its buttons can be pressed."""
    page = looker.page
    wishes = "motion=off&sound=off&coach=on"
    looker.context.add_cookies([{"name": "azulejos_wishes", "value": wishes, "url": looker.server.url}])
    looker.open_table("you", "bot:random", start="1")
    keep = page.get_by_role("button", name="Keep it")
    mine = page.locator(".mat .can")
    for _ in range(12):
        expect(mine.or_(keep).first).to_be_attached()
        if keep.count():
            break
        piece = page.locator(".offer .piece.can").first
        piece.tap() if looker.phone else piece.click()
        if page.locator(".loupe").count():
            page.locator(".loupe .piece.can").first.tap()
        floor = page.locator(".own .slot.can").last
        floor.tap(force=True) if looker.phone else floor.click(force=True)
        before = looker.where()
        page.locator("#confirm:not([disabled])").click()
        expect(page.locator("#where")).not_to_have_text(before)
        expect(page.locator("html[data-turn=mine]").or_(keep).first).to_be_attached()
    expect(keep).to_be_visible()
    expect(page.locator("#hint")).not_to_be_empty()
    look(looker, meter, "coach", "#asks", answered=True, alike="Take back")
    covered = page.evaluate(COVERED)
    assert covered["covered"] == covered["outside"] == 0


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_review(
    looker: Guest, meter: Page, reviewed: tuple[Server, str],  # noqa: F811
) -> None:
    server, path = reviewed
    page = looker.page
    page.goto(f"{server.url}{path}/review?seat=1")
    answer = page.get_by_role("button", name="Show the answer").first
    expect(answer).to_be_visible()
    look(looker, meter, "review", ".top")
    for state in ("review-turn", "review-answer"):
        page.locator(".turn-acts").first.evaluate("node => node.scrollIntoView({ block: 'center' })")
        look(looker, meter, state, ".turn:first-child .turn-acts", answered=True)
        if answer.is_visible():
            answer.click()


@pytest.mark.slow
def test_a_request_and_its_answer(browser: Browser, looker: Guest, meter: Page) -> None:
    """Whoever would like to take a turn back, and whoever is asked."""
    phone = looker.phone
    friend = Guest(browser, looker.server, keys=False, phone=phone, dark=not phone, scale=SCALE)
    size = looker.page.viewport_size
    assert size is not None
    friend.page.set_viewport_size(size)
    looker.open_table("you", "friend", start="1")
    friend.page.goto(looker.page.url)
    friend.page.fill("[name=name]", "Bea")
    friend.page.get_by_role("button", name="Sit down").click()
    looker.ready()
    looker.take("tap" if looker.phone else "click")
    friend.ready()
    looker.page.evaluate("document.getElementById('take-back').click()")
    for someone, name, button in ((looker, "asking", "Withdraw"), (friend, "asked", "Yes")):
        expect(someone.page.get_by_role("button", name=button)).to_be_visible()
        look(someone, meter, name, "#asks, .bar", answered=True)
    friend.context.close()


@pytest.mark.slow
def test_the_result(looker: Guest, meter: Page) -> None:
    looker.open_table("you", "bot:random", start="1")
    play_to(looker, "#result[open]")
    look(looker, meter, "result", "#result")
    card = looker.page.locator("#result")
    card.dispatch_event("click")  # of a press that began before the card was there
    expect(card, "a click that skipped the show closes the card").to_be_visible()
    looker.page.locator("#result-close").click()
    look(looker, meter, "over", ".bar")
    review, others = (looker.page.locator(which).evaluate_all(
        "(nodes) => nodes.map((node) => node.getBoundingClientRect().width)"
    ) for which in ("#to-review", "#replay, #again button"))
    assert review[0] > max(others), "another button is larger than the one to the review"


@pytest.mark.slow
def test_a_payment_of_the_garden(looker: Guest, meter: Page) -> None:
    page = looker.page
    looker.open_table("you", "bot:random", box="garden", start="1")
    confirm = page.locator("#confirm:not([disabled])")
    paying = page.locator("#sheet .mark[aria-pressed=true]")
    for _ in range(300):
        expect(page.locator(".mat .can").or_(confirm).first).to_be_attached()
        expect(page.locator("html[data-pending]")).to_have_count(0)
        if paying.count():
            break
        if confirm.count():
            confirm.click()
        else:
            lit = page.locator(".mat .own .slot.can, .mat .own .piece.can")
            lit = lit if lit.count() else page.locator(".mat .can")
            lit.nth(looker.rng.randrange(max(1, lit.count()))).click(force=True)
    expect(page.locator("#hint")).not_to_be_empty()
    look(looker, meter, "payment", ".bar, .views")
    assert page.locator(".own .piece.chosen").count(), "what is paid is not marked on the board"


def test_the_states_of_a_puzzle(looker: Guest, meter: Page) -> None:
    page = looker.page
    script = ask(page, f"{looker.server.url}/puzzles/{name_of(smallest(Goal.POINTS))}")
    look(looker, meter, "puzzle", ".answer-acts")
    page.locator("#ask-hint").click()
    look(looker, meter, "puzzle-hint", ".answer-acts", answered=True)
    page.keyboard.type(wrong_move(script))
    expect(page.locator("#table")).to_have_attribute("data-state", "wrong")
    look(looker, meter, "puzzle-wrong", ".answer-acts", answered=True)
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator("#table")).to_have_attribute("data-state", "shown")
    look(looker, meter, "puzzle-shown", ".answer-acts", answered=True)


@pytest.mark.parametrize("path", ["/rules/azul", "/games", "/daily", "/open", "/nowhere"])
def test_links_with_one_name_lead_to_one_place(guest: Guest, path: str) -> None:
    """And what a page is for looks like a button."""
    guest.page.goto(guest.server.url + path)
    assert guest.page.evaluate(NAMED) == []
    guest.page.wait_for_function(CLOTHED)
    assert guest.page.locator("a.primary, button.primary").count()


LIMIT = 250_000
"""Bytes."""


def test_a_first_visitor_loads_little_until_the_first_move(browser: Browser, server: Server) -> None:
    """From the cold home page by Play to a table at which a piece can be taken."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en")
    page, sizes = context.new_page(), [0]
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    page.goto(server.url)
    expect(page.locator("#living[data-ready]")).to_be_attached()
    page.locator(".play").click()
    expect(page.locator(".offer .piece.can").first).to_be_attached()
    context.close()
    assert sum(sizes) < LIMIT
