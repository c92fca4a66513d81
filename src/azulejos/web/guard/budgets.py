"""Who may use how much: milliseconds of the event loop and of slow work, and bytes of the database.

Nothing has a price. What somebody has asked for is measured while it is done and charged afterwards
(`metered.py`); whoever owes something is refused more until it has come back.
"""

from __future__ import annotations

import functools
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

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
