"""What belongs to a visitor: kept under their key, saved as a file, brought back, forgotten."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import new
from azulejos.i18n import is_ours
from azulejos.insight.judge import VERSION
from azulejos.insight.level import VERSION as LEVEL_VERSION
from azulejos.insight.progress import Attempt, CardAnswer, JudgedGame, Progress, merged, read, written
from azulejos.insight.review import weights_version
from azulejos.web.store.personal import Personal
from azulejos.web.store.store import Store
from web.cards import bring_cards
from web.watched import threads_of

ATTEMPT = {"puzzle": "azul/1", "at": 5, "first": "right", "tries": 1, "solved": True, "day": "2026-11-17"}


def send(client: TestClient, **entries: Any) -> dict[str, int]:
    response = client.post("/you/progress", content=json.dumps(entries))
    assert response.status_code == 200, response.text
    found: dict[str, int] = response.json()
    return found


def saved(client: TestClient) -> Progress:
    return read(client.get("/you/progress.json").content)


def bring(client: TestClient, content: bytes) -> tuple[int, str]:
    response = client.post("/you/import", files={"file": ("progress.json", content)})
    return response.status_code, response.text


def test_entries_are_kept_under_the_visitors_key_and_sent_twice_count_once(client: TestClient) -> None:
    assert send(client, attempts=[ATTEMPT])["attempts"] == 1
    assert send(client, attempts=[ATTEMPT, {**ATTEMPT, "at": 6}])["attempts"] == 2
    assert [entry.at for entry in saved(client).attempts] == [5, 6]
    client.cookies.clear()
    assert saved(client) == Progress()


@pytest.mark.parametrize("body", [
    b"", b"[]", b"\xff", b'{"cards": []}', b'{"attempts": [{"puzzle": "azul/1"}]}', b"[" * 50_000,
    json.dumps({"attempts": [{**ATTEMPT, "puzzle": "<script>"}]}).encode(),
])  # fmt: skip
def test_what_no_browser_of_ours_sends_is_refused(client: TestClient, body: bytes) -> None:
    assert client.post("/you/progress", content=body).status_code == 400


def test_a_flood_of_entries_is_refused(client: TestClient) -> None:
    many = [{**ATTEMPT, "at": at} for at in range(1001)]
    assert client.post("/you/progress", content=json.dumps({"attempts": many})).status_code == 413
    assert client.post("/you/progress", content=b" " * 200_000).status_code == 413


def test_a_file_goes_to_another_browser_and_adds_to_what_is_there(client: TestClient) -> None:
    send(client, attempts=[ATTEMPT])
    file = client.get("/you/progress.json")
    assert "attachment" in file.headers["content-disposition"]
    client.cookies.clear()
    send(client, attempts=[{**ATTEMPT, "puzzle": "azul/2"}])
    status, _ = bring(client, file.content)
    assert status == 200
    assert {entry.puzzle for entry in saved(client).attempts} == {"azul/1", "azul/2"}


@pytest.mark.parametrize(("content", "says"), [
    (b"", "Choose a file first"), (b"not JSON", "cannot be read as JSON"), (b"{}", "something else"),
    (b'{"format": "azulejos progress", "version": 9}', "another version"),
    (b" " * 1_000_001, "too large"),
])  # fmt: skip
def test_a_wrong_file_is_refused_with_the_reason_and_changes_nothing(
    client: TestClient, content: bytes, says: str
) -> None:
    send(client, attempts=[ATTEMPT])
    status, text = bring(client, content)
    assert status == 409
    assert says in text
    assert len(saved(client).attempts) == 1


def test_everything_is_forgotten_on_request(client: TestClient) -> None:
    send(client, attempts=[ATTEMPT])
    page = client.post("/you/forget").text
    assert "data-forgotten" in page
    assert saved(client) == Progress()


def test_entries_that_come_at_the_same_time_are_all_kept(database: str) -> None:
    async def run() -> Progress:
        one, other = await Store.open(database), await Store.open(database)
        await asyncio.gather(*(
            Personal(store).add("key", Progress(
                attempts=(Attempt(puzzle=f"azul/{n}", at=n, first="right"),),
                answers=(CardAnswer(card="a", at=n, first="wrong"),),
            ))
            for n in range(6) for store in (one, other)
        ))
        found = await Personal(other).of("key")
        await one.close()
        await other.close()
        return found

    found = asyncio.run(run())
    assert [entry.at for entry in found.attempts] == list(range(6))
    assert len(found.answers) == 6
    assert read(written(found)) == found


@pytest.mark.parametrize(("message", "ours"), [
    (msg("You"), True),
    (nmsg("{n} game", "{n} games", n=2), True),
    (nmsg("{n} step", "{n:>999999999}", n=2), False),
    (msg("{a.__class__}", a="x"), False),
    (msg("You", name="x" * 101), False),
    (msg("Play against {name}", name=msg("{x:>99999999}", x=1)), False),
])  # fmt: skip
def test_only_our_own_sentences_are_said(message: Message, ours: bool) -> None:
    assert is_ours(message) is ours


def test_a_document_is_read_again_when_another_server_has_changed_it(tmp_path: Path) -> None:
    async def act() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        one, other = Personal(store), Personal(store)
        first, second = (Progress(attempts=(Attempt(puzzle="azul/1", at=at, first="right"),))
                         for at in (1, 2))
        await one.add("ana", first)
        assert await one.of("ana") is await one.of("ana")
        await asyncio.sleep(0.002)  # the time of a change is saved in milliseconds
        await other.add("ana", second)
        assert len((await one.of("ana")).attempts) == 2
        await other.forget("ana")
        assert await one.of("ana") == Progress()
        await store.close()

    asyncio.run(act())


def test_a_document_is_read_away_from_the_event_loop(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(client, attempts=[ATTEMPT])
    threads = []

    def noted(text: str | bytes) -> Progress:
        threads.append(threading.current_thread().name)
        return read(text)

    monkeypatch.setattr("azulejos.web.store.personal.read", noted)
    assert client.get("/you").status_code == 200
    assert threads
    assert all(name.startswith("slow work") for name in threads)


def test_a_document_is_merged_while_others_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction waits for nothing but the database: everybody's moves wait for it."""
    merging = threads_of(monkeypatch, "azulejos.web.store.personal.merged", merged)

    async def act() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        await Personal(store).add("ana", Progress())
        await store.close()

    asyncio.run(act())
    assert merging
    assert not any(name.startswith("writer") for name in merging)


