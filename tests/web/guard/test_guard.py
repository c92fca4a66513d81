"""Prices, budgets, names and the log: with clocks of their own, so that no test depends on time."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from azulejos.core.notation import MoveTable
from azulejos.core.position import new
from azulejos.i18n import translator
from azulejos.insight.puzzles import Goal, pack
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED, Bucket, Charges, Limits, Pace, doors
from azulejos.web.guard.budgets import Buckets, address_of, in_thread, metered
from azulejos.web.guard.connections import MAX_HEADERS
from azulejos.web.guard.hosts import is_allowed, own_names
from azulejos.web.guard.log import JsonLines, Text
from azulejos.web.pages import puzzles, response
from azulejos.web.wire.messages import PROTOCOL as TABLE_PROTOCOL
from azulejos.web.wire.plan import plan_of
from web.boards import live
from web.people import leave, open_table, seated


class Time:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_fills_at_its_rate_up_to_its_burst() -> None:
    clock = Time()
    bucket = Bucket(10, 2, clock)
    assert bucket.take(10)
    assert not bucket.take(0.1)
    clock.now = 3
    assert not bucket.take(7)
    assert bucket.take(6)
    clock.now = 1000
    assert not bucket.take(11)
    assert bucket.take(10)


def test_of_many_buckets_the_unused_are_forgotten() -> None:
    buckets = Buckets(Pace(1, 0), kept=2, clock=Time())
    assert [buckets.of(name).take() for name in "abac"] == [True, True, False, True]
    assert not buckets.of("a").take()  # used after "b", which was forgotten for "c"
    assert buckets.of("b").take()


def test_time_is_charged_to_the_visitor_and_to_the_address() -> None:
    account = Charges(Limits(visitor=Pace(10, 0), address=Pace(25, 0)), clock=Time()).loop

    def use(visitor: str, used: float, address: str = "192.0.2.1") -> bool:
        account.pay(used, visitor=visitor, address=address)
        return account.owes(visitor=visitor, address=address)

    assert not use("ana", 10)
    assert use("ana", 1)
    assert not use("bo", 10)
    assert use("cy", 5), "the address owes something"
    assert not use("cy", 5, "192.0.2.2"), "at another one they may go on"
    assert use("ana", 0, "192.0.2.2"), "a visitor owes it everywhere"
    assert not account.owes(visitor="ana", address="192.0.2.2", part=True), "half a page is of no use"
    assert account.owes(visitor="dan", address="192.0.2.1", part=True), "but an address must not flood us"


def test_visitors_without_a_cookie_share_a_budget() -> None:
    account = Charges(Limits(visitor=Pace(10, 0), address=Pace(100, 0)), clock=Time()).loop
    account.pay(11, visitor="", address="192.0.2.1")
    assert account.owes(visitor="", address="192.0.2.1")
    assert not account.owes(visitor="ana", address="192.0.2.1")
    assert not account.owes(visitor="", address="192.0.2.2")


def test_addresses_of_one_network_share_a_budget() -> None:
    """Whoever has 48 bits has 65,536 addresses, each with a full bucket."""
    account = Charges(Limits(network=Pace(100, 0)), clock=Time()).loop
    for number in range(21):
        account.pay(5, visitor="", address=address_of((f"2001:db8:1:{number:x}::1", 1)))
    assert account.owes(visitor="", address="2001:db8:1:ffff::")
    assert not account.owes(visitor="", address="2001:db8:2::")


def test_each_step_is_charged_before_the_next_request_begins() -> None:
    """A thousand requests at the same moment would all be begun before the first is charged."""

    async def act() -> list[bool]:
        account, refused = Charges(Limits(visitor=Pace(5, 0)), clock=Time()).loop, []

        async def request() -> None:
            refused.append(account.owes(visitor="ana", address=""))
            if not refused[-1]:
                until = time.thread_time() + 0.003
                while time.thread_time() < until:
                    pass
            await asyncio.sleep(0)

        def pay(used: float) -> None:
            account.pay(used, visitor="ana", address="")

        await asyncio.gather(*(metered(request(), pay) for _ in range(20)))
        return refused

    refused = asyncio.run(act())
    assert refused == sorted(refused)
    assert 1 <= refused.count(False) <= 2


def test_a_metered_coroutine_gives_and_raises_what_it_would_alone() -> None:
    used: list[float] = []

    async def act() -> None:
        async def gives() -> int:
            await asyncio.sleep(0)
            return 7

        async def waits() -> None:
            await asyncio.get_running_loop().create_future()

        assert await metered(gives(), used.append) == 7
        task = asyncio.create_task(metered(waits(), used.append))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await metered(in_thread(sum, [1, 2]), used.append) == 3

    asyncio.run(act())
    assert len(used) >= 6
    assert all(each >= 0 for each in used)


def test_a_proxy_that_was_not_named_is_named_in_the_log(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        client.get("/healthz", headers={"x-forwarded-for": "192.0.2.7"})
    assert caplog.text.count("--proxy") == 1


@pytest.mark.parametrize(("client", "address"), [
    ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("testclient", "testclient"),
])
def test_the_address_that_is_charged(client: str, address: str) -> None:
    assert address_of((client, 1)) == address


# --- names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "localhost:8137", "192.0.2.1:80", "[::1]:8137", "Localhost"])
def test_own_names_and_addresses_are_answered(host: str) -> None:
    assert is_allowed(host, own_names())


@pytest.mark.parametrize("host", [
    "", "evil.example", "localhost.evil.example", "a b", "[", "[::1", "x@localhost", "localhost/", "a\x00",
    "localhost:999999", "http://localhost",
])
def test_other_names_are_not(host: str) -> None:
    assert not is_allowed(host, own_names())


@pytest.mark.parametrize(("host", "here"), [
    ("192.168.1.5:8137", "192.168.1.5"), ("8.8.4.4", "8.8.4.4"), ("[2606:4700::1]:80", "2606:4700::1"),
    ("8.8.4.4", "::ffff:8.8.4.4"), ("192.168.1.5", "172.17.0.2"), ("192.168.1.5", "127.0.0.1"),
    ("100.64.0.7:8137", "127.0.0.1"), ("[fd00::5]", "10.0.0.1"), ("192.168.1.5", ""),
    ("10.0.0.1", "/run/a.sock"),
])
def test_numbers_name_the_address_of_the_connection_or_one_behind_it(host: str, here: str) -> None:
    assert is_allowed(host, own_names(), here)


@pytest.mark.parametrize(("host", "here"), [
    ("6.6.6.6", "192.168.1.5"), ("6.6.6.6:8137", "127.0.0.1"), ("6.6.6.6", ""), ("6.6.6.6", "8.8.4.4"),
    ("10.0.0.1", "8.8.4.4"), ("[2606:4700::1]", "::1"), ("[::ffff:6.6.6.6]", "127.0.0.1"),
])
def test_numbers_of_other_machines_are_refused(host: str, here: str) -> None:
    assert not is_allowed(host, own_names(), here)


@pytest.mark.parametrize("part", ["bytes=0-9", "bytes=0-9-99", "bytes=999999999-", "lines=1", ""])
def test_files_are_sent_whole_whatever_part_is_asked_for(client: TestClient, part: str) -> None:
    found = client.get("/static/base.css", headers={"range": part})
    assert found.status_code == 200
    assert found.text == client.get("/static/base.css").text


def test_a_request_for_another_server_gets_a_sentence(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path}/games.sqlite", hosts=frozenset({"games.example"}))
    with TestClient(create_app(settings), base_url="http://games.example") as client:
        assert client.get("/").status_code == 200
        for host in ("evil.example", "[", "a b", "6.6.6.6"):
            answer = client.get("/", headers={"host": host})
            assert answer.status_code == 421
            assert "--allow-host" in answer.text


# --- refusals ----------------------------------------------------------------------------------------

OBJECTIONS: dict[doors.Objection, dict[str, Any]] = {
    doors.OTHER_NAME: {"method": "GET", "url": "/", "headers": {"host": "evil.example"}},
    doors.LONG_HEADERS: {"method": "GET", "url": "/", "headers": {"x": "y" * MAX_HEADERS}},
    doors.ZERO_IN_PATH: {"method": "GET", "url": "/t/%00"},
    doors.OTHER_SITE: {"method": "POST", "url": "/wishes", "headers": {"origin": "https://evil.example"}},
    doors.LONG_BODY: {"method": "POST", "url": "/wishes", "content": b"x" * (doors.MAX_BODY + 1)},
    doors.TOO_MANY: {"method": "POST", "url": "/open"},
    doors.TWO_LENGTHS: {"method": "POST", "url": "/wishes", "content": b"x=1",
                        "headers": {"transfer-encoding": "chunked", "content-length": "3"}},
}


@pytest.fixture
def poor(tmp_path: Path) -> Iterator[TestClient]:
    """A client who may use little time."""
    limits = Limits(visitor=Pace(4000, 0), address=Pace(1e6, 0))
    url = f"sqlite:///{tmp_path}/games.sqlite"
    settings = Settings(database=url, hosts=frozenset({"testserver"}), limits=limits)
    with TestClient(create_app(settings), headers={"accept-language": "pl"}) as client:
        yield client


@pytest.mark.parametrize("objection", OBJECTIONS, ids=lambda one: str(one.status))
def test_a_refusal_is_a_page_for_browsers_and_a_line_for_programs(
    poor: TestClient, objection: doors.Objection
) -> None:
    said, request = translator("pl")(objection.reason), OBJECTIONS[objection]
    if objection is doors.TOO_MANY:
        app: Any = poor.app
        app.state.charges.loop.pay_together(2e6, address="testclient")
    as_text = poor.request(**request)
    assert as_text.status_code == objection.status
    assert as_text.text == f"{said}\n"
    as_page = poor.request(**request | {"headers": {**request.get("headers", {}), "accept": "text/html"}})
    assert as_page.status_code == objection.status
    assert '<html lang="pl"' in as_page.text
    assert escape(said) in as_page.text
    assert ("retry-after" in as_page.headers) == (objection is doors.TOO_MANY)


def test_what_is_fetched_in_advance_is_put_off_instead_of_refused(poor: TestClient) -> None:
    app: Any = poor.app
    app.state.charges.loop.pay_together(2e6, address="testclient")
    assert poor.get("/").status_code == 429
    answer = poor.get("/", headers={"purpose": "prefetch"})
    assert (answer.status_code, answer.content) == (204, b"")


def test_slow_work_that_is_fetched_in_advance_hinders_nothing_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe = [puzzle for puzzle in pack("azul") if puzzle.goal is Goal.SAFE]
    small = min(safe, key=lambda puzzle: len(puzzle.start().legal_actions()))
    address = puzzles.address_of(small, "en")
    with TestClient(create_app(Settings(database=f"sqlite:///{tmp_path}/games.sqlite"))) as client:
        accounts: Charges = client.app.state.charges  # type: ignore[attr-defined]
        for account, status in ((accounts.ahead, 200), (accounts.slow, 429)):
            monkeypatch.setattr(puzzles, "_files", OrderedDict())
            account.pay(1e6, visitor="", address="testclient")
            assert client.get(address).status_code == status


def test_a_refused_page_is_drawn_once(poor: TestClient) -> None:
    request = OBJECTIONS[doors.OTHER_NAME] | {"headers": {"host": "evil.example", "accept": "text/html"}}
    first = poor.request(**request).text
    drawn = response._refusal_page.cache_info().misses
    assert poor.request(**request).text == first
    assert response._refusal_page.cache_info().misses == drawn


# --- the log -----------------------------------------------------------------------------------------


def record_of_failure(message: str) -> logging.LogRecord:
    try:
        raise ValueError("x" * 100_000)
    except ValueError:
        return logging.LogRecord("azulejos.web", logging.ERROR, "", 0, message, (), sys.exc_info())


@pytest.mark.parametrize("formatter", [Text(), JsonLines()])
def test_entries_have_a_limited_length_and_no_secrets(formatter: logging.Formatter) -> None:
    entry = formatter.format(record_of_failure("refused at '/t/abc/carry/SECRET.xyz' again"))
    assert len(entry) < 10_000
    assert "SECRET" not in entry
    assert "/t/abc/carry/…' again" in entry


def test_entries_for_programs_are_one_object_on_one_line() -> None:
    line = JsonLines().format(record_of_failure("two\nlines"))
    assert "\n" not in line
    entry = json.loads(line)
    assert entry["level"] == "error"
    assert entry["message"] == "two\nlines"
    assert "ValueError" in entry["traceback"]


# --- questions ---------------------------------------------------------------------------------------


def test_a_preview_explains_no_text_that_is_not_a_move(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Explaining takes longer than everything else, and most places lead to no move."""
    path = open_table(client)
    with seated(client, path) as ana:
        monkeypatch.setattr(MoveTable, "_unreadable", None)
        first = ana.frame["choices"][0]["path"][:1]
        ana.tell(do="preview", path=first, ply=ana.frame["ply"])
        assert ana.until("preview")["effects"]


