"""After every loss of power, whatever the disk had written by then, every acknowledged move is there."""

from __future__ import annotations

import asyncio
import ctypes
import importlib
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from azulejos.web.store.store import Store
from web.played import played_out
from web.store.power import SECTOR, Recorder, Written, rebuild, split

try:
    ctypes.CDLL(importlib.import_module("_sqlite3").__file__).sqlite3_vfs_find  # noqa: B018
except (AttributeError, OSError, TypeError):
    pytest.skip("this SQLite shows nothing of its files", allow_module_level=True)

MOVES = 40


GAME = replace(played_out(), id="game")


def written(folder: Path, moves: int) -> tuple[list[Written], list[tuple[int, int]], str]:
    """What a server writes while a game is played, and after how much of it each move was acknowledged."""
    recorder, file = Recorder(), folder / "played.sqlite"

    async def play() -> list[tuple[int, int]]:
        store = await Store.open(f"sqlite:///{file}")
        await store.create(replace(GAME, actions=(), state="playing"))
        acknowledged = [(len(log), 0)]
        for ply, entry in enumerate(GAME.actions[:moves]):
            await store.append(GAME.id, ply, [entry], over=False)
            acknowledged.append((len(log), ply + 1))
            if ply % 12 == 11:  # pages go from the log to the file
                await store.database.write(
                    lambda connection: connection.exec_driver_sql("SELECT 1").all()
                )
                with closing(sqlite3.connect(file)) as other:
                    other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        await store.close()
        return acknowledged

    with recorder.recording() as log:
        acknowledged = asyncio.run(play())
    return log, acknowledged, str(file)


def outcomes(loose: list[Written], rng: random.Random, most: int) -> list[list[Written]]:
    """What may be there of the writes that were not synced: nothing, all, all but one, each alone, some in
    any order, and each torn within."""
    found: list[list[Written]] = [[], loose]
    found += [list(some) for some in combinations(loose, 1)]
    found += [[each for each in loose if each is not gone] for gone in loose]
    for _ in range(4):
        some = [each for each in loose if rng.random() < 0.5]
        rng.shuffle(some)
        found.append(some)
    for at, torn in enumerate(loose):
        if len(torn.data) > SECTOR:
            found.append([*loose[:at], replace(torn, data=torn.data[:SECTOR]), *loose[at + 1 :]])
    return found if len(found) <= most else [found[0], found[1], *rng.sample(found[2:], most - 2)]


def check(folder: Path, certainly: int, possibly: int) -> None:
    """The file is sound, and holds the acknowledged moves and perhaps those on their way."""
    with closing(sqlite3.connect(folder / "games.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        log = database.execute("SELECT ply, move FROM actions WHERE table_id = ? ORDER BY ply", (GAME.id,))
        moves = log.fetchall()
    assert certainly <= len(moves) <= possibly
    assert moves == [(ply, entry.move) for ply, entry in enumerate(GAME.actions[: len(moves)])]


def survive(tmp_path: Path, *, moves: int, most: int, step: int) -> int:
    log, acknowledged, prefix = written(tmp_path, moves)
    rng, tried = random.Random(1), 0
    begun = acknowledged[0][0]
    for crash in range(begun, len(log) + 1, step):
        certainly = max(count for length, count in acknowledged if length <= crash)
        possibly = min((count for length, count in acknowledged if length >= crash), default=moves)
        certain, loose = split(log[:crash])
        for some in outcomes(loose, rng, most):
            folder = tmp_path / f"{tried}"
            folder.mkdir()
            rebuild(folder, [*certain, *some], prefix)
            check(folder, certainly, max(possibly, certainly))
            for file in folder.iterdir():
                file.unlink()
            tried += 1
    return tried


def test_acknowledged_moves_survive_a_loss_of_power(tmp_path: Path) -> None:
    assert survive(tmp_path, moves=6, most=4, step=3) > 30


@pytest.mark.slow
def test_acknowledged_moves_survive_a_loss_of_power_at_every_write(tmp_path: Path) -> None:
    assert survive(tmp_path, moves=MOVES, most=40, step=1) > 1000


def test_a_disk_that_loses_what_was_synced_is_found_out(tmp_path: Path) -> None:
    """The test would notice if moves were acknowledged before they are on the disk."""
    log, acknowledged, prefix = written(tmp_path, 3)
    careless = [one for one in log[: acknowledged[-1][0]] if not one.synced]
    first = next(i for i, one in enumerate(log) if i >= acknowledged[0][0])
    certain = [one for one in log[:first] if not one.synced]
    folder = tmp_path / "careless"
    folder.mkdir()
    rebuild(folder, certain, prefix)
    assert len(careless) > len(certain)
    with pytest.raises(AssertionError):
        check(folder, 3, 3)
