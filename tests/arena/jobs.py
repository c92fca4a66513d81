"""Jobs that worker processes can import."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def square(job: int) -> int:
    return job * job


def square_or_die(trap: Path, job: int) -> int:
    """The first process to run job 2 kills itself, as the system would when memory runs out."""
    if job == 2:
        try:
            trap.unlink()
        except FileNotFoundError:
            return job * job
        os.kill(os.getpid(), signal.SIGKILL)
    return job * job
