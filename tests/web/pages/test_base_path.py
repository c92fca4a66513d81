"""The whole site under a path such as example.org/azulejos/; a proxy may keep the path or remove it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from starlette.testclient import TestClient

from azulejos.core.message import Problem
from azulejos.web.app import STATIC, Settings, create_app
from azulejos.web.base_path import read_base_path
from azulejos.web.guard import UNLIMITED
from web.people import open_table, seated
from web.server import running

BASE = "/azulejos"
ADDRESS = re.compile(r'(?:href|src|action|data-script|data-plan[a-z-]*|srcset|value)="(/[^"]*)"')
ABSOLUTE = re.compile(r"""(href|src|action|data-\w+)=["']/|(fetch|assign|register|inSite|URL)\(["'`]/""")
FILE = re.compile(r"/(static|art|plan|sprite|lesson|living)/")
PAGES = ("", "new", "games", "learn", "learn/azul", "rules/azul", "open", "offline", "nothing-here")


@pytest.fixture
def under_a_path(tmp_path: Path) -> Iterator[TestClient]:
    url = f"sqlite:///{tmp_path}/games.sqlite"
    app = create_app(Settings(database=url, secret="s", seconds=0.01, limits=UNLIMITED, base_path=BASE))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        yield client


def addresses(client: TestClient, page: str) -> set[str]:
    return {unescape(found) for found in ADDRESS.findall(client.get(page).text)}


def test_every_address_on_every_page_is_under_the_path(under_a_path: TestClient) -> None:
    client = under_a_path
    table = open_table(client, seat1="bot:random")
    waiting = open_table(client, seat1="friend")
    found = {a for page in PAGES for a in addresses(client, f"{BASE}/{page}")}
    found |= addresses(client, table) | addresses(client, waiting)
    outside = {address for address in found if not f"{address}/".startswith(f"{BASE}/")}
    assert outside == set()
    files = [address for address in found if FILE.search(address)]
    assert len(files) > 15
    for address in files:
        assert client.get(address).status_code == 200, address


def test_people_play_under_the_path(under_a_path: TestClient) -> None:
    path = open_table(under_a_path)
    assert path.startswith(f"{BASE}/t/")
    with seated(under_a_path, path) as ana:
        before = ana.frame["ply"]
        ana.turn(random.Random(1))
        assert ana.frame["ply"] > before


def test_a_proxy_may_remove_the_path(under_a_path: TestClient) -> None:
    assert under_a_path.get("/").text == under_a_path.get(f"{BASE}/").text
    assert under_a_path.get(BASE).status_code == 200
    table = open_table(under_a_path).removeprefix(BASE)
    with under_a_path.websocket_connect(f"{table}/live"):
        pass


def test_cookies_belong_to_the_path(under_a_path: TestClient) -> None:
    cookies = under_a_path.get(f"{BASE}/").headers.get_list("set-cookie")
    assert cookies
    assert all(f"Path={BASE};" in cookie for cookie in cookies)


def test_the_app_begins_at_the_path(under_a_path: TestClient) -> None:
    manifest = under_a_path.get(f"{BASE}/manifest.webmanifest").json()
    assert manifest["start_url"] == manifest["scope"] == f"{BASE}/"
    for icon in manifest["icons"]:
        assert under_a_path.get(icon["src"]).status_code == 200
    kept = re.findall(r'"([^"]+)"', under_a_path.get(f"{BASE}/sw.js").text.split("\n")[1])
    assert f"{BASE}/offline" in kept
    assert all(file.startswith(f"{BASE}/") for file in kept)


def test_forms_lead_back_to_the_site(under_a_path: TestClient) -> None:
    def led(back: str) -> str:
        answer = under_a_path.post(f"{BASE}/wishes", data={"back": back}, follow_redirects=False)
        return str(answer.headers["location"])

    assert led(f"{BASE}/rules/azul") == f"{BASE}/rules/azul"
    assert led("https://evil.example/") == f"{BASE}/"


def test_links_to_send_have_the_path(under_a_path: TestClient) -> None:
    page = under_a_path.get(open_table(under_a_path, seat1="friend")).text
    assert re.search(rf'value="http://testserver{BASE}/t/[^"]+"', page)


def test_no_script_and_no_template_has_an_absolute_address() -> None:
    sources = [*STATIC.rglob("*.js"), *(STATIC.parent / "templates").glob("*.html")]
    found = [f"{file.name}: {line}" for file in sources
             for line in file.read_text("utf-8").splitlines() if ABSOLUTE.search(line)]
    assert found == []


@pytest.mark.parametrize(("text", "base"), [
    ("/", ""), ("", ""), ("/azulejos", "/azulejos"), ("azulejos/", "/azulejos"), ("/a/b-c/", "/a/b-c"),
])
def test_base_paths(text: str, base: str) -> None:
    assert read_base_path(text) == base


@pytest.mark.parametrize("text", ["/a b", "//x//y", "/a?b", "/é", "/a\n", "https://example.org/a"])
def test_what_is_no_base_path(text: str) -> None:
    with pytest.raises(Problem, match="not a base path"):
        read_base_path(text)


def test_a_browser_plays_under_the_path(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type != "log" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    with running(tmp_path, options=["--base-path", BASE]) as server:
        page.goto(f"{server.url}{BASE}/")
        expect(page.locator("#living[data-ready]")).to_have_count(1)
        page.locator("button.play").click()
        page.locator(".offer .piece.can").first.click()
        page.locator(".own .slot.can").first.click(force=True)
        page.locator("#confirm:not([disabled])").click()
        expect(page.locator("#last")).not_to_be_empty()
        assert page.url.startswith(f"{server.url}{BASE}/t/")
        context.close()
    assert errors == []
