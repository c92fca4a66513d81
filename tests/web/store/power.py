"""A disk that loses power: what SQLite writes is noted, and written again as far as the disk may have got.

Between two syncs of a file a disk writes in any order, so when the power fails any of the writes since the
last sync may be there or missing, each one whole or only its first sectors; what was synced is there.
SQLite's own tests of power loss assume the same.
"""

from __future__ import annotations

import ctypes
import importlib
import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECTOR = 512
POINTERS = 19
"""Of the methods of a file, after the number of their version; SQLite only adds some at the end."""
CLOSE, WRITE, TRUNCATE, SYNC = 0, 2, 3, 4
OPEN, DELETE = "xOpen", "xDelete"


@dataclass(frozen=True)
class Written:
    """One operation on a file: a write, or with `length` a truncation, or a removal, or a sync."""

    file: str
    at: int = 0
    data: bytes = b""
    length: int | None = None
    removed: bool = False
    synced: bool = False


class Methods(ctypes.Structure):
    _fields_ = (("version", c_int), ("pointers", c_void_p * POINTERS))


class OpenFile(ctypes.Structure):
    _fields_ = (("methods", POINTER(Methods)),)


class System(ctypes.Structure):
    """sqlite3_vfs."""

    _fields_ = (
        ("version", c_int), ("size", c_int), ("longest", c_int), ("next", c_void_p), ("name", c_char_p),
        ("data", c_void_p), (OPEN, c_void_p), (DELETE, c_void_p), ("others", c_void_p * 16),
    )


XOPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(OpenFile), c_int, POINTER(c_int))
XDELETE = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
XWRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
XTRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
XSYNC = CFUNCTYPE(c_int, c_void_p, c_int)
XCLOSE = CFUNCTYPE(c_int, c_void_p)


class Recorder:
    """Stands between SQLite and the system's files while `recording` lasts."""

    def __init__(self) -> None:
        library = ctypes.CDLL(importlib.import_module("_sqlite3").__file__)
        library.sqlite3_vfs_find.restype = POINTER(System)
        self._system = library.sqlite3_vfs_find(None).contents
        self._own = {OPEN: getattr(self._system, OPEN), DELETE: getattr(self._system, DELETE)}
        self._kept: list[Any] = []
        """What C still points to."""
        self._tables: dict[int, Methods] = {}
        self._names: dict[int, str] = {}
        self.log: list[Written] = []

    @contextmanager
    def recording(self) -> Iterator[list[Written]]:
        for name, kind, function in ((OPEN, XOPEN, self._open), (DELETE, XDELETE, self._delete)):
            callback = kind(function)
            self._kept.append(callback)
            setattr(self._system, name, ctypes.cast(callback, c_void_p).value)
        try:
            yield self.log
        finally:
            for name, own in self._own.items():
                setattr(self._system, name, own)

    def _open(self, vfs: int, name: int, file: Any, flags: int, out: Any) -> int:
        result = XOPEN(self._own[OPEN])(vfs, name, file, flags, out)
        if result == 0 and name and file.contents.methods:
            path = ctypes.string_at(name).decode()
            self._names[ctypes.addressof(file.contents)] = path
            methods = file.contents.methods
            file.contents.methods = ctypes.pointer(self._table(methods))
        return int(result)

    def _delete(self, vfs: int, name: bytes, sync: int) -> int:
        self.log.append(Written(name.decode(), removed=True, synced=bool(sync)))
        return int(XDELETE(self._own[DELETE])(vfs, name, sync))

    def _table(self, methods: Any) -> Methods:
        """The methods of a kind of file, with ours in front of theirs."""
        where = ctypes.addressof(methods.contents)
        if where not in self._tables:
            own = methods.contents
            table = Methods(own.version, own.pointers)
            for index, kind, function in (
                (WRITE, XWRITE, self._write), (TRUNCATE, XTRUNCATE, self._truncate),
                (SYNC, XSYNC, self._sync),
            ):
                callback = kind(_before(function, kind(own.pointers[index])))
                self._kept.append(callback)
                table.pointers[index] = ctypes.cast(callback, c_void_p).value
            self._tables[where] = table
        return self._tables[where]

    def _write(self, file: int, data: int, length: int, at: int) -> None:
        self.log.append(Written(self._names[file], at, ctypes.string_at(data, length)))

    def _truncate(self, file: int, length: int) -> None:
        self.log.append(Written(self._names[file], length=length))

    def _sync(self, file: int, _flags: int) -> None:
        self.log.append(Written(self._names[file], synced=True))


def _before(note: Any, own: Any) -> Any:
    def both(*args: int) -> int:
        note(*args)
        return int(own(*args))

    return both


# --- what may be there afterwards ------------------------------------------------------------------------


def split(log: Sequence[Written]) -> tuple[list[Written], list[Written]]:
    """What is certainly on the disk after all of this, in its order, and what may be. With the first sync
    of a new journal SQLite syncs its folder as well, so that removals are certain then."""
    certain: list[Written] = []
    loose: list[Written] = []
    known: set[str] = set()
    for one in log:
        if one.synced:
            new = one.file not in known
            known.add(one.file)
            settled = [each.file == one.file or (new and each.removed) for each in loose]
            certain += [*itertools.compress(loose, settled), one]
            loose = [each for each, there in zip(loose, settled, strict=True) if not there]
        else:
            loose.append(one)
    return certain, loose


def rebuild(folder: Path, writes: Sequence[Written], prefix: str) -> None:
    """Files as these writes leave them. `prefix` is the name of the database when it was written."""
    files: dict[str, bytearray] = {}
    for one in writes:
        name = "games.sqlite" + one.file.removeprefix(prefix)
        data = files.setdefault(name, bytearray())
        if one.removed:
            del files[name]
        elif one.length is not None:
            data[:] = data[: one.length].ljust(one.length, b"\0")
        elif not one.synced:
            data.extend(bytes(max(0, one.at - len(data))))
            data[one.at : one.at + len(one.data)] = one.data
    for name, data in files.items():
        (folder / name).write_bytes(data)
