"""The edition without a server in Chromium: seconds to a home page and to a table, first and second visit.

    azulejos export-web artefacts/web
    python -m bench.folder artefacts/web
"""

from __future__ import annotations

import argparse
import functools
import http.server
import shutil
import threading
import time
from collections import Counter
from typing import Any

TIMEOUT = 300_000


def visit(page: Any, address: str) -> tuple[float, float]:
    """Seconds until the home page is shown, and from there to a table on which a move is possible."""
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_selector("#page:not([hidden])", timeout=TIMEOUT)
    home = time.perf_counter()
    frame = next(frame for frame in page.frames if "/app/" in frame.url)
    frame.goto(f"{address}app/new?box=azul", timeout=TIMEOUT)
    frame.click("main form button.primary")
    frame.wait_for_selector("#table .piece.can, #table .slot.can", timeout=TIMEOUT)
    return home - began, time.perf_counter() - home


def main() -> None:
    from playwright.sync_api import sync_playwright

    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder")
    given = reader.parse_args()
    sent: Counter[str] = Counter()

    class Counting(http.server.SimpleHTTPRequestHandler):
        def copyfile(self, source: Any, outputfile: Any) -> None:
            content = source.read()
            sent["bytes"] += len(content)
            outputfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    handler = functools.partial(Counting, directory=given.folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    with server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        context = browser.new_context(reduced_motion="reduce")
        for name in ("first", "second"):
            page = context.new_page()
            sent.clear()
            home, table = visit(page, f"http://127.0.0.1:{server.server_port}/")
            size = sent["bytes"] / 1e6
            print(f"{name} visit: home {home:.1f} s, table {table:.1f} s more, {size:.1f} MB")
            page.close()
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
