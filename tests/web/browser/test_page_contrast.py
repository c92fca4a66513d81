"""Every word of every page can be read: contrast measured from the pixels, by day and in the evening."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from azulejos.insight.puzzles import Goal
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.pages.puzzles import name_of
from azulejos.web.tables.boxes import playable
from insight.games import record
from samples import sampled
from web.browser.test_contrast import MEASURE, SCALE, SHARE
from web.guests import Guest
from web.hands import rested
from web.learn.test_puzzles import ask, smallest, wrong_move
from web.pages.test_review import TINY, reviews_of
from web.server import Server, running

WORDS = (Path(__file__).parent / "words.js").read_text()
SMALL, LARGE = 4.5, 3.0
PAGES = (
    "/", "/new", "/new?box=garden", "/games", "/learn", "/learn/azul", "/rules/azul", "/puzzles",
    "/puzzles/sprint?box=azul", "/drills?box=azul&kind=gain", "/drills?box=azul&kind=reply", "/study",
    "/open", "/you", "/you/mistakes", "/daily", "/duplicate", "/nowhere", "/t/nowhere", "/watch",
    "/me", "/meet", "/league", "/archive", "/notices",
)
SETTLED = """async () => {
  const living = document.getElementById("living");
  while (living && !("ready" in living.dataset)) await new Promise(requestAnimationFrame);
  const ends = ({ effect }) => effect.getComputedTiming().endTime < Infinity;
  const passing = document.getAnimations().filter(ends);
  await Promise.allSettled(passing.map(({ finished }) => finished));
}"""
"""What fades in is there."""
STEPS = 12
"""Windows of a page, from its top downwards."""


@pytest.fixture(params=sampled(
    [f"{time} {form}" for time in ("day", "evening") for form in ("desktop", "phone")],
    quick=["day phone", "evening desktop"],
))
def reader(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Guest]:
    time, form = request.param.split()
    someone = Guest(browser, server, keys=False, dark=time == "evening", phone=form == "phone", scale=SCALE)
    yield someone
    someone.context.close()


@pytest.fixture
def meter(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


def unreadable(page: Page, meter: Page) -> list[str]:
    """Words of what is in the window that have too little contrast, and still have it when they are looked
    at again: a game that goes on by itself may have ended meanwhile, and its result was coming in."""
    found = pale(page, meter)
    return found and [line for line in pale(page, meter) if line in found]


def pale(page: Page, meter: Page) -> list[str]:
    page.evaluate("() => document.fonts.ready")
    page.evaluate(SETTLED)
    rested(page)
    words = page.evaluate(WORDS)
    picture = base64.b64encode(page.screenshot()).decode()
    boxes = [{name: one[name] * SCALE for name in ("x", "y", "width", "height")} for one in words]
    found = meter.evaluate(MEASURE, {"picture": picture, "boxes": boxes, "least": SHARE})
    return [
        f"{page.url}: {one['text']!r} {contrast:.1f}" for one, contrast in zip(words, found, strict=True)
        if contrast < (LARGE if one["large"] else SMALL)
    ]


def read(page: Page, meter: Page) -> list[str]:
    """The same from the top of a page to its end."""
    found = []
    for _ in range(STEPS):
        found += unreadable(page, meter)
        before = page.evaluate("scrollY")
        page.evaluate("scrollBy({ top: innerHeight * .9, behavior: 'instant' })")
        if page.evaluate("scrollY") == before:
            break
    return list(dict.fromkeys(found))


@pytest.mark.timeout(600)
def test_every_word_of_every_page_can_be_read(reader: Guest, meter: Page) -> None:
    found = []
    for path in PAGES:
        reader.page.goto(reader.server.url + path)
        found += read(reader.page, meter)
    assert not found, "\n".join(found)


@pytest.mark.timeout(600)
def test_every_word_of_what_opens_over_a_page_can_be_read(reader: Guest, meter: Page) -> None:
    """Settings, sections of the side panel, an invitation and the page of its host."""
    page, found = reader.page, []
    page.goto(reader.server.url)
    page.locator(".to-settings").click()
    found += unreadable(page, meter)
    reader.open_table("you", "friend")
    found += read(page, meter)
    page.goto(f"{page.url}?watch")
    found += unreadable(page, meter)
    reader.open_table("you", "bot:random")
    for section in ("moves", "points", "chat", "people", "settings"):
        page.evaluate(f"document.querySelector('[data-opens={section}]').click()")
        expect(page.locator(f"#side-{section}")).to_be_visible()
        found += unreadable(page, meter)
    assert not found, "\n".join(found)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("box", sampled(list(playable()), quick=["azul", "chocolatier", "garden"]))
def test_every_word_of_a_table_can_be_read(reader: Guest, meter: Page, box: str) -> None:
    """At the beginning, with something chosen, and with a turn to confirm."""
    page, found = reader.page, []
    reader.open_table("you", "bot:random", box=box)
    reader.ready()
    found += unreadable(page, meter)
    page.locator(".offer .piece.can").first.click(force=True)
    expect(page.locator("html[data-pending]")).to_have_count(0)
    found += unreadable(page, meter)
    assert not found, "\n".join(found)


def test_every_word_of_a_puzzle_can_be_read(reader: Guest, meter: Page) -> None:
    """Asked, failed, and answered."""
    page = reader.page
    script = ask(page, f"{reader.server.url}/puzzles/{name_of(smallest(Goal.POINTS))}")
    found = unreadable(page, meter)
    page.keyboard.type(wrong_move(script))
    expect(page.locator("#table")).to_have_attribute("data-state", "wrong")
    found += unreadable(page, meter)
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator("#table")).to_have_attribute("data-state", "shown")
    found += unreadable(page, meter)
    assert not found, "\n".join(found)


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    """A server with a finished game and its review."""
    folder = tmp_path_factory.mktemp("reviewed")
    database = f"sqlite:///{folder}/games.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AZULEJOS_JIT", "1")
        path = _make_review(database)
    with running(folder, database=database) as server:
        yield server, path


def _make_review(database: str) -> str:
    app = create_app(Settings(database=database, secret="s", limits=UNLIMITED))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        opened = client.post("/open", data={"text": record("azul", 2, 1).write()}, follow_redirects=False)
        path = str(opened.headers["location"].partition("#")[0])
        reviews = reviews_of(client)
        reviews.efforts = (TINY,)
        client.post(f"{path}/review")
        assert client.portal is not None
        client.portal.call(reviews.settled)
    return path


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("dark", [False, True])
def test_every_word_of_a_review_can_be_read(
    browser: Browser, meter: Page, reviewed: tuple[Server, str], dark: bool, phone: bool
) -> None:
    server, path = reviewed
    someone = Guest(browser, server, keys=False, dark=dark, phone=phone, scale=SCALE)
    page = someone.page
    page.goto(f"{server.url}{path}/review?seat=1")
    main = page.get_by_role("link", name="Try it yourself on the table").first
    expect(main).to_be_visible()
    found = read(page, meter)
    page.get_by_role("button", name="Show the answer").first.click()
    found += read(page, meter)
    someone.context.close()
    assert not found, "\n".join(found)
