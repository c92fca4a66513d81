"""Jobs on a Ray cluster: a temporary one on this machine, or one that is already running."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from types import ModuleType
from typing import Any

from azulejos.arena.workers import AHEAD, ATTEMPTS, Answer, Job

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
