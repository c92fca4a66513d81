"""Which bot thinks next: bots are a shared good.

Every owner (the visitor who opened the table) gets the same share of the workers, and so does every table
of an owner. The order is that of weighted fair queueing: a turn is due when its owner's and its table's
earlier turns and the turn itself would be over if every owner had the same share. So short thoughts come
before long ones, and many turns of one owner come after the first turn of another.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")

SHORTEST = 0.5
"""Seconds that a bot thinks at least (if it wants to), however many are waiting."""


@dataclass(eq=False, kw_only=True)
class Turn(Generic[T]):
    """A bot's turn: who pays for it, how many seconds it wants, and what is asked."""

    owner: str
    table: str
    seconds: float
    asked: T
    watched: Callable[[], bool] = field(default=lambda: True)
    due: tuple[float, float, int] = (0.0, 0.0, 0)


class ThoughtQueue(Generic[T]):
    """Turns that wait for one of a number of workers."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.waiting: list[Turn[T]] = []
        self.running: list[Turn[T]] = []
        self._reached = 0.0
        self._due: dict[str, float] = {}
        """By owner, and by owner and table: when their last turn is due."""
        self._arrived = itertools.count()

    def put(self, turn: Turn[T]) -> None:
        table = f"{turn.owner} {turn.table}"
        owner_due, table_due = (max(self._due.get(name, 0), self._reached) for name in (turn.owner, table))
        turn.due = (owner_due + turn.seconds, table_due + turn.seconds, next(self._arrived))
        self._due[turn.owner], self._due[table], _ = turn.due
        self.waiting.append(turn)

    def next(self) -> Turn[T] | None:
        """Start the turn that is due first; None if there is none or no worker is free for it."""
        if len(self.running) >= self.workers:
            return None
        turn = min(filter(self._may_start, self.waiting), key=lambda turn: turn.due, default=None)
        if turn is not None:
            self.waiting.remove(turn)
            self.running.append(turn)
            self._reached = max(self._reached, turn.due[0])
            self._due = {name: due for name, due in self._due.items() if due > self._reached}
        return turn

    def _may_start(self, turn: Turn[T]) -> bool:
        """One worker is always left to the other owners."""
        busy = Counter(one.owner for one in self.running)
        return turn.watched() and busy[turn.owner] < max(1, self.workers - 1)

    def finish(self, turn: Turn[T]) -> None:
        self.running.remove(turn)

    def drop(self, turn: Turn[T]) -> None:
        """Forget a turn that has not begun."""
        if turn in self.waiting:
            self.waiting.remove(turn)

    def unwatched(self) -> list[Turn[T]]:
        """Turns that wait at tables which nobody looks at any more."""
        return [turn for turn in self.waiting if not turn.watched()]

    def overload(self) -> int:
        """How many turns wait for a worker that somebody else uses."""
        return sum(self._may_start(turn) for turn in self.waiting)

    def budget(self, turn: Turn[T]) -> float:
        """Seconds that a turn gets while others wait: less for everybody, the more there are."""
        share = turn.seconds * self.workers / (self.workers + self.overload())
        return min(turn.seconds, max(SHORTEST, share))