def test_of_several_questions_the_newest_is_answered(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as ana:
        lock: asyncio.Lock = client.app.state.turns.question  # type: ignore[attr-defined]
        assert client.portal is not None
        client.portal.call(lock.acquire)  # somebody else's question is being answered
        firsts = list(dict.fromkeys(choice["path"][0] for choice in ana.frame["choices"]))[:3]
        for first in firsts:
            ana.tell(do="preview", path=[first], ply=ana.frame["ply"])
        ana.play(ana.frame["choices"][0]["text"])
        heard: list[dict[str, Any]] = []
        while not heard or heard[-1]["type"] != "done":  # a move does not wait for questions
            heard.append(ana.hear())
        client.portal.call(lock.release)
        previews = [message for message in heard if message["type"] == "preview"]
        assert Counter(bool(one.get("superseded")) for one in previews) == {True: 2}
        assert ana.until("preview")["path"] == [ana.page.numbers[firsts[-1]]]


def test_paths_longer_than_any_move_are_not_looked_at(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as ana:
        for do in ("preview", "mark"):
            name = "slots" if do == "mark" else "path"
            ana.tell(**{"do": do, name: [ana.page.ids[0]] * 200, "ply": ana.frame["ply"]})
            assert ana.until("refused")["text"] == "This message cannot be read."


def test_a_connection_that_says_nothing_is_closed(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    limits = replace(UNLIMITED, request_seconds=0)
    with TestClient(create_app(Settings(database=database, limits=limits)),
                    headers={"origin": "http://testserver"}) as client:
        path = open_table(client)
        with client.websocket_connect(f"{path}/live") as socket:
            assert socket.receive()["code"] == 1008


def test_live_connections_without_a_cookie_share_what_their_address_has(tmp_path: Path) -> None:
    limits = Limits(visitor=Pace(1e6, 0), address=Pace(1e9, 0), pause=0)
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/games.sqlite", secret="s", limits=limits))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        client.get("/")
        path = open_table(client)
        client.cookies.clear()
        plan = plan_of(new("azul"), "en").digest
        refused = 0
        for _ in range(3):
            try:
                with live(client, path) as socket:
                    socket.send_json({"do": "hello", "protocol": TABLE_PROTOCOL, "plan": plan})
                    socket.receive_text()
                    socket.send_json({"do": "earlier"})
                    refused += json.loads(socket.receive_text())["type"] == "refused"
            except WebSocketDisconnect:
                refused += 1
            leave(client, -1)
        assert refused == 2
