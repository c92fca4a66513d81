"""Several cores for one search: threads share the transpositions, or the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import TypeVar

from azulejos.engine.clock import is_late
from azulejos.engine.tree_memory import THREADS, Tree
from azulejos.engine.workspace import STOP, Workspace

Helper = TypeVar("Helper", Workspace, Tree)

POLL = 0.002
"""Seconds between two checks of the limit while waiting for other threads."""


@contextmanager
def helped(
    work: Callable[[int, Workspace], object], workspaces: Sequence[Workspace]
) -> Iterator[list[Thread]]:
    """While the body runs, a thread searches in each workspace; all stop when the body ends."""
    for workspace in workspaces:
        workspace.counters[STOP] = 0
    with _threads(work, workspaces) as threads:
        yield threads


@contextmanager
def growing(grow: Callable[[Tree], object], tree: Tree, helpers: Sequence[Tree]) -> Iterator[None]:
    """While the body runs, a thread for each helper grows the tree as well; all stop when the body ends."""
    tree.counters[THREADS] = 1 + len(helpers)
    with _threads(lambda _, helper: grow(helper), helpers):
        yield
    tree.counters[THREADS] = 1


@contextmanager
def _threads(work: Callable[[int, Helper], object], helpers: Sequence[Helper]) -> Iterator[list[Thread]]:
    for helper in helpers:
        helper.flag[0] = 0
    threads = [Thread(target=work, args=pair, daemon=True) for pair in enumerate(helpers, 1)]
    for thread in threads:
        thread.start()
    try:
        yield threads
    finally:
        for helper in helpers:
            helper.flag[0] = 1
        for thread in threads:
            thread.join()


def wait_for(threads: Sequence[Thread], workspace: Workspace) -> None:
    """Wait until the threads are done, or the limit of this workspace is reached."""
    for thread in threads:
        while thread.is_alive() and workspace.flag[0] == 0 and not is_late(workspace.clock):
            thread.join(POLL)
