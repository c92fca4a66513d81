"""A search in its own thread, whose answers can be read while it runs."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Generic, Self, TypeVar

T = TypeVar("T")


class Stream(Generic[T]):
    """Answers as they are found; the last one is final. Leaving the `with` block stops the search.

    An exception in the search is raised where the answers are read.
    """

    def __init__(self, search: Callable[[Callable[[T], None]], T], stop: threading.Event) -> None:
        self._stop = stop
        self._answers: queue.SimpleQueue[T | None] = queue.SimpleQueue()
        self._last: T | None = None
        self._final: T | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(search,), daemon=True)
        self._thread.start()

    def _run(self, search: Callable[[Callable[[T], None]], T]) -> None:
        try:
            self._final = search(self._put)
            if self._final is not self._last:
                self._put(self._final)
        except BaseException as error:
            self._error = error
        self._answers.put(None)

    def _put(self, answer: T) -> None:
        self._last = answer
        self._answers.put(answer)

    def __iter__(self) -> Iterator[T]:
        while (answer := self._answers.get()) is not None:
            yield answer
        self._answers.put(None)  # for the next reader
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """End the search; `wait` returns its last answer."""
        self._stop.set()

    def wait(self) -> T:
        """Wait until the search has ended, and return the final answer."""
        self._thread.join()
        if self._final is None:
            raise self._error or RuntimeError("the search gave no answer")
        return self._final

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._thread.join()
