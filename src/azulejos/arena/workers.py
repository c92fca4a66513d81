"""Independent jobs on one or several machines, behind one small interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from itertools import chain, islice
from multiprocessing import get_context
from typing import Protocol, TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")

AHEAD = 2
"""Jobs queued per process: enough that none is idle, few enough that stopping early wastes little."""
ATTEMPTS = 3
"""A job is given up after its process has died this many times."""


class Workers(Protocol):
    """Runs jobs and yields the answers in the order in which they are ready.

    If a worker dies, its jobs are run again.
    """

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Iterator[Answer]: ...


class Here:
    """Runs one job after the other in this process."""

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Iterator[Answer]:
        return (do(job) for job in jobs)


class Processes:
    """Runs jobs in several processes on this machine."""

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
        """Answers until a process dies; `unanswered` holds the jobs handed out and not answered yet."""
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
