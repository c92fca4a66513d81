"""What a server measures about itself, in the text format that Prometheus reads."""

from __future__ import annotations

import asyncio
import bisect
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_address
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

T = TypeVar("T")

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the buckets of every histogram, in seconds."""

FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
LAG_EVERY = 0.25
"""Seconds between two measurements of the event loop's lag."""


class Histogram:
    """How often something took how long."""

    def __init__(self, about: str) -> None:
        self.about = about
        self.counts = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect.bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    @contextmanager
    def time(self) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - began)

    def lines(self, name: str) -> list[str]:
        total, found = 0, [f"# HELP {name} {self.about}", f"# TYPE {name} histogram"]
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            total += count
            found.append(f'{name}_bucket{{le="{bound}"}} {total}')
        return [*found, f"{name}_sum {self.seconds:.6f}", f"{name}_count {total}"]


class Metrics:
    def __init__(self) -> None:
        self.loop_lag = Histogram("How much later than planned the event loop ran a task.")
        self.acknowledged = Histogram("From a command of a player to its acknowledgement.")
        self.database = Histogram("Transactions of the database, including the wait for a connection.")
        self.bots = Histogram("From the turn of a bot to its answer, including the wait for a process.")

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """All histograms, and some numbers by name: what it is, and its value now."""
        lines = [
            line for name, histogram in vars(self).items()
            for line in histogram.lines(f"azulejos_{name}_seconds")
        ]
        for name, (about, value) in gauges.items():
            lines += [f"# HELP azulejos_{name} {about}", f"# TYPE azulejos_{name} gauge",
                      f"azulejos_{name} {value:g}"]
        return "\n".join([*lines, ""])


@asynccontextmanager
async def measuring(metrics: Metrics, store: Any) -> AsyncIterator[None]:
    """Measure what costs something to measure: the event loop, and the database of a store."""
    store.database = MeasuredDatabase(store.database, metrics.database)
    measuring = asyncio.get_running_loop().create_task(_measure_lag(metrics.loop_lag))
    try:
        yield
    finally:
        measuring.cancel()


async def _measure_lag(lag: Histogram) -> None:
    while True:
        planned = time.perf_counter() + LAG_EVERY
        await asyncio.sleep(LAG_EVERY)
        lag.observe(max(0.0, time.perf_counter() - planned))


class MeasuredDatabase:
    """A database (`tables.database.Database`) whose transactions are timed."""

    def __init__(self, database: Any, histogram: Histogram) -> None:
        self._database = database
        self._histogram = histogram

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    async def read(self, act: Callable[[Any], T]) -> T:
        with self._histogram.time():
            found: T = await self._database.read(act)
            return found

    async def write(self, act: Callable[[Any], T]) -> T:
        with self._histogram.time():
            found: T = await self._database.write(act)
            return found

    async def append(self, *args: Any) -> None:
        with self._histogram.time():
            await self._database.append(*args)


async def show_metrics(request: Request) -> Response:
    """Only for this machine: how busy a server is, is nobody else's business. What a proxy on this machine
    passes on comes from elsewhere."""
    forwarded = any(name in request.headers for name in FORWARDED)
    if forwarded or not _is_local(request.client.host if request.client else ""):
        raise HTTPException(404)
    metrics: Metrics = request.app.state.metrics
    text = metrics.text(request.app.state.lobby.counts())
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


def _is_local(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
