"""First paint of pages of puzzles, and each step of a hint: ``python -m bench.learn_pages URL``.

Loads each page five times, and asks for the three steps of a hint at the beginning of games against a bot:
from the moment at which the button is pressed to the moment at which the step is said.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import time

from playwright.sync_api import Page, sync_playwright

PAGES = ("puzzles", "puzzles?box=garden", "puzzles/today", "puzzles/sprint", "drills")
LOADS = 5
TABLES = 6
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def paints(page: Page, url: str) -> None:
    for path in PAGES:
        found = []
        for _ in range(LOADS):
            page.goto(f"{url}{path}")
            found.append(float(page.wait_for_function(PAINTED).json_value()))
        print(f"{path:24} first paint {found[0]:.0f} ms the first time, then "
              f"{statistics.median(found):.0f} (most {max(found[1:]):.0f})", flush=True)


def steps(page: Page, url: str) -> None:
    times = dict[int, list[float]]()
    for _ in range(TABLES):
        page.goto(url)
        page.locator(".play").first.click()
        for step in (1, 2, 3):
            page.locator("#hint-button:enabled").wait_for()
            time.sleep(1)  # nobody asks at once
            before = page.locator("#hint").inner_text()
            began = time.perf_counter()
            page.locator("#hint-button").click()
            page.wait_for_function("said => document.querySelector('#hint').innerText !== said", arg=before)
            times.setdefault(step, []).append(time.perf_counter() - began)
    for step, found in times.items():
        print(f"step {step}: median {statistics.median(found):.2f} s, most {max(found):.2f} s", flush=True)


def main(url: str) -> None:
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(60_000)
        paints(page, url)
        steps(page, url)


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/") + "/")
