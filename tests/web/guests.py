"""People with a browser, for tests: they open tables and play by mouse, keyboard and touch."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from patience import PATIENCE
from web.node import AXE
from web.server import Server

CHECKS = (Path(__file__).parent / "checks.js").read_text()
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) if (!e.hadRecentInput && e.value > 0.001) {
    const who = e.sources.map((s) => s.node?.id || s.node?.className);
    window.shifts.push(`${e.value.toFixed(4)} ${who.join(" ")}`);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
KEYS_SHOWN = """if (location.protocol !== "about:") {
  localStorage.setItem("azulejos.keys", "shown");
  localStorage.setItem("azulejos.side", "keys");
}"""
FIND_BARRIERS = """async () => {
  const where = ({ nodes }) => nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ");
  return (await axe.run(document)).violations.map((v) => `${v.id} (${v.help}): ${where(v)}`);
}"""
expect.set_options(timeout=PATIENCE * 1000)
ARTEFACTS = Path(__file__).resolve().parents[2] / "artefacts"


class Guest:
    """A person with a separate browser, whose errors are collected."""

    def __init__(self, browser: Browser, server: Server, *, phone: bool = False, motion: str = "off",
                 dark: bool = False, still: bool = False, language: str = "en",
                 keys: bool | None = None, scale: float = 1) -> None:
        """`keys`: with the list of possible moves; not by default on a phone, where it hides the table."""
        size = {"width": 360, "height": 740} if phone else {"width": 1280, "height": 800}
        self.phone = phone
        self.payments = 0
        self.rng = random.Random(1)
        self.server = server
        self.context = browser.new_context(
            viewport=size, has_touch=phone, is_mobile=phone, locale=language,  # type: ignore[arg-type]
            device_scale_factor=scale,
            color_scheme="dark" if dark else "light", reduced_motion="reduce" if still else "no-preference",
        )
        wishes = f"motion={motion}&sound=on"
        self.context.add_cookies([{"name": "azulejos_wishes", "value": wishes, "url": server.url}])
        self.context.add_init_script(SHIFTS)
        if not phone if keys is None else keys:
            self.context.add_init_script(KEYS_SHOWN)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type != "log" else None)
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))

    def open_table(
        self, *seats: str, box: str = "azul", agreed: dict[str, str] | None = None, **options: Any
    ) -> str:
        """Open a table as the set-up page does; return its address."""
        fields = {f"seat{index}": kind for index, kind in enumerate(seats)}
        chosen = {f"option-{name}": value for name, value in options.items()}
        answer = self.page.request.post(
            f"{self.server.url}/tables",
            form={"box": box, "name0": "Ana", **fields, **chosen, **(agreed or {})},
            headers={"origin": self.server.url}, max_redirects=0,
        )
        self.page.goto(self.server.url + answer.headers["location"])
        return self.page.url

    def find_barriers(self) -> None:
        """Let axe look at the page: WCAG and what it calls best practice."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate(FIND_BARRIERS)
        assert not found, f"{self.page.url}: {found}"

    def ready(self) -> bool:
        """Skip what is being shown and wait until there is something to do; False when the game is over."""
        page, show = self.page, self.page.locator("html[data-show]")
        something = page.locator(".mat .can, #confirm:not([disabled]):visible, #again:not([hidden])")
        expect(something.or_(show).first).to_be_attached()
        while show.count():
            page.keyboard.press("Shift")
            expect(something.or_(show).first).to_be_attached()
        expect(something.first).to_be_attached()  # what was shown may have ended by itself
        if not page.locator("#again:not([hidden])").count():
            return True
        self.close_result()
        return False

    def close_result(self) -> None:
        """Close the card that opens at the end of a game."""
        expect(self.page.locator("#result")).to_be_visible()
        self.page.keyboard.press("Escape")
        expect(self.page.locator("#result")).to_be_hidden()

    @property
    def scorings(self) -> int:
        """How many times points were counted on this page."""
        return int(self.page.locator("html").get_attribute("data-shows") or 0)

    def take(self, act: str) -> None:
        """Play one turn by clicks, keys or taps."""
        {
            "click": self._click, "key": self._type, "tap": self._tap, "roam": self._roam,
            "wander": self._wander,
        }[act]()

    def _roam(self) -> None:
        """Click on anything highlighted, in any game, until the turn is complete; then confirm it."""
        confirm = self.page.locator("#confirm:not([disabled])")
        for _ in range(200):
            expect(self.page.locator(".mat .can").or_(confirm).first).to_be_attached()
            if self.page.locator("#sheet .mark[aria-pressed=true]").count():
                self._change_payment()
            if confirm.count():
                confirm.click()
                return
            lit = self.page.locator(".mat .can")
            lit.nth(self.rng.randrange(max(1, lit.count()))).click(force=True)
        pytest.fail("the turn never ends")

    def _wander(self) -> None:
        """Tap anything highlighted, in any game, until the turn is complete; then confirm it."""
        confirm = self.page.locator("#confirm:not([disabled])")
        for _ in range(200):
            expect(self.page.locator(".mat .can").or_(confirm).first).to_be_attached()
            if confirm.count():
                confirm.tap()
                return
            lit = self.page.locator(".mat .can")
            lit.nth(self.rng.randrange(max(1, lit.count()))).tap(force=True)
        pytest.fail("the turn never ends")

    def _change_payment(self) -> None:
        """Unmark a piece of the suggested payment by a click, and mark it again."""
        self.payments += 1
        piece = self.page.locator(".mat .piece.chosen").first.element_handle()
        piece.click()
        assert not piece.evaluate("(piece) => piece.matches('.chosen')")
        expect(self.page.locator("#confirm")).to_be_disabled()
        expect(self.page.locator("#hint")).to_contain_text(re.compile(r"\d"))
        piece.click()
        expect(self.page.locator("#confirm")).to_be_enabled()

    def _click(self) -> None:
        self.page.locator(".offer .piece.can").first.click()
        if self.page.locator("#confirm[disabled]").count():
            targets = self.page.locator(".own .slot.can, .other .slot.can")
            if targets.count():
                targets.first.click(force=True)  # a tile may lie on the place
        self.page.locator("#confirm:not([disabled])").click()

    def _type(self) -> None:
        keys = self.page.locator("#sheet button .letter").first.inner_text()
        self.page.keyboard.type(keys)
        if self.page.locator("#sheet .target").count():
            self.page.keyboard.type(self.page.locator("#sheet .target .letter").first.inner_text())
        expect(self.page.locator("#confirm")).to_be_enabled()
        self.page.keyboard.press("Enter")

    def _tap(self) -> None:
        self.tap_piece()
        targets = self.page.locator(".own .slot.can")
        if self.page.locator("#confirm[disabled]").count() and targets.count():
            targets.first.tap(force=True)  # a tile may lie on the place
        self.page.locator("#confirm:not([disabled])").tap()

    def tap_piece(self) -> None:
        """Tap a piece on offer; where the loupe shows its plate large, tap it there."""
        self.page.locator(".offer .piece.can").first.tap()
        if self.page.locator(".loupe").count():
            self.page.locator(".loupe .piece.can").first.tap()  # not all that lies there can be chosen

    def play(self, act: str, turns: int = 400) -> int:
        """Play up to `turns` turns, or to the end; return how many were played."""
        for turn in range(turns):
            if not self.ready():
                return turn
            before = self.where()
            self.take(act)
            expect(self.page.locator("#where")).not_to_have_text(before)
        return turns

    def where(self) -> str:
        return self.page.locator("#where").inner_text()

    def check(self, *, name: str = "") -> None:
        """There was no complaint, no error and no layout shift; a screenshot is kept."""
        complaints = self.page.evaluate(CHECKS, self.phone)
        if name:
            ARTEFACTS.mkdir(exist_ok=True)
            self.page.screenshot(path=ARTEFACTS / f"{name}.png", full_page=True)
        assert complaints == []
        assert self.errors == []
        assert self.page.evaluate("window.shifts") == []
