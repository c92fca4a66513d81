"""A process that reviews one finished game, at the lowest priority: tables in play come first.

It reads one question from its standard input and writes ever better reviews, one line of JSON each.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import fields
from typing import Any, get_type_hints

import msgspec

from azulejos.core.record import Record
from azulejos.insight.results import Review
from azulejos.insight.review import reviews
from azulejos.insight.stretches import Effort
from azulejos.web.work.one_question import question

RECORD = "record"
CORES = 2
"""Rounds that are judged at the same time."""


class Asked(msgspec.Struct):
    """A finished game, and how much the judge searches; empty: as much as it thinks right."""

    record: str
    efforts: tuple[Effort, ...] = ()


def encoded(review: Review) -> bytes:
    """A review without its record, in one line."""
    return msgspec.json.encode({
        field.name: getattr(review, field.name) for field in fields(review) if field.name != RECORD
    })


def decoded(found: bytes | str, record: Record) -> Review:
    """Read the output of `encoded`. A ValueError says that it is something else."""
    given: dict[str, Any] = msgspec.json.decode(found)
    hints = get_type_hints(Review)
    return Review(record=record, **{
        name: msgspec.convert(value, hints[name]) for name, value in given.items()
    })


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers
    if hasattr(os, "nice"):
        os.nice(15)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", 0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asked = msgspec.json.decode(question(), type=Asked)
    for review in reviews(Record.read(asked.record), efforts=asked.efforts, cores=CORES):
        answers.write(encoded(review) + b"\n")


if __name__ == "__main__":
    main()
