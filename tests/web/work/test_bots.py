"""Bots are a shared good: everybody gets a share, nobody plays at random, and no process is left behind."""

from __future__ import annotations

import asyncio
import os
import random
import select
import signal
import subprocess
import sys

import pytest

import azulejos
from azulejos.core.position import Position
from azulejos.web.work.bots import Asker, choose
from azulejos.web.work.fair_queue import SHORTEST, FairQueue, Job
from azulejos.web.work.pool import Lane, Paused, Pool, Unanswered
from azulejos.web.work.worker import Process
from patience import PATIENCE
from web.server import SOURCES


def turn(
    owner: str, seconds: float = 1, table: str = "", *, watched: bool = True, address: str = "",
    rank: int = 0,
) -> Job:
    name = f"{owner}{table}{seconds:g}"
    return Job(owner=owner, group=table or owner, seconds=seconds, asked=name, watched=lambda: watched,
               address=address, rank=rank)


def order(queue: FairQueue[Job], *turns: Job) -> list[str]:
    """The order in which turns think that arrive together, one at a time."""
    for one in turns:
        queue.put(one)
    found = []
    while (one_or_none := queue.next()) is not None:
        found.append(one_or_none.asked)
        queue.finish(one_or_none)
    return found


def test_short_thoughts_come_first() -> None:
    assert order(FairQueue(1), turn("a", 10), turn("b", 1), turn("c", 3)) == ["b1", "c3", "a10"]


def test_many_turns_of_one_owner_come_after_the_first_of_another() -> None:
    found = order(FairQueue(1), *(turn("a", 1, f"t{i}") for i in range(5)), turn("b", 2), turn("b", 2))
    assert found == ["at01", "at11", "b2", "at21", "at31", "b2", "at41"]


def test_owners_who_were_away_have_saved_nothing() -> None:
    queue: FairQueue[Job] = FairQueue(1)
    order(queue, *(turn("a") for _ in range(50)))
    assert order(queue, turn("b"), turn("b"), turn("a")) == ["b1", "a1", "b1"]


def test_tables_that_nobody_watches_wait() -> None:
    queue: FairQueue[Job] = FairQueue(1)
    assert order(queue, turn("a", watched=False), turn("b")) == ["b1"]
    assert [one.owner for one in queue.unwatched()] == ["a"]


def test_one_worker_is_left_to_others() -> None:
    queue: FairQueue[Job] = FairQueue(2)
    for one in (turn("a", 1, "1"), turn("a", 1, "2"), turn("b", 10)):
        queue.put(one)
    assert [one.owner for one in (queue.next(), queue.next()) if one] == ["a", "b"]
    assert queue.next() is None


def test_while_others_wait_everybody_thinks_less() -> None:
    queue: FairQueue[Job] = FairQueue(1)
    assert queue.budget(turn("a", 10)) == 10
    for _ in range(3):
        queue.put(turn("b", 1))
    assert queue.budget(turn("a", 10)) == 2.5
    assert queue.budget(turn("a", 1)) == SHORTEST
    assert queue.budget(turn("a", 0.1)) == 0.1


def test_many_cookies_of_one_address_come_after_the_first_of_another() -> None:
    """Whoever throws cookies away had twenty of twenty places."""
    many = [turn(f"c{number}", address="one") for number in range(12)]
    found = order(FairQueue(1), *many, turn("z", address="two"), turn("z", address="two"))
    assert [number for number, name in enumerate(found) if name == "z1"] == [3, 7]


def test_who_waits_for_an_answer_comes_before_who_only_might() -> None:
    found = order(FairQueue(1), turn("a", 1, rank=2), turn("b", 9, rank=1), turn("c", 9))
    assert found == ["c9", "b9", "a1"]


def test_what_was_used_beyond_the_wish_is_charged() -> None:
    queue: FairQueue[Job] = FairQueue(1)
    queue.put(first := turn("a"))
    queue.next()
    first.used = 20
    queue.finish(first)
    assert order(queue, turn("a"), turn("b", 10), turn("b", 5)) == ["b10", "b5", "a1"]


# --- real workers ------------------------------------------------------------------------------------


@pytest.fixture
def position() -> Position:
    made = azulejos.new("azul")
    made.deal(random.Random(1))
    return made


