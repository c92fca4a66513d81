"""The store has the same guarantees on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, event, inspect, text

from azulejos.web.refused import Refused
from azulejos.web.store import schema
from azulejos.web.store.company import SeatAnswer
from azulejos.web.store.faults import Overtaken, Unsaved
from azulejos.web.store.store import Store, default_url
from azulejos.web.tables.live_table import LiveTable, new_table
from azulejos.web.tables.lobby import Lobby
from azulejos.web.tables.people import AGAIN, ASKED, NO
from web.played import PEOPLE, entry


def test_a_table_comes_back_as_it_was_saved(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = new_table("azul", PEOPLE, {"wall": "grey"}, listed=True, minutes=5)
        await store.create(table)
        await store.append(table.id, 0, [entry(3), entry(4, -1)], over=False)
        loaded = await store.load(table.id)
        assert loaded is not None
        assert loaded.changed >= table.changed
        expected = replace(table, state="playing", changed=loaded.changed, actions=(entry(3), entry(4, -1)))
        assert loaded == expected
        assert await store.load("nothing") is None
        await store.close()

    asyncio.run(check())


def test_no_two_actions_share_a_ply(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = new_table("azul", PEOPLE, {})
        await store.create(table)
        await store.append(table.id, 0, [entry(1), entry(2)], over=False)
        with pytest.raises(Overtaken):
            await store.append(table.id, 1, [entry(3), entry(5)], over=True)
        loaded = await store.load(table.id)
        assert loaded is not None
        assert [a.action for a in loaded.actions] == [1, 2]
        assert loaded.state == "playing"
        await store.close()

    asyncio.run(check())


def test_only_one_of_two_gets_a_free_seat(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = new_table("azul", PEOPLE, {})
        await store.create(table)
        taken = await asyncio.gather(*(store.sit(table.id, 1, f"p{i}", f"key{i}") for i in range(4)))
        assert sorted(taken) == [False, False, False, True]
        winner = taken.index(True)
        assert await store.seats_of(table.id, f"key{winner}") == {1}
        assert await store.seats_of(table.id, f"key{(winner + 1) % 4}") == frozenset()
        assert [t.id for t in await store.mine(f"key{winner}")] == [table.id]
        await store.close()

    asyncio.run(check())


def test_lists_show_only_what_may_be_seen(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        secret, shown = new_table("azul", PEOPLE, {}), new_table("azul", PEOPLE, {}, listed=True)
        await store.create(secret)
        await store.create(shown)
        assert [table.id for table in await store.listed()] == [shown.id]
        await store.close()

    asyncio.run(check())


def test_twenty_rematches_are_one_table(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = new_table("azul", PEOPLE, {})
        await store.create(table)
        games = [new_table("azul", PEOPLE, {}) for _ in range(5)]
        created = await asyncio.gather(*(store.create(game, rematch_of=table.id) for game in games))
        assert len({*created}) == 1
        found = [game.id for game in games if await store.load(game.id) is not None]
        assert found == created[:1]
        await store.close()

    asyncio.run(check())


def test_the_same_answer_may_be_given_many_times_at_once(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = new_table("azul", PEOPLE, {})
        await store.create(table)
        asked = [SeatAnswer(AGAIN, 0, seat, ASKED) for seat in (1, 0)]
        await asyncio.gather(*(store.company.answer(table.id, asked) for _ in range(10)))
        assert await store.company.answers(table.id) == asked[::-1]
        await store.company.answer(table.id, [replace(asked[0], answer=NO)])
        assert [one.answer for one in await store.company.answers(table.id)] == [ASKED, NO]
        await store.close()

    asyncio.run(check())


def test_opening_twice_makes_the_tables_once_as_declared(database: str) -> None:
    async def check() -> None:
        await (await Store.open(database)).close()
        store = await Store.open(database)
        found = await store.database.read(_columns)
        await store.close()
        assert found == {name: set(t.columns.keys()) for name, t in schema.metadata.tables.items()}

    asyncio.run(check())


def _columns(connection: Connection) -> dict[str, set[str]]:
    tables = schema.metadata.tables
    return {name: {column["name"] for column in inspect(connection).get_columns(name)} for name in tables}


def test_a_store_of_a_later_program_is_left_alone(tmp_path: Path) -> None:
    with create_engine(f"sqlite:///{tmp_path}/games.sqlite").begin() as connection:
        schema.prepare(connection, version=schema.VERSION + 1)
        with pytest.raises(schema.TooNew, match="Install that version again"):
            schema.prepare(connection)


async def _open_and_close(url: str) -> None:
    await (await Store.open(url)).close()


def test_a_full_disk_changes_nothing_and_says_so(tmp_path: Path) -> None:
    async def check() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        lobby = Lobby(store)
        table = new_table("azul", (PEOPLE[0], replace(PEOPLE[0], seat=1)), {})
        room = await lobby.create(table, [(0, "key"), (1, "key")])
        await _fill_disk(store)
        with pytest.raises(Refused, match="nothing was changed"):
            await _play_on(room)
        loaded = await store.load(table.id)
        assert loaded is not None
        assert loaded.replay() == room.position
        await lobby.close()
        await store.close()

    asyncio.run(check())


async def _play_on(room: LiveTable) -> None:
    """Play until something happens: the allocated page may still have room for some moves."""
    for _ in range(200):
        before = room.ply
        await room.play(frozenset({0, 1}), next(iter(room.position.legal_moves)).text, before, at_once=True)
        assert room.ply > before


async def _fill_disk(store: Store) -> None:
    """SQLite's own simulation of a full disk: a limit on the number of pages."""
    pages = await store.database.read(lambda c: c.execute(text("PRAGMA page_count")).scalar_one())
    store.database.engine.dispose()

    def limit(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA max_page_count={pages}")
        cursor.close()

    event.listen(store.database.engine, "connect", limit)


def test_a_database_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a database, but long enough to be read as one" * 100)
    with pytest.raises(Unsaved):
        asyncio.run(_open_and_close(f"sqlite:///{tmp_path}/file"))
    with pytest.raises(ValueError, match="sqlite"):
        asyncio.run(_open_and_close("mysql://localhost/x"))


def test_the_default_is_a_file_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_DATA", str(tmp_path))
    assert default_url() == f"sqlite:///{tmp_path}/games.sqlite"


# --- deals and lines -----------------------------------------------------------------------------------
