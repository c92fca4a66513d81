"""Screenshots of every page and every table, to be looked at: `make screenshots`, or

    python -m bench.screens --out DIR [--size 360x640 ...] [--scheme dark] [--box garden ...] [--seats 3]

Plays one game of every box with two to four seats, shows a moment of it on a server of its own, and keeps
DIR/SIZE-SCHEME/NAME.png. `--box` leaves out the other boxes and the pages, `--pages` leaves out the tables.
Prints what is wider or higher than the window, every script error and every screen that could not be
reached; a screen that fails does not stop the others. Needs Chromium and the `playwright` package.
"""

from __future__ import annotations

import argparse
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from bench.scoring_show import server
from playwright.sync_api import Browser, Error, Page, sync_playwright

import azulejos
from azulejos import Record
from azulejos.core import registry
from azulejos.web.tables.boxes import shelf

SIZES = ((360, 640), (390, 844), (768, 1024), (1280, 800), (1366, 768), (1920, 1080))
TOUCH_BELOW = 1000
"""Windows that are less wide belong to devices without a mouse."""
SCHEMES = ("light", "dark")
NAMES = ("Ana", "Bruno", "Cecília", "Dora")
MOMENT = 0.55
"""How much of a game has been played where it is shown."""
LOOKED_BACK = 12
"""Which moment of a finished game is shown."""
PAGES = {
    "home": "/", "set-up": "/new", "learn": "/learn", "games": "/games", "open": "/open",
    "gone": "/t/nothing", "offline": "/offline", "daily": "/daily", "duplicate": "/duplicate",
    "studies": "/study", "puzzles": "/puzzles", "you": "/you", "no-mistakes": "/you/mistakes",
}
PATIENCE_MS = 20_000
HASTE_MS = 2_000
REVIEWED_MS = 300_000
PRESSES = 200
SIDE = ("moves", "points", "people", "settings")
"""Sections of the side panel."""
LONGER = ("home", "learn", "games", "rules-", "set-up", "daily", "duplicate", "studies", "puzzles", "you",
          "review-", "study-", "open", "settings")
"""Beginnings of the names of pages that may be higher than the window."""
LED_ON = """(count) => document.querySelector("#next:not([hidden])")
    || document.getElementById("count").textContent !== count"""