def worker_pids(pool: Pool) -> list[int]:
    return [worker.pid for worker in pool.workers if isinstance(worker, Process)]


def small(workers: int = 1, attempts: int = 3) -> Pool:
    return Pool(sizes={Lane.TABLES: workers}, attempts=attempts)


class Begun(asyncio.Event):
    """Set when a bot begins to think."""

    def asker(self, owner: str = "") -> Asker:
        return Asker(owner=owner, started=lambda _: self.set())


def test_a_turn_that_lost_its_worker_is_asked_again(position: Position) -> None:
    async def check() -> None:
        pool, begun = small(), Begun()
        asked = asyncio.create_task(choose(pool, "search", position, 1.0, begun.asker()))
        await begun.wait()
        (killed,) = worker_pids(pool)
        os.kill(killed, signal.SIGKILL)
        thought = await asked
        assert thought.nodes > 1  # it was thought about, not chosen at random
        assert worker_pids(pool) != [killed]
        await pool.close()

    asyncio.run(check())


def test_a_turn_that_no_worker_survives_is_not_played_at_random(position: Position) -> None:
    async def check() -> None:
        pool = small(attempts=2)

        def kill(_: float) -> None:
            for pid in worker_pids(pool):
                os.kill(pid, signal.SIGKILL)

        with pytest.raises(Unanswered):
            await choose(pool, "search", position, 10, Asker(started=kill))
        await pool.close()

    asyncio.run(check())


def test_a_long_search_ends_when_somebody_waits(
    position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        FairQueue, "budget", lambda queue, turn: 0.01 if queue.overload() else turn.seconds
    )

    async def check() -> None:
        pool, begun, queued = small(), Begun(), asyncio.Event()
        long = asyncio.create_task(choose(
            pool, "search", position, 1e6, begun.asker("ana"), longest=1e6
        ))
        await begun.wait()
        await choose(pool, "search", position, 0.01, Asker(owner="bo", queued=queued.set))
        assert queued.is_set()
        assert (await long).action in position.legal_actions()
        await pool.close()

    asyncio.run(check())


def test_a_bot_pauses_when_everybody_leaves(position: Position) -> None:
    async def check() -> None:
        pool, begun, present = small(), Begun(), [True]
        first = asyncio.create_task(choose(pool, "search", position, 0.2, begun.asker()))
        await begun.wait()
        asker = Asker(table="left", watched=lambda: bool(present))
        second = asyncio.create_task(choose(pool, "search", position, 0.2, asker))
        await asyncio.sleep(0)  # let it queue
        present.clear()
        await first
        with pytest.raises(Paused):
            await second
        await pool.close()

    asyncio.run(check())


def test_a_bots_own_time_is_capped(position: Position) -> None:
    given: list[float] = []

    async def check() -> None:
        pool = small()
        await choose(
            pool, "search@9999", position, 1, Asker(started=given.append), longest=0.05
        )
        await pool.close()

    asyncio.run(check())
    assert given == [0.05]


def test_a_bot_that_fails_is_reported_and_the_table_goes_on(
    position: Position, caplog: pytest.LogCaptureFixture
) -> None:
    async def check() -> None:
        pool = small()
        thought = await choose(pool, "no such bot", position, 1)
        assert thought.action in position.legal_actions()
        await pool.close()

    asyncio.run(check())
    assert "no such bot failed" in caplog.text


SERVER = """
import asyncio, azulejos, random, sys
from azulejos.web.work.bots import Asker, choose
from azulejos.web.work.pool import Pool
async def main():
    position = azulejos.new("azul")
    position.deal(random.Random(1))
    pool = Pool()
    say = lambda seconds: print(*[worker.pid for worker in pool.workers], flush=True)
    await choose(pool, "search@10", position, 10, Asker(started=say))
asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="waits for a process that is not a child")
def test_workers_end_with_a_server_that_is_killed() -> None:
    environment = os.environ | {"PYTHONPATH": str(SOURCES), "AZULEJOS_JIT": "0"}
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        worker = os.pidfd_open(int(server.stdout.readline()))
        server.kill()
        ended, _, _ = select.select([worker], [], [], PATIENCE)
        assert ended
        os.close(worker)


