"""A table as a record, and back: what the page saves and the store copies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from azulejos.core import record_tags as tags
from azulejos.core.record import Player, Record
from azulejos.core.writing import header
from azulejos.web.store.saved import (
    AT_ZERO,
    BOT,
    CHATS,
    FINISHED,
    HUMAN,
    OPEN,
    PHRASES,
    PLAYING,
    REMIND,
    REPLACE_AFTER,
    TABLE_ID,
    TIME_UP,
    WAITING,
    SavedAction,
    SavedSeat,
    SavedTable,
    new_id,
    now,
    replayed,
)
from azulejos.web.tables import fair_deal
from azulejos.web.tables.taken_back import lines_of, log_of


def record_of(table: SavedTable, *, with_secrets: bool = False) -> Record:
    """Everything about a table except its keys and its chat. The seed of a running game stays secret.

    Raises Unreplayable if the table does not replay.
    """
    whole = replayed(table)
    start = whole.position.at(0)
    players = tuple(Player(seat.name, seat.bot) for seat in table.seats)
    lines = lines_of(whole.entries)
    shown = with_secrets or table.shows_seed
    return Record(start, players, lines.steps, unplayed=lines.unplayed, tags=tags.table_tags(
        table=table.id, state=table.state, seat_kinds=(seat.kind for seat in table.seats),
        created=table.created, changed=table.changed, minutes=table.minutes, listed=table.listed,
        promise=table.promise, seed=table.seed if shown else "", dealt_from=table.dealt_from,
        branch_of=table.branch_of, rematch=table.rematch,
        at_zero="" if table.at_zero == REMIND else table.at_zero,
        replace_after=None if table.replace_after == REPLACE_AFTER else table.replace_after,
        chat="" if table.chat == PHRASES else table.chat, time_up=_time_up(table.actions),
        guests=(seat.guest for seat in table.seats), contest=table.contest, ranked=table.ranked,
        nodes=table.nodes,
    ))


def _time_up(log: Sequence[SavedAction]) -> str:
    """The seat whose time ran out, counted from 1, and when."""
    last = log[-1] if log else None
    if last is None or last.event != TIME_UP:
        return ""
    return f"{last.seat + 1} {tags.millisecond_text(last.at)}"


def table_of(record: Record) -> SavedTable:
    """The table that a record was saved from, or one for a finished game that was played elsewhere.

    Without the old seed its draws cannot be continued, so later draws follow from a new seed with a new
    hash. Raises ValueError if the record is inconsistent.
    """
    actions, over = _log(record), record.result() is not None
    given, moment = record.tags, tags.time_text(now() / 1000)
    seed = given.get(tags.SEED) or fair_deal.new_seed()
    promised = tags.SEED in given
    return SavedTable(
        id=_id(given.get(tags.TABLE) or new_id()), box=record.start.preset.name,
        players=record.start.players, options=header(record.start)["options"],
        rules_version=record.start.game.version, seed=seed,
        promise=given.get(tags.PROMISE, "") if promised else fair_deal.commitment(seed),
        dealt_from=_number(given, tags.DEALT_FROM) if promised else len(record.steps),
        state=FINISHED if over else _unfinished(given), listed=given.get(tags.LISTED) == tags.YES,
        minutes=_number(given, tags.MINUTES), created=tags.read_time(given.get(tags.CREATED, moment)),
        changed=tags.read_time(given.get(tags.CHANGED, moment)), branch_of=given.get(tags.BRANCH_OF),
        rematch=given.get(tags.REMATCH), at_zero=_word(given, tags.AT_ZERO, AT_ZERO, REMIND),
        replace_after=_number(given, tags.REPLACE_AFTER, REPLACE_AFTER),
        chat=_word(given, tags.CHAT, CHATS, PHRASES),
        start_position="" if record.from_beginning() else record.start.text(),
        contest=given.get(tags.CONTEST, ""), ranked=given.get(tags.RANKED) == tags.YES,
        nodes=_number(given, tags.NODES), seats=_seats(record), actions=actions,
    )


def _log(record: Record) -> tuple[SavedAction, ...]:
    """Everything that happened, with seats and times."""
    log = tuple(log_of(record))
    time_up = record.tags.get(tags.TIME_UP)
    return log if time_up is None else (*log, _read_time_up(time_up, len(record.seats)))


def _read_time_up(text: str, seats: int) -> SavedAction:
    match = re.fullmatch(r"([1-9]) (\S+)", text, re.ASCII)
    if match is None or int(match[1]) > seats:
        raise ValueError(f"{tags.TIME_UP} is a seat and a time, not {text!r}")
    at = tags.read_milliseconds(match[2])
    return SavedAction(action=0, seat=int(match[1]) - 1, at=at, event=TIME_UP)


def _seats(record: Record) -> tuple[SavedSeat, ...]:
    """Players from elsewhere become persons here: this program may not know their bots."""
    text = record.tags.get(tags.SEAT_KINDS)
    kinds = [HUMAN] * len(record.seats) if text is None else text.split()
    if len(kinds) != len(record.seats) or not {*kinds} <= {HUMAN, BOT, OPEN}:
        raise ValueError(f"{tags.SEAT_KINDS} is {HUMAN}, {BOT} or {OPEN} for each seat, not {text!r}")
    return tuple(
        SavedSeat(
            seat=seat, kind=kind, name=player.name, bot="" if text is None else player.bot,
            guest=record.tags.get(tags.guest(seat), ""),
        )
        for seat, (kind, player) in enumerate(zip(kinds, record.seats, strict=True))
    )


def _unfinished(given: Mapping[str, str]) -> str:
    state = given.get(tags.STATE)
    if state not in (WAITING, PLAYING, FINISHED):
        raise ValueError("this game was neither finished nor played at a table, so nobody could go on")
    return state


def _id(text: str) -> str:
    if not TABLE_ID.fullmatch(text):
        raise ValueError(f"{tags.TABLE} is a name of letters, digits, _ and -, not {text!r}")
    return text


def _word(given: Mapping[str, str], name: str, known: Sequence[str], usual: str) -> str:
    text = given.get(name, usual)
    if text not in known:
        raise ValueError(f"{name} is one of {', '.join(known)}, not {text!r}")
    return text


def _number(given: Mapping[str, str], name: str, usual: int = 0) -> int:
    text = given.get(name, str(usual))
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(f"{name} is a number, not {text!r}")
    return int(text)
