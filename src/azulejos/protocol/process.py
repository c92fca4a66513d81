"""A program that communicates by lines: memory is limited, reading has a deadline, children are
killed."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

LONGEST_LINE = 2**16
WAITING_LINES = 1000
"""Lines read ahead; a program that writes faster than its lines are processed has to wait."""

POLL = 0.01
"""Seconds between two checks of `stop`."""

LIMITED = (
    "import ctypes, os, resource, sys; n = int(sys.argv[1]); "
    "sys.platform == 'linux' and ctypes.CDLL(None).prctl(36, 1, 0, 0, 0); "
    "resource.setrlimit(resource.RLIMIT_AS, (n, n)); os.execvp(sys.argv[2], sys.argv[2:])"
)
"""Run by a fresh interpreter, because setting limits between fork and exec is not safe with threads.

36 is PR_SET_CHILD_SUBREAPER: orphans of the program's children become children of the program, so that
`_kill` finds them even if they run in another session.
"""


class Dead(Exception):
    """The program ended, or cannot be reached."""


class Program:
    """A running program and a thread that reads its output."""

    def __init__(self, command: Sequence[str], *, memory: int) -> None:
        limited = [sys.executable, "-c", LIMITED, str(memory), *command]
        self._process = subprocess.Popen(
            limited if sys.platform != "win32" else list(command),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._lines: queue.Queue[bytes | None] = queue.Queue(WAITING_LINES)
        self._gone = threading.Event()
        threading.Thread(target=_read, args=(self._process, self._lines, self._gone), daemon=True).start()
        self._end = weakref.finalize(self, _kill, self._process, self._gone)

    def tell(self, line: str) -> None:
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise Dead(self._epitaph()) from None

    def words(self, deadline: float, *, stop: threading.Event | None) -> list[str] | None:
        """The words of the next non-empty line; None at the deadline or when `stop` is set."""
        while stop is None or not stop.is_set():
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            try:
                line = self._lines.get(timeout=left if stop is None else min(left, POLL))
            except queue.Empty:
                continue
            if line is None:
                raise Dead(self._epitaph())
            words = line.decode("utf-8", "replace").split()
            if words:
                return words
        return None

    def kill(self) -> None:
        self._end()

    def _epitaph(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f"it ended with exit code {self._process.wait(0.2)}"
        return "it closed its output"


def _read(
    process: subprocess.Popen[bytes], lines: queue.Queue[bytes | None], gone: threading.Event
) -> None:
    """Put lines into the queue; None at the end of the output, or at a line that is too long."""
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        while line := process.stdout.readline(LONGEST_LINE):
            if len(line) == LONGEST_LINE:
                break
            _put(lines, line, gone)
            if gone.is_set():
                break
    _put(lines, None, gone)
    with contextlib.suppress(OSError):
        process.stdout.close()


def _put(lines: queue.Queue[bytes | None], line: bytes | None, gone: threading.Event) -> None:
    while not gone.is_set():
        with contextlib.suppress(queue.Full):
            lines.put(line, timeout=0.1)
            return


def _kill(process: subprocess.Popen[bytes], gone: threading.Event) -> None:
    """Kill the program and everything that it started.

    The reader closes the output: a process outside our reach may hold the other end open, and a file that
    another thread is reading cannot be closed before that read returns.
    """
    gone.set()
    for pid in [*_below(process.pid), process.pid]:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()


def _below(pid: int) -> list[int]:
    """All descendants of a process, in any session; known on Linux only."""
    parents = {int(stat.parent.name): _parent(stat) for stat in Path("/proc").glob("[0-9]*/stat")}
    found = [pid]
    for above in found:  # the list grows during the loop
        found += [child for child, parent in parents.items() if parent == above]
    return found[1:]


def _parent(stat: Path) -> int:
    """The fourth field; the second is the program's name in parentheses, which may contain anything."""
    try:
        return int(stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
    except (OSError, IndexError, ValueError):  # the process has ended meanwhile
        return 0


# --- lines of text ------------------------------------------------------------------------------------


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
