"""Bytes and seconds until a first visitor sees the home page, can move, and has a page that thinks.

    python -m bench.first_minute [URL]
    python -m bench.first_minute here     an empty machine: until a bot of the strongest level has moved

Chromium at 1.5 Mbit/s, 80 ms round trip, and a processor that is slowed down four times; `here` starts a
server with empty caches, and its page is not slowed down.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from typing import Any

from bench.web_load import serving
from playwright.sync_api import CDPSession, Page, sync_playwright

BYTES_PER_SECOND = 1_500_000 / 8
LATENCY = 80
SLOWER = 4


class Meter:
    """Counts what arrives over the network."""

    def __init__(self, session: CDPSession) -> None:
        self.bytes = 0
        session.on("Network.loadingFinished", self._add)

    def _add(self, event: dict[str, Any]) -> None:
        self.bytes += int(event["encodedDataLength"])


def slowed(page: Page) -> Meter:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": LATENCY, "downloadThroughput": BYTES_PER_SECOND,
        "uploadThroughput": BYTES_PER_SECOND,
    })
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return Meter(session)


def main(url: str) -> None:
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.set_default_timeout(120_000)
        meter, began = slowed(page), time.perf_counter()
        page.goto(url, wait_until="domcontentloaded")
        page.locator(".play").wait_for()
        print(f"Play can be pressed after {time.perf_counter() - began:.1f} s, "
              f"{meter.bytes / 1000:.0f} kB")
        page.locator("#living[data-ready]").wait_for()
        print(f"the living board is drawn after {time.perf_counter() - began:.1f} s, "
              f"{meter.bytes / 1000:.0f} kB")
        pressed = time.perf_counter()
        page.locator(".play").click()
        page.locator(".offer .piece.can").first.wait_for()
        print(f"a move is possible {time.perf_counter() - pressed:.1f} s after Play, "
              f"{meter.bytes / 1000:.0f} kB in all")
        page.locator("html[data-thinks]").wait_for()
        print(f"the page can think {time.perf_counter() - pressed:.1f} s after Play, "
              f"{meter.bytes / 1000:.0f} kB in all")
        browser.close()


def here() -> None:
    with tempfile.TemporaryDirectory() as empty, sync_playwright() as playwright:
        os.environ["XDG_CACHE_HOME"] = os.environ["AZULEJOS_CACHE"] = empty
        began = time.perf_counter()

        def say(what: str) -> None:
            print(f"{what} after {time.perf_counter() - began:.1f} s", flush=True)

        with serving() as server:
            say("the home page is there")
            path = shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            page = browser.new_page()
            page.set_default_timeout(120_000)
            page.context.add_cookies([
                {"name": "azulejos_wishes", "value": "motion=off&confirm=off", "url": server.url}])
            page.goto(server.url)
            page.request.post(f"{server.url}/tables", headers={"origin": server.url}, form={
                "box": "azul", "seat0": "you", "name0": "Ana", "seat1": "bot:level:7@1"}, max_redirects=0)
            page.goto(server.url)
            page.locator("a[href*='/t/'], a[href^='t/']").first.click()
            page.locator("html[data-turn=mine]").wait_for(state="attached")
            say("a move is possible")
            page.locator("html[data-thinks]").wait_for(state="attached")
            say("the page can think")
            moment = page.locator("#where").inner_text()
            while page.locator("#where").inner_text() == moment:
                page.locator(".mat .can").first.click(force=True)
            page.locator("html[data-turn=mine]").wait_for(state="attached")
            say("a bot of level 7 has moved, with 1 s a move,")
            browser.close()
        print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["here"]:
        here()
        sys.exit()
    main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000")
