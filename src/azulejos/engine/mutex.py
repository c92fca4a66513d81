"""Locks for compiled threads: those of the C library, in which a waiting thread sleeps.

Where the C library has none (Windows), nothing may be shared (`EXISTS`).
"""

from __future__ import annotations

import ctypes
import sys
from typing import Final

from azulejos.core.jit import native, rule
from azulejos.core.late import np
from azulejos.core.layout import Cells

EXISTS: Final = sys.platform != "win32"
WORDS: Final = 16
"""128 bytes: the largest lock of the known systems has 64."""
SPINS: Final = 100
"""Attempts before a thread sleeps. What a lock protects takes less than a microsecond, sleeping several."""


def make_locks(count: int) -> Cells:
    """[lock, word]"""
    locks = np.zeros((count, WORDS), np.int64)
    if EXISTS and hasattr(locks, "ctypes"):  # without NumPy there are no threads
        for each in locks:
            ctypes.CDLL(None).pthread_mutex_init(ctypes.c_void_p(each.ctypes.data), None)
    return locks


@native("pthread_mutex_trylock", "int32", "uintp", exists=EXISTS)
def pthread_mutex_trylock(lock: int) -> int:
    return int(ctypes.CDLL(None).pthread_mutex_trylock(ctypes.c_void_p(lock)))


@native("pthread_mutex_lock", "int32", "uintp", exists=EXISTS)
def pthread_mutex_lock(lock: int) -> int:
    return int(ctypes.CDLL(None).pthread_mutex_lock(ctypes.c_void_p(lock)))


@native("pthread_mutex_unlock", "int32", "uintp", exists=EXISTS)
def pthread_mutex_unlock(lock: int) -> int:
    return int(ctypes.CDLL(None).pthread_mutex_unlock(ctypes.c_void_p(lock)))


@native("sched_yield", "int32", exists=EXISTS)
def let_others_run() -> int:
    return int(ctypes.CDLL(None).sched_yield())


@rule
def lock(locks: Cells, which: int) -> None:
    address = locks.ctypes.data + 8 * WORDS * which
    for _ in range(SPINS):
        if pthread_mutex_trylock(address) == 0:
            return
    pthread_mutex_lock(address)


@rule
def unlock(locks: Cells, which: int) -> None:
    pthread_mutex_unlock(locks.ctypes.data + 8 * WORDS * which)
