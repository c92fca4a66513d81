"""What can still be read of a damaged file of SQLite, in a new file.

Rows are read by their number in the file. Where a page cannot be read, only the rows of that page are left
out. A row that belongs to a row that was lost is left out as well.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from azulejos.web.store import schema

FIRST_ROW, LAST_ROW = 0, 2**40
"""Row numbers that are tried; SQLite counts from 1."""
AT_ONCE = 1000

Row = tuple[Any, ...]


@dataclass
class Salvaged:
    """By table of the database."""

    saved: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    """Rows that were read, but not accepted or without the row that they belong to."""
    unreadable: set[str] = field(default_factory=set)
    """Tables with places that cannot be read: nobody knows how many rows were there."""


def salvage(damaged: Path, into: Path) -> Salvaged:
    """Copy what can be read into an empty store. Raises ValueError if the damaged file names no tables."""
    found = Salvaged()
    with closing(_opened(damaged)) as source, closing(sqlite3.connect(into)) as target:
        try:
            tables = source.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            known = {name for (name,) in tables}
        except sqlite3.DatabaseError as error:
            raise ValueError(
                f"not even the list of its tables can be read ({error}); restore a backup"
            ) from None
        for table in schema.metadata.sorted_tables:
            if table is not schema.schema:
                _copy(source, target, table, found, missing=table.name not in known)
        _drop_orphans(target, found)
        target.commit()
    return found


def _opened(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _copy(
    source: sqlite3.Connection, target: sqlite3.Connection, table: Table, found: Salvaged, *, missing: bool
) -> None:
    found.saved[table.name] = found.left_out[table.name] = 0
    if missing:
        found.unreadable.add(table.name)
        return
    names = list(table.columns.keys())
    statement = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    for row in _rows(source, table, found):
        try:
            if not _fits(row, table):
                raise sqlite3.IntegrityError
            target.execute(statement, row)
            found.saved[table.name] += 1
        except (sqlite3.Error, OverflowError):
            found.left_out[table.name] += 1


def _fits(row: Row, table: Table) -> bool:
    """Whether a row has the types of its columns: SQLite itself accepts anything."""
    return all(
        (value is None and column.nullable) or isinstance(value, (int, float) if kind is float else kind)
        for value, column in zip(row, table.columns, strict=True)
        for kind in (column.type.python_type,)
    )


def _rows(source: sqlite3.Connection, table: Table, found: Salvaged) -> Iterator[Row]:
    """In the order of their numbers. After a place that cannot be read, the next one is searched in steps
    that double, and then halve."""
    columns = ", ".join(table.columns.keys())
    query = f"SELECT rowid, {columns} FROM {table.name} WHERE rowid >= ? ORDER BY rowid LIMIT ?"

    def readable(number: int) -> bool:
        try:
            source.execute(query, (number, 1)).fetchall()
        except sqlite3.DatabaseError:
            return False
        return True

    next_one = FIRST_ROW
    while next_one <= LAST_ROW:
        count = 0
        try:
            for row in source.execute(query, (next_one, AT_ONCE)):
                next_one, count = row[0] + 1, count + 1
                yield row[1:]
        except sqlite3.DatabaseError:
            found.unreadable.add(table.name)
            next_one = _after_gap(next_one, readable)
        else:
            if count < AT_ONCE:
                return


def _after_gap(number: int, readable: Callable[[int], bool]) -> int:
    """The next row number from which rows can be read; more than LAST_ROW if there is none."""
    step = 1
    while not readable(number + step):
        step *= 2
        if number + step > LAST_ROW:
            return LAST_ROW + 1
    low, high = number + step // 2, number + step
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if readable(middle) else (middle, high)
    return high


def _drop_orphans(target: sqlite3.Connection, found: Salvaged) -> None:
    """Leave out rows that belong to rows that were lost, and so on."""
    while orphans := target.execute("PRAGMA foreign_key_check").fetchall():
        for name, row, *_ in orphans:
            with contextlib.suppress(sqlite3.Error):
                gone = target.execute(f"DELETE FROM {name} WHERE rowid = ?", (row,)).rowcount
                found.saved[name] -= gone
                found.left_out[name] += gone
