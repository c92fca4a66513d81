"""Reads tables that were saved before records held everything about a table (until November 2026).

A table was one JSON object in one line: ``{"azulejos": 1, "id": …, "moves": ["@2", "+k", …], "at": […]}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from azulejos.core.record import Player, Record, Step, begin
from azulejos.core.record_tags import table_tags


class _Seat(msgspec.Struct):
    kind: str
    name: str
    bot: str


class _Table(msgspec.Struct):
    azulejos: int
    id: str
    game: str
    players: int
    options: dict[str, str]
    rules: int
    promise: str
    seed: str | None
    dealt_from: int
    state: str
    created: float
    changed: float
    minutes: int
    branch_of: str | None
    rematch: str | None
    seats: list[_Seat]
    moves: list[str]
    at: list[int]


def read_table(data: Mapping[str, Any]) -> Record:
    """The record of such an object; a ValueError says what is wrong with it or cannot be replayed."""
    table = msgspec.convert(data, _Table)
    if table.azulejos != 1:
        raise ValueError(f"a saved table has the format 1, not {table.azulejos}")
    if len(table.moves) != len(table.at):
        raise ValueError(f"{len(table.moves)} moves need as many times, not {len(table.at)}")
    start = begin(table.game, table.players, table.options, table.rules, None)
    seats = tuple(Player(seat.name, seat.bot) for seat in table.seats)
    record = Record(start, seats, tags=table_tags(
        table=table.id, state=table.state, seat_kinds=(seat.kind for seat in table.seats),
        created=table.created, changed=table.changed, minutes=table.minutes, listed=False,
        promise=table.promise, seed=table.seed or "", dealt_from=table.dealt_from,
        branch_of=table.branch_of, rematch=table.rematch,
    ))
    position, last = start.copy(), None
    for move, at in zip(table.moves, table.at, strict=True):
        action = start.game.moves.number(move)
        position.play(action)
        record.steps.append(Step(int(action), at=None if at == last else at))
        last = at
    return record
