"""What thinks in a worker of its own (`shell/python.js` calls it): jobs and answers are texts."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from azulejos.web.alone.threadless import settle

settle()

from azulejos.web.alone.fetched_files import (  # noqa: E402  # threads are asked for when modules are loaded
    fetch_from,
)
from azulejos.web.work.worker import Desk  # noqa: E402


class PageDesk:
    def __init__(self, root: str) -> None:
        fetch_from(root)
        self._desk = Desk()
        self._answers: Iterator[str] = iter(())

    def begin(self, task: str) -> None:
        self._desk.stop.clear()
        found = self._desk.answers(task.encode())
        self._answers = (msgspec.json.encode(answer).decode() for answer in found)

    def next(self) -> str:
        """The next answer; empty after the last."""
        return next(self._answers, "")

    def stop(self) -> None:
        self._desk.stop.set()
