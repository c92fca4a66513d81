"""Hands that drag, for tests: a mouse, and a finger through the protocol of Chromium's developer tools."""

from __future__ import annotations

from typing import Protocol

import pytest
from playwright.sync_api import Locator, Page, expect

from web.guests import Guest

STEPS = 200
MOMENT = """() => [document.documentElement.dataset.ply, document.getElementById("where").textContent,
  document.querySelectorAll(".mat .can").length, document.querySelectorAll(".mat .chosen").length,
  document.getElementById("confirm").disabled].join(" ")"""


class Hand(Protocol):
    def press(self, x: float, y: float) -> None: ...
    def move(self, x: float, y: float) -> None: ...
    def lift(self) -> None: ...


class Mouse:
    def __init__(self, page: Page) -> None:
        self.mouse = page.mouse

    def press(self, x: float, y: float) -> None:
        self.mouse.move(x, y)
        self.mouse.down()

    def move(self, x: float, y: float) -> None:
        self.mouse.move(x, y, steps=2)

    def lift(self) -> None:
        self.mouse.up()


class Finger:
    def __init__(self, page: Page) -> None:
        self.client = page.context.new_cdp_session(page)

    def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        there = [{"x": x, "y": y} for x, y in points]
        self.client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": there})

    def press(self, x: float, y: float) -> None:
        self._touch("touchStart", (x, y))

    def move(self, x: float, y: float) -> None:
        self._touch("touchMove", (x, y))

    def lift(self) -> None:
        self._touch("touchEnd")


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def rested(page: Page) -> None:
    """Nothing is on its way."""
    expect(page.locator("html[data-travel]")).to_have_count(0)


def pick_up(hand: Hand, piece: Locator) -> None:
    x, y = middle(piece)
    hand.press(x, y)
    hand.move(x + 10, y + 10)


def drop(hand: Hand, place: Locator) -> None:
    hand.move(*middle(place))
    hand.lift()


def drag_turn(guest: Guest, hand: Hand) -> None:
    """Drag whatever can be dragged to any place that glows, in any game, until the turn is complete; places
    without pieces are clicked. Then confirm."""
    page = guest.page
    confirm = page.locator("#confirm:not([disabled])")
    for _ in range(STEPS):
        expect(page.locator(".mat .can").or_(confirm).first).to_be_attached()
        if confirm.count():
            confirm.click()
            return
        rested(page)
        _drag_something(guest, hand)
    pytest.fail("the turn never ends")


def _drag_something(guest: Guest, hand: Hand) -> None:
    page = guest.page
    pieces = [piece for piece in page.locator(".mat .piece.can").all() if piece.is_visible()]
    if not pieces:
        places = page.locator(".mat .slot.can")
        places.nth(guest.rng.randrange(max(1, places.count()))).click(force=True)
        return
    pick_up(hand, guest.rng.choice(pieces))
    targets = page.locator(".slot.legal")
    expect(targets.or_(page.locator("html:not([data-drag])")).first).to_be_attached()
    if targets.count():
        hand.move(*middle(targets.nth(guest.rng.randrange(targets.count()))))
    hand.lift()
