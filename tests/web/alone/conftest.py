"""The folder, exported once and served by a plain server below a path; and a visitor of it in Chromium."""

from __future__ import annotations

import functools
import http.server
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

import pytest

from azulejos.web.alone.fetched import Missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext


class Quiet(http.server.SimpleHTTPRequestHandler):
    comes: ClassVar[threading.Event] = threading.Event()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        if self.path.endswith("azulejos.zip.gz"):
            self.comes.wait()
        super().copyfile(source, outputfile)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the folder, on a server that knows nothing but files. FOLDER names one that was made
    before, by `azulejos export-web`."""
    from azulejos.web.alone.export import export

    root = tmp_path_factory.mktemp("space")
    (root / "below").mkdir()
    try:
        if made := os.environ.get("FOLDER"):
            (root / "below" / "azul").symlink_to(made)
        else:
            export(root / "below" / "azul")
    except Missing as error:
        pytest.skip(str(error))
    Quiet.comes.set()
    handler = functools.partial(Quiet, directory=str(root))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/below/azul/"
        server.shutdown()


@pytest.fixture
def python_comes() -> Iterator[threading.Event]:
    """Cleared by a test that wants Python's files to be late."""
    yield Quiet.comes
    Quiet.comes.set()


@contextmanager
def visitor(browser: Browser, site: str, **looks: Any) -> Iterator[BrowserContext]:
    """A visitor; no request may go anywhere else, and no script may fail."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **looks}, locale="en",
                                  reduced_motion="reduce")
    asked: list[str] = []
    faults: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    context.on("weberror", lambda error: faults.append(str(error.error)))
    yield context
    context.close()
    assert not faults
    assert {urlsplit(url).netloc for url in asked if url.startswith("http")} == {urlsplit(site).netloc}


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    with visitor(browser, site) as context:
        yield context
