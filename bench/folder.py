"""The edition without a server in Chromium: seconds and bytes to a home page, to a lesson and to a table.

    azulejos export-web artefacts/web
    python -m bench.folder artefacts/web
    python -m bench.folder artefacts/web --rate 1.5     # Mbit/s of the line

Bytes are those of the files; a web space that compresses sends fewer.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import shutil
import threading
import time
from collections import Counter
from typing import Any, ClassVar, Final

TIMEOUT: Final = 600_000
PIECE: Final = 16_384
"""Bytes that go over a slow line at once."""


class Folder(http.server.SimpleHTTPRequestHandler):
    """A plain server, which counts what it sends, over a line of some bytes a second that all share."""

    sent: ClassVar[Counter[str]] = Counter()
    rate: float = 0
    line = threading.Lock()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        while piece := source.read(PIECE):
            with self.line:
                self.sent["bytes"] += len(piece)
                if self.rate:
                    time.sleep(len(piece) / self.rate)
            outputfile.write(piece)

    def log_message(self, *args: object) -> None:
        pass


def visit(page: Any, address: str) -> None:
    """Print seconds and megabytes to the home page, a lesson, and a table on which a move is possible."""
    began = time.perf_counter()

    def tell(what: str) -> None:
        spent = time.perf_counter() - began
        print(f"  {what:8} {spent:6.1f} s {Folder.sent['bytes'] / 1e6:7.3f} MB", flush=True)

    page.goto(address)
    page.wait_for_selector("#page:not([hidden])", timeout=TIMEOUT)
    tell("home")
    frame = next(frame for frame in page.frames if "/app/" in frame.url)
    frame.goto(f"{address}app/learn/azul", timeout=TIMEOUT)
    frame.wait_for_selector(".piece", state="attached", timeout=TIMEOUT)
    tell("lesson")
    frame.goto(f"{address}app/new?box=azul", timeout=TIMEOUT)
    frame.click("main form button.primary")
    frame.wait_for_selector("#table .piece.can, #table .slot.can", timeout=TIMEOUT)
    tell("table")


def main() -> None:
    from playwright.sync_api import sync_playwright

    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder")
    reader.add_argument("--rate", type=float, default=0, help="Mbit/s; 0: as fast as it goes")
    given = reader.parse_args()
    Folder.rate = given.rate * 1e6 / 8
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Folder, directory=given.folder))
    with server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        context = browser.new_context(reduced_motion="reduce")
        for name in ("first", "second"):
            page = context.new_page()
            Folder.sent.clear()
            print(f"{name} visit")
            visit(page, f"http://127.0.0.1:{server.server_port}/")
            page.close()
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
