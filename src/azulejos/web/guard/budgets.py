"""Who may use how much: milliseconds of the event loop and of slow work, and bytes of the database.

Nothing has a price. What somebody has asked for is measured while it is done and charged afterwards
(`metered`); whoever owes something is refused more until it has come back.
"""

from __future__ import annotations

import asyncio
import functools
import time
import types
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any, ParamSpec, TypeVar

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

    def pay(self, amount: float) -> None:
        """Take what was used already; less than nothing may be left."""
        self._level = min(self.burst, self._level - amount)

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


# --- limits --------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What one visitor, one address, one network and one connection may use."""

    visitor: Pace = Pace(800, 100)
    """Milliseconds of the server at once, and per second. A first visitor who walks through all pages and
    opens a table uses 430 on a crowded machine."""
    address: Pace = Pace(3000, 250)
    """More than for a visitor: a school or a family shares one address."""
    network: Pace = Pace(6000, 500)
    """Of the addresses that begin with the same 48 bits: whoever has one of them may have all 65,536."""
    stored: Pace = Pace(8_000_000, 2_000)
    """Bytes with which the visitors of one address fill the database: tables, studies, documents."""
    waiting: int = 50
    """Tables of one visitor that wait for players."""
    boards: int = 40
    """Study boards that are connected from one address: each holds a tree, up to 2 MB."""
    connections: int = 200
    """Open connections of one address."""
    request_seconds: float = 10.0
    """Within which a request must have arrived completely, and a live connection must have said hello."""
    pause: float = 0.1
    """Seconds until the next message of a connection is read after one that was too much."""


NO_LIMIT = Pace(1e12, 1e12)
UNLIMITED = Limits(
    visitor=NO_LIMIT, address=NO_LIMIT, network=NO_LIMIT, stored=NO_LIMIT, waiting=10**9, boards=10**9,
    connections=10**9, request_seconds=3600, pause=0,
)

FLOOD = 100.0
"""Milliseconds of debt at which an address is not even listened to: refusing costs time, too."""


class Account:
    """What visitors, their addresses and networks have left of one kind of time."""

    def __init__(self, limits: Limits, *, clock: Clock) -> None:
        self._visitors = Buckets(limits.visitor, clock=clock)
        self._addresses = Buckets(limits.address, clock=clock)
        self._networks = Buckets(limits.network, clock=clock)

    def pay(self, milliseconds: float, *, visitor: str, address: str) -> None:
        """Charge what was used already. Visitors without a cookie (an empty text) of one address count as
        one visitor."""
        for bucket in (self._visitors.of(visitor or f"at {address}"), *self._shared(address)):
            bucket.pay(milliseconds)

    def pay_together(self, milliseconds: float, *, address: str) -> None:
        """Charge what cannot be said to be one visitor's."""
        for bucket in self._shared(address):
            bucket.pay(milliseconds)

    def owes(self, *, visitor: str, address: str, part: bool = False) -> bool:
        """Whether more is refused. Of a `part` of a page only what the address owes counts: without one
        script, a page that was granted would never come alive."""
        own = () if part else (self._visitors.of(visitor or f"at {address}"),)
        return any(bucket.left() < 0 for bucket in (*own, *self._shared(address)))

    def has_spare(self, *, visitor: str, address: str) -> bool:
        """Whether much is left, so that something may be used that could also wait."""
        own = self._visitors.of(visitor or f"at {address}")
        return all(bucket.left() >= bucket.burst / 2 for bucket in (own, *self._shared(address)))

    def is_flooded(self, address: str) -> bool:
        return any(bucket.left() < -FLOOD for bucket in self._shared(address))

    def _shared(self, address: str) -> Iterator[Bucket]:
        yield self._addresses.of(address)
        network = network_of(address)
        if network:
            yield self._networks.of(network)


class Charges:
    """The accounts of a server. Slow work has one of its own: whoever owes for a study can still play. So
    has what a page fetches in advance: nobody is refused what they ask for because of that."""

    def __init__(self, limits: Limits, *, clock: Clock = time.monotonic) -> None:
        self.loop = Account(limits, clock=clock)
        self.slow = Account(limits, clock=clock)
        self.ahead = Account(limits, clock=clock)
        self._stored = Buckets(limits.stored, clock=clock)

    def store(self, size: int, *, address: str) -> bool:
        """Charge bytes of the database, unless the address has filled it enough."""
        return self._stored.of(address).take(max(0, size))


def address_of(client: tuple[str, int] | None) -> str:
    """The address to charge. Of IPv6 it is the first half, because one household has all of the rest."""
    return "" if client is None else _charged(client[0])


@functools.lru_cache(10_000)
def _charged(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:  # a test, or a socket of this machine
        return text
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else str(IPv6Address(int(address) >> 64 << 64))
    return str(address)


@functools.lru_cache(10_000)
def network_of(address: str) -> str:
    """The first 48 bits of an IPv6 address; empty: there is nothing above the address."""
    try:
        return f"{IPv6Address(int(IPv6Address(address)) >> 80 << 80)}/48"
    except ValueError:
        return ""


# --- processor time of what somebody asked for, measured while it is done ---------------------------------

P = ParamSpec("P")
T = TypeVar("T")

Pay = Callable[[float], None]
"""Charges milliseconds to whoever asked."""

MOST = 50.0
"""Milliseconds that one step is charged at most. No request that can be repeated has a step of more than
20 (`tests/web/guard/test_walk.py`); what takes longer fills a cache for everybody, and whoever comes first
after a start should not pay for it: with 250, the home page and the files that a page loads in advance left
a first visitor nothing for the table."""
MOST_IN_THREAD = 100.0
"""Of what is done in a thread: the drawing of a table with components of its own, which fills no cache of
others, takes 90."""

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
            pay(min(MOST_IN_THREAD, used * 1e3))
