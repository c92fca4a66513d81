"""Who thinks for a bot: the page of the one person at a table, or the server if it cannot or is wrong."""

from __future__ import annotations

import asyncio
import base64
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import azulejos
from azulejos.core.position import Position, at_state
from azulejos.insight.judge import Wanted, WantedSearches
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.guard.budgets import Pace
from azulejos.web.store.saved import PAGE, PLAYED
from azulejos.web.tables import thinking_pages
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.table_record import record_of, table_of
from azulejos.web.wire import page_engine, table_conversation
from azulejos.web.wire.messages import Prepare
from azulejos.web.work.bots import Thought
from bots.positions import played
from patience import PATIENCE
from web.people import Seated, leave, open_table, seated
from web.played import played_out

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


def answer(ana: Seated, asked: dict[str, Any]) -> None:
    """What a page says that has searched one position."""
    ana.tell(do="found", task=asked["task"], action=legal_in(asked)[0], nodes=1)


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


def test_all_bots_of_a_table_think_in_the_page(client: TestClient) -> None:
    path = open_table(client, seat1="bot:level:1", seat2="bot:level:2", seat3="bot:level:1")
    with seated(client, path) as ana:
        ana.until("prepare")
        while not ana.frame["mine"]:
            ana.hear()
        ana.tell(do="thinks", on=True)
        known = len(table_at(client, path).log.entries)
        ana.play_any(random.Random(1))
        for _ in range(3):
            answer(ana, ana.until("think"))
        ana.until_frame(mine=True)
        found = [entry.event for entry in table_at(client, path).log.entries[known + 1 :] if entry.seat]
        assert found[:3] == [PAGE] * 3


def test_an_answer_to_an_earlier_connection_is_not_taken_for_another(client: TestClient) -> None:
    with thinking(client) as (ana, table):
        ana.play_any(random.Random(1))
        earlier = ana.until("think")
    with seated(client, f"/t/{table.id}") as ana:
        ana.until("prepare")
        while not ana.frame["mine"]:
            ana.hear()
        known = len(events(table))
        ana.tell(do="thinks", on=True)
        ana.play_any(random.Random(1))
        asked = ana.until("think")
        ana.tell(do="found", task=earlier["task"], action=legal_in(asked)[0], nodes=9)
        answer(ana, asked)
        ana.until_frame(mine=True)
        assert table.last_search is not None
        assert table.last_search[1] == 1
        assert events(table)[known] == PAGE


def test_an_answer_is_heard_from_a_visitor_who_owes_time(tmp_path: Path) -> None:
    limits = replace(UNLIMITED, visitor=Pace(1e9, 0.001))
    url = f"sqlite:///{tmp_path}/games.sqlite"
    app = create_app(Settings(database=url, secret="s", seconds=0.01, limits=limits))
    with TestClient(app, headers={"origin": "http://testserver"}) as client, thinking(client) as at:
        ana, table = at
        known = len(events(table))
        ana.play_any(random.Random(1))
        asked = ana.until("think")
        leave(client, -1e6)
        answer(ana, asked)
        ana.until_frame(mine=True)
        assert events(table)[known] == PAGE
        ana.tell(do="earlier")
        assert "fast" in ana.until("refused")["text"]


@pytest.mark.parametrize("fails", [False, True])
def test_a_game_goes_on_while_files_are_made_and_if_they_cannot_be(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    made, usual = Event(), page_engine.prepared

    def slowly(start: Position, *, searches: bool) -> Prepare | None:
        assert made.wait(PATIENCE)
        if fails:
            raise OSError("no network")
        return usual(start, searches=searches)

    monkeypatch.setattr(table_conversation, "prepared", slowly)
    with seated(client, open_table(client, **BOT)) as ana:
        while not ana.frame["mine"]:
            ana.hear()
        ana.turn(random.Random(1))
        made.set()
        if not fails:
            ana.until("prepare")
        while not ana.frame["mine"]:
            ana.hear()
        ana.turn(random.Random(1))


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


def test_a_page_weighs_the_moments_of_a_finished_game(client: TestClient) -> None:
    record = record_of(played_out()).write()
    opened = client.post("/open", data={"text": record}, follow_redirects=False)
    with seated(client, opened.headers["location"].partition("#")[0]) as ana:
        last, known, asked = ana.frame["walk"]["last"], dict[int, dict[str, Any]](), 0
        ana.tell(do="weigh")
        ana.tell(do="thinks", on=True, memory=ana.until("prepare")["memory"])
        while last not in known:
            heard = ana.hear()
            if heard["type"] == "search":
                asked += 1
                found = [{"line": [], "value": 500} for _ in heard["searches"]]
                ana.tell(do="searched", task=heard["task"], found=found)
            elif heard["type"] == "weighed":
                known |= {one["stop"]: one for one in heard["moments"]}
        assert asked > 1
        assert max(known[1]["points"]) > 0 > min(known[1]["points"])
        assert sum(known[1]["win"]) == pytest.approx(1)
        assert set(known[last]["win"]) <= {0.0, 0.5, 1.0}


def test_the_server_weighs_them_if_no_page_does(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_conversation, "LOADING", 0.01)
    record = record_of(played_out()).write()
    opened = client.post("/open", data={"text": record}, follow_redirects=False)
    with seated(client, opened.headers["location"].partition("#")[0]) as ana:
        ana.tell(do="weigh")
        assert ana.until("weighed")["moments"]


def test_a_page_thinks_about_one_thing_and_a_bot_does_not_wait_for_a_hint_for_long() -> None:
    position, asked = played("azul", 2, seed=1, decisions=3), list[object]()
    wanted = Wanted(row=position.packed, nodes=10**6, seed="1", fresh=True, out=False)

    async def act() -> None:
        busy, told = asyncio.Event(), list[Thought]()

        async def ask(question: object) -> None:
            asked.append(question)
            busy.set()

        page = thinking_pages.ThinkingPage(ask, frozenset, patience=0.05)
        look = asyncio.create_task(page.look(WantedSearches(anew=True, searches=(wanted,))))
        await busy.wait()
        with pytest.raises(thinking_pages.Away, match="busy"):
            await page.choose(position, "level:1", 0.0)
        assert not page.late
        page.patience = PATIENCE
        choice = asyncio.create_task(page.choose(position, "level:1", 0.0))
        look.cancel()
        while len(asked) < 2:
            await asyncio.sleep(0)
        turn = asked[1]
        assert isinstance(turn, thinking_pages.PageTurn)
        page.answer(turn.task, [])
        assert not choice.done(), "that is no turn"
        page.answer(turn.task, Thought(position.legal_actions()[0], 1))
        told.append(await choice)
        assert told[0].nodes == 1

    asyncio.run(act())
