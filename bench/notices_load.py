"""5,000 games over days, 500 of them due within a minute: what a fast move then takes.

    python -m bench.notices_load [--tables 5000] [--due 500] [--moves 400]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from dataclasses import replace

from azulejos.web.circle.deadlines import Deadlines
from azulejos.web.circle.notices import Notices, Outside
from azulejos.web.store.saved import HUMAN, PLAYING, SavedAction, SavedSeat, SavedTable, now
from azulejos.web.store.store import Store
from azulejos.web.tables import fair_deal
from azulejos.web.tables.live_table import LiveTable, new_table
from azulejos.web.tables.lobby import Lobby


def slow_table(number: int) -> SavedTable:
    seats = tuple(SavedSeat(seat=seat, kind=HUMAN, name=f"{number}.{seat}") for seat in (0, 1))
    return new_table("azul", seats, {}, days=3, at_zero="bot")


async def fill(store: Store, lobby: Lobby, tables: int, due: int) -> None:
    """Tables that were begun; some of them three days ago."""
    for number in range(tables):
        saved = slow_table(number)
        ago = 3 * 24 * 3_600_000 if number < due else 3_600_000
        table = LiveTable(store, saved)
        await store.create(saved, [(seat, f"{number}.{seat}".rjust(64, "0")) for seat in (0, 1)])
        position = table.position.copy()
        fair_deal.deal(position, table.log.dealer())
        entries = [replace(one, at=now() - ago) for one in table.log.new_entries(position)]
        turn = table._turn_after(entries, position, over=False)
        await store.append(saved.id, 0, entries, over=False, to_move=position.to_move, turn=turn)


async def moves(store: Store, count: int) -> list[float]:
    """Milliseconds until moves at fast tables are saved, one after the other."""
    saved = replace(slow_table(-1), days=0, state=PLAYING)
    await store.create(saved, [])
    times = []
    for ply in range(count):
        began = time.perf_counter()
        await store.append(saved.id, ply, [SavedAction(action=0, seat=0, at=now())], over=False)
        times.append(1000 * (time.perf_counter() - began))
        await asyncio.sleep(0.05)
    return sorted(times)


def shown(times: list[float]) -> str:
    return f"p50 {times[len(times) // 2]:.1f} ms, p99 {times[int(len(times) * 0.99)]:.1f} ms"


async def run(tables: int, due: int, count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/games.sqlite")
        lobby = Lobby(store)
        await fill(store, lobby, tables, due)
        print(f"{tables} tables, {due} due soon", flush=True)
        print("without:", shown(await moves(store, count)), flush=True)
        notices = Notices(store, Outside(grace=0))
        async with notices.working(), Deadlines(store, lobby, notices).working():
            print("with:   ", shown(await moves(store, count)), flush=True)
        await lobby.close()
        await store.close()


if __name__ == "__main__":
    given = argparse.ArgumentParser()
    given.add_argument("--tables", type=int, default=5000)
    given.add_argument("--due", type=int, default=500)
    given.add_argument("--moves", type=int, default=400)
    asked = given.parse_args()
    asyncio.run(run(asked.tables, asked.due, asked.moves))
