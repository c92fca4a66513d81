"""Jobs on a Ray cluster: this machine's own, made for the occasion, or one that is running already."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from types import ModuleType
from typing import Any

from azulejos.arena.workers import AHEAD, ATTEMPTS, Answer, Job

LOCAL = "local"
"""The address of a cluster that is started here and ends with the match."""


class Cluster:
    """The processors of a Ray cluster; azulejos is installed on each of its machines.

    Ray itself does again what a dead worker, or a lost machine, left undone.
    """

    def __init__(self, address: str = LOCAL, *, processes: int | None = None) -> None:
        self.address = address
        self.processes = processes
        self._ray = _imported()

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Iterator[Answer]:
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
        """While the body runs there is a cluster; the number of its processors."""
        local = self.address == LOCAL
        here = {"num_cpus": self.processes, "include_dashboard": False} if local else {}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about Ray's own future, nothing that a match could mend
                self._ray.init(self.address, log_to_driver=False, logging_level="error",
                               runtime_env={"env_vars": _settings(local=local)}, **here)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise ValueError(f"no Ray cluster answers at {self.address}: {error}") from error
        try:
            yield max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        finally:
            self._ray.shutdown()


def _settings(*, local: bool) -> dict[str, str]:
    """Workers obey our own variables; those on this machine find what we find."""
    own = {name: value for name, value in os.environ.items() if name.startswith("AZULEJOS_")}
    return {**own, "PYTHONPATH": os.pathsep.join(sys.path)} if local else own


def _done(do: Callable[[Job], Answer], job: Job) -> Answer:
    return do(job)


def _imported() -> ModuleType:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told that a match is played
    try:
        import ray
    except ImportError:
        raise ValueError("a Ray cluster needs Ray: install azulejos[ray]") from None
    module: ModuleType = ray
    return module
