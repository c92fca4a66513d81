"""What requests cost, and how much everybody may spend. The prices of messages are in
the conversations that read them.

A price is about the number of milliseconds for which the request keeps the server from serving others
(estimated; `python -m bench.abuse` shows what others notice). What also fills the database costs more.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from azulejos.web.guard.buckets import Bucket, Buckets, Clock, Pace

CONNECTING = 4.0
"""Opening a live connection."""

REQUESTS: Mapping[tuple[str, str], float] = {
    ("GET", "/"): 8,
    ("GET", "/new"): 8,
    ("GET", "/games"): 40,
    ("GET", "/static"): 1,
    ("GET", "/plan"): 1,
    ("GET", "/sprite"): 1,
    ("GET", "/t"): 8,
    ("GET", "/rules"): 8,
    ("GET", "/learn"): 8,
    ("GET", "/lesson"): 1,
    ("GET", "/living"): 1,
    ("GET", "/you"): 60,
    ("GET", "/puzzles"): 40,
    ("GET", "/puzzle"): 25,
    ("GET", "/art"): 1,
    ("GET", "/daily"): 10,
    ("GET", "/duplicate"): 10,
    ("POST", "/tables"): 80,
    ("POST", "/daily"): 80,
    ("POST", "/duplicate"): 120,
    ("POST", "/wishes"): 4,
    ("POST", "/t"): 20,
    ("POST", "/open"): 150,
    ("POST", "/you"): 80,
    ("POST", "/puzzles"): 80,
    ("GET", "/study"): 20,
    ("POST", "/study"): 150,
}
"""By method and the first part of the path. `HEAD` costs as much as `GET`."""

OTHER_REQUEST = 4.0
REVIEW = 200.0
"""Starting a review: it takes half a minute of a core, though never before tables in play."""

IMPORT = 200.0
"""Reading and merging a file of a megabyte."""

PICTURES: Mapping[str, float] = {
    "preview.png": 120, "position.svg": 40, "picture.svg": 40, "picture.png": 120,
    "script.json": 60,
}
"""By the last part of the path: what is drawn or worked out for this request."""


def price_of_request(method: str, path: str) -> float:
    picture = PICTURES.get(path.rpartition("/")[2])
    if picture is not None:
        return picture
    if method == "POST" and path.endswith("/review"):
        return REVIEW
    if path == "/you/import":
        return IMPORT
    if "/review/" in path and path.endswith(".svg"):
        return PICTURES["position.svg"]
    first = "/" + path.lstrip("/").partition("/")[0]
    return REQUESTS.get(("GET" if method == "HEAD" else method, first), OTHER_REQUEST)


USUAL_VISITOR = Pace(400, 100)
USUAL_ADDRESS = Pace(1500, 250)
USUAL_FRAMES = Pace(100, 40)
USUAL_STORED = Pace(8_000_000, 2_000)


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What one visitor, one address and one connection may use."""

    visitor: Pace = USUAL_VISITOR
    """In the unit of prices: milliseconds of the server at once, and per second."""
    address: Pace = USUAL_ADDRESS
    """More than for a visitor: a school or a family shares one address."""
    stored: Pace = USUAL_STORED
    """Bytes with which the visitors of one address fill the database: tables, studies, documents."""
    waiting: int = 50
    """Tables of one visitor that wait for players."""
    frames: Pace = USUAL_FRAMES
    """WebSocket frames of any kind on one connection; more close it."""
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
    visitor=NO_LIMIT, address=NO_LIMIT, stored=NO_LIMIT, waiting=10**9, frames=NO_LIMIT, boards=10**9,
    connections=10**9, request_seconds=3600, pause=0,
)


class Charges:
    """What visitors and addresses have left."""

    def __init__(self, limits: Limits, *, clock: Clock = time.monotonic) -> None:
        self._visitors = Buckets(limits.visitor, clock=clock)
        self._addresses = Buckets(limits.address, clock=clock)
        self._slow_visitors = Buckets(limits.visitor, clock=clock)
        self._slow_addresses = Buckets(limits.address, clock=clock)
        self._stored = Buckets(limits.stored, clock=clock)

    def charge(self, price: float, *, visitor: str, address: str) -> bool:
        """Charge both, or neither if one of them has not enough left.

        Visitors without a cookie (an empty text) of one address count as one visitor.
        """
        own, shared = self._visitors.of(_named(visitor, address)), self._addresses.of(address)
        return own.has(price) and shared.has(price) and own.take(price) and shared.take(price)

    def pay(self, price: float, *, visitor: str, address: str) -> None:
        """Charge slow work that was done already; both may owe something afterwards.

        It has an account of its own: whoever owes for a puzzle's answers can still play.
        """
        for bucket in self._slow(visitor, address):
            bucket.give(-price)

    def owes(self, *, visitor: str, address: str) -> bool:
        return any(bucket.left() < 0 for bucket in self._slow(visitor, address))

    def has_spare(self, *, visitor: str, address: str) -> bool:
        """Whether much is left, so that something may be used that could also wait."""
        return all(bucket.left() >= bucket.burst / 2 for bucket in self._slow(visitor, address))

    def store(self, size: int, *, address: str) -> bool:
        """Charge bytes of the database, unless the address has filled it enough."""
        return self._stored.of(address).take(max(0, size))

    def _slow(self, visitor: str, address: str) -> tuple[Bucket, Bucket]:
        return self._slow_visitors.of(_named(visitor, address)), self._slow_addresses.of(address)


def _named(visitor: str, address: str) -> str:
    return visitor or f"at {address}"


def address_of(client: tuple[str, int] | None) -> str:
    """The address to charge. Of IPv6 it is the first half, because one household has all of the rest."""
    if client is None:
        return ""
    try:
        address = ip_address(client[0])
    except ValueError:  # a test, or a socket of this machine
        return client[0]
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
