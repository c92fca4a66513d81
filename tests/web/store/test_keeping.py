"""What a server keeps: secrets that servers share and replace, tables that expire, one writer per file."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import stat
import subprocess
import sys
import urllib.request
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from itsdangerous import BadSignature
from starlette.testclient import TestClient

from azulejos.cli.store import store as store_command
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.shared_signer import NOTICE, SPREADING, Secret, add_secret, in_order, shared_secrets
from azulejos.web.store.expiry import Policy, count_expired, expire, read_policy
from azulejos.web.store.faults import InUse
from azulejos.web.store.saved import HUMAN, CarryLink, SavedSeat, SavedTable, now
from azulejos.web.store.store import Store
from azulejos.web.tables import lobby as lobby_module
from azulejos.web.tables.live_table import new_table
from azulejos.web.tables.lobby import Lobby
from azulejos.web.visitor import KEY_COOKIE, Signer, former_secrets, read_secrets
from patience import PATIENCE
from web.conftest import empty_postgres
from web.people import open_table, seated
from web.played import played_out
from web.server import SOURCES, running

DAY = 24 * 3600


# --- secrets -------------------------------------------------------------------------------------------


def served(database: str, **settings: object) -> TestClient:
    app = create_app(Settings(database=database, seconds=0.01, limits=UNLIMITED, **settings))  # type: ignore[arg-type]
    return TestClient(app, headers={"origin": "http://testserver"})


def test_a_seat_at_one_server_is_a_seat_at_the_other(postgres: str) -> None:
    url = empty_postgres(postgres)
    with served(url) as here, served(url) as there:
        path = open_table(here)
        there.cookies.update(here.cookies)
        assert "set-cookie" not in there.get(path).headers
        assert "set-cookie" not in here.get(path).headers


def test_a_cookie_of_the_first_edition_is_still_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the secret of the first edition\n")
    old = former_secrets(tmp_path)
    with served(f"sqlite:///{tmp_path}/games.sqlite", former_secrets=tuple(old)) as client:
        client.cookies.set(KEY_COOKIE, str(Signer(*old)._keys.dumps("a key from before")))
        assert "set-cookie" not in client.get("/").headers


def test_a_new_secret_signs_and_old_ones_are_read(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.sqlite"
    with served(url) as client:
        path = open_table(client)
        cookies = dict(client.cookies)
    run = CliRunner().invoke(store_command, ["new-secret", "--database", url])
    assert run.exit_code == 0, run.output
    with served(url) as later:
        later.cookies.update(cookies)
        assert "set-cookie" not in later.get(path).headers
    assert CliRunner().invoke(store_command, ["new-secret", "--forget", "--database", url]).exit_code == 0
    with served(url) as afterwards:
        afterwards.cookies.update(cookies)
        assert "set-cookie" in afterwards.get(path).headers


def test_servers_read_a_new_secret_before_any_of_them_signs_with_it(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = empty_postgres(postgres)

    async def run() -> None:
        one, other = await Store.open(url), await Store.open(url)
        told = asyncio.Event()
        await other.listen(lambda notice: told.set() if notice == NOTICE else None, told.clear)
        before = await shared_secrets(one, first="the first of all")
        assert await shared_secrets(other, first="another first") == before
        await add_secret(one)
        await told.wait()
        after = await shared_secrets(other, first="")
        assert after[:-1] == before
        at = now() / 1000
        assert in_order(after, [], at)[-1] == before[-1].value
        assert after[-1].value in in_order(after, [], at)
        assert in_order(after, [], at + SPREADING + 1)[-1] == after[-1].value
        for store in (one, other):
            await store.close()

    asyncio.run(run())


def test_the_last_secret_signs_and_all_are_read() -> None:
    old, new = Signer("old secret"), Signer("old secret", "new secret")
    link = CarryLink(table="table", seat=1, maker="k", revocations=0)
    assert new.carried(old.carry(link)) == link
    assert old.carried(new.carry(link)) is None
    assert in_order([Secret("b", 0), Secret("c", 99)], ["a"], 5) == ["a", "c", "b"]
    with pytest.raises(BadSignature):
        old._keys.loads(new._keys.dumps("key"))


def test_a_file_of_secrets_has_the_newest_on_top(tmp_path: Path) -> None:
    file = tmp_path / "secrets"
    file.write_text("the newest of them\n\nan older secret there\n")
    assert read_secrets(file) == ["an older secret there", "the newest of them"]
    file.write_text("short\n")
    with pytest.raises(ValueError, match="at least 16 characters"):
        read_secrets(file)


# --- expiry --------------------------------------------------------------------------------------------


def test_tables_expire_by_policy_and_games_only_if_the_operator_says_so(database: str) -> None:
    week_old = now() / 1000 - 7 * DAY

    async def run() -> None:
        store = await Store.open(database)
        people = tuple(SavedSeat(seat=i, kind=HUMAN, name=f"{i}") for i in range(2))
        waiting = [replace(new_table("azul", people, {}), changed=week_old) for _ in range(150)]
        fresh = new_table("azul", people, {})
        playing = replace(played_out(), state="playing", changed=week_old, seats=people)
        begun = replace(playing, id="begun", actions=playing.actions[: first_move(playing) + 1])
        finished = replace(played_out(2), changed=week_old)
        for table in (*waiting, fresh, playing, begun, finished):
            await store.create(table, [(0, "key")])
        assert await expire(store, read_policy(["begun=8"])) == {"waiting": 0, "begun": 0}
        assert await expire(store, read_policy(["begun=6"])) == {"waiting": 0, "begun": 1}
        assert await store.load(begun.id) is None
        policy = read_policy(["waiting=5", "begun=never"])
        assert await count_expired(store, policy) == {"waiting": 150}
        assert await expire(store, policy) == {"waiting": 150}
        assert [await store.load(one.id) is not None for one in (waiting[0], fresh, playing, finished)] == [
            False, True, True, True]
        assert await expire(store, Policy({"playing": 5, "finished": 8})) == {"playing": 1, "finished": 0}
        assert [await store.load(one.id) is not None for one in (playing, finished)] == [False, True]
        await store.close()

    asyncio.run(run())


def first_move(table: SavedTable) -> int:
    """Where the log has the first move of a person."""
    return next(number for number, entry in enumerate(table.actions) if entry.seat >= 0)


def test_a_table_that_was_removed_says_so(client: TestClient, tmp_path: Path) -> None:
    path, rng = open_table(client), random.Random(1)
    with seated(client, path) as player, closing(sqlite3.connect(tmp_path / "games.sqlite")) as database:
        for part in ("keys", "actions", "seats"):
            database.execute(f"DELETE FROM {part}")
        database.execute("DELETE FROM tables")
        database.commit()
        player.play_any(rng)
        assert "has been removed" in player.until("refused")["text"]


@pytest.mark.parametrize("word", ["waiting", "waiting=", "waiting=0", "paused=3", "playing=x", "=3"])
def test_a_policy_that_cannot_be_read_is_explained(word: str) -> None:
    answer = CliRunner().invoke(store_command, ["expire", "--expire", word])
    assert answer.exit_code == 2
    assert "for example playing=180" in answer.output


def test_expire_counts_before_it_removes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.sqlite"

    async def fill() -> None:
        store = await Store.open(url)
        await store.create(replace(played_out(), changed=1.0))
        await store.close()

    asyncio.run(fill())
    command = ["expire", "--database", url, "--expire", "finished=1", "--expire", "waiting=never",
               "--expire", "begun=never"]
    run = CliRunner().invoke
    assert run(store_command, [*command, "--dry-run"]).output == "1 finished tables would be removed\n"
    assert run(store_command, command).output.endswith("1 finished tables removed\n")
    assert run(store_command, [*command, "--dry-run"]).output == "0 finished tables would be removed\n"


# --- one writer per file, and only its owner reads it --------------------------------------------------


def azulejos(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "azulejos", *words], env=os.environ | {"PYTHONPATH": str(SOURCES)},
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )


def test_a_second_server_on_a_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.sqlite"
    with running(tmp_path) as server:
        urllib.request.urlopen(server.url).close()
        answer = azulejos("serve", "--no-open", "--port", "0", "--database", url)
        assert answer.returncode == 2
        assert f"another server (process {server.process.pid}) uses this database" in answer.stderr
        assert "Traceback" not in answer.stderr
        server.kill()
        server.restart()  # a lock does not outlive its server


def test_the_same_process_cannot_serve_a_file_twice(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.sqlite"

    async def run() -> None:
        first = await Store.open(url, serving=True)
        with pytest.raises(InUse, match=f"process {os.getpid()}"):
            await Store.open(url, serving=True)
        await (await Store.open(url)).close()  # exports and checks are not servers
        await first.close()
        await (await Store.open(url, serving=True)).close()

    asyncio.run(run())


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_only_the_owner_can_read_the_database(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    old = folder / "old.sqlite"
    folder.mkdir()
    old.touch(0o644)

    async def run() -> None:
        for file in (folder / "new.sqlite", old):
            store = await Store.open(f"sqlite:///{file}")
            await store.create(played_out())
            found = {part.name: stat.S_IMODE(part.stat().st_mode) for part in folder.glob(f"{file.name}*")}
            assert set(found.values()) == {0o600}, found
            await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("command", [["store", "check"], ["serve", "--no-open", "--port", "0"]])
def test_a_later_schema_is_a_sentence_and_an_exit_code(tmp_path: Path, command: list[str]) -> None:
    url = f"sqlite:///{tmp_path}/games.sqlite"
    asyncio.run(_open_and_close(url))
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as database:
        database.execute("UPDATE schema SET version = 999")
        database.commit()
    answer = azulejos(*command, "--database", url)
    assert answer.returncode == 2
    assert "later version of azulejos (schema 999" in answer.stderr
    assert "Traceback" not in answer.stderr


async def _open_and_close(url: str) -> None:
    await (await Store.open(url)).close()


# --- tables in memory ----------------------------------------------------------------------------------


def test_a_table_that_somebody_uses_is_never_read_a_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dropped from memory between two moves, a table must not become two."""
    monkeypatch.setattr(lobby_module, "MAX_TABLES", 1)

    async def run() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        lobby = Lobby(store)
        people = tuple(SavedSeat(seat=i, kind=HUMAN, name=f"{i}") for i in range(2))
        table = await lobby.create(new_table("azul", people, {}), [])
        for _ in range(3):
            await lobby.create(new_table("azul", people, {}), [])
        assert await lobby.table(table.id) is table
        await lobby.close()
        await store.close()

    asyncio.run(run())


def test_a_server_starts_without_reading_old_tables(tmp_path: Path) -> None:
    async def run() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        people = tuple(SavedSeat(seat=i, kind=HUMAN, name=f"{i}") for i in range(2))
        before = Lobby(store)
        tables = [await before.create(new_table("azul", people, {}), []) for _ in range(3)]
        await before.close()
        lobby = Lobby(store)
        await lobby._wake_all()
        assert lobby.counts()["tables"][1] == 0
        assert await lobby.table(tables[0].id) is not tables[0]
        assert lobby.counts()["tables"][1] == 1
        await lobby.close()
        await store.close()

    asyncio.run(run())
