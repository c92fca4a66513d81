"""Compiled code on disk: files named by a hash of everything that the code depends on.

Paths and dates of the sources do not matter, so checkouts and reinstalled packages share compiled code. A
damaged file counts as missing.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

LIMIT = 256 * 2**20
"""Bytes of compiled code that are kept, newest first."""
CODE, ENTRY, READY = ".code", ".entry", ".ready"


def cache_root() -> Path:
    """The folder for compiled code; ``AZULEJOS_CACHE`` names another one."""
    chosen = os.environ.get("AZULEJOS_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "azulejos" / "compiled"


def key_of(*things: object) -> str:
    return hashlib.sha256(repr(things).encode()).hexdigest()[:40]


def load(key: str) -> bytes | None:
    """The library in which the function with this key was compiled."""
    root = cache_root()
    with contextlib.suppress(OSError, ValueError):
        name = (root / f"{key}{ENTRY}").read_text(encoding="ascii")
        digest, _, data = (root / f"{name}{CODE}").read_bytes().partition(b"\n")
        if hashlib.sha256(data).hexdigest().encode() == digest:
            return data
    return None


def save(name: str, keys: Iterable[str], data: bytes) -> None:
    """Save one library for all functions with these keys."""
    digest = hashlib.sha256(data).hexdigest()
    name = f"{name}-{digest[:16]}"
    _write(cache_root() / f"{name}{CODE}", digest.encode() + b"\n" + data)
    for key in keys:
        _write(cache_root() / f"{key}{ENTRY}", name.encode("ascii"))
    _prune()


def _write(path: Path, data: bytes) -> None:
    """Write atomically: other processes may read at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(name).replace(path)


def _prune() -> None:
    """Delete the oldest files beyond the limit."""
    found = [(path.stat(), path) for path in cache_root().iterdir()]
    total = 0
    for stat, path in sorted(found, key=lambda pair: pair[0].st_mtime, reverse=True):
        total += stat.st_size
        if total > LIMIT and path.suffix in (CODE, ENTRY, READY):
            path.unlink(missing_ok=True)


# --- whether everything is there, without loading the compiler -----------------------------


def ready_file(game: str, sources: tuple[object, ...]) -> Path:
    """The file that exists if all of a game was compiled from exactly these sources."""
    return cache_root() / f"{game}-{key_of(sources, versions(), _processor())}{READY}"


def mark_ready(file: Path) -> None:
    _write(file, b"")


@functools.cache
def versions() -> tuple[str, ...]:
    """The versions of the compiler and the interpreter."""
    from importlib.metadata import version

    return (version("numba"), version("llvmlite"), version("numpy"), sys.version)


@functools.cache
def _processor() -> tuple[str, ...]:
    """Without loading the compiler (half a second); its own key describes the processor better."""
    known = {"model name", "flags", "Features", "CPU part"}
    lines: set[str] = set()
    with contextlib.suppress(OSError):
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        lines = {line for line in text.splitlines() if line.partition("\t")[0].strip() in known}
    return (platform.machine(), platform.processor(), *sorted(lines))


# --- one compiler at a time ------------------------------------------------------------------------------


@contextlib.contextmanager
def alone(name: str, *, wait: bool = True) -> Iterator[bool]:
    """Hold the machine's lock of that name; without `wait`, yields False if another process has it."""
    try:
        import fcntl
    except ImportError:  # no locks on this system: several processes may compile
        yield True
        return
    cache_root().mkdir(parents=True, exist_ok=True)
    with (cache_root() / f"{name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
            return
        yield True

