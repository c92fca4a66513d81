"""A clock that compiled loops can read: the wall clock takes 50 ns.

Where the C library has no such clock (Windows) the time is always 0, and a thread that watches the
limit sets a flag instead (`bots.deadline`).
"""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np

from azulejos.core.jit import native, rule
from azulejos.core.layout import Cells

# Indices into the array of a clock.
SECONDS: Final = 0
NANOSECONDS: Final = 1
DEADLINE: Final = 2
"""In nanoseconds; 0: none."""
WHICH: Final = 3
"""The number of the clock: wall clock, or processor time of this thread."""

EXISTS: Final = hasattr(time, "clock_gettime") and hasattr(time, "CLOCK_THREAD_CPUTIME_ID")


def make_clock() -> Cells:
    return np.zeros(4, np.int64)


def set_deadline(clock: Cells, seconds: float, *, cpu: bool) -> None:
    """Set the deadline to `seconds` from now."""
    clock[WHICH] = time.CLOCK_THREAD_CPUTIME_ID if cpu else time.CLOCK_MONOTONIC
    clock[DEADLINE] = time.clock_gettime_ns(int(clock[WHICH])) + max(1, int(seconds * 1e9))


if EXISTS:

    @native("clock_gettime", "int32", "int32", "uintp")
    def clock_gettime(which: Any, out: int) -> int:
        import ctypes

        return int(ctypes.CDLL(None).clock_gettime(int(which), ctypes.c_void_p(out)))

else:

    @rule
    def clock_gettime(which: Any, out: int) -> int:
        return -1


@rule
def is_late(clock: Cells) -> bool:
    if clock[DEADLINE] == 0:
        return False
    clock_gettime(np.int32(clock[WHICH]), clock.ctypes.data)
    return bool(clock[SECONDS] * 1_000_000_000 + clock[NANOSECONDS] >= clock[DEADLINE])
