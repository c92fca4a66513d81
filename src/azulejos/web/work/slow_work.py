"""Work that takes longer than a move may wait: one piece at a time, visitors in turn, in one thread.

Whoever asks pays the processor time that it took, so nobody has to know the price beforehand. A visitor who
owes something waits until it has come back, and so does everything else that they have asked for meanwhile.
A piece of work has a limit of processor time, and ends when nobody waits for it any more.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar

from azulejos.core import time_limit
from azulejos.web.guard.budgets import Account, Charges
from azulejos.web.work.fair_queue import FairQueue, Job

LONGEST = 4.0
"""Seconds of processor time for one piece: the largest study that we keep takes less than one."""
USUAL = 0.05
"""Seconds that a piece is thought to take, before it is known."""
LONGEST_WAIT = 60.0
"""Seconds for what a page fetches in advance; then it asks again."""
PAUSE = 0.25
"""Seconds until it is looked again whether a visitor has enough left."""

P = ParamSpec("P")
T = TypeVar("T")


class Owing(Exception):
    """The visitor or the address has used more than it may, and has to wait."""


@dataclass(frozen=True, kw_only=True)
class Payer:
    """A visitor and the address they come from."""

    charges: Charges
    visitor: str
    """Empty: without a cookie."""
    address: str

    def pay(self, milliseconds: float) -> None:
        """For time of the event loop."""
        self.charges.loop.pay(milliseconds, visitor=self.visitor, address=self.address)

    def owes(self) -> bool:
        return self.charges.loop.owes(visitor=self.visitor, address=self.address)

    def has_spare(self) -> bool:
        """Whether there is much left for what could also wait."""
        return all(account.has_spare(visitor=self.visitor, address=self.address)
                   for account in (self.charges.slow, self.charges.ahead))

    def store(self, size: int) -> bool:
        """Whether the address may fill the database with this many more bytes."""
        return self.charges.store(size, address=self.address)


class SlowWork:
    def __init__(self, *, longest: float = LONGEST) -> None:
        self._longest = longest
        self._thread = ThreadPoolExecutor(1, "slow work")
        self._queue: FairQueue[Job] = FairQueue(1)

    async def do(self, payer: Payer, work: Callable[P, T], *args: P.args, **names: P.kwargs) -> T:
        """Run a function; Owing, and nothing is run, if the visitor has not paid for earlier ones. TooSlow
        comes from a function that calls `time_limit.check` after its limit."""
        return await self._do(payer, payer.charges.slow, work, *args, **names)

    async def _do(
        self, payer: Payer, account: Account, work: Callable[P, T], *args: P.args, **names: P.kwargs
    ) -> T:
        async with self._turn(payer) as turn:
            if account.owes(visitor=payer.visitor, address=payer.address):
                raise Owing
            loop, abandoned = asyncio.get_running_loop(), threading.Event()

            def timed() -> T:
                began = time.thread_time()
                try:
                    with time_limit.within(self._longest, abandoned.is_set):
                        return work(*args, **names)
                finally:
                    turn.used = time.thread_time() - began

            def pay(_done: Future[T]) -> None:
                with contextlib.suppress(RuntimeError):  # the server has ended
                    loop.call_soon_threadsafe(partial(
                        account.pay, turn.used * 1e3, visitor=payer.visitor, address=payer.address,
                    ))

            running = self._thread.submit(timed)
            running.add_done_callback(pay)  # also if nobody waits for the result any more
            try:
                return await asyncio.wrap_future(running)
            except asyncio.CancelledError:
                abandoned.set()
                raise

    @asynccontextmanager
    async def _turn(self, payer: Payer) -> AsyncIterator[Job]:
        """Wait for a visitor's turn; it lasts as long as the context."""
        begun = asyncio.get_running_loop().create_future()
        turn = Job(owner=payer.visitor or payer.address, address=payer.address, seconds=USUAL, asked=begun)
        self._queue.put(turn)
        self._look_again()
        try:
            await begun
            yield turn
        finally:
            self._queue.drop(turn)
            if turn in self._queue.running:
                self._queue.finish(turn)
            self._look_again()

    def _look_again(self) -> None:
        turn = self._queue.next()
        if turn is not None and not turn.asked.done():
            turn.asked.set_result(None)

    async def do_later(self, payer: Payer, work: Callable[P, T], *args: P.args, **names: P.kwargs) -> T:
        """Run a function that nobody waits for, once the visitor has plenty left for other things."""
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                while not payer.has_spare():
                    await asyncio.sleep(PAUSE)
        except TimeoutError:
            raise Owing from None
        return await self._do(payer, payer.charges.ahead, work, *args, **names)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
