"""What has a meaning can be seen: contrast measured from the pixels of real pages, day and evening."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from azulejos.web.tables.boxes import playable
from samples import sampled
from web.guests import Guest
from web.server import Server

MEASURE = (Path(__file__).parent / "contrast.js").read_text()
SCALE = 2
MARKS, WORDS = 3.0, 4.5
SHARE = 0.012
"""The least share of a box that a colour must cover: less is the edge of something."""

BOXES = """([selector, grow]) => [...document.querySelectorAll(selector)].map((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return { x: x - grow, y: y - grow, width: width + 2 * grow, height: height + 2 * grow };
}).filter(({ width, height }) => width > 4 && height > 4)"""
EDGES = """(selector) => [...document.querySelectorAll(selector)].map((node) => {
  const { x, y, height } = node.getBoundingClientRect();
  return { x: x - 7, y: y + height / 2 - 6, width: 9, height: 12 };
})"""

EMPTY = '.own use[href^="#mark-"]:not([href*="badge"]), .offer use[href^="#mark-hex"]'
NUMBERS = ".own .score, .own .caption, .shared .strong, .own .badge-slot .caption"
TEXT = ".band strong, .band .detail, .crumb, .top a, .other .name, .bar .hint"
RINGS = ".own .slot:is(.legal, .can) > .hit"


class Pixels:
    """A picture of a page, taken while no word moved, and a blank page that measures it."""

    def __init__(self, page: Page, meter: Page) -> None:
        self.page, self.meter = page, meter
        moved = True
        while moved:
            before = page.evaluate(BOXES, [TEXT, 0])
            self.picture = base64.b64encode(page.screenshot()).decode()
            moved = page.evaluate(BOXES, [TEXT, 0]) != before

    def contrasts(self, boxes: list[dict[str, float]]) -> list[float]:
        scaled = [{name: length * SCALE for name, length in box.items()} for box in boxes]
        given = {"picture": self.picture, "boxes": scaled, "least": SHARE}
        measured: list[float] = self.meter.evaluate(MEASURE, given)
        return measured

    def around(self, selector: str) -> list[float]:
        return self.contrasts(self.page.evaluate(BOXES, [selector, 0]))


@pytest.mark.parametrize(("box", "dark"), sampled(
    [(box, dark) for box in playable() for dark in (False, True)], quick=[("azul", False), ("garden", True)]
))
def test_marks_rings_numbers_and_words_stand_out(
    browser: Browser, server: Server, box: str, dark: bool
) -> None:
    person = Guest(browser, server, keys=False, dark=dark, scale=SCALE)
    meter = browser.new_page()
    person.open_table("you", "you", box=box, start="1")  # the boards need not change places
    person.ready()
    person.page.evaluate("document.fonts.ready")
    seen = Pixels(person.page, meter)
    found: dict[str, Any] = {
        "words": [one for one in seen.around(TEXT) if one < WORDS],
        "numbers": [one for one in seen.around(NUMBERS) if one < MARKS],
        "marks": [one for one in seen.around(EMPTY) if one < MARKS],
        "rings": _rings(person.page, meter),
    }
    person.context.close()
    meter.close()
    assert found == {"words": [], "numbers": [], "marks": [], "rings": []}


def _rings(page: Page, meter: Page) -> list[float]:
    """Of the lines that can take a chosen piece."""
    if not page.locator(".offer .piece.can").count():
        return []
    words = page.locator('[data-layer="labels"] .quiet')
    before = words.count()
    page.locator(".offer .piece.can").first.click(force=True)
    page.wait_for_selector(".choosing")
    assert words.count() == before  # the states of pieces leave words alone
    page.mouse.move(640, 2)
    edges = page.evaluate(EDGES, RINGS)
    return [one for one in Pixels(page, meter).contrasts(edges) if one < MARKS]
