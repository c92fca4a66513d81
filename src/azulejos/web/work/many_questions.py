"""A process that answers one question after the other, as lines of its standard input: the main thread
answers, another one listens. When the server ends, the input is closed and the process ends."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable

STOP = b"stop\n"
"""Ends the search that is running; its last answer follows."""


class Questions:
    def __init__(self, at_end: Callable[[], None] = lambda: None) -> None:
        """`at_end` is called before the process ends."""
        self.stop = threading.Event()
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._at_end = at_end

    def listen(self) -> None:
        """Listen from now on."""
        threading.Thread(target=self._listen, daemon=True).start()

    def next(self) -> bytes:
        """Wait for the next question."""
        return self._lines.get()

    def _listen(self) -> None:
        for line in sys.stdin.buffer:
            if line == STOP:
                self.stop.set()
            else:
                self.stop.clear()
                self._lines.put(line)
        self._at_end()
        os._exit(0)
