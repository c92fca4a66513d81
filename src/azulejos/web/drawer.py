"""A process that draws: ``python -m azulejos.web.drawer``, started by `web/studio.py`.

It reads messages from its input and writes answers, each behind its length in four bytes. It knows no rule
and no store: it is told how tables stand, and remembers what each page shows already.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import BinaryIO

import msgspec

from azulejos.core import warmth
from azulejos.web.garbage import spare_the_old
from azulejos.web.picture import Viewer
from azulejos.web.sheet import Sheet
from azulejos.web.tables.table_state import News, TableState

log = logging.getLogger("azulejos.web")


class Show(msgspec.Struct, frozen=True, kw_only=True, tag="show", array_like=True):
    """Draw what a page has not shown yet. `ply` and `logged` are what it shows, if the page is new here."""

    page: int
    viewer: Viewer
    looking: int | None
    ply: int | None
    logged: int | None
    news: News


class Leave(msgspec.Struct, frozen=True, kw_only=True, tag="leave", array_like=True):
    page: int
    table: str


class Forget(msgspec.Struct, frozen=True, kw_only=True, tag="forget", array_like=True):
    """The table, and what its pages show."""

    table: str


class Tidy(msgspec.Struct, frozen=True, kw_only=True, tag="tidy", array_like=True):
    """Nobody waits: a good moment to collect rubbish."""


Task = Show | Leave | Forget | Tidy


class Shown(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The moments to send to a page, one after the other, and what it shows then. No moments: it failed."""

    page: int
    ply: int | None = None
    logged: int | None = None
    frames: list[bytes] = []


READY = Shown(page=0)

LATER = 10
"""How much nicer than the server: a picture may wait for a move, not the other way round."""

HEAD = 4
encode = msgspec.msgpack.Encoder().encode


def packed(message: Task | Shown) -> bytes:
    data = encode(message)
    return len(data).to_bytes(HEAD, "big") + data


class Drawer:
    def __init__(self) -> None:
        self._tables: dict[str, tuple[TableState, dict[int, Sheet]]] = {}

    def do(self, task: Task) -> Shown | None:
        match task:
            case Show():
                return self._show(task)
            case Leave(page=page, table=table):
                if table in self._tables:
                    self._tables[table][1].pop(page, None)
            case Forget(table=table):
                self._tables.pop(table, None)
            case Tidy():
                gc.collect()
        return None

    def _show(self, task: Show) -> Shown:
        table, sheets = self._told(task.news)
        sheet = sheets.pop(task.page, None)
        try:
            if sheet is None:
                sheet = Sheet(table, task.viewer, ply=task.ply, logged=task.logged)
            frames = list(_moments(sheet, table, task.looking))
        except Exception:
            log.exception("table %s could not be drawn", table.id)
            return Shown(page=task.page)
        sheets[task.page] = sheet
        return Shown(page=task.page, ply=sheet.ply, logged=sheet.logged, frames=frames)

    def _told(self, news: News) -> tuple[TableState, dict[int, Sheet]]:
        name = news.table.id
        if name not in self._tables:
            self._tables[name] = (TableState(replace(news.table, actions=())), {})
        self._tables[name][0].follow(news)
        return self._tables[name]


def _moments(sheet: Sheet, table: TableState, looking: int | None) -> Iterator[bytes]:
    last = False
    while not last:
        made, last = sheet.next(table, looking)
        yield made


def serve(tasks: BinaryIO, write: Callable[[bytes], object]) -> None:
    """Until the tasks end, which they do when the server ends, however it does."""
    drawer, decode = Drawer(), msgspec.msgpack.Decoder(Task).decode
    write(packed(READY))
    while (data := _read(tasks)) is not None:
        answer = drawer.do(decode(data))
        if answer is not None:
            write(packed(answer))


def _read(tasks: BinaryIO) -> bytes | None:
    size = int.from_bytes(tasks.read(HEAD), "big")
    data = tasks.read(size)
    return data if size and len(data) == size else None


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(LATER)
    for told_to_all in (signal.SIGINT, signal.SIGTERM):  # the server says when it is over
        signal.signal(told_to_all, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what is printed goes where errors go
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    warmth.hold()
    spare_the_old()
    with contextlib.suppress(BrokenPipeError):  # the server was killed
        serve(sys.stdin.buffer, answers.write)


if __name__ == "__main__":
    main()
