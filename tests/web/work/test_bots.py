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
from azulejos.web.work import bots
from azulejos.web.work.bots import Asker, Paused, Thinkers, Unanswered
from azulejos.web.work.thought_queue import SHORTEST, ThoughtQueue, Turn
from patience import PATIENCE
from web.server import SOURCES


def turn(owner: str, seconds: float = 1, table: str = "", *, watched: bool = True) -> Turn[str]:
    name = f"{owner}{table}{seconds:g}"
    return Turn(owner=owner, table=table or owner, seconds=seconds, asked=name, watched=lambda: watched)


def order(queue: ThoughtQueue[str], *turns: Turn[str]) -> list[str]:
    """The order in which turns think that arrive together, one at a time."""
    for one in turns:
        queue.put(one)
    found = []
    while (one_or_none := queue.next()) is not None:
        found.append(one_or_none.asked)
        queue.finish(one_or_none)
    return found


def test_short_thoughts_come_first() -> None:
    assert order(ThoughtQueue(1), turn("a", 10), turn("b", 1), turn("c", 3)) == ["b1", "c3", "a10"]


def test_many_turns_of_one_owner_come_after_the_first_of_another() -> None:
    found = order(ThoughtQueue(1), *(turn("a", 1, f"t{i}") for i in range(5)), turn("b", 2), turn("b", 2))
    assert found == ["at01", "at11", "b2", "at21", "at31", "b2", "at41"]


def test_owners_who_were_away_have_saved_nothing() -> None:
    queue: ThoughtQueue[str] = ThoughtQueue(1)
    order(queue, *(turn("a") for _ in range(50)))
    assert order(queue, turn("b"), turn("b"), turn("a")) == ["b1", "a1", "b1"]


def test_tables_that_nobody_watches_wait() -> None:
    queue: ThoughtQueue[str] = ThoughtQueue(1)
    assert order(queue, turn("a", watched=False), turn("b")) == ["b1"]
    assert [one.owner for one in queue.unwatched()] == ["a"]


def test_one_worker_is_left_to_others() -> None:
    queue: ThoughtQueue[str] = ThoughtQueue(2)
    for one in (turn("a", 1, "1"), turn("a", 1, "2"), turn("b", 10)):
        queue.put(one)
    assert [one.owner for one in (queue.next(), queue.next()) if one] == ["a", "b"]
    assert queue.next() is None


def test_while_others_wait_everybody_thinks_less() -> None:
    queue: ThoughtQueue[str] = ThoughtQueue(1)
    assert queue.budget(turn("a", 10)) == 10
    for _ in range(3):
        queue.put(turn("b", 1))
    assert queue.budget(turn("a", 10)) == 2.5
    assert queue.budget(turn("a", 1)) == SHORTEST
    assert queue.budget(turn("a", 0.1)) == 0.1


# --- real workers ------------------------------------------------------------------------------------


@pytest.fixture
def position() -> Position:
    made = azulejos.new("azul")
    made.deal(random.Random(1))
    return made


def worker_pids(thinkers: Thinkers) -> list[int]:
    return [worker.pid for worker in thinkers._workers]


class Begun(asyncio.Event):
    """Set when a bot begins to think."""

    def asker(self, owner: str = "") -> Asker:
        return Asker(owner=owner, started=lambda _: self.set())


def test_a_turn_that_lost_its_worker_is_asked_again(position: Position) -> None:
    async def check() -> None:
        thinkers, begun = Thinkers(1), Begun()
        asked = asyncio.create_task(thinkers.choose("search", position, 1.0, begun.asker()))
        await begun.wait()
        (killed,) = worker_pids(thinkers)
        os.kill(killed, signal.SIGKILL)
        thought = await asked
        assert thought.nodes > 1  # it was thought about, not chosen at random
        assert worker_pids(thinkers) != [killed]
        await thinkers.close()

    asyncio.run(check())


def test_a_turn_that_no_worker_survives_is_not_played_at_random(
    position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "ATTEMPTS", 2)

    async def check() -> None:
        thinkers = Thinkers(1)

        def kill(_: float) -> None:
            for pid in worker_pids(thinkers):
                os.kill(pid, signal.SIGKILL)

        with pytest.raises(Unanswered):
            await thinkers.choose("search", position, 10, Asker(started=kill))
        await thinkers.close()

    asyncio.run(check())


def test_a_long_search_ends_when_somebody_waits(
    position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "LONGEST", 1e6)
    monkeypatch.setattr(
        ThoughtQueue, "budget", lambda queue, turn: 0.01 if queue.overload() else turn.seconds
    )

    async def check() -> None:
        thinkers, begun, queued = Thinkers(1), Begun(), asyncio.Event()
        long = asyncio.create_task(thinkers.choose("search", position, 1e6, begun.asker("ana")))
        await begun.wait()
        await thinkers.choose("search", position, 0.01, Asker(owner="bo", queued=queued.set))
        assert queued.is_set()
        assert (await long).action in position.legal_actions()
        await thinkers.close()

    asyncio.run(check())


def test_a_bot_pauses_when_everybody_leaves(position: Position) -> None:
    async def check() -> None:
        thinkers, begun, present = Thinkers(1), Begun(), [True]
        first = asyncio.create_task(thinkers.choose("search", position, 0.2, begun.asker()))
        await begun.wait()
        asker = Asker(table="left", watched=lambda: bool(present))
        second = asyncio.create_task(thinkers.choose("search", position, 0.2, asker))
        await asyncio.sleep(0)  # let it queue
        present.clear()
        await first
        with pytest.raises(Paused):
            await second
        await thinkers.close()

    asyncio.run(check())


def test_a_bots_own_time_is_capped(position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "LONGEST", 0.05)
    given: list[float] = []

    async def check() -> None:
        thinkers = Thinkers(1)
        await thinkers.choose("search@9999", position, 1, Asker(started=given.append))
        await thinkers.close()

    asyncio.run(check())
    assert given == [0.05]


def test_a_bot_that_fails_is_reported_and_the_table_goes_on(
    position: Position, caplog: pytest.LogCaptureFixture
) -> None:
    async def check() -> None:
        thinkers = Thinkers(1)
        thought = await thinkers.choose("no such bot", position, 1)
        assert thought.action in position.legal_actions()
        await thinkers.close()

    asyncio.run(check())
    assert "no such bot failed" in caplog.text


SERVER = """
import asyncio, azulejos, random, sys
from azulejos.web.work.bots import Asker, Thinkers
async def main():
    position = azulejos.new("azul")
    position.deal(random.Random(1))
    thinkers = Thinkers(1)
    say = lambda seconds: print(*[worker.pid for worker in thinkers._workers], flush=True)
    await thinkers.choose("search@10", position, 10, Asker(started=say))
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


