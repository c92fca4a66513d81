"""How long reading what strangers send may take.

Whoever lets strangers ask for something opens `within`; loops whose length follows from what they sent call
`check`. The limit is ambient, like cancellation, because it concerns every function below and none of them
can do anything about it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from azulejos.core.message import Problem, msg

_over: ContextVar[Callable[[], bool] | None] = ContextVar("time limit", default=None)


class TooSlow(Problem):
    """The limit is used up, or nobody waits for the result any more."""

    def __init__(self) -> None:
        super().__init__(msg("This takes too long to work out."))


@contextmanager
def within(seconds: float, abandoned: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Let this thread use so many seconds of processor time, unless the result is `abandoned` before."""
    end = time.thread_time() + seconds
    token = _over.set(lambda: time.thread_time() > end or abandoned())
    try:
        yield
    finally:
        _over.reset(token)


def check() -> None:
    """Raises TooSlow if the limit of this thread is used up. 0.4 µs; nothing without a limit."""
    over = _over.get()
    if over is not None and over():
        raise TooSlow