"""A step of a lesson is done; of one that goes straight on, the next one has begun."""
SCRIPT = "async () => (await fetch(document.getElementById('table').dataset.script)).json()"
"""What a page with a question knows about its answers."""
SCROLLS = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return [scrollWidth - innerWidth, scrollHeight - innerHeight];
}"""


@dataclass(frozen=True)
class Game:
    """A finished game, and a moment of it at which the first seat is to move."""

    name: str
    record: Record
    ply: int
    last: int
    """Actions before the last turn of the first seat."""


def played(preset: str, players: int) -> Game:
    """A game of bots that look at the next position only."""
    position, rng = azulejos.new(preset, players=players), random.Random(7)
    turns = []
    position.deal(rng)
    with azulejos.bots.open("greedy") as bot:
        while not position.is_over:
            if position.to_move == 0 and not position.in_turn:
                turns.append(position.ply)
            position.play(bot.play(position).move)
            position.deal(rng)
    record = Record.from_position(position, seats=NAMES[:players])
    return Game(f"{preset}-{players}", record, turns[int(len(turns) * MOMENT)], turns[-1])


class Screens:
    """Screenshots of one window, in one folder."""

    def __init__(self, browser: Browser, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        size, _, scheme = folder.name.partition("-")
        width, height = map(int, size.split("x"))
        touch = width < TOUCH_BELOW
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch, locale="en",
            color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce",
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.page = self._page()
        self.go("/")  # a page does without a font that comes late: from now on they are there
        self.page.evaluate("document.fonts.ready")

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Go on with the other screens if one cannot be reached."""
        try:
            yield
        except (Error, AssertionError) as failed:
            print(f"{self.folder.name}/{name}: not reached: {str(failed).splitlines()[0]}", flush=True)
            self.keep(f"failed-{name}")

    def _page(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: print(f"{self.folder.name}: script error: {error}"))
        return page

    def keep(self, name: str) -> None:
        self.page.evaluate("document.fonts.ready")
        self.folder.mkdir(parents=True, exist_ok=True)
        longer = name.startswith(LONGER)
        self.page.screenshot(path=self.folder / f"{name}.png", full_page=longer)
        wide, high = self.page.evaluate(SCROLLS)
        if wide > 0 or (high > 0 and not longer):
            print(f"{self.folder.name}/{name}: {wide} px too wide, {high} px too high", flush=True)

    def go(self, path: str) -> None:
        self.page.goto(urljoin(self.url, path))

    def post(self, path: str, fields: dict[str, str]) -> str:
        """Send a form; the path of the page that answers."""
        form: dict[str, str | float | bool] = {**fields}
        answer = self.context.request.post(
            self.url + path, form=form, headers={"origin": self.url}, max_redirects=0
        )
        assert answer.status == 303, answer.text()
        return answer.headers["location"]

    def pages(self) -> None:
        for name, path in PAGES.items():
            with self.part(name):
                self.go(path)
                self.keep(name)
        with self.part("settings"):
            self.go("/")
            self.page.locator(".to-settings").click()
            self.keep("settings")
        for game in registry.games():
            with self.part(f"rules-{game.name}"):
                self.go(f"/rules/{game.name}")
                self.keep(f"rules-{game.name}")
        for box in shelf():
            with self.part(f"lesson-{box.name}"):
                self.lesson(box.name)
            with self.part(f"puzzle-{box.name}"):
                self.puzzle(box.name)

    def lesson(self, box: str) -> None:
        """The steps of a lesson, walked through by "Show me"."""
        self.go(f"/learn/{box}")
        self.page.locator("[data-ready]").first.wait_for(state="attached")
        step = 0
        while not self.page.locator("#finished:not([hidden])").count():
            step += 1
            self.keep(f"lesson-{box}-{step}")
            if not self.page.locator("#show").is_visible():
                return  # a step that the learner plays alone
            count = self.page.locator("#count").inner_text()
            self.page.locator("#show").click()
            self.page.wait_for_function(LED_ON, arg=count)
            if self.page.locator("#next:not([hidden])").count():
                self.page.locator("#next").click()
        self.keep(f"lesson-{box}-end")

    def puzzle(self, box: str) -> None:
        """A puzzle before, after a wrong turn, with a hint, and when its answer is shown."""
        self.question(f"/puzzles/today?box={box}", f"puzzle-{box}")

    def question(self, path: str, name: str) -> None:
        self.go(path)
        self.page.locator("#table[data-loaded]").wait_for()
        self.keep(f"{name}-ask")
        script = self.page.evaluate(SCRIPT)
        steps, replies = script["nodes"][0]["steps"], script["replies"]
        wrong = [move for move, step in steps.items()
                 if "answer" in step and not replies[step["answer"]]["right"]]
        if wrong:
            self.page.keyboard.type(wrong[0])
            self.page.locator("#table[data-state=wrong]").wait_for()
            self.keep(f"{name}-wrong")
            self.page.locator("#try-again").click()
        if self.page.locator("#ask-hint").is_visible():
            self.page.locator("#ask-hint").click()
            self.keep(f"{name}-hint")
        self.page.locator("#show-answer").click()
        self.page.locator("#table[data-state=shown]").wait_for()
        self.keep(f"{name}-shown")

    def review(self, game: Game) -> None:
        """The review of a game, when the judge is done."""
        shown = self.post("/open", {"text": game.record.write()}).partition("#")[0]
        self.post(f"{shown}/review", {})
        self.go(f"{shown}/review")
        self.page.locator("[data-state=finished]").wait_for(state="attached", timeout=REVIEWED_MS)
        self.keep(f"review-{game.name}")

    def study(self, game: Game) -> None:
        """A position on the study board, with its best turns."""
        shown = self.post("/open", {"text": game.record.write()}).partition("#")[0]
        self.go(self.post(f"{shown}/study", {"ply": str(game.ply)}))
        self.page.locator(".mat .piece").first.wait_for(state="attached")
        self.page.locator("#turns li").first.wait_for(state="attached")
        self.keep(f"study-{game.name}")

    def result(self, game: Game) -> None:
        """The card at the end of a game: its last turn is played here."""
        shown = self.post("/open", {"text": game.record.write()}).partition("#")[0]
        self.go(self.post(f"{shown}/branch", {"ply": str(game.last)}))
        card, confirm = self.page.locator("#result"), self.page.locator("#confirm:enabled:visible")
        choice = self.page.locator(".mat .can")
        for _ in range(PRESSES):
            choice.or_(confirm).or_(card).first.wait_for(state="attached")
            if card.is_visible():
                break
            with suppress(Error):  # the card may open over what is to be pressed
                if confirm.count():
                    confirm.click(timeout=HASTE_MS)
                else:
                    self.press(".mat .can", HASTE_MS)
        card.wait_for()
        self.keep(f"result-{game.name}")

    def hints(self, game: Game) -> None:
        """What a hint says at the table."""
        shown = self.post("/open", {"text": game.record.write()}).partition("#")[0]
        self.go(self.post(f"{shown}/branch", {"ply": str(game.ply)}))
        self.page.locator("html[data-turn=mine]").wait_for(state="attached")
        self.page.locator("#hint-button").click()
        self.page.locator("#hint:not(:empty)").wait_for()
        self.keep(f"hint-{game.name}")

    def invitation(self) -> None:
        table = self.post("/tables", {"box": "azul", "seat0": "you", "name0": "Ana", "seat1": "friend"})
        self.go(table)
        self.keep("waiting")
        self.context.clear_cookies(name="azulejos_key")
        self.go(table)
        self.keep("invite")

    def table(self, game: Game) -> None:
        """A moment of a game before a piece is chosen, when it is chosen, and with its target."""
        shown = self.post("/open", {"text": game.record.write()})
        self.go(self.post(f"{shown.partition('#')[0]}/branch", {"ply": str(game.ply)}))
        self.page.locator("html[data-turn=mine]").wait_for(state="attached")
        self.keep(game.name)
        taking = self.page.locator(".offer .piece.can").count()
        self.press(".offer .piece.can" if taking else ".mat .can")
        if self.page.locator(".loupe").count():
            self.keep(f"{game.name}-loupe")
            self.press(".loupe .piece.can")
        self.keep(f"{game.name}-chosen")
        if self.page.locator("#confirm[disabled]").count():
            buttons = self.page.locator("#options button").count()
            self.press("#options button" if buttons else ".own .slot.can, .offer .slot.can")
            self.keep(f"{game.name}-target")

    def press(self, what: str, timeout: float = PATIENCE_MS) -> None:
        self.page.locator(what).last.click(force=True, timeout=timeout)
        self.page.wait_for_function("() => !document.querySelector('[data-pending]')")

    def replay(self, game: Game) -> None:
        """The end of a game, the panel beside the table, and a moment long ago."""
        shown = self.post("/open", {"text": game.record.write()}).partition("#")[0]
        self.go(shown)
        self.page.locator("html[data-ply]").wait_for(state="attached")
        self.keep(f"end-{game.name}")
        self.page.keyboard.press("Home")
        for _ in range(LOOKED_BACK):
            self.page.keyboard.press("ArrowRight")
        self.page.locator("html[data-looking]").wait_for(state="attached")
        self.keep(f"replay-{game.name}")

    def side(self, game: Game) -> None:
        self.go(self.post("/open", {"text": game.record.write()}).partition("#")[0])
        self.page.locator("html[data-ply]").wait_for(state="attached")
        if not self.page.locator("[data-opens=moves]").is_visible():
            self.page.locator("#side-menu").click()
        for section in SIDE:
            button = self.page.locator(f"[data-opens={section}]")
            if button.get_attribute("aria-expanded") != "true":
                button.click()
            self.keep(f"side-{section}-{game.name}")
        self.page.locator("#side-close").click()


