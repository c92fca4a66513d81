"""Slow work: one piece at a time, apart from the tables, paid for by whoever asks for it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from typing import Any

import pytest

from azulejos.web.guard.budgets import Charges, Limits, Pace
from azulejos.web.work.slow_work import Owing, Payer, SlowWork


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def payer(charges: Charges, visitor: str = "ana", address: str = "one") -> Payer:
    return Payer(charges=charges, visitor=visitor, address=address)


def charges(clock: Clock, *, burst: float = 10) -> Charges:
    return Charges(Limits(visitor=Pace(burst, 1), address=Pace(3 * burst, 3)), clock=clock)


def owes(payer: Payer) -> bool:
    return payer.charges.slow.owes(visitor=payer.visitor, address=payer.address)


def pay(payer: Payer, milliseconds: float) -> None:
    payer.charges.slow.pay(milliseconds, visitor=payer.visitor, address=payer.address)


def busy(milliseconds: float) -> str:
    """Uses processor time, and says in which thread."""
    until = time.thread_time() + milliseconds / 1e3
    while time.thread_time() < until:
        pass
    return threading.current_thread().name


def run(act: Coroutine[Any, Any, None]) -> None:
    asyncio.run(act)


def test_whoever_asks_pays_the_time_and_waits_until_it_has_come_back() -> None:
    async def act() -> None:
        clock = Clock()
        slow, ana = SlowWork(), payer(charges(clock))
        assert "slow work" in await slow.do(ana, busy, 15)
        with pytest.raises(Owing):
            await slow.do(ana, busy, 0)
        clock.now += 60
        await slow.do(ana, busy, 0)
        slow.close()

    run(act())


def test_of_many_pieces_asked_at_once_one_is_done_and_then_it_is_the_turn_of_others() -> None:
    async def act() -> None:
        given = charges(Clock())
        slow, ana, bo = SlowWork(), payer(given), payer(given, "bo", "two")
        done = await asyncio.gather(
            *(slow.do(ana, busy, 15) for _ in range(20)), slow.do(bo, busy, 1), return_exceptions=True
        )
        assert [isinstance(one, Owing) for one in done] == [False] + [True] * 19 + [False]
        slow.close()

    run(act())


def test_new_cookies_do_not_help_an_address_that_owes_something() -> None:
    async def act() -> None:
        given = charges(Clock())
        slow = SlowWork()
        await slow.do(payer(given, "ana"), busy, 40)
        for visitor in ("bo", ""):
            with pytest.raises(Owing):
                await slow.do(payer(given, visitor), busy, 0)
        await slow.do(payer(given, "", "two"), busy, 0)
        slow.close()

    run(act())


def test_work_is_paid_for_even_if_nobody_waits_for_it_any_more() -> None:
    async def act() -> None:
        begun, may_end = threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            may_end.wait()
            busy(15)

        slow, ana = SlowWork(), payer(charges(Clock()))
        task = asyncio.create_task(slow.do(ana, work))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        may_end.set()
        while not owes(ana):
            await asyncio.sleep(0.001)
        slow.close()

    run(act())


def test_what_may_wait_leaves_enough_for_other_things(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azulejos.web.work.slow_work.PAUSE", 0.001)

    async def act() -> None:
        clock = Clock()
        slow, ana = SlowWork(), payer(charges(clock))
        pay(ana, 6)
        task = asyncio.create_task(slow.do_later(ana, busy, 1))
        await asyncio.sleep(0.02)
        assert not task.done()
        clock.now += 1
        await task
        slow.close()

    run(act())


def test_what_a_page_fetches_in_advance_is_not_owed_for_what_somebody_asks() -> None:
    async def act() -> None:
        slow, ana = SlowWork(), payer(charges(Clock()))
        await slow.do_later(ana, busy, 50)
        await slow.do(ana, busy, 0)
        assert not ana.has_spare(), "but the next that is fetched in advance waits"
        slow.close()

    run(act())


def test_whoever_owes_for_slow_work_can_still_play() -> None:
    ana = payer(charges(Clock()))
    pay(ana, 100_000)
    assert owes(ana)
    assert not ana.owes(), "a move has its own account"


def test_an_address_fills_the_database_at_a_limited_rate() -> None:
    clock = Clock()
    given = Charges(Limits(stored=Pace(1000, 10)), clock=clock)
    ana = payer(given)
    assert ana.store(900)
    assert ana.store(-500), "what becomes smaller is always kept"
    assert not ana.store(200)
    assert not payer(given, "bo").store(200)
    assert payer(given, "bo", "two").store(200)
    clock.now += 20
    assert ana.store(200)
