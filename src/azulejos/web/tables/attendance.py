"""Who is at a table: the seats with an open connection on this server, or seen lately on another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from azulejos.web.store.saved import HUMAN, SavedSeat, now

AWAY_AFTER = 30.0
"""Seconds without a connection after which a player counts as away: a reload or a tunnel takes less."""

BEATS = 3
"""How often within that time a server tells the others who is connected."""


class Attendance:
    """Counts connections: somebody with several tabs is there once."""

    def __init__(self, *, away_after: float = AWAY_AFTER) -> None:
        self.away_after = away_after
        self._connections: Counter[int] = Counter()
        self._seen: dict[int, int] = {}
        """When the last connection of a seat was open, if that was here."""

    def arrive(self, seats: Iterable[int]) -> list[int]:
        """A connection opens; return the seats that had none."""
        new = [seat for seat in seats if not self._connections[seat]]
        self._connections.update(seats)
        return new

    def leave(self, seats: Iterable[int]) -> list[int]:
        """A connection closes; return the seats that have none left."""
        self._connections.subtract(seats)
        gone = [seat for seat in seats if self._connections[seat] <= 0]
        for seat in gone:
            del self._connections[seat]
            self._seen[seat] = now()
        return gone

    def connected(self) -> list[int]:
        return [seat for seat, count in self._connections.items() if count > 0]

    def absent_since(self, seat: SavedSeat) -> int | None:
        """When the player of a seat was last seen; None if they are here, or if the seat is no person's."""
        if seat.kind != HUMAN or seat.bot or self._connections[seat.seat] > 0:
            return None
        seen = max(seat.seen, self._seen.get(seat.seat, 0))
        return seen if now() - seen >= self.away_after * 1000 else None
