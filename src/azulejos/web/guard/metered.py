"""Measuring the processor time of what somebody asked for, while it is done."""

from __future__ import annotations

import asyncio
import time
import types
from collections.abc import Callable, Coroutine, Generator
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Pay = Callable[[float], None]
"""Charges milliseconds to whoever asked."""

MOST = 50.0
"""Milliseconds that one step is charged at most. No request that can be repeated has a step of more than
20 (`tests/web/guard/test_walk.py`); what takes longer fills a cache for everybody, and whoever comes first
after a start should not pay for it: with 250, the home page and the files that a page loads in advance left
a first visitor nothing for the table."""

_paying: ContextVar[Pay | None] = ContextVar("paying", default=None)


@types.coroutine
def metered(work: Coroutine[Any, Any, T], pay: Pay) -> Generator[Any, Any, T]:
    """Run a coroutine, and charge each of its steps as soon as it is done: of a thousand requests that come
    at the same moment, those after the first few are refused."""
    token, given = _paying.set(pay), None
    step: Callable[[Any], Any] = work.send
    try:
        while True:
            began = time.thread_time()
            try:
                waiting = step(given)
            except StopIteration as end:
                found: T = end.value
                return found
            finally:
                pay(min(MOST, (time.thread_time() - began) * 1e3))
            try:
                given, step = (yield waiting), work.send
            except BaseException as error:  # it is the coroutine's, whatever it is
                given, step = error, work.throw
    finally:
        with suppress(ValueError):  # the loop has ended, and it is another context that cleans up
            _paying.reset(token)


async def in_thread(work: Callable[P, T], *args: P.args, **names: P.kwargs) -> T:
    """Run a function in a thread, at the expense of whoever asked."""
    used = 0.0

    def timed() -> T:
        nonlocal used
        began = time.thread_time()
        try:
            return work(*args, **names)
        finally:
            used = time.thread_time() - began

    try:
        return await asyncio.to_thread(timed)
    finally:
        pay = _paying.get()
        if pay is not None:
            pay(min(MOST, used * 1e3))
