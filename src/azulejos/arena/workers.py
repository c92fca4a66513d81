"""Many independent jobs on one machine or on many, through one small interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from typing import Protocol, TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")


class Workers(Protocol):
    """Something that does jobs; the answers come in the order in which they are ready."""

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
        """At most two jobs a process are handed out ahead, so that stopping early costs little."""
        remaining = iter(jobs)
        with ProcessPoolExecutor(self.count, get_context("spawn")) as pool:
            running: set[Future[Answer]] = {
                pool.submit(do, job) for job in islice(remaining, 2 * self.count)
            }
            try:
                while running:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        running |= {pool.submit(do, job) for job in islice(remaining, 1)}
                        yield future.result()
            finally:
                pool.shutdown(cancel_futures=True)


def workers(processes: int) -> Workers:
    return Here() if processes <= 1 else Processes(processes)
