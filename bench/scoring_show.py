"""The table in a slow browser: `python -m bench.scoring_show`. Needs Chromium and the `playwright` package.

Starts its own server and plays with all seats at one screen. Prints the frames a second during scoring
shows, with a processor four times as slow, what the main thread does for a frame, and the memory of the
page before and after the moves. Where there is no graphics processor, Chromium paints on the processor, and
that is most of a frame.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import CDPSession, Page, sync_playwright

COUNT_FRAMES = """() => {
  window.frames_seen = [];
  const step = (now) => {
    if (document.documentElement.dataset.show) window.frames_seen.push(now);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}"""
LONGEST_GAP = 1000
"""Milliseconds without a frame that separate two shows."""


@contextmanager
def server(*options: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-u", "-m", "azulejos", "serve", "--no-open", "--port", "0",
                   "--database", f"sqlite:///{folder}/games.sqlite", *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            port = process.stdout.readline().strip().rstrip("/").rpartition(":")[2]
            yield f"http://localhost:{port}"
        finally:
            process.terminate()
            process.wait()


def open_table(page: Page, url: str, box: str, seats: int) -> None:
    page.goto(url)
    fields: dict[str, str | float | bool] = {"box": box}
    for seat in range(seats):
        fields |= {f"seat{seat}": "you", f"name{seat}": f"Ana {seat + 1}"}
    made = page.request.post(f"{url}/tables", form=fields, headers={"origin": url}, max_redirects=0)
    page.goto(urllib.parse.urljoin(url, made.headers["location"]))


PARTS = {"TaskDuration": "in all", "ScriptDuration": "scripts", "RecalcStyleDuration": "style",
         "LayoutDuration": "layout"}


class Effort:
    """Seconds of the main thread during shows, by what it did."""

    def __init__(self, client: CDPSession) -> None:
        self.client = client
        self.seconds = dict.fromkeys(PARTS, 0.0)
        client.send("Performance.enable")

    def _now(self) -> dict[str, float]:
        metrics = self.client.send("Performance.getMetrics")["metrics"]
        return {each["name"]: each["value"] for each in metrics if each["name"] in PARTS}

    def watch(self, page: Page) -> None:
        """Wait for the end of a show that has begun."""
        before = self._now()
        page.wait_for_selector("html:not([data-show])", state="attached")
        for name, value in self._now().items():
            self.seconds[name] += value - before[name]

    def told(self, frames: int) -> str:
        return ", ".join(f"{1000 * self.seconds[name] / max(1, frames):.1f} ms {part}"
                         for name, part in PARTS.items())


def play(page: Page, moves: int, effort: Effort) -> int:
    """Play turns by clicks, and watch every show to its end; returns how many were played."""
    for turn in range(moves):
        page.wait_for_selector("html:not([data-show]) .mat .can, #again:not([hidden])", state="attached")
        if page.locator("#again:not([hidden])").count():
            return turn
        page.locator(".offer .piece.can").first.click()
        page.wait_for_selector("#confirm:not([disabled]), .choosing .own .slot.can", state="attached")
        if page.locator("#confirm[disabled]").count():
            page.locator(".own .slot.can").first.click(force=True)
        before = page.locator("#where").inner_text()
        page.locator("#confirm:not([disabled])").click()
        page.wait_for_function("(was) => document.getElementById('where').textContent !== was", arg=before)
        page.wait_for_selector("html[data-show], html:not([data-show]) .mat .can, #again:not([hidden])",
                               state="attached")
        if page.locator("html[data-show]").count():
            effort.watch(page)
    return moves


def memory(client: CDPSession) -> float:
    """Megabytes of JavaScript objects after a garbage collection."""
    client.send("HeapProfiler.collectGarbage")
    used: float = client.send("Runtime.getHeapUsage")["usedSize"]
    return used / 1e6


def frames_a_second(times: list[float]) -> list[float]:
    gaps = sorted(later - earlier for earlier, later in itertools.pairwise(times)
                  if later - earlier < LONGEST_GAP)
    return [1000 / gaps[len(gaps) // 2], 1000 / gaps[len(gaps) * 95 // 100]] if gaps else [0, 0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--box", default="azul")
    parser.add_argument("--seats", type=int, default=2, help="a game of four seats has 80 to 100 moves")
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--slower", type=float, default=4, help="how many times as slow the processor is")
    given = parser.parse_args()
    with server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        open_table(page, url, given.box, given.seats)
        client = page.context.new_cdp_session(page)
        before = memory(client)
        client.send("Emulation.setCPUThrottlingRate", {"rate": given.slower})
        page.evaluate(COUNT_FRAMES)
        effort = Effort(client)
        played = play(page, given.moves, effort)
        seen = page.evaluate("() => window.frames_seen")
        usual, slow = frames_a_second(seen)
        shows = page.locator("html").get_attribute("data-shows") or "0"
        print(f"{given.box}: {played} moves, {shows} shows, {usual:.0f} frames a second (median), "
              f"{slow:.0f} in the slowest 5 %; memory {before:.1f} MB, then {memory(client):.1f} MB")
        print(f"main thread, for each of {len(seen)} frames of shows: {effort.told(len(seen))}")
        browser.close()


if __name__ == "__main__":
    main()
