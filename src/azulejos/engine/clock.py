"""A clock that compiled loops can read: the wall clock takes 50 ns.

Where a limit has no such clock (Windows; processor time in a module) the time is always 0, and a thread
that watches the limit sets a flag instead (`bots.deadline`).
"""

from __future__ import annotations

import time
from typing import Any, Final

from azulejos.core.jit import Binding, native, rule
from azulejos.core.late import np
from azulejos.core.layout import Cells

# Indices into the array of a clock.
SECONDS: Final = 0
NANOSECONDS: Final = 1
BUDGET: Final = 2
"""In nanoseconds, from the first look at the clock on; 0: no limit."""
BEGAN: Final = 3
"""When that was; 0: not yet."""
WHICH: Final = 4
"""The number of the clock that counts, one of the following two."""
WALL: Final = 5
"""The number of the wall clock; -1: there is none."""
PROCESSOR: Final = 6
"""The number of the clock of this thread's processor time; -1: there is none."""

EXISTS: Final = hasattr(time, "clock_gettime") and hasattr(time, "CLOCK_THREAD_CPUTIME_ID")
IN_MODULES: Final = (1, -1)
"""The clocks of a WebAssembly module."""


def make_clock(binding: Binding) -> Cells:
    clock = np.zeros(7, np.int64)
    if binding.compiled and not binding.native:
        clock[WALL:] = IN_MODULES
    else:
        clock[WALL:] = (time.CLOCK_MONOTONIC, time.CLOCK_THREAD_CPUTIME_ID) if EXISTS else -1
    return clock


def set_budget(clock: Cells, seconds: float, *, cpu: bool) -> bool:
    """Limit the time from now on; False if there is no clock for that."""
    clock[WHICH] = clock[PROCESSOR if cpu else WALL]
    clock[BUDGET] = max(1, int(seconds * 1e9)) if clock[WHICH] >= 0 else 0
    clock[BEGAN] = 0
    return bool(clock[BUDGET] > 0)


@native("clock_gettime", "int32", "int32", "uintp", exists=EXISTS)
def clock_gettime(which: Any, out: int) -> int:
    import ctypes

    return int(ctypes.CDLL(None).clock_gettime(int(which), ctypes.c_void_p(out)))


@rule
def is_late(clock: Cells) -> bool:
    if clock[BUDGET] == 0:
        return False
    clock_gettime(np.int32(clock[WHICH]), clock.ctypes.data)
    now = clock[SECONDS] * 1_000_000_000 + clock[NANOSECONDS]
    if clock[BEGAN] == 0:
        clock[BEGAN] = now
    return bool(now - clock[BEGAN] >= clock[BUDGET])
