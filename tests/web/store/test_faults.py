"""A full disk, a locked database, a player who disconnects: reported clearly, nothing half written."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, OperationalError
from starlette.testclient import TestClient

from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.store.faults import Unsaved, Vanished, reported
from azulejos.web.store.saved import HUMAN, SavedAction, SavedSeat, now
from azulejos.web.store.store import Store
from azulejos.web.tables.live_table import new_table
from azulejos.web.tables.lobby import Lobby
from web.people import Seated, open_table, person, saved_moves, seated

ROOM_FOR = 60
"""Moves that may still fit into the allocated pages."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def impatient(file: Path) -> Iterator[TestClient]:
    """A server that waits only briefly for a locked database."""
    database = f"sqlite:///{file}?timeout=0.05"
    app = create_app(Settings(database=database, secret="s", seconds=0.01, limits=UNLIMITED))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        yield client


class Disk:
    """SQLite's own simulation of a full disk: a limit on the number of pages."""

    def __init__(self, client: TestClient, file: Path) -> None:
        self.file = file
        self.limit = 0
        engine = client.app.state.lobby.store.database.engine  # type: ignore[attr-defined]
        event.listen(engine, "begin", self._begin)

    def _begin(self, connection: Any) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={self.limit or 2**30}")

    @contextmanager
    def full(self) -> Iterator[None]:
        with closing(sqlite3.connect(self.file)) as own:
            (self.limit,) = own.execute("PRAGMA page_count").fetchone()
        try:
            yield
        finally:
            self.limit = 0


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another program holds a write lock on the database."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def refusal(player: Seated, rng: random.Random) -> str:
    """Play until the server refuses; return its text."""
    for _ in range(ROOM_FOR):
        ply = player.frame["ply"]
        player.play_any(rng)
        while player.frame["ply"] == ply or not player.frame["choices"]:
            message = player.hear()
            if message["type"] == "refused":
                return str(message["text"])
    pytest.fail("everything was saved")


def confirm(player: Seated) -> None:
    """Try the refused turn again."""
    player.tell(do="confirm", ply=player.until_frame(confirm=True)["ply"])


def test_a_full_disk_is_said_and_the_table_goes_on_when_there_is_space(
    client: TestClient, tmp_path: Path
) -> None:
    disk = Disk(client, tmp_path / "games.sqlite")
    path, rng = open_table(client), random.Random(1)
    with seated(client, path) as player:
        with disk.full():
            said = refusal(player, rng)
            assert "could not save this, so nothing was changed" in said
            assert "full" in said
            kept = stored(tmp_path, path)
            assert len(saved_moves(client, path)) == kept
            confirm(player)
            assert "full" in player.until("refused")["text"]
        confirm(player)
        assert player.until("done")["ply"] == stored(tmp_path, path) > kept


def stored(folder: Path, path: str) -> int:
    """The number of actions of a table in the file; they must form a game."""

    async def count() -> int:
        store = await Store.open(f"sqlite:///{folder}/games.sqlite")
        table = await store.load(path.rpartition("/")[2])
        await store.close()
        assert table is not None
        return table.replay().ply

    return asyncio.run(count())


def test_no_table_is_opened_on_a_full_disk(client: TestClient, tmp_path: Path) -> None:
    disk = Disk(client, tmp_path / "games.sqlite")
    form = {"box": "azul", "seat0": "you", "seat1": "you", "name0": "x" * 24}
    with disk.full():
        codes = {client.post("/tables", data=form).status_code for _ in range(ROOM_FOR)}
        refused = client.post("/tables", data=form)
    assert codes <= {200, 409}
    assert refused.status_code == 409
    assert "could not be saved" in refused.text
    open_table(client)


def test_a_locked_database_is_said_and_nothing_is_lost(impatient: TestClient, file: Path) -> None:
    path, rng = open_table(impatient), random.Random(2)
    with seated(impatient, path) as player:
        before = saved_moves(impatient, path)
        with locked(file):
            said = refusal(player, rng)
            assert "could not save this, so nothing was changed" in said
            assert "locked" in said
            assert saved_moves(impatient, path) == before
        confirm(player)
        assert player.until("done")["ply"] > len(before)
        assert saved_moves(impatient, path)[: len(before)] == before


