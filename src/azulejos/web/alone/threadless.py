"""What the application expects of threads, where Python has none: work is done at once, by whoever asks.

In a browser a worker is one thread for ever. asyncio's own loop there does so by itself.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import anyio.to_thread


def settle() -> None:
    """Let threads of this process be done without."""
    if not hasattr(time, "thread_time"):
        time.thread_time = time.perf_counter  # type: ignore[attr-defined,unused-ignore]
    ThreadPoolExecutor.submit = _submit  # type: ignore[assignment,method-assign]
    anyio.to_thread.run_sync = _run_sync  # type: ignore[assignment]


def _submit(
    self: ThreadPoolExecutor, work: Callable[..., Any], /, *args: Any, **names: Any
) -> Future[Any]:
    done: Future[Any] = Future()
    try:
        done.set_result(work(*args, **names))
    except BaseException as error:
        done.set_exception(error)
    return done


async def _run_sync(work: Callable[..., Any], *args: Any, **how: Any) -> Awaitable[Any]:
    found: Awaitable[Any] = work(*args)
    return found
