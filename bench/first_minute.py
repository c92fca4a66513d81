"""Bytes and seconds until a first visitor sees the home page, can move, and has a page that thinks.

    python -m bench.first_minute [URL]

Chromium at 1.5 Mbit/s, 80 ms round trip, and a processor that is slowed down four times.
"""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any

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


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000")
