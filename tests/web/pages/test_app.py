"""The site as an app: manifest, icons, and a service worker with lessons that work offline."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, expect
from starlette.testclient import TestClient

from azulejos.web.guard.doors import LONG_BODIES
from web.server import running

ACTIVE = "navigator.serviceWorker.ready.then((one) => one.active.state === 'activated' || new Promise(" \
         "(done) => { one.active.onstatechange = () => done(true); }))"


def test_the_manifest_names_icons_that_exist(client: TestClient) -> None:
    manifest = client.get("/manifest.webmanifest").json()
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        answer = client.get(icon["src"])
        assert answer.status_code == 200
        assert answer.headers["content-type"] == icon["type"]


def test_everything_that_the_worker_keeps_exists(client: TestClient) -> None:
    worker = client.get("/sw.js")
    assert worker.headers["cache-control"] == "no-cache"
    files = re.findall(r'"(/[^"]+)"', worker.text.split("\n")[1])
    assert "/offline" in files
    for file in files:
        assert client.get(file).status_code == 200, file


def test_another_language_is_another_version(client: TestClient) -> None:
    english = client.get("/sw.js").text.split("\n")[0]
    client.post("/wishes", data={"language": "pl"})
    assert client.get("/sw.js").text.split("\n")[0] != english


def test_a_lesson_works_without_a_server(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    with running(tmp_path) as server:
        page.goto(f"{server.url}/learn")
        page.evaluate(ACTIVE)  # the page registers its worker itself
    page.goto(f"{server.url}/learn/azul")
    expect(page.locator("#lesson[data-ready]")).to_have_count(1)
    page.locator(".piece[data-slot='F1.blue']").first.click(force=True)
    expect(page.locator("#task")).to_have_text("Put them in line 2.")
    page.goto(f"{server.url}/t/some-table")
    expect(page.get_by_role("heading", level=1)).to_have_text("You are offline.")
    context.close()


def test_texts_become_elements_and_scripts_at_one_place_only(browser: Browser, tmp_path: Path) -> None:
    """Chromium refuses them elsewhere, whatever a script of the page tries."""
    context = browser.new_context()
    page = context.new_page()
    with running(tmp_path) as server:
        page.goto(server.url)
        for act in (
            "document.body.innerHTML = '<p>'", "document.body.insertAdjacentHTML('beforeend', '<p>')",
            "new DOMParser().parseFromString('<p>', 'text/html')",
            "document.createElement('script').src = '/sw.js'",
            "await navigator.serviceWorker.register('/sw.js')", "trustedTypes.createPolicy('other', {})",
        ):
            tried = f"async () => {{ try {{ {act} }} catch (error) {{ return error.name }} }}"
            assert page.evaluate(tried) == "TypeError", act
        nodes = "(await import('/static/markup.js')).nodes('<p>one</p> two')"
        found = page.evaluate(f"async () => {nodes}.map((node) => node.nodeName)")
        assert found == ["P", "#text"]
    context.close()


def test_the_proxy_file_allows_what_the_server_reads_and_keeps_browsers_on_https() -> None:
    text = (Path(__file__).parents[3] / "deploy" / "nginx.conf").read_text()
    size = re.search(r"client_max_body_size (\d+)k;", text)
    assert size is not None
    assert int(size[1]) * 1024 >= max(LONG_BODIES.values())
    assert "add_header Strict-Transport-Security" in text
