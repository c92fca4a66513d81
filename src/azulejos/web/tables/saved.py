"""The data that the store keeps of a table: only what cannot be recomputed; and how it is replayed."""

from __future__ import annotations

import itertools
import logging
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from azulejos.core import record_tags as tags
from azulejos.core import registry
from azulejos.core.message import Message, Problem, msg, raw
from azulejos.core.position import Position
from azulejos.core.record import Player, Record, Step
from azulejos.core.writing import header
from azulejos.web.tables import fair_deal

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "over"

HUMAN: Final = "human"
BOT: Final = "bot"
OPEN: Final = "open"

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")

log = logging.getLogger("azulejos.web")


@dataclass(frozen=True, kw_only=True)
class SavedSeat:
    """A seat: a person, a bot, or free for anybody with the link. A `bot` plays for an absent person."""

    seat: int
    kind: str
    name: str = ""
    bot: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SavedAction:
    """One entry of the log. `seat` is -1 for a draw; `at` is in milliseconds since 1970.

    `move` is the text of the action, which decides if a release numbers the actions differently. The first
    edition stored numbers only.
    """

    action: int
    seat: int
    at: int
    move: str = ""


@dataclass(frozen=True, kw_only=True)
class SavedTable:
    id: str
    box: str
    players: int
    options: Mapping[str, str]
    rules_version: int
    seed: str
    promise: str
    dealt_from: int = 0
    """Draws before this ply were copied from another table (`branch_of`) and follow from its seed."""
    state: str = WAITING
    listed: bool = False
    minutes: int = 0
    """Thinking time of each seat for the whole game; 0: no clocks."""
    created: float = 0.0
    changed: float = 0.0
    branch_of: str | None = None
    rematch: str | None = None
    seats: tuple[SavedSeat, ...] = ()
    actions: tuple[SavedAction, ...] = field(default=(), repr=False)
    damage: Message | None = None
    """What is wrong with the rows of this table in the database."""

    def start(self) -> Position:
        game, preset = registry.find(self.box)
        return Position(game, preset, self.players, self.options)

    def replay(self) -> Position:
        """The position after all actions of the log; Unreplayable if there is none."""
        return replayed(self).position


# --- replaying -----------------------------------------------------------------------------------------


class Unreplayable(Exception):
    """A table that these rules cannot replay. It is set aside as it is; other tables are not affected."""

    def __init__(self, table: SavedTable, reason: Message) -> None:
        super().__init__(f"table {table.id} does not replay: {reason}")
        self.table = table
        self.reason = reason


@dataclass(frozen=True, kw_only=True)
class Replayed:
    position: Position
    entries: tuple[SavedAction, ...]
    """The log with the numbers and texts of the installed rules."""
    renumbered: int
    """How many actions had another number when they were written."""


def replayed(table: SavedTable) -> Replayed:
    """Replay the log of a table, and compare it with what was noted beside each action."""
    position = _start(table)
    entries = []
    for ply, entry in enumerate(table.actions):
        action = _play(table, ply, entry, position)
        entries.append(replace(entry, action=action, move=position.game.moves.text(action)))
    renumbered = sum(new.action != old.action for new, old in zip(entries, table.actions, strict=True))
    if renumbered:
        log.warning("table %s: %d actions have other numbers now; their texts decide", table.id, renumbered)
    return Replayed(position=position, entries=tuple(entries), renumbered=renumbered)


def _start(table: SavedTable) -> Position:
    if table.damage is not None:
        raise Unreplayable(table, table.damage)
    if table.box not in registry.presets():
        raise Unreplayable(table, msg("The game {box} is not installed on this server.", box=table.box))
    try:
        start = table.start()
    except Exception as error:  # a game may refuse old options in any way; other tables go on
        raise Unreplayable(table, _reason(error)) from error
    if table.rules_version != start.game.version:
        raise Unreplayable(table, msg(
            "It was played with version {old} of the rules of {box}; this server has version {new}.",
            old=table.rules_version, box=table.box, new=start.game.version,
        ))
    return start


def _play(table: SavedTable, ply: int, entry: SavedAction, position: Position) -> int:
    """Play one entry of the log; its text decides which action it is."""
    try:
        seat, moves = position.to_move, position.game.moves
        action = moves.number(entry.move or entry.action)
        position.play(action)
    except Exception as error:  # rules may fail in any way on a damaged log; other tables go on
        raise Unreplayable(table, msg(
            "Action {ply} ({move}) cannot be played: {reason}", ply=ply + 1,
            move=entry.move or str(entry.action), reason=_reason(error),
        )) from error
    if entry.seat != seat:
        raise Unreplayable(table, msg(
            "Action {ply} ({move}) was noted for seat {noted}, but seat {found} was to move.", ply=ply + 1,
            move=moves.text(action), noted=entry.seat + 1, found=seat + 1,
        ))
    return action


def _reason(error: Exception) -> Message:
    return error.reason if isinstance(error, Problem) else raw(f"{type(error).__name__}: {error}")


def raw_record(table: SavedTable) -> dict[str, object]:
    """The stored data of a table as plain data, without keys; the seed of a running game stays secret."""
    return {
        "table": table.id, "box": table.box, "players": table.players, "options": dict(table.options),
        "rules": table.rules_version, "promise": table.promise,
        "seed": table.seed if table.state == FINISHED else None, "dealt_from": table.dealt_from,
        "state": table.state, "minutes": table.minutes, "created": table.created,
        "changed": table.changed, "branch_of": table.branch_of, "rematch": table.rematch,
        "damage": None if table.damage is None else str(table.damage),
        "seats": [{"kind": seat.kind, "name": seat.name, "bot": seat.bot} for seat in table.seats],
        "actions": [
            {"action": entry.action, "move": entry.move, "seat": entry.seat, "at": entry.at}
            for entry in table.actions
        ],
    }


