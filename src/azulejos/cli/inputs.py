"""The arguments POSITION and RECORD: the same for every verb."""

from __future__ import annotations

import functools
import random
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from azulejos.cli.common import complaints, seed_option, start_position
from azulejos.core.game import MAX_SEATS, MIN_SEATS
from azulejos.core.position import Position

if TYPE_CHECKING:
    from azulejos.core.record import Record

F = TypeVar("F", bound=Callable[..., Any])

POSITION = """

    POSITION is the text of a position, "-" to read it from standard input, or the name of a box: a new
    game with --players seats, dealt with --seed.
    """

record_argument = click.argument("record", type=click.File("r", encoding="utf-8"))
"""RECORD: a file with one or more records, or "-" for standard input; `records_of` reads it."""


def takes_position(function: F) -> F:
    """Add ``POSITION`` with ``--players`` and ``--seed``; pass the `position`. Needs a GameCommand."""

    @functools.wraps(function)
    def with_position(position: str, players: int, seed: int, **rest: Any) -> Any:
        return function(position=_read(position, players, seed), **rest)

    with_position.__doc__ = (function.__doc__ or "").rstrip() + POSITION
    decorated = click.option("--players", "-n", default=MIN_SEATS, show_default=True,
                             type=click.IntRange(MIN_SEATS, MAX_SEATS),
                             help="Number of seats in a new game.")(seed_option(with_position))
    return click.argument("position")(decorated)  # type: ignore[return-value]  # click keeps the function


def _read(text: str, players: int, seed: int) -> Position:
    text = sys.stdin.read().strip() if text == "-" else text
    if "/" in text:
        with complaints():
            return Position.from_text(text)
    position = start_position(text, players)
    position.deal(random.Random(seed))
    return position


def takes_record(function: F) -> F:
    """Add ``RECORD`` with ``--number``; pass the `record`."""

    @functools.wraps(function)
    def with_record(record: TextIO, number: int, **rest: Any) -> Any:
        records = list(records_of(record))
        with complaints():
            if number > len(records):
                raise ValueError(f"{record.name} holds {len(records)} records")
        return function(record=records[number - 1], **rest)

    numbered = click.option("--number", "-k", default=1, show_default=True, type=click.IntRange(min=1),
                            help="Which record, in a file with several.")(with_record)
    return record_argument(numbered)  # type: ignore[return-value]  # click keeps the function


def records_of(file: TextIO) -> Iterator[Record]:
    """The records of a file; an error names the line of the mistake."""
    from azulejos.core.record import Record, RecordError

    with complaints():
        try:
            yield from Record.read_each(file)
        except UnicodeDecodeError as error:
            raise ValueError(f"{file.name} is no text: {error}") from error
        except RecordError as error:
            raise ValueError(f"{file.name}, {error}") from error
