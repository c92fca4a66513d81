"""Writes the database of an edition, which every later one must open: SQL, and what the tables were.

    python -m web.store.edition 1      writes databases/edition-1.sql and databases/edition-1.txt

Written anew until an edition is released, and never again afterwards.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, select
from sqlalchemy.schema import CreateIndex, CreateTable

from azulejos.web.store import schema
from azulejos.web.store.saved import BOT, FINISHED, HUMAN, OPEN, PLAYING, SavedAction, SavedSeat, SavedTable
from azulejos.web.store.store import Store
from azulejos.web.tables.fair_deal import Dealer
from azulejos.web.tables.live_table import new_table

DATABASES = Path(__file__).parent / "databases"
NOON = 1_794_801_600_000
OWNER = "ab" * 32


def seat(number: int, name: str, *, kind: str = HUMAN, bot: str = "") -> SavedSeat:
    return SavedSeat(seat=number, kind=kind, name=name, bot=bot)


Sample = tuple[str, str, dict[str, str], int, tuple[SavedSeat, ...]]
TABLES: tuple[Sample, ...] = (
    ("finished-azul", "azul", {"wall": "grey"}, 10_000,
     (seat(0, "Sand", kind=BOT, bot="random"), seat(1, "Sand 2", kind=BOT, bot="random"))),
    ("running-sintra", "sintra-b", {}, 70, (seat(0, "Ana"), seat(1, "Sand", kind=BOT, bot="random"))),
    ("running-garden", "garden", {}, 90, (seat(0, "Ana"), seat(1, "Bo", bot="random"), seat(2, "Cai"))),
    ("waiting-azul", "azul", {}, 0, (seat(0, "Ana"), seat(1, "", kind=OPEN))),
)
"""Name, box, options, and how many actions are played at least, until seat 2 is to move at the beginning
of a turn or the game is over."""


def table(sample: Sample) -> SavedTable:
    name, box, options, plies, seats = sample
    made = replace(new_table(box, seats, options, seed=f"{len(name):064x}"), id=name)
    if not plies:
        return made
    position, rng, dealer, at = made.start(), random.Random(1), Dealer(made.seed), NOON
    entries = []
    while not position.is_over and (position.ply < plies or position.to_move != 1 or position.in_turn):
        mover = position.to_move
        action = dealer.draw(position) if mover < 0 else rng.choice(position.legal_actions())
        at += 700 if mover >= 0 else 0
        entries.append(SavedAction(
            action=int(action), seat=mover, at=at, move=position.game.moves.text(int(action))
        ))
        position.play(int(action))
    return replace(made, actions=tuple(entries), state=FINISHED if position.is_over else PLAYING)


def statements(connection: Connection) -> Iterator[str]:
    for one in schema.metadata.sorted_tables:
        yield " ".join(str(CreateTable(one)).split())
        for index in sorted(one.indexes, key=lambda index: str(index.name)):
            yield " ".join(str(CreateIndex(index)).split())
        rows = [f"({', '.join(map(written, row))})" for row in connection.execute(select(one))]
        if rows:
            values = ",\n  ".join(rows)
            yield f"INSERT INTO {one.name} VALUES\n  {values}"


def written(value: object) -> str:
    if value is None:
        return "NULL"
    return repr(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"


async def write(name: str, tables: Sequence[SavedTable]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/games.sqlite")
        for one in tables:
            await store.create(one, [(0, OWNER)])
        sql = await store.database.read(lambda connection: list(statements(connection)))
        await store.close()
    (DATABASES / f"{name}.sql").write_text(";\n".join(sql) + ";\n", "utf-8")
    lines = (f"{one.id} {len(one.actions)} {one.state} {one.replay().text()}\n" for one in tables)
    (DATABASES / f"{name}.txt").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    asyncio.run(write(f"edition-{int(sys.argv[1])}", list(map(table, TABLES))))