def now() -> int:
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """72 random bits: a table is found by its link, not by guessing."""
    return secrets.token_urlsafe(9)


def new_table(
    box: str, seats: tuple[SavedSeat, ...], options: Mapping[str, str], *,
    listed: bool = False, minutes: int = 0,
) -> SavedTable:
    """A table without moves. Raises ValueError if the arguments do not fit together."""
    game, preset = registry.find(box)
    start = Position(game, preset, len(seats), options)
    seed, moment = fair_deal.new_seed(), now() / 1000
    return SavedTable(
        id=new_id(), box=box, players=len(seats), options=header(start)["options"],
        rules_version=game.version, seed=seed, promise=fair_deal.commitment(seed), listed=listed,
        minutes=minutes, created=moment, changed=moment, seats=seats,
    )


# --- a table as a record, and back: what the page saves and the store copies --------------------------


def record_of(table: SavedTable, *, with_secrets: bool = False) -> Record:
    """Everything about a table except its keys. The seed of a running game stays secret.

    Raises Unreplayable if the table does not replay.
    """
    whole = replayed(table)
    start = whole.position.at(0)
    players = tuple(Player(seat.name, seat.bot) for seat in table.seats)
    times = [None, *(entry.at for entry in whole.entries)]
    steps = [
        Step(entry.action, at=None if at == earlier else at)
        for entry, (earlier, at) in zip(whole.entries, itertools.pairwise(times), strict=True)
    ]
    shown = with_secrets or table.state == FINISHED
    return Record(start, players, steps, tags=tags.table_tags(
        table=table.id, state=table.state, seat_kinds=(seat.kind for seat in table.seats),
        created=table.created, changed=table.changed, minutes=table.minutes, listed=table.listed,
        promise=table.promise, seed=table.seed if shown else "", dealt_from=table.dealt_from,
        branch_of=table.branch_of, rematch=table.rematch,
    ))


def table_of(record: Record) -> SavedTable:
    """The table that a record was saved from, or one for a finished game that was played elsewhere.

    Without the old seed its draws cannot be continued, so later draws follow from a new seed with a new
    hash. Raises ValueError if the record is inconsistent.
    """
    actions, over = _log(record)
    given, moment = record.tags, tags.time_text(now() / 1000)
    seed = given.get(tags.SEED) or fair_deal.new_seed()
    promised = tags.SEED in given
    return SavedTable(
        id=_id(given.get(tags.TABLE) or new_id()), box=record.start.preset.name,
        players=record.start.players, options=header(record.start)["options"],
        rules_version=record.start.game.version, seed=seed,
        promise=given.get(tags.PROMISE, "") if promised else fair_deal.commitment(seed),
        dealt_from=_number(given, tags.DEALT_FROM) if promised else len(actions),
        state=FINISHED if over else _unfinished(given), listed=given.get(tags.LISTED) == tags.YES,
        minutes=_number(given, tags.MINUTES), created=tags.read_time(given.get(tags.CREATED, moment)),
        changed=tags.read_time(given.get(tags.CHANGED, moment)), branch_of=given.get(tags.BRANCH_OF),
        rematch=given.get(tags.REMATCH), seats=_seats(record), actions=actions,
    )


def _log(record: Record) -> tuple[tuple[SavedAction, ...], bool]:
    """The actions with their seats and times, and whether the game is over after them."""
    if not record.from_beginning():
        raise ValueError("a table begins at the beginning of a game; this record begins later")
    position, at = record.start.copy(), 0
    entries = []
    for step in record.steps:
        at = at if step.at is None else step.at
        move = position.game.moves.text(step.action)
        entries.append(SavedAction(action=step.action, seat=position.to_move, at=at, move=move))
        position.play(step.action)
    return tuple(entries), position.is_over


def _seats(record: Record) -> tuple[SavedSeat, ...]:
    """Players from elsewhere become persons here: this program may not know their bots."""
    text = record.tags.get(tags.SEAT_KINDS)
    kinds = [HUMAN] * len(record.seats) if text is None else text.split()
    if len(kinds) != len(record.seats) or not {*kinds} <= {HUMAN, BOT, OPEN}:
        raise ValueError(f"{tags.SEAT_KINDS} is {HUMAN}, {BOT} or {OPEN} for each seat, not {text!r}")
    return tuple(
        SavedSeat(seat=seat, kind=kind, name=player.name, bot="" if text is None else player.bot)
        for seat, (kind, player) in enumerate(zip(kinds, record.seats, strict=True))
    )


def _unfinished(given: Mapping[str, str]) -> str:
    state = given.get(tags.STATE)
    if state not in (WAITING, PLAYING):
        raise ValueError("this game was neither finished nor played at a table, so nobody could go on")
    return state


def _id(text: str) -> str:
    if not TABLE_ID.fullmatch(text):
        raise ValueError(f"{tags.TABLE} is a name of letters, digits, _ and -, not {text!r}")
    return text


def _number(given: Mapping[str, str], name: str) -> int:
    text = given.get(name, "0")
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(f"{name} is a number, not {text!r}")
    return int(text)
