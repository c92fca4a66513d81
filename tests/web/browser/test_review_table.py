"""A turn of a review is tried on the real table, in a browser, before the answer is shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from insight.games import record
from patience import PATIENCE
from web.guests import Guest
from web.learn.test_puzzles import ask, solve, wrong_move
from web.server import Server, running


@pytest.fixture(scope="module")
def fast_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("fast"), compiled=True) as server:
        yield server


@pytest.fixture
def reader(browser: Browser, fast_server: Server) -> Iterator[Guest]:
    someone = Guest(browser, fast_server, keys=False)
    yield someone
    someone.context.close()


@pytest.mark.slow
def test_a_turn_is_tried_on_the_table_and_then_the_answer_is_shown(reader: Guest) -> None:
    page, url = reader.page, reader.server.url
    page.goto(url)
    opened = page.request.post(f"{url}/open", form={"text": record("azul", 2, 1).write()})
    page.goto(f"{opened.url.partition('#')[0]}/review?seat=1")
    question = page.get_by_role("link", name="Try it yourself on the table").first
    question.wait_for(timeout=1000 * PATIENCE)
    expect(page.locator("code:visible"), "codes of moves are shown to whoever did not ask").to_have_count(0)
    reader.find_barriers()
    script = ask(page, str(question.evaluate("link => link.href")))
    page.keyboard.type(wrong_move(script))
    expect(page.locator("#table")).to_have_attribute("data-state", "wrong")
    page.get_by_role("button", name="Try again").click()
    solve(page, script)
    expect(page.locator("#table")).to_have_attribute("data-state", "right")
    page.get_by_role("link", name="Back to the review").click()
    expect(page.locator(":target div.answer")).to_be_visible()
    assert not reader.errors
