"""Which job is next: thinking is a shared good.

Jobs of a lower rank come first. Among equals every owner gets the same share of the workers, and so does
every group of an owner's jobs (a table, for example). The order is that of weighted fair queueing: a job is
due when its owner's and its group's earlier jobs and the job itself would be over if every owner had the
same share. So short jobs come before long ones, and many jobs of one owner come after the first job of
another. The owners of one address have no more than ADDRESS_SHARE shares together: cookies cost nothing.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

SHORTEST = 0.5
"""Seconds that a job gets at least (if it wants to), however many are waiting."""
ADDRESS_SHARE = 3
"""A family behind one address gets up to this many shares."""


def _always() -> bool:
    return True


def _nothing(*_: Any) -> None:
    pass


@dataclass(eq=False, kw_only=True)
class Job:
    """Something to think about: who pays, how many seconds it wants, what is asked, and who listens."""

    owner: str = ""
    address: str = ""
    """Where the owner comes from; empty: it does not matter."""
    group: str = ""
    rank: int = 0
    seconds: float
    asked: Any
    watched: Callable[[], bool] = _always
    """Whether somebody waits for the answer; it is not begun while nobody does."""
    queued: Callable[[], None] = _nothing
    """Called if it has to wait."""
    started: Callable[[float], None] = _nothing
    """Called with the seconds that it gets when it begins."""
    hear: Callable[[bytes], None] = _nothing
    """Called with every answer, each better than the one before it."""
    used: float = 0.0
    """Seconds of processor time that it has used."""
    due: tuple[float, float, int] = (0.0, 0.0, 0)


J = TypeVar("J", bound=Job)


class FairQueue(Generic[J]):
    """Jobs that wait for one of a number of workers."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.waiting: list[J] = []
        self.running: list[J] = []
        self._reached = 0.0
        self._due: dict[tuple[str, ...], float] = {}
        """By owner, by owner and group, and by address: when their last job is due."""
        self._arrived = itertools.count()

    def put(self, job: J) -> None:
        self._add(job, job.seconds)
        owner, group, *address = (self._due[name] for name in _names(job))
        job.due = (max([owner, *address]), group, next(self._arrived))
        self.waiting.append(job)

    def _add(self, job: Job, seconds: float) -> None:
        for name, weight in _names(job).items():
            self._due[name] = max(self._due.get(name, 0), self._reached) + seconds * weight

    def next(self) -> J | None:
        """Start the job that is due first; None if there is none or no worker is free for it."""
        if len(self.running) >= self.workers:
            return None
        job = min(filter(self._may_start, self.waiting), key=lambda job: (job.rank, job.due), default=None)
        if job is not None:
            self.waiting.remove(job)
            self.running.append(job)
            self._reached = max(self._reached, job.due[0])
            self._due = {name: due for name, due in self._due.items() if due > self._reached}
        return job

    def _may_start(self, job: Job) -> bool:
        """One worker is always left to the other owners."""
        busy = Counter(one.owner for one in self.running)
        return job.watched() and busy[job.owner] < max(1, self.workers - 1)

    def finish(self, job: J) -> None:
        """A job is over. If it has used more than it wanted, its owner's next ones come later."""
        self.running.remove(job)
        if job.used > job.seconds:
            self._add(job, job.used - job.seconds)

    def drop(self, job: J) -> None:
        """Forget a job that has not begun."""
        if job in self.waiting:
            self.waiting.remove(job)

    def unwatched(self) -> list[J]:
        """Jobs that wait although nobody waits for them any more."""
        return [job for job in self.waiting if not job.watched()]

    def overload(self) -> int:
        """How many jobs wait for a worker that somebody else uses."""
        return sum(self._may_start(job) for job in self.waiting)

    def budget(self, job: Job) -> float:
        """Seconds that a job gets while others wait: less for everybody, the more there are."""
        share = job.seconds * self.workers / (self.workers + self.overload())
        return min(job.seconds, max(SHORTEST, share))


def _names(job: Job) -> dict[tuple[str, ...], float]:
    """Whose shares a job uses, and how much of each second."""
    names: dict[tuple[str, ...], float] = {(job.owner,): 1.0, (job.owner, job.group): 1.0}
    if job.address:
        names["at", job.address, ""] = 1 / ADDRESS_SHARE
    return names
