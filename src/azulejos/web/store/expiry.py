"""Removes abandoned tables, by a policy that the operator sets."""

from __future__ import annotations

import asyncio
import functools
import logging
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Select, delete, exists, func, select

from azulejos.web.store import schema
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import FINISHED, HUMAN, PLAYED, PLAYING, WAITING, now
from azulejos.web.store.store import Store

STATES = {"waiting": WAITING, "begun": PLAYING, "playing": PLAYING, "finished": FINISHED}
"""The words of the policy, and the states of tables that they stand for."""
BEGUN = "begun"
FEWEST_MOVES = 2
"""Of people; at a table with fewer of them nobody plays, as far as the policy is concerned."""

NEVER = "never"
DAY = 24 * 3600.0
BATCH = 100
"""Tables removed in one transaction: moves at other tables wait for it."""

EVERY = 3600.0
"""Seconds between removals by a running server."""

log = logging.getLogger("azulejos.web")


@dataclass(frozen=True, slots=True)
class Policy:
    """After how many days without a change a table is removed, by state; a missing state: never."""

    days: Mapping[str, int]


KEEP_ALL = Policy({})
USUAL = Policy({"waiting": 30, BEGUN: 7})
"""Tables at which nothing was ever played, or a single move. Games are removed only if the operator says
so."""


def read_policy(words: Iterable[str]) -> Policy:
    """Read ``playing=180``, ``waiting=never``: changes of the usual policy."""
    days = dict(USUAL.days)
    for word in words:
        state, _, text = word.partition("=")
        if state not in STATES or not re.fullmatch(r"never|[1-9][0-9]{0,5}", text):
            raise ValueError(
                f"{word!r} is no policy: write {', '.join(STATES)}, then = and a number of days "
                f"or never; for example playing=180"
            )
        days.pop(state, None)
        if text != NEVER:
            days[state] = int(text)
    return Policy(days)


async def count_expired(store: Store, policy: Policy) -> dict[str, int]:
    """How many tables would be removed now, by state."""
    counts = {}
    for state, days in policy.days.items():
        query = _old(state, days).with_only_columns(func.count()).order_by(None)
        counts[state] = await store.database.read(functools.partial(_count, query=query))
    return counts


def _count(connection: Connection, query: Select[int]) -> int:
    return int(connection.execute(query).scalar_one())


async def expire(store: Store, policy: Policy) -> dict[str, int]:
    """Remove old tables; returns how many, by state."""
    removed = dict.fromkeys(policy.days, 0)
    for state, days in policy.days.items():
        query = _old(state, days)
        while count := await store.database.write(functools.partial(_remove, query=query)):
            removed[state] += count
            log.warning("removed %d %s tables without a change for %d days", count, state, days)
    return removed


def _old(state: str, days: int) -> Select[str]:
    columns = schema.tables.c
    old = (
        select(columns.id)
        .where(columns.state == STATES[state], columns.changed < now() / 1000 - days * DAY)
        .order_by(columns.changed)
    )
    return old.where(columns.contest == "", ~_is_played()) if state == BEGUN else old


def _is_played() -> ColumnElement[bool]:
    """Whether people have played at a table at all."""
    log, seats = schema.actions.c, schema.seats.c
    moves = (
        select(log.ply).where(
            log.table_id == schema.tables.c.id, log.event == PLAYED, log.seat == seats.seat,
            seats.table_id == log.table_id, seats.kind == HUMAN,
        ).offset(FEWEST_MOVES - 1).limit(1)
    )
    return exists(moves.correlate(schema.tables))


def _remove(connection: Connection, query: Select[str]) -> int:
    """One transaction. A table with a move in progress is skipped: its row is locked, or just changed."""
    names = [row.id for row in connection.execute(query.limit(BATCH).with_for_update(skip_locked=True))]
    for part in reversed(schema.metadata.sorted_tables):
        if "table_id" in part.columns:
            connection.execute(delete(part).where(part.c.table_id.in_(names)))
    connection.execute(delete(schema.tables).where(schema.tables.c.id.in_(names)))
    return len(names)


@asynccontextmanager
async def expiring(store: Store, policy: Policy) -> AsyncIterator[None]:
    """Remove old tables every hour while the context lasts."""
    task = asyncio.create_task(_expire_again_and_again(store, policy))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _expire_again_and_again(store: Store, policy: Policy) -> None:
    while True:
        try:
            await expire(store, policy)
        except DatabaseFault as error:
            log.warning("old tables could not be removed: %s", error)
        await asyncio.sleep(EVERY)
