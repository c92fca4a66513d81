"""Many independent jobs on one machine or on many, through one small interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from itertools import chain, islice
from multiprocessing import get_context
from typing import Protocol, TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")

AHEAD = 2
"""Jobs handed out for each process, so that nobody waits and stopping early costs little."""
ATTEMPTS = 3
"""A job whose process died so often is to blame itself."""


class Workers(Protocol):
    """Something that does jobs; the answers come in the order in which they are ready.

    A worker that dies loses nothing: what it was doing is done again.
    """

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Iterator[Answer]: ...


class Here:
    """One job after the other in this process."""

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Iterator[Answer]:
        return (do(job) for job in jobs)


class Processes:
    """So many processes on this machine."""

    def __init__(self, count: int) -> None:
        self.count = count

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Iterator[Answer]:
        remaining = iter(jobs)
        for attempt in range(1, ATTEMPTS + 1):
            unanswered: list[Job] = []
            try:
                yield from self._answers(do, remaining, unanswered)
                return
            except BrokenExecutor:
                if attempt == ATTEMPTS:
                    raise
                remaining = chain(unanswered, remaining)

    def _answers(
        self, do: Callable[[Job], Answer], jobs: Iterator[Job], unanswered: list[Job]
    ) -> Iterator[Answer]:
        """As long as all processes live; `unanswered` keeps what was handed out."""
        running: dict[Future[Answer], Job] = {}

        def hand_out(count: int) -> None:
            for job in islice(jobs, count):
                unanswered.append(job)
                running[pool.submit(do, job)] = job

        with ProcessPoolExecutor(self.count, get_context("spawn")) as pool:
            try:
                hand_out(AHEAD * self.count)
                while running:
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        answer = future.result()
                        unanswered.remove(running.pop(future))
                        yield answer
                        hand_out(1)
            finally:
                pool.shutdown(cancel_futures=True)


def workers(processes: int) -> Workers:
    return Here() if processes <= 1 else Processes(processes)
