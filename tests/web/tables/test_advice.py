"""Which table's hint is thought about next, and what stays in memory."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.testclient import TestClient

from azulejos.core.position import Position, new
from azulejos.web.tables.advice import Advice, AdvisedTurn
from azulejos.web.work.pool import Lane, Pool
from web.people import open_table, seated


def position() -> Position:
    return new("azul")


class Asked:
    """A table, as far as the order of hints needs it."""

    def __init__(self, name: str, *, owner: str, watched: bool = True) -> None:
        self.id, self.owner, self.watched = name, owner, watched
        self.log = type("TableLog", (), {"branches": ()})


def waiting(name: str, *, owner: str, watched: bool = True) -> AdvisedTurn:
    return AdvisedTurn(Asked(name, owner=owner, watched=watched), position(), 0, asked=True,  # type: ignore[arg-type]
                       visitor=owner)


def test_hints_of_many_tables_of_one_visitor_come_after_the_first_of_another() -> None:
    async def act() -> list[str]:
        pool = Pool(sizes={Lane.PAGES: 1}, start=never)
        advice = Advice(pool)
        greedy = [waiting(f"greedy {number}", owner="greedy") for number in range(10)]
        for turn in (*greedy, waiting("patient", owner="patient")):
            advice._put(turn)
        await asyncio.sleep(0.01)
        queue, order = pool.queue(Lane.PAGES), []
        while queue.running:
            queue.finish(queue.running[0])
            following = queue.next()
            order += [following.group] if following else []
        await advice.close()
        return order

    assert "patient" in asyncio.run(act())[:2]


async def never(niceness: int) -> Any:
    await asyncio.get_running_loop().create_future()


def test_hints_of_abandoned_tables_are_forgotten() -> None:
    found = Advice(Pool(), most_kept=5)
    for number in range(20):
        turn = waiting(f"t{number}", owner="ana", watched=number == 0)
        found.turns[turn.table.id] = turn
        found._forget_abandoned()
    assert len(found.turns) == 5
    assert "t0" in found.turns, "somebody looks at it"


def test_tables_that_were_left_do_not_stay_in_memory_for_their_hints(client: TestClient) -> None:
    advice: Advice = client.app.state.lobby.advice  # type: ignore[attr-defined]
    advice._most_kept = 3
    for _ in range(6):
        with seated(client, open_table(client, seat1="bot:random")) as ana:
            while not ana.frame["mine"]:
                ana.hear()
    assert len(advice.turns) <= 4
