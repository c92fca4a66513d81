"""Several servers on one PostgreSQL: a move at one is seen at all, and bots move only once."""

from __future__ import annotations

import asyncio
import functools
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.store.saved import HUMAN, SavedSeat, SavedTable
from azulejos.web.store.store import Store
from azulejos.web.tables.live_table import LiveTable, new_table
from azulejos.web.tables.lobby import Lobby
from web.conftest import empty_postgres
from web.people import open_table, person, saved_moves, seated


@pytest.fixture
def servers(postgres: str) -> Iterator[tuple[TestClient, TestClient]]:
    url = empty_postgres(postgres)
    settings = Settings(database=url, secret="shared", seconds=0.01, limits=UNLIMITED)
    one, two = (create_app(settings) for _ in range(2))
    origin = {"origin": "http://testserver"}
    with TestClient(one, headers=origin) as first, TestClient(two, headers=origin) as second:
        yield first, second


def test_friends_at_two_servers_play_at_one_table(servers: tuple[TestClient, TestClient]) -> None:
    here, there = servers
    path = open_table(here, seat1="friend")
    there.get(path)
    there.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
    with seated(here, path) as ana, seated(there, path) as bo:
        rng = random.Random(1)
        for _ in range(6):
            while not (ana.frame["mine"] or bo.frame["mine"]):
                (ana if not ana.frame["ply"] else bo).until("frame")
            mover, other = (ana, bo) if ana.frame["mine"] else (bo, ana)
            ply = mover.frame["ply"]
            mover.play_any(rng)
            mover.until_frame(mine=False)
            other.until_frame(mine=True)
            assert other.frame["ply"] > ply


