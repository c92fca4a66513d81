"""Tables outlive releases: old databases open, a table that does not replay is set aside, the rest runs."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, text
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from azulejos import Position, Record
from azulejos.cli.store import store as store_command
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.store.database import open_database
from azulejos.web.store.saved import SavedTable, Unreplayable, replayed
from azulejos.web.store.store import Store
from patience import PATIENCE
from web.people import seated
from web.played import played_out

EDITIONS = sorted((Path(__file__).parent / "databases").glob("*.sql"))


@contextmanager
def serving(database: str) -> Iterator[TestClient]:
    app = create_app(Settings(database=database, secret="s", seconds=0.01, limits=UNLIMITED))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        yield client


def fill(database: str, *tables: SavedTable) -> None:
    async def create() -> None:
        store = await Store.open(database)
        for table in tables:
            await store.create(table)
        await store.close()

    asyncio.run(create())


def change(database: str, statement: str) -> None:
    async def act() -> None:
        store = await Store.open(database)
        await store.database.write(lambda connection: connection.execute(text(statement)))
        await store.close()

    asyncio.run(act())


def load_edition(database: str, script: Path) -> None:
    """Put the database of an edition where a server will find it."""
    statements = [one for one in script.read_text().split(";\n") if one.strip()]

    def act(connection: Connection) -> None:
        for statement in statements:
            connection.exec_driver_sql(statement)

    async def run() -> None:
        opened = open_database(database)
        await opened.write(act)
        await opened.close()

    asyncio.run(run())


# --- the databases of every edition --------------------------------------------------------------------


@pytest.mark.parametrize("script", EDITIONS, ids=lambda path: path.stem)
def test_the_database_of_an_edition_opens_and_every_table_is_as_it_was(database: str, script: Path) -> None:
    load_edition(database, script)

    async def check() -> None:
        store = await Store.open(database)
        for line in script.with_suffix(".txt").read_text().splitlines():
            name, plies, state, position = line.split(maxsplit=3)
            table = await store.load(name)
            assert table is not None
            assert (len(table.actions), table.state) == (int(plies), state)
            found = replayed(table)
            assert found.position == Position.from_text(position)
            assert found.renumbered == 0
        await store.close()

    asyncio.run(check())


@pytest.mark.parametrize("script", EDITIONS, ids=lambda path: path.stem)
def test_the_games_of_an_edition_go_on_and_can_be_saved(database: str, script: Path) -> None:
    load_edition(database, script)
    tables = [line.split() for line in script.with_suffix(".txt").read_text().splitlines()]
    plies = {name: int(number) for name, number, *_ in tables}
    with serving(database) as client:
        assert client.get("/").status_code == 200
        for name in plies:
            record = Record.read(client.get(f"/t/{name}/record.txt").text)
            assert len(record.actions) >= plies[name]
        with seated(client, "/t/running-sintra") as watcher:
            while watcher.frame["ply"] <= plies["running-sintra"]:  # the bot that was to move has moved
                watcher.hear()


# --- text decides --------------------------------------------------------------------------------------


def test_the_text_of_a_move_decides_if_its_number_has_changed(caplog: pytest.LogCaptureFixture) -> None:
    table = played_out()
    shifted = tuple(replace(one, action=one.action + 1) for one in table.actions)
    found = replayed(replace(table, actions=shifted))
    assert found.position == table.replay()
    assert found.entries == table.actions
    assert found.renumbered == len(table.actions)
    assert "their texts decide" in caplog.text


def test_moves_are_stored_as_text_beside_their_numbers(database: str) -> None:
    with serving(database) as client:
        path = client.post("/tables", data={"box": "azul", "seat0": "you", "seat1": "you"}).url.path
        stored = client.get(f"{path}/raw.json").json()
    assert stored["actions"]
    moves = Position.from_text("azul,players=2/").game.moves
    assert all(one["move"] == moves.text(one["action"]) for one in stored["actions"])


# --- tables that do not replay -------------------------------------------------------------------------

DAMAGES: dict[str, tuple[Callable[[int], str], str]] = {
    "illegal": (lambda ply: f"UPDATE actions SET action = 0, move = '' WHERE ply = {ply}", "cannot be"),
    "out of range": (lambda ply: f"UPDATE actions SET action = 99999, move = '' WHERE ply = {ply}",
                     "no action 99999"),
    "negative": (lambda ply: f"UPDATE actions SET action = -5, move = '' WHERE ply = {ply}", "no action"),
    "no such move": (lambda ply: f"UPDATE actions SET move = '??' WHERE ply = {ply}", "cannot be read"),
    "gap": (lambda ply: f"DELETE FROM actions WHERE ply = {ply}", "Action 4 is missing"),
    "another seat": (lambda ply: f"UPDATE actions SET seat = 1 WHERE ply = {ply}", "was to move"),
    "unknown box": (lambda _: "UPDATE tables SET box = 'no-such-box'", "not installed"),
    "dropped option": (lambda _: """UPDATE tables SET options = '{"colour": "7"}'""", "colour"),
    "options that are no JSON": (lambda _: "UPDATE tables SET options = '{'", "options cannot be read"),
    "other rules": (lambda _: "UPDATE tables SET rules_version = 99", "version 99"),
    "no seats": (lambda _: "DELETE FROM seats WHERE seat = 1", "seats do not match"),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("state", ["playing", "over"])
def test_a_table_that_does_not_replay_is_set_aside_and_the_rest_runs(
    database: str, damage: str, state: str
) -> None:
    broken, sound = replace(played_out(), state=state, listed=True), replace(played_out(2), listed=True)
    statement, reason = DAMAGES[damage]
    fill(database, broken)
    change(database, statement(3))
    fill(database, sound)
    with serving(database) as client:
        assert client.get("/").status_code == 200
        assert client.get(f"/t/{sound.id}").status_code == 200
        page = client.get(f"/t/{broken.id}")
        assert page.status_code == 409
        assert "set aside" in page.text
        assert reason in page.text.replace("&#39;", "'")
        assert f"/t/{broken.id}/raw.json" in page.text
        assert client.get(f"/t/{broken.id}/record.txt").status_code == 409
        kept = client.get(f"/t/{broken.id}/raw.json").json()
        assert len(kept["actions"]) >= len(broken.actions) - 1
        assert (kept["seed"] == broken.seed) == (state == "over")
        posted = client.post(f"/t/{broken.id}/sit", data={"seat": "0"})
        assert (posted.status_code, "set aside" in posted.text) == (409, True)


def test_a_line_to_a_table_that_is_set_aside_is_refused(client: TestClient, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.sqlite"
    table = played_out()
    fill(url, table)
    change(url, "UPDATE tables SET rules_version = 99")
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect(f"/t/{table.id}/live") as socket,
    ):
        socket.receive_text()
    assert refused.value.code == 4404


def test_a_table_with_an_unknown_box_is_shown_by_name_at_home(client: TestClient, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.sqlite"
    fill(url, replace(played_out(), state="playing", listed=True))
    change(url, "UPDATE tables SET box = 'no-such-box'")
    assert "no-such-box" in client.get("/").text


def test_what_is_stored_is_there_to_read_after_the_damage() -> None:
    table = replace(played_out(), rules_version=99)
    with pytest.raises(Unreplayable, match="version 99") as raised:
        replayed(table)
    assert raised.value.table is table


# --- store check ---------------------------------------------------------------------------------------


def test_store_check_names_every_table_that_does_not_replay(database: str) -> None:
    broken, sound = played_out(), played_out(2)
    fill(database, broken)
    change(database, "DELETE FROM actions WHERE ply = 7")
    fill(database, sound)
    answer = CliRunner().invoke(store_command, ["check", "--database", database])
    assert answer.exit_code == 1
    assert f"table {broken.id} does not replay: Action 8 is missing." in answer.output
    assert sound.id not in answer.output
    assert "2 tables checked, 1 do not replay" in answer.output


def test_store_check_is_content_with_sound_tables_and_mentions_renumbered_ones(database: str) -> None:
    table = played_out()
    fill(database, table)
    assert CliRunner().invoke(store_command, ["check", "--database", database]).exit_code == 0
    change(database, "UPDATE actions SET action = action + 1")
    answer = CliRunner().invoke(store_command, ["check", "--database", database])
    assert answer.exit_code == 0
    assert f"{len(table.actions)} actions have other numbers now" in answer.output


PAGES = [0, 1, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, -1]
"""Pages of a file by their number, or by where they are in the file."""


@pytest.mark.parametrize("where", PAGES)
def test_store_check_finds_a_damaged_page_and_says_so_in_sentences(tmp_path: Path, where: float) -> None:
    file = tmp_path / "games.sqlite"
    database = f"sqlite:///{file}"
    for seed in range(6):
        fill(database, played_out(seed))
    assert CliRunner().invoke(store_command, ["check", "--database", database]).exit_code == 0
    overwrite_page(file, where)
    answer = CliRunner().invoke(store_command, ["check", "--database", database])
    assert answer.exit_code == 1
    assert isinstance(answer.exception, SystemExit), "a traceback"
    assert "damaged: " in answer.output
    assert "restore a backup" in answer.output


def overwrite_page(file: Path, where: float) -> None:
    """Random bytes in place of a page. The header of a file is a page too."""
    with closing(sqlite3.connect(file)) as own:
        own.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,), = own.execute("PRAGMA page_size")
        (count,), = own.execute("PRAGMA page_count")
    page = int(where * count) if 0 < where < 1 else int(where) % count
    with file.open("r+b") as opened:
        opened.seek(page * size)
        opened.write(random.Random(page).randbytes(size))


def test_store_check_finds_rows_that_belong_to_nothing(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    fill(database, played_out())
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as vandal:
        vandal.execute("DELETE FROM tables")
        vandal.commit()
    answer = CliRunner().invoke(store_command, ["check", "--database", database])
    assert answer.exit_code == 1
    assert "of actions belongs to a row of tables that is missing" in answer.output


def test_a_server_warns_of_a_damaged_file_when_it_starts(tmp_path: Path) -> None:
    file, said = tmp_path / "games.sqlite", threading.Event()
    for seed in range(6):
        fill(f"sqlite:///{file}", played_out(seed))
    overwrite_page(file, -1)

    def hear(record: logging.LogRecord) -> bool:
        if "see azulejos store check" in record.getMessage():
            said.set()
        return True

    log = logging.getLogger("azulejos.web")
    log.addFilter(hear)
    try:
        with TestClient(create_app(Settings(database=f"sqlite:///{file}", secret="s"))) as client:
            assert client.get("/healthz").text == "ok\n"
            assert said.wait(PATIENCE)
    finally:
        log.removeFilter(hear)


def test_export_names_what_it_cannot_write_and_writes_the_rest(database: str, tmp_path: Path) -> None:
    broken, sound = played_out(), played_out(2)
    fill(database, broken)
    change(database, "UPDATE tables SET box = 'no-such-box'")
    fill(database, sound)
    file = tmp_path / "games.jsonl"
    answer = CliRunner().invoke(store_command, ["export", "--database", database, str(file)])
    assert answer.exit_code == 1
    assert "not installed" in answer.output
    assert json.loads(file.read_text().splitlines()[0])["tags"]["Table"] == sound.id