def test_a_locked_database_opens_no_table_and_seats_nobody(impatient: TestClient, file: Path) -> None:
    path = open_table(impatient, seat1="friend")
    with person(impatient) as friend, locked(file):
        form = {"box": "azul", "seat0": "you", "seat1": "you"}
        assert "could not be saved" in impatient.post("/tables", data=form).text
        sat = friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
        assert sat.status_code == 409
        assert "nothing was changed" in sat.text
        assert impatient.get(path).status_code == 200
    assert friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo"}).status_code == 200


PEOPLE = tuple(SavedSeat(seat=i, kind=HUMAN, name=f"{i}") for i in range(2))


def test_a_bot_tries_again_after_a_locked_database(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azulejos.web.tables.lobby.RETRY_SECONDS", 0.01)

    async def check() -> None:
        store = await Store.open(f"sqlite:///{file}?timeout=0.01")
        lobby = Lobby(store)
        room = await lobby.create(new_table("azul", PEOPLE, {}), [])
        tried = asyncio.Semaphore(0)
        room.watchers.add(tried.release)
        ply = room.ply
        for seat in PEOPLE:
            await store.company.replace(room.id, seat.seat, bot="random", unseen_since=now() + 1000)
        with locked(file):
            await room.refresh()
            for _ in range(4):
                await tried.acquire()
            assert room.ply == ply
        while room.ply == ply:
            await tried.acquire()
        await lobby.close()
        await store.close()

    asyncio.run(check())


def test_tables_saved_together_fail_apart(tmp_path: Path) -> None:
    """If another server has changed one table, the moves at the others are still saved."""

    async def check() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        lobby = Lobby(store)
        rooms = [await lobby.create(new_table("azul", PEOPLE, {}), []) for _ in range(5)]
        late = rooms[2]
        played = SavedAction(action=late.position.legal_actions()[0], seat=late.position.to_move, at=1)
        await store.append(late.id, late.ply, [played], over=False)
        moves = [
            room.play(frozenset({0, 1}), next(iter(room.position.legal_moves)).text, room.ply, at_once=True)
            for room in rooms
        ]
        results = await asyncio.gather(*moves, return_exceptions=True)
        assert [result is None for result in results] == [True, True, False, True, True]
        assert "moved in the meantime" in str(results[2])
        for room in rooms:
            saved = await store.load(room.id)
            assert saved is not None
            assert saved.replay() == room.position
        await lobby.close()
        await store.close()

    asyncio.run(check())


def test_a_player_who_vanishes_while_a_move_is_saved_leaves_a_sound_table(
    client: TestClient, tmp_path: Path
) -> None:
    path, rng = open_table(client), random.Random(4)
    for _ in range(10):
        with seated(client, path) as player:
            player.play_any(rng)
    with seated(client, path) as player:
        assert player.frame["ply"] == stored(tmp_path, path)
        ply = player.frame["ply"]
        player.play_any(rng)
        assert player.until("done")["ply"] > ply


@pytest.mark.parametrize("error", [
    OSError("Multiple exceptions: [Errno 111] Connect call failed ('10.1.2.3', 5432)"),
    OperationalError("INSERT INTO actions", {}, sqlite3.OperationalError("cannot open /srv/games.sqlite")),
    DBAPIError("SELECT 1", {}, Exception("password authentication failed for user admin at db.example")),
    TimeoutError("db.example:5432"), Vanished("/srv/games.sqlite"),
])
def test_no_refusal_names_an_address_a_file_or_a_statement(error: Exception) -> None:
    with pytest.raises(Unsaved) as caught, reported(Unsaved):
        raise error
    for secret in ("10.1.2.3", "5432", "/srv", "db.example", "admin", "INSERT", "SELECT"):
        assert secret not in str(caught.value.reason)
