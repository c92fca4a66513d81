"""The incrementally updated timeline agrees with the whole log."""

from __future__ import annotations

from dataclasses import replace

from azulejos.web.store.saved import SavedTable
from azulejos.web.tables.table_log import TableLog
from web.played import played_out, turns


def timed() -> SavedTable:
    """A whole game in which every action takes three milliseconds."""
    table = played_out()
    entries = tuple(replace(entry, at=3 * ply) for ply, entry in enumerate(table.actions))
    return replace(table, actions=entries)


def test_a_course_that_grew_is_the_course_of_the_log() -> None:
    table = timed()
    whole, grown = TableLog(table), TableLog(replace(table, actions=()))
    for turn in turns(table.actions):
        grown.extend(turn)
    assert (grown.stops, grown.decisions, grown.used) == (whole.stops, whole.decisions, whole.used)


def test_a_course_tells_where_the_table_rested_and_who_thought() -> None:
    table = timed()
    course, entries = TableLog(table), table.actions
    assert course.decisions == [ply for ply, entry in enumerate(entries) if entry.seat >= 0]
    assert course.stops == [0] + [
        ply for ply in range(1, len(entries) + 1)
        if entries[ply - 1].seat >= 0 or ply == len(entries) or entries[ply].seat >= 0
    ]
    assert course.used == [3 * sum(entry.seat == seat for entry in entries) for seat in range(2)]
    middle = course.stops[5]
    assert course.stops_after(middle) == course.stops[6:]
    assert course.decisions_before(middle) == sum(ply < middle for ply in course.decisions)
