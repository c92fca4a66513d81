"""What clients at two servers are told agrees with the log, whatever goes wrong meanwhile."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from azulejos.web.store.saved import SavedAction
from web.played import played_out
from web.store.histories import OK, REFUSED, UNKNOWN, Operation, check_log, check_seat, history

FAILED_ONCE: tuple[int, ...] = ()
"""Seeds that once found something."""


@pytest.mark.parametrize("seed", [1, *FAILED_ONCE])
def test_a_history_of_two_servers_is_linearizable(database: str, seed: int) -> None:
    counts, found = asyncio.run(history(database, seed, 150))
    assert found == []
    assert counts["play: ok"] > 20
    assert counts["sit: ok"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_longer_histories_are_linearizable(database: str, seed: int) -> None:
    counts, found = asyncio.run(history(database, seed, 2000))
    assert found == []
    assert counts["play: ok"] > 300


def wrote(first: int, *entries: SavedAction, began: float, ended: float, result: str = OK) -> Operation:
    return Operation("play", "t", began, ended, result, written=[(first, entries)])


def test_the_check_finds_what_is_not_linearizable() -> None:
    table = played_out()
    one, two, *_ = table.actions
    table = replace(table, actions=(one, two))
    first = wrote(0, one, began=1, ended=2)
    assert check_log(table, [first, wrote(1, two, began=3, ended=4)]) == []
    assert check_log(table, [first, wrote(1, two, began=3, ended=4, result=UNKNOWN)]) == []
    assert "is not in the log" in str(check_log(table, [first, wrote(1, one, began=3, ended=4)]))
    assert "nobody has written entry 1" in str(check_log(table, [first]))
    assert "earlier entry was begun" in str(
        check_log(table, [wrote(0, one, began=3, ended=4), wrote(1, two, began=1, ended=2)])
    )
    earlier = replace(table, actions=(one, replace(two, at=one.at - 1)))
    assert "backwards" in str(check_log(earlier, [first]))


def test_the_check_finds_two_people_on_one_seat() -> None:
    seats = played_out().seats
    table = replace(played_out(), seats=(seats[0], replace(seats[1], name="bo")))

    def sat(name: str, result: str) -> Operation:
        return Operation("sit", table.id, 0, 1, result, name)

    assert check_seat(table, [sat("bo", OK), sat("cai", REFUSED)]) == []
    assert check_seat(table, [sat("bo", UNKNOWN)]) == []
    assert check_seat(table, [sat("bo", OK), sat("cai", OK)])
    assert check_seat(table, [sat("cai", OK)])
    assert check_seat(table, [sat("bo", REFUSED)])