def test_moves_at_tables_that_nobody_looks_at_are_read_when_somebody_does(
    servers: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading a table costs more than a move: not every server does it for every move of the others."""
    here, there = servers
    path = open_table(here)
    assert there.get(path).status_code == 200, "now both servers know the table"
    lobby: Lobby = there.app.state.lobby  # type: ignore[attr-defined]
    table = lobby._tables[path.rpartition("/")[2]]
    read: list[str] = []
    load = lobby.store.load

    async def loaded(name: str) -> SavedTable | None:
        read.append(name)
        return await load(name)

    monkeypatch.setattr(lobby.store, "load", loaded)
    with seated(here, path) as ana:
        for _ in range(4):
            ana.turn(random.Random(1))
        while not table.stale:
            time.sleep(0.01)
        assert not read
        assert saved_moves(there, path) == saved_moves(here, path)
    assert read


def test_a_bot_moves_once_although_two_servers_know_the_table(
    servers: tuple[TestClient, TestClient]
) -> None:
    here, there = servers
    path = open_table(here, seat1="bot:random", seat2="bot:random")
    rng = random.Random(2)
    with seated(here, path) as ana, seated(there, path) as eye:
        while not ana.frame["over"]:
            if ana.frame["choices"]:
                ana.play_any(rng)
            ana.until("frame")
        eye.until_frame(over=True)
    assert saved_moves(here, path) == saved_moves(there, path)


# --- at the same time ----------------------------------------------------------------------------------


def both(act: Callable[[TestClient], Response], *clients: TestClient) -> list[Response]:
    """What the clients get if they ask at the same time."""
    with ThreadPoolExecutor(len(clients)) as threads:
        return list(threads.map(act, clients))


def test_a_friend_and_a_bot_do_not_both_get_a_seat(servers: tuple[TestClient, TestClient]) -> None:
    """One server seats a friend, the other a bot: whoever was told to sit there sits there."""
    here, there = servers
    for _ in range(10):
        path = open_table(here, seat1="friend")
        there.cookies.clear()
        there.get(path)
        here.get(path)
        there.cookies.update(here.cookies)
        with person(here) as friend:
            forms = {
                friend: ("sit", {"seat": "1", "name": "Bo"}),
                there: ("bot", {"seat": "1", "bot": "random"}),
            }
            codes = both(functools.partial(_send, path, forms), friend, there)
            assert sorted(answer.status_code for answer in codes) in ([303, 409], [303, 303])
            seat = here.get(f"{path}/raw.json").json()["seats"][1]
            if codes[0].status_code == 303:
                assert (seat["kind"], seat["name"]) == ("human", "Bo")
            else:
                assert seat["kind"] == "bot"


def _send(
    path: str, forms: Mapping[TestClient, tuple[str, dict[str, str]]], who: TestClient
) -> Response:
    action, form = forms[who]
    return who.post(f"{path}/{action}", data=form, follow_redirects=False)


def test_a_link_for_another_device_may_be_opened_twice_at_once(
    servers: tuple[TestClient, TestClient]
) -> None:
    here, there = servers
    path = open_table(here)
    link = re.search(rf"{path}/carry/[^\"/]+", here.get(path).text)
    assert link is not None
    for _ in range(5):
        with person(here) as one, person(there) as two:
            one.get("/")
            two.cookies.update(one.cookies)
            answers = both(lambda who: who.get(link[0], follow_redirects=False), one, two)
            assert {answer.status_code for answer in answers} == {303}


def test_twenty_clicks_open_one_rematch(servers: tuple[TestClient, TestClient]) -> None:
    here, there = servers
    path = finished_table(here)
    there.cookies.update(here.cookies)
    answers = both(lambda who: who.post(f"{path}/again", follow_redirects=False), *[here, there] * 10)
    assert {answer.status_code for answer in answers} == {303}
    assert len({answer.headers["location"] for answer in answers}) == 1
    assert len({*re.findall(r"/t/([\w-]{12})", here.get("/").text)}) == 2


def finished_table(client: TestClient) -> str:
    path, rng = open_table(client), random.Random(3)
    with seated(client, path) as player:
        while not player.frame["over"]:
            if player.frame["choices"]:
                player.play_any(rng)
            player.until("frame")
    return path


# --- PostgreSQL is restarted ---------------------------------------------------------------------------


def restart(database: Any) -> None:
    """Like a crash: PostgreSQL ends without waiting for anybody."""
    from pgserver import _commands

    _commands.pg_ctl(["-w", "-m", "immediate", "stop"], pgdata=database.pgdata, user=database.system_user)  # type: ignore[attr-defined]
    database.ensure_postgres_running()


def test_after_a_restart_of_the_database_servers_hear_each_other_again(tmp_path: Path) -> None:
    pgserver = pytest.importorskip("pgserver")
    database = pgserver.get_server(tmp_path / "pg", cleanup_mode="delete")
    url = database.get_uri()
    settings = Settings(database=url, secret="shared", seconds=0.01, limits=UNLIMITED)
    one, two = (create_app(settings) for _ in range(2))
    origin = {"origin": "http://testserver"}
    with TestClient(one, headers=origin) as here, TestClient(two, headers=origin) as there:
        path, rng = open_table(here), random.Random(4)
        with seated(here, path) as ana, seated(there, path) as eye:
            ana.turn(rng)
            eye.until_frame(ply=ana.frame["ply"])
            restart(database)
            refused = True
            while refused:
                ana.play_any(rng)
                while (message := ana.hear())["type"] not in ("done", "refused"):
                    pass
                refused = message["type"] == "refused"
            while eye.frame["ply"] < message["ply"]:
                eye.hear()
    database.cleanup()


def test_two_servers_make_the_first_draws_of_a_table_once(postgres: str) -> None:
    """Whoever comes second sees them and is told nothing else: the seat that they took is theirs."""
    url = empty_postgres(postgres)
    people = tuple(SavedSeat(seat=seat, kind=HUMAN, name=f"{seat}") for seat in range(2))

    async def run() -> None:
        stores = [await Store.open(url) for _ in range(2)]
        for _ in range(5):
            saved = new_table("azul", people, {})
            await stores[0].create(saved)
            tables = [LiveTable(store, saved) for store in stores]
            await asyncio.gather(*(table.start() for table in tables))
            assert tables[0].log.everything == tables[1].log.everything != []
        for store in stores:
            await store.close()

    asyncio.run(run())
