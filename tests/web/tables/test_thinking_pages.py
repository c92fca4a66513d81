"""Who thinks for a bot: the page of the one person at a table, or the server if it cannot or is wrong."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import azulejos
from azulejos.core.position import at_state
from azulejos.web.store.saved import PAGE, PLAYED
from azulejos.web.tables import thinking_pages
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.table_record import record_of, table_of
from web.people import Seated, open_table, seated

BOT = {"seat1": "bot:level:1"}


def table_at(client: TestClient, path: str) -> LiveTable:
    found: LiveTable = client.app.state.lobby._tables[path.rpartition("/")[2]]  # type: ignore[attr-defined]
    return found


def events(table: LiveTable) -> list[str]:
    """Where the bot's actions were found."""
    return [entry.event for entry in table.log.entries if entry.seat == 1]


def legal_in(think: dict[str, Any]) -> list[int]:
    row = np.frombuffer(base64.b64decode(think["row"]), np.uint8)
    return at_state(azulejos.new("azul"), row.copy()).legal_actions()


@contextmanager
def thinking(client: TestClient) -> Iterator[tuple[Seated, LiveTable]]:
    """Somebody with a page that can think, whose turn it is."""
    path = open_table(client, **BOT)
    with seated(client, path) as ana:
        ana.until("prepare")
        table = table_at(client, path)
        while not ana.frame["mine"]:
            ana.hear()
        ana.tell(do="thinks", on=True)
        yield ana, table


def test_a_page_is_told_how_to_think_and_what_it_reads_is_there(client: TestClient) -> None:
    with seated(client, open_table(client, **BOT)) as ana:
        files = ana.until("prepare")
        for name in ("code", "description", "memory"):
            answer = client.get(f"/{files[name]}")
            assert answer.status_code == 200
            assert "immutable" in answer.headers["cache-control"]
        assert client.get(f"/{files['code']}").content.startswith(b"\0asm")
    for wrong in ("engine/x/nothing/engine.wasm", "engine/x/azul/rules.py", "engine/x/searches",
                  "engine/x/searches?box=azul&players=9", "engine/x/other?box=azul&players=2"):
        assert client.get(f"/{wrong}").status_code == 404


def test_a_bot_plays_what_its_page_finds(client: TestClient) -> None:
    with thinking(client) as (ana, table):
        known = len(events(table))
        ana.play_any(random.Random(1))
        asked = ana.until("think")
        assert asked["level"] == "level:1"
        action = legal_in(asked)[-1]
        ana.tell(do="found", task=asked["task"], action=action, nodes=7)
        ana.until_frame(mine=True)
        assert events(table)[known] == PAGE
        assert action in [entry.action for entry in table.log.entries]
        record = record_of(table.whole())
        assert [node.page for node in record.line].count(True) == 1
        assert table_of(record).actions == table.whole().actions


@pytest.mark.parametrize("answer", [-5, 100_000])
def test_an_action_that_is_not_legal_is_not_played(client: TestClient, answer: int) -> None:
    with thinking(client) as (ana, table):
        known = len(events(table))
        ana.play_any(random.Random(1))
        asked = ana.until("think")
        ana.tell(do="found", task=asked["task"] + 1, action=legal_in(asked)[0], nodes=7)
        ana.tell(do="found", task=asked["task"], action=answer, nodes=7)
        ana.until_frame(mine=True)
        assert events(table)[known] == PLAYED


def test_if_a_page_leaves_or_is_late_the_server_thinks(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with thinking(client) as (ana, table):
        known = len(events(table))
        ana.play_any(random.Random(1))
        ana.until("think")
        ana.tell(do="thinks", on=False)
        ana.until_frame(mine=True)
        assert events(table)[known] == PLAYED
        ana.tell(do="thinks", on=True)
        (page,) = _pages(ana, table)
        page.patience = 0.01
        known = len(events(table))
        ana.play_any(random.Random(1))
        late = ana.until("think")
        ana.until_frame(mine=True)
        assert events(table)[known] == PLAYED
        assert thinking_pages.page_for(table, "level:1") is None
        ana.tell(do="found", task=late["task"], action=0, nodes=1)
        ana.tell(do="preview", path=[], ply=0)
        ana.until("preview")
        assert thinking_pages.page_for(table, "level:1") is page


def _pages(ana: Seated, table: LiveTable) -> list[thinking_pages.ThinkingPage]:
    """The pages that can think, once what was told is heard."""
    ana.tell(do="preview", path=[], ply=0)
    ana.until("preview")
    return table.pages


def test_nobodys_page_thinks_where_several_people_play(client: TestClient) -> None:
    path = open_table(client, seat2="bot:level:1")
    with seated(client, path) as ana:
        ana.tell(do="thinks", on=True)
        table = table_at(client, path)
        assert not _pages(ana, table), "it was not told how"
        assert thinking_pages.page_for(table, "level:1") is None


@pytest.mark.parametrize(("changed", "thinks"), [
    ({}, True), ({"helps": False}, True), ({"ranked": True}, False), ({"rated": True}, False),
    ({"nodes": 100}, False),
], ids=str)
def test_what_is_compared_with_others_never_trusts_a_page(
    client: TestClient, changed: dict[str, Any], thinks: bool
) -> None:
    with thinking(client) as (ana, table):
        assert _pages(ana, table)
        table.saved = replace(table.saved, **changed)
        assert (thinking_pages.page_for(table, "level:1") is not None) == thinks
        assert bool(thinking_pages.levels_for(table, frozenset({0}))) == thinks
