"""Which table's hint is thought about next, and what stays in memory."""

from __future__ import annotations

import asyncio

import pytest
from starlette.testclient import TestClient

from azulejos.web.tables import advice
from azulejos.web.tables.advice import Advice, Job
from web.people import open_table, seated


class Asked:
    """A table, as far as the order of hints needs it."""

    def __init__(self, name: str, *, owner: str, watched: bool = True) -> None:
        self.id, self.owner, self.watched = name, owner, watched
        self.log = type("TableLog", (), {"branches": ()})


def waiting(name: str, *, owner: str, asked: bool = True) -> Job:
    job = Job(Asked(name, owner=owner), None, 0)  # type: ignore[arg-type]
    job.asked, job.visitor = asked, owner if asked else ""
    return job


def served(advice_: Advice, jobs: list[Job], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    order = []

    async def think(job: Job) -> None:
        order.append(job.table.id)

    monkeypatch.setattr(advice_, "_think", think)

    async def act() -> None:
        advice_._waiting += jobs
        await advice_._work()

    asyncio.run(act())
    return order


def test_hints_of_many_tables_of_one_visitor_come_after_the_first_of_another(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy = [waiting(f"greedy {number}", owner="greedy") for number in range(10)]
    order = served(Advice(), [*greedy, waiting("patient", owner="patient")], monkeypatch)
    assert order.index("patient") <= 1


def test_hints_of_abandoned_tables_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "MOST_KEPT", 5)
    found = Advice()
    for number in range(20):
        table = Asked(f"t{number}", owner="ana", watched=number == 0)
        found._jobs[table.id] = Job(table, None, 0)  # type: ignore[arg-type]
        found._forget_abandoned()
    assert len(found._jobs) == 5
    assert "t0" in found._jobs, "somebody looks at it"


def test_tables_that_were_left_do_not_stay_in_memory_for_their_hints(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "MOST_KEPT", 3)
    for _ in range(6):
        with seated(client, open_table(client, seat1="bot:random")) as ana:
            while not ana.frame["mine"]:
                ana.hear()
    assert len(client.app.state.lobby.advice._jobs) <= 4  # type: ignore[attr-defined]
