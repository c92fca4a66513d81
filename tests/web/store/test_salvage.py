"""A damaged file loses what was on its damaged pages and nothing else; a backup brings everything back."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from azulejos.cli.store import store as store_command
from azulejos.web.store.salvage import salvage
from azulejos.web.store.saved import SavedTable, Unreplayable, replayed
from azulejos.web.store.store import Store
from web.people import open_table, person, saved_moves, seated
from web.played import played_out
from web.store.test_old_tables import fill, serving

GAMES = 12


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, SavedTable]]:
    """A file with several games, and what it holds."""
    file = tmp_path_factory.mktemp("sound") / "games.sqlite"
    tables = [played_out(seed) for seed in range(GAMES)]
    fill(f"sqlite:///{file}", *tables)
    return file, {table.id: table for table in tables}


def read_all(file: Path) -> dict[str, SavedTable]:
    async def read() -> dict[str, SavedTable]:
        store = await Store.open(f"sqlite:///{file}")
        found = {table.id: table async for table in store.every_table()}
        await store.close()
        return found

    return asyncio.run(read())


def damage(file: Path, rng: random.Random, *, pages: int) -> None:
    """Overwrite some pages after the first one, which lists the tables, with random bytes."""
    data = bytearray(file.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    for page in rng.sample(range(1, len(data) // size), pages):
        data[page * size : (page + 1) * size] = rng.randbytes(size)
    file.write_bytes(data)


def replays(table: SavedTable) -> bool:
    try:
        replayed(table)
    except Unreplayable:
        return False
    return True


def test_nothing_of_a_sound_file_is_lost(sound: tuple[Path, dict[str, SavedTable]], tmp_path: Path) -> None:
    file, games = sound
    answer = CliRunner().invoke(
        store_command, ["salvage", "--database", f"sqlite:///{file}", str(tmp_path / "new.sqlite")]
    )
    assert answer.exit_code == 0, answer.output
    assert f"{GAMES} tables are in {tmp_path / 'new.sqlite'}, 0 do not replay" in answer.output
    assert "left out" not in answer.output
    assert read_all(tmp_path / "new.sqlite") == games


@pytest.mark.parametrize("number", range(6))
def test_what_is_on_other_pages_is_saved(
    sound: tuple[Path, dict[str, SavedTable]], tmp_path: Path, number: int
) -> None:
    """Every row that is saved is one of the old ones; most games are whole; the new file is sound."""
    file, games = sound
    broken, new = tmp_path / "broken.sqlite", tmp_path / "new.sqlite"
    shutil.copy(file, broken)
    damage(broken, random.Random(number), pages=1 + number % 3)
    before = broken.read_bytes()
    answer = CliRunner().invoke(store_command, ["salvage", "--database", f"sqlite:///{broken}", str(new)])
    if answer.exit_code:
        assert "cannot be read" in answer.output
        return
    assert broken.read_bytes() == before
    with closing(sqlite3.connect(new)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    found = read_all(new)
    whole = [name for name, table in found.items() if table == games[name]]
    for table in found.values():
        assert set(table.actions) <= set(games[table.id].actions)
    assert len(whole) >= GAMES - 4 * (1 + number % 3), answer.output
    assert all(replays(found[name]) for name in whole)


def test_a_file_without_its_first_page_is_a_sentence(
    sound: tuple[Path, dict[str, SavedTable]], tmp_path: Path
) -> None:
    broken, new = tmp_path / "broken.sqlite", tmp_path / "new.sqlite"
    broken.write_bytes(random.Random(1).randbytes(4096) + sound[0].read_bytes()[4096:])
    answer = CliRunner().invoke(store_command, ["salvage", "--database", f"sqlite:///{broken}", str(new)])
    assert answer.exit_code != 0
    assert "restore a backup" in answer.output
    assert not new.exists()


def test_an_existing_file_is_not_overwritten(
    sound: tuple[Path, dict[str, SavedTable]], tmp_path: Path
) -> None:
    (tmp_path / "new.sqlite").write_text("mine")
    answer = CliRunner().invoke(
        store_command, ["salvage", "--database", f"sqlite:///{sound[0]}", str(tmp_path / "new.sqlite")]
    )
    assert "exists already" in answer.output
    assert (tmp_path / "new.sqlite").read_text() == "mine"


def test_rows_of_wrong_types_are_left_out(tmp_path: Path) -> None:
    """Changed bytes within a row can make a number of a text: SQLite has no checksums."""
    file, new = tmp_path / "games.sqlite", tmp_path / "new.sqlite"
    fill(f"sqlite:///{file}", played_out())
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE actions SET seat = 'seven' WHERE ply = 3")
        database.commit()
    asyncio.run(_make(new))
    found = salvage(file, new)
    assert found.left_out["actions"] == 1
    assert found.saved["tables"] == 1


async def _make(file: Path) -> None:
    await (await Store.open(f"sqlite:///{file}")).close()


def test_a_backup_of_a_running_server_brings_everything_back(tmp_path: Path) -> None:
    """As docs/operating.md says: `.backup` while it runs, and back in place without -wal and -shm."""
    file, copy, rng = tmp_path / "games.sqlite", tmp_path / "copy.sqlite", random.Random(1)
    with serving(f"sqlite:///{file}") as client:
        path = open_table(client)
        cookies = dict(client.cookies)
        with seated(client, path) as ana:
            for _ in range(4):
                while not ana.frame["mine"]:
                    ana.until("frame")
                ana.turn(rng)
            with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)
            moves = saved_moves(client, path)
            while not ana.frame["mine"]:
                ana.until("frame")
            ana.turn(rng)
            assert saved_moves(client, path) != moves
    for part in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        part.unlink(missing_ok=True)
    copy.rename(file)
    with serving(f"sqlite:///{file}") as client, person(client) as ana_again:
        ana_again.cookies.update(cookies)
        assert saved_moves(client, path) == moves
        with seated(ana_again, path) as ana:
            while not ana.frame["mine"]:
                ana.until("frame")
            ana.turn(rng)
