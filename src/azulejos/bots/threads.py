"""Several cores for one search: each helper has its own workspace; all share the transpositions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from azulejos.engine.clock import is_late
from azulejos.engine.workspace import STOP, Workspace

POLL = 0.002
"""Seconds between two checks of the limit while waiting for other threads."""


@contextmanager
def helped(
    work: Callable[[int, Workspace], object], workspaces: Sequence[Workspace]
) -> Iterator[list[threading.Thread]]:
    """While the body runs, a thread searches in each workspace; all stop when the body ends."""
    for workspace in workspaces:
        workspace.flag[0] = workspace.counters[STOP] = 0
    threads = [threading.Thread(target=work, args=pair, daemon=True) for pair in enumerate(workspaces, 1)]
    for thread in threads:
        thread.start()
    try:
        yield threads
    finally:
        for workspace in workspaces:
            workspace.flag[0] = 1
        for thread in threads:
            thread.join()


def wait_for(threads: Sequence[threading.Thread], workspace: Workspace) -> None:
    """Wait until the threads are done, or the limit of this workspace is reached."""
    for thread in threads:
        while thread.is_alive() and workspace.flag[0] == 0 and not is_late(workspace.clock):
            thread.join(POLL)
