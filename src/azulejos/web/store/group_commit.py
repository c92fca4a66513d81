"""Group commit: small writes from many tables, made durable together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

GATHER = 0.004
"""Seconds to wait for more items before a batch is written; the event loop is free meanwhile."""


class Together(Generic[T]):
    """Items that arrive shortly before or during a write form one batch: the disk is waited for once.

    A disk takes about 4 ms to make a write durable: with one write per item, 200 tables would queue.
    """

    def __init__(
        self, write: Callable[[Sequence[T]], Awaitable[None]], *, own_fault: type[Exception]
    ) -> None:
        self._write = write
        self._own_fault = own_fault
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None
        self._at_rest = asyncio.Event()
        self._at_rest.set()

    async def write(self, item: T) -> None:
        """Returns when the item is written; raises the error if it cannot be written."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._waiting.append((item, written))
        if self._task is None:
            self._task = loop.create_task(self._run())
        await written

    async def _run(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(GATHER)
                batch, self._waiting = self._waiting, []
                self._at_rest.clear()
                await self._write_batch(batch)
                self._at_rest.set()
        finally:
            self._at_rest.set()
            self._task = None

    async def at_rest(self) -> None:
        """Returns when nothing is being written."""
        await self._at_rest.wait()

    async def _write_batch(self, batch: list[tuple[T, asyncio.Future[None]]]) -> None:
        """Write all items at once. If one of them is at fault, write each separately: one failed write does
        not fail the others in its group."""
        try:
            await self._write([item for item, _ in batch])
        except Exception as error:
            if len(batch) > 1 and isinstance(error, self._own_fault):
                for one in batch:
                    await self._write_batch([one])
            else:
                _settle(batch, error)
        else:
            _settle(batch, None)


def _settle(batch: Sequence[tuple[object, asyncio.Future[None]]], error: Exception | None) -> None:
    for _, written in batch:
        if written.done():  # the caller was cancelled
            continue
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)
