"""Token buckets: how much somebody may use at once, and how fast that comes back."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

Clock = Callable[[], float]
"""Seconds since any moment; tests bring their own."""


class Bucket:
    """`burst` at once, then `rate` per second."""

    __slots__ = ("_clock", "_level", "_when", "burst", "rate")

    def __init__(self, burst: float, rate: float, clock: Clock = time.monotonic) -> None:
        self.burst, self.rate = burst, rate
        self._clock = clock
        self._level, self._when = burst, clock()

    def has(self, amount: float = 1) -> bool:
        now = self._clock()
        self._level = min(self.burst, self._level + (now - self._when) * self.rate)
        self._when = now
        return self._level >= amount

    def left(self) -> float:
        self.has(0)
        return self._level

    def give(self, amount: float) -> None:
        """Give back what was taken and not used."""
        self._level = min(self.burst, self._level + amount)

    def take(self, amount: float = 1) -> bool:
        enough = self.has(amount)
        if enough:
            self._level -= amount
        return enough


@dataclass(frozen=True, slots=True)
class Pace:
    """The size of a bucket: `burst` at once, then `rate` per second."""

    burst: float
    rate: float

    def bucket(self, clock: Clock = time.monotonic) -> Bucket:
        return Bucket(self.burst, self.rate, clock)


class Buckets:
    """One bucket for each name; those not used for longest are forgotten."""

    def __init__(self, pace: Pace, *, kept: int = 10_000, clock: Clock = time.monotonic) -> None:
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._pace = pace
        self._kept = kept
        self._clock = clock

    def of(self, name: str) -> Bucket:
        bucket = self._buckets.pop(name, None) or self._pace.bucket(self._clock)
        self._buckets[name] = bucket
        if len(self._buckets) > self._kept:
            self._buckets.popitem(last=False)
        return bucket
