"""Independent jobs on one or several machines, behind one small interface."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from threading import Thread
from types import ModuleType
from typing import Any, Protocol, TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")

AHEAD = 2
"""Jobs queued per process: enough that none is idle, few enough that stopping early wastes little."""
ATTEMPTS = 3
"""A job is given up after its process has died this many times."""
POLL = 0.2
"""Seconds between two moments in which Ctrl-C is noticed (at once, on systems where waiting can be
interrupted)."""
PATIENCE = 0.5
"""Seconds in which a process may end by itself before it is killed."""


class Workers(Protocol):
    """Runs jobs and yields the answers in the order in which they are ready.

    If a worker dies, its jobs are run again. Whoever leaves early (or closes the generator) does not wait
    for the jobs that are still running.
    """

    count: int
    """How many jobs run at the same time, at least."""

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Generator[Answer, None, None]: ...


class Here:
    """Runs one job after the other, in a thread: compiled code would not notice Ctrl-C before it returns.

    A job that is left behind goes on until it ends, or the program does.
    """

    count = 1

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Generator[Answer, None, None]:
        for job in jobs:
            future: Future[Answer] = Future()
            Thread(target=_settle, args=(future, do, job), daemon=True).start()
            while not wait([future], timeout=POLL).done:
                pass
            yield future.result()


def _settle(future: Future[Answer], do: Callable[[Job], Answer], job: Job) -> None:
    try:
        future.set_result(do(job))
    except BaseException as error:
        future.set_exception(error)


class Processes:
    """Runs jobs in several processes on this machine."""

    def __init__(self, count: int) -> None:
        self.count = count

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Generator[Answer, None, None]:
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
        children = _Children()

        def hand_out(count: int) -> None:
            for job in islice(jobs, count):
                unanswered.append(job)
                running[pool.submit(do, job)] = job

        with ProcessPoolExecutor(self.count, children, initializer=_end_when_told) as pool:
            try:
                with _deaf_to_interrupts():
                    hand_out(AHEAD * self.count)
                while running:
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        answer = future.result()
                        unanswered.remove(running.pop(future))
                        yield answer
                        hand_out(1)
            finally:
                if running:
                    children.end()
                pool.shutdown(cancel_futures=True)


class _Children(SpawnContext):
    """Starts processes as usual and remembers them, because a pool has no way to end those that are
    busy."""

    def __init__(self) -> None:
        super().__init__()
        self._started: list[BaseProcess] = []

    def Process(self, *args: Any, **extra: Any) -> BaseProcess:  # type: ignore[override]  # noqa: N802
        child = SpawnContext.Process(*args, **extra)
        self._started.append(child)
        return child

    def end(self) -> None:
        """Ask them to end, so that they end their own programs; compiled code does not hear that."""
        for child in self._started:
            child.terminate()
        patience = time.monotonic() + PATIENCE
        for child in self._started:
            child.join(max(0.0, patience - time.monotonic()))
            child.kill()


def _end_when_told() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started here do not get Ctrl-C from the terminal: the parent ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def workers(processes: int) -> Workers:
    return Here() if processes <= 1 else Processes(processes)


# --- many machines ------------------------------------------------------------------------------------


LOCAL = "local"
"""The address of a cluster that is started on this machine and shut down after the match."""


class Cluster:
    """The processors of a Ray cluster; azulejos must be installed on each of its machines.

    Ray retries the jobs of a dead worker or a lost machine.
    """

    def __init__(self, address: str = LOCAL, *, processes: int | None = None) -> None:
        self.address = address
        self.processes = processes
        self.count = processes or 1
        self._ray = _imported()

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Generator[Answer, None, None]:
        remaining = iter(jobs)
        with self._connected() as cpus:
            shared = self._ray.put(do)
            doing = self._ray.remote(max_retries=ATTEMPTS - 1)(_done)
            running: list[Any] = [doing.remote(shared, job) for job in islice(remaining, AHEAD * cpus)]
            while running:
                (ready, *_), running = self._ray.wait(running)
                running += [doing.remote(shared, job) for job in islice(remaining, 1)]
                yield self._ray.get(ready)

    @contextmanager
    def _connected(self) -> Iterator[int]:
        """Connect to the cluster for the duration of the block; yields its number of processors."""
        local = self.address == LOCAL
        here = {"num_cpus": self.processes, "include_dashboard": False} if local else {}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about future versions of Ray; irrelevant to a match
                self._ray.init(self.address, log_to_driver=False, logging_level="error",
                               runtime_env={"env_vars": _settings(local=local)}, **here)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise ValueError(f"no Ray cluster answers at {self.address}: {error}") from error
        try:
            yield max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        finally:
            self._ray.shutdown()


def _settings(*, local: bool) -> dict[str, str]:
    """Pass our environment variables to the workers; local ones also get our import path."""
    own = {name: value for name, value in os.environ.items() if name.startswith("AZULEJOS_")}
    return {**own, "PYTHONPATH": os.pathsep.join(sys.path)} if local else own


def _done(do: Callable[[Job], Answer], job: Job) -> Answer:
    return do(job)


def _imported() -> ModuleType:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics are sent
    try:
        import ray
    except ImportError:
        raise ValueError("this needs ray: pip install 'azulejos[ray]'") from None
    module: ModuleType = ray
    return module
