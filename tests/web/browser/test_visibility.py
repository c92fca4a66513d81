"""Everything that a move needs is in the window: six sizes, every box, two to four seats, every step.

Targets for fingers are at least 44 px. Where they are not, the page helps: a tap on a plate opens the loupe
(3 and 4 seats, and small phones), and few small places are offered as buttons in the bar.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from patience import PATIENCE
from samples import sampled
from web.guests import ARTEFACTS, KEYS_SHOWN, Guest
from web.hands import rested
from web.server import Server

VISIBLE = (Path(__file__).parent / "visible.js").read_text()
TOUCH = ((360, 640), (390, 844), (768, 1024))
WIDE = ((1280, 800), (1366, 768), (1920, 1080))
SPECIAL = {"option-factories": "special"}
BOXES: dict[str, dict[str, str]] = {
    "azul": {}, "azul-grey": {}, "chocolatier": SPECIAL, "sintra-a": {}, "sintra-b": {}, "garden": {},
    "garden-variant": {},
}
TABLES = sampled(
    [(box, seats) for box in BOXES for seats in (2, 3, 4)], quick=[("garden", 2)]
)

HELPED = re.compile(
    r"F\d\.\S+|C\.\S+|s\d(\.\S+)?"  # on a plate or in the centre: the loupe
    r"|seat\d\.(strip\d|broken|glazier\d)(\.\d)?"  # Sintra at 360 x 640: 37 px wide, but over 100 px high
    r"|seat\d\.(\d\d|place\d|tile\S+|jokers|x\d)"  # the Garden at 360 x 640: cells of 40 px
    r"|seat\d\.(wall\S+|line\d|floor)"  # the last pixel of a place of 44 px
)
"""Places that may be smaller than a finger, and what helps there."""
LEAST = 35
"""Pixels: no target of a board is smaller than this."""
MOST_STEPS = 300
"""Until the first payment. The deal decides how many: 59 in one of forty games."""


def open_table(context: BrowserContext, server: Server, box: str, seats: int) -> Page:
    """A table at which this person plays every seat."""
    form: dict[str, str | float | bool] = {"box": box, **BOXES[box]}
    for seat in range(seats):
        form |= {f"seat{seat}": "you", f"name{seat}": ("Ana", "Bruno", "Cecília", "Dora")[seat]}
    answer = context.request.post(f"{server.url}/tables", form=form, headers={"origin": server.url},
                                  max_redirects=0)
    assert answer.status == 303, answer.text()
    page = context.new_page()
    page.goto(server.url + answer.headers["location"])
    expect(page.locator("html[data-turn=mine]")).to_have_count(1)
    return page


def context_for(browser: Browser, server: Server, *, touch: bool) -> BrowserContext:
    width, height = (TOUCH if touch else WIDE)[0]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch, locale="en"
    )
    context.add_cookies([{"name": "azulejos_wishes", "value": "motion=off&sound=off", "url": server.url}])
    context.set_default_timeout(PATIENCE * 1000)
    return context


class Walk:
    """One table, looked at in one window after the other."""

    def __init__(self, page: Page, name: str, *, touch: bool) -> None:
        self.page = page
        self.name = name
        self.touch = touch
        self.complaints: list[str] = []

    def look(self, step: str) -> None:
        size = self.page.viewport_size
        assert size is not None
        where = f"{self.name}-{size['width']}x{size['height']}-{step}"
        rested(self.page)  # where pieces arrive, the panel lies above the others
        found: dict[str, Any] = self.page.evaluate(VISIBLE, self.touch)
        (ARTEFACTS / "visibility").mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=ARTEFACTS / "visibility" / f"{where}.png")
        self.complaints += [f"{where}: {one} is outside the window" for one in found["outside"]]
        self.complaints += [f"{where}: {one} is covered" for one in found["covered"]]
        self.complaints += [f"{where}: {one} px is too small" for one in found["small"] if not helped(one)]

    def turn(self) -> None:
        """Look at each step of a turn, and undo it."""
        self.look("start")
        self.press(self.page.locator(".offer .piece.can").first)
        if self.page.locator(".loupe").count():
            self.look_through_the_loupe()
        confirm = self.page.locator("#confirm:not([disabled])")
        for step in ("chosen", "chosen-2", "chosen-3"):
            expect(self.page.locator("html[data-pending]")).to_have_count(0)
            expect(self.page.locator(".mat .slot.can").or_(confirm).first).to_be_attached()
            if confirm.count():
                break
            self.look(step)
            self.finish()
        expect(confirm).to_be_in_viewport(ratio=1)
        self.look("complete")
        self.undo()

    def finish(self) -> None:
        """Choose a target for what is chosen."""
        buttons = self.page.locator("#options button")
        target = buttons if buttons.count() else self.page.locator(".own .slot.can, .offer .slot.can")
        self.press(target.last)

    def look_through_the_loupe(self) -> None:
        pieces = self.page.locator(".loupe .piece")
        for box in (piece.bounding_box() for piece in pieces.all()):
            assert box is not None
            if min(box["width"], box["height"]) < 44:
                self.complaints.append(f"{self.name}: a piece in the loupe is {box}")
        expect(self.page.locator(".loupe")).to_be_in_viewport(ratio=0.97)
        self.press(self.page.locator(".loupe .piece.can").first)  # the start marker may lie there first
        expect(self.page.locator(".loupe")).to_have_count(0)

    def press(self, target: Locator) -> None:
        if self.touch:
            target.tap(force=True)
        else:
            target.click(force=True)

    def undo(self) -> None:
        for _ in range(6):
            if self.page.locator("#undo[disabled]").count():
                return
            before = self.page.evaluate("document.documentElement.dataset.ply")
            chosen = self.page.locator("#confirm[disabled]").count()
            self.press(self.page.locator("#undo"))
            if not chosen:
                expect(self.page.locator(f"html:not([data-ply='{before}'])")).to_have_count(1)


def helped(place: str) -> bool:
    name, _, size = place.rpartition(" ")
    if not HELPED.fullmatch(name):
        return False
    return not name.startswith("seat") or int(size) >= LEAST


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("box", "seats"), TABLES)
def test_every_step_of_a_turn_fits_into_the_window(
    browser: Browser, server: Server, box: str, seats: int
) -> None:
    complaints = []
    for touch, sizes in ((True, TOUCH), (False, WIDE)):
        context = context_for(browser, server, touch=touch)
        walk = Walk(open_table(context, server, box, seats), f"{box}-{seats}", touch=touch)
        for width, height in sizes:
            walk.page.set_viewport_size({"width": width, "height": height})
            walk.turn()
        complaints += walk.complaints
        context.close()
    assert complaints == []


def test_nothing_is_wider_than_the_window(browser: Browser, server: Server) -> None:
    """From 320 to 1920 px, and in a window of 1280 x 800 at 200 %; the form follows without a reload."""
    context = context_for(browser, server, touch=False)
    page = open_table(context, server, "azul", 3)
    board = page.locator(".own svg")
    wide = str(board.get_attribute("viewBox"))
    sizes = [(width, 800) for width in range(320, 1921, 40)] + [(640, 400), (320, 568), (844, 390)]
    wrong = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append((width, height))
    assert wrong == []
    page.set_viewport_size({"width": 390, "height": 844})
    expect(board).not_to_have_attribute("viewBox", wide)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(board).to_have_attribute("viewBox", wide)
    context.close()


def test_a_payment_fits_into_a_phone(browser: Browser, server: Server) -> None:
    """The board shows itself when pieces are to be paid with."""
    context = context_for(browser, server, touch=True)
    context.add_init_script(KEYS_SHOWN.replace('localStorage.setItem("azulejos.side", "keys");', ""))
    page = open_table(context, server, "garden", 2)
    walk = Walk(page, "garden-2-paying", touch=True)
    paying = page.locator("#sheet .mark[aria-pressed=true]")
    for _ in range(MOST_STEPS):
        expect(page.locator("#sheet button, #confirm:not([disabled])").first).to_be_attached()
        if paying.count():
            break
        letters = page.locator("#sheet button .letter").all_text_contents()
        dear = [letter for letter in letters if re.fullmatch("[blygdp][3-6]", letter)]
        moment = "document.documentElement.dataset.ply + document.getElementById('sheet').innerHTML"
        before = page.evaluate(moment)
        page.keyboard.type((dear or [one for one in letters if one not in "-fj"] or letters)[0]) \
            if letters else page.keyboard.press("Enter")
        page.wait_for_function(f"(was) => {moment} !== was", arg=before)
    assert paying.count()
    expect(page.locator(".mat[data-view=own]")).to_have_count(1)
    for width, height in TOUCH:
        page.set_viewport_size({"width": width, "height": height})
        walk.look("start")
        expect(page.locator(".own .piece.chosen").first).to_be_in_viewport()
        expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)
    assert walk.complaints == []
    context.close()


SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("width", sampled(
    [320, 360, 560, 640, 700, 768, 1024, 1280, 1920], quick=[320, 1280]
))
def test_no_page_scrolls_sideways(browser: Browser, server: Server, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    for path in ("/", "/new", "/learn", "/learn/azul", "/games", "/rules/azul", "/rules/queens_garden"):
        page.goto(server.url + path)
        assert page.evaluate(SIDEWAYS) <= 0, f"{path} scrolls sideways at {width}"
    context.close()


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


def test_a_phone_shows_the_whole_table_without_scrolling(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, phone=True)
    guest.open_table("you", "bot:random")
    guest.ready()
    for part in ("#band strong", ".other svg", ".offer svg", ".own svg", ".bar"):
        expect(guest.page.locator(part).first, f"{part} is outside the window").to_be_in_viewport(ratio=1)
    assert guest.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    guest.context.close()
