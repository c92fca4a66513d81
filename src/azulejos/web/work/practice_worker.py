"""A process that makes cards of a reviewed game and compares a seat with bots, at the lowest priority.

It reads one task from its standard input and writes one document (`insight.progress`).
"""

from __future__ import annotations

import os
import signal
import sys

import msgspec

from azulejos.core.record import Record
from azulejos.insight.cards import practice_of
from azulejos.insight.progress import written
from azulejos.insight.stretches import Effort
from azulejos.web.work.one_question import question
from azulejos.web.work.review_worker import decoded


class Task(msgspec.Struct, kw_only=True):
    """A finished review, and whose turns of it are practised."""

    record: str
    review: str
    """As `review_worker.encoded` writes it."""
    seat: int
    table: str
    at: int
    """Milliseconds since 1970."""
    effort: Effort | None = None


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers
    if hasattr(os, "nice"):
        os.nice(15)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", 0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    task = msgspec.json.decode(question(), type=Task)
    review = decoded(task.review, Record.read(task.record))
    found = practice_of(review, task.seat, table=task.table, at=task.at, effort=task.effort)
    answers.write(written(found))


if __name__ == "__main__":
    main()