def folders(out: Path, sizes: list[str], schemes: list[str]) -> list[Path]:
    return [out / f"{size}-{scheme}" for scheme in schemes for size in sizes]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    sizes = [f"{width}x{height}" for width, height in SIZES]
    parser.add_argument("--out", type=Path, default=Path("artefacts/screens"))
    parser.add_argument("--size", nargs="*", default=sizes)
    parser.add_argument("--scheme", nargs="*", default=SCHEMES, choices=SCHEMES)
    parser.add_argument("--box", nargs="*", default=[], choices=list(registry.presets()))
    parser.add_argument("--seats", nargs="*", type=int, default=[2, 3, 4], choices=(2, 3, 4))
    parser.add_argument("--pages", action="store_true", help="only the pages around the tables")
    return parser.parse_args()


def games(given: argparse.Namespace) -> list[Game]:
    boxes = [] if given.pages else given.box or list(registry.presets())
    return [played(box, players) for box in boxes for players in given.seats]


def take(screens: Screens, shown: list[Game], with_pages: bool) -> None:
    if with_pages:
        screens.pages()
        with screens.part("invitation"):
            screens.invitation()
    for game in shown:
        with screens.part(game.name):
            screens.table(game)
        with screens.part(f"end-{game.name}"):
            screens.replay(game)
        with screens.part(f"result-{game.name}"):
            screens.result(game)
        if game.record.start.players == 2:
            with screens.part(f"side-{game.name}"):
                screens.side(game)
            with screens.part(f"hint-{game.name}"):
                screens.hints(game)
            with screens.part(f"study-{game.name}"):
                screens.study(game)
            with screens.part(f"review-{game.name}"):
                screens.review(game)


def main() -> None:
    given = options()
    shown = games(given)
    with server("--seconds", "0.05", "--unlimited") as url, sync_playwright() as playwright:
        found = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for folder in folders(given.out, given.size, given.scheme):
            screens = Screens(browser, url, folder)
            take(screens, shown, with_pages=given.pages or not given.box)
            screens.context.close()
        browser.close()


if __name__ == "__main__":
    main()