def judged(**changes: Any) -> JudgedGame:
    values: dict[str, Any] = {
        "table": "t", "seat": 0, "at": 1, "box": "azul", "players": 2, "judge": VERSION,
        "weights": weights_version(new("azul").game), "level": LEVEL_VERSION,
        "losses": ((1.0, (1.0,) * 7),),
    }
    return JudgedGame(**values | changes)


@pytest.mark.parametrize("losses", [
    ((1.0, ()),), ((1.0, (1.0,) * 3), (2.0, (1.0,) * 7)), ((1.0, (1.0,) * 20),),
])  # fmt: skip
def test_a_page_is_shown_whatever_a_file_says_about_losses(
    client: TestClient, losses: tuple[tuple[float, tuple[float, ...]], ...]
) -> None:
    bring_cards(client, games=(judged(losses=losses),))
    assert client.get("/you").status_code == 200


def test_losses_beyond_any_game_are_refused(client: TestClient) -> None:
    file = written(Progress(games=(judged(losses=((1e308, (-1e308,) * 7),) * 2),)))
    answer = client.post("/you/import", files={"file": ("x.json", file)})
    assert answer.status_code == 409
    assert "damaged" in answer.text


def test_an_address_cannot_fill_the_database_with_documents(strict: TestClient) -> None:
    file = written(Progress(games=tuple(judged(table=f"t{number}") for number in range(8))))
    codes = []
    for _ in range(10):
        strict.cookies.clear()
        codes.append(strict.post("/you/import", files={"file": ("x.json", file)}).status_code)
    assert codes[0] == 200
    assert codes[-1] == 409
