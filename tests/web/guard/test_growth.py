"""What visitors paste may grow while it is read: entries, variations and time are bounded."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.testclient import TestClient

from azulejos.core import time_limit
from azulejos.core.record import GameNode, Record
from azulejos.core.time_limit import TooSlow
from azulejos.web.guard import UNLIMITED
from azulejos.web.guard.budgets import Charges
from azulejos.web.learn.line_tree import tree_of
from azulejos.web.pages.replay import MAX_ACTIONS
from azulejos.web.pages.response import slowly
from azulejos.web.pages.study import MOST_READ
from azulejos.web.visitor import Signer
from azulejos.web.work.slow_work import Payer, SlowWork
from web.boards import record


def with_lines(count: int, *, back: int | None = None) -> Record:
    """A game with so many variations of one action, all of them the same."""
    found = record()
    instead = found.line[-1]
    assert instead.parent is not None
    instead.parent.children += [
        GameNode(instead.action, instead.parent, at=back and back - 1, back=back) for _ in range(count)
    ]
    return found


@pytest.mark.parametrize("form", [Record.write, Record.write_json])
def test_what_was_taken_back_counts_as_entries_of_a_table(client: TestClient, form: Any) -> None:
    """258 kB became a table of 68,000 entries, of which each page took a second."""
    fits = MAX_ACTIONS - len(record().line)
    text = form(with_lines(fits // 2, back=1_700_000_000_000))
    opened = client.post("/open", data={"text": text}, follow_redirects=False)
    assert opened.status_code == 303
    path = opened.headers["location"].partition("#")[0]
    assert len(client.get(f"{path}/raw.json").json()["actions"]) <= MAX_ACTIONS
    for count in (fits // 2 + 1, MAX_ACTIONS + 1):
        pasted = form(with_lines(count, back=1_700_000_000_000))
        refused = client.post("/open", files={"file": ("game.txt", pasted)})
        assert refused.status_code == 409
        assert str(MAX_ACTIONS) in refused.text or "too long" in refused.text


@pytest.mark.parametrize("form", [Record.write, Record.write_json])
def test_lines_that_repeat_others_are_counted_in_a_study(client: TestClient, form: Any) -> None:
    """440 kB of the same variation held everybody's slow work up for 100 seconds."""
    few = client.post("/study", data={"text": form(with_lines(1000))}, follow_redirects=False)
    assert few.status_code == 303
    many = client.post("/study", data={"text": form(with_lines(MOST_READ))})
    assert many.status_code == 409
    assert str(MOST_READ) in many.text


def limited(seconds: float, act: Any) -> None:
    with time_limit.within(seconds), pytest.raises(TooSlow):
        act()


def test_readers_of_records_trees_and_tables_keep_a_limit_of_time() -> None:
    given = with_lines(20)
    for text in (given.write(), given.write_json(), given.write() * 3):
        with pytest.raises(ValueError, match="takes too long"), time_limit.within(-1):
            Record.read(text)
    limited(-1, lambda: tree_of(given))
    tree = tree_of(given)
    limited(-1, lambda: tree.position(tree.at("5")))


def test_work_that_takes_too_long_ends_and_is_paid_for() -> None:
    async def act() -> None:
        slow, charges = SlowWork(longest=0.01), Charges(UNLIMITED)

        def endless() -> None:
            while True:
                time_limit.check()

        with pytest.raises(TooSlow):
            await slow.do(Payer(charges=charges, visitor="ana", address="one"), endless)
        slow.close()

    asyncio.run(act())


def test_work_for_a_page_that_has_left_ends() -> None:
    """Its thread was busy to the end, and its request waited with it."""

    async def act() -> None:
        class App:
            class state:  # noqa: N801  (as Starlette names it)
                slow_work = SlowWork()
                signer = Signer("secret" * 4)
                charges = Charges(UNLIMITED)

        begun, ended = threading.Event(), threading.Event()

        def endless() -> None:
            begun.set()
            try:
                while True:
                    time_limit.check()
            finally:
                ended.set()

        async def leaves() -> dict[str, str]:
            await asyncio.to_thread(begun.wait)
            return {"type": "http.disconnect"}

        scope = {"type": "http", "method": "GET", "headers": [], "app": App, "client": ("10.0.0.1", 1)}
        with pytest.raises(ClientDisconnect):
            await slowly(Request(scope, leaves), endless)
        await asyncio.to_thread(ended.wait)
        App.state.slow_work.close()

    asyncio.run(act())


@pytest.mark.parametrize("back", [None, 1_700_000_000_000])
def test_twice_as_many_lines_take_about_twice_as_long(back: int | None) -> None:
    def seconds(count: int) -> float:
        text, began = with_lines(count, back=back).write(), time.thread_time()
        Record.read(text)
        return time.thread_time() - began

    assert min(seconds(800) for _ in range(3)) < 4 * min(seconds(400) for _ in range(3))
