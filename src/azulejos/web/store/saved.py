"""The data that the store keeps of a table: only what cannot be recomputed; and how it is replayed."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from azulejos.core import registry, time_limit
from azulejos.core.message import Message, Problem, msg, raw
from azulejos.core.position import Position

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "over"

HUMAN: Final = "human"
BOT: Final = "bot"
OPEN: Final = "open"

PLAYED: Final = ""
PAGE: Final = "page"
PLAYS: Final = (PLAYED, PAGE)
"""Events that are actions of the game."""
BACK: Final = "back"
TIME_UP: Final = "time"
HINT: Final = "hint"
COACH: Final = "coach"
NUMBERS: Final = "numbers"
NOTES: Final = (HINT, COACH, NUMBERS)
"""Events that change nothing about the game itself."""

REMIND: Final = "remind"
BOT_PLAYS: Final = "bot"
LOSE: Final = "lose"
AT_ZERO: Final = (REMIND, BOT_PLAYS, LOSE)
"""What happens when a clock reaches 0:00: everybody is told, a bot plays on for the seat, or the game ends
and the seat has lost it."""

NO_CHAT: Final = "off"
PHRASES: Final = "phrases"
FREE_CHAT: Final = "free"
CHATS: Final = (NO_CHAT, PHRASES, FREE_CHAT)
"""What players may say: nothing, ready-made phrases, or phrases and any text."""

REPLACE_AFTER: Final = 180
"""Seconds after which a player who has left may be replaced, unless the table chose another time."""

NUMBER = re.compile("[0-9a-f]{32}")
"""What a player adds to the draws: 128 random bits."""

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")

log = logging.getLogger("azulejos.web")


@dataclass(frozen=True, kw_only=True)
class SavedSeat:
    """A seat: a person, a bot, or free for anybody with the link. For an absent person a `bot` may play, or
    a `guest`, who has this name."""

    seat: int
    kind: str
    name: str = ""
    bot: str = ""
    guest: str = ""
    seen: int = field(default=0, compare=False)
    """When its player was last connected, in milliseconds since 1970, as far as it is saved."""
    revocations: int = 0
    """How often its owner has made the server forget their other devices."""
    program: bool = False
    """Whether a program plays it, with a token of its own (docs/machines.md)."""
    face: str = ""
    """The face that its player has chosen; empty: none."""
    number: str = ""
    """What its player adds to the draws of a game that has not begun."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CarryLink:
    """A link by which the owner of a seat lets another device play it."""

    table: str
    seat: int
    maker: str
    """The beginning of the owner's key."""
    revocations: int
    """Those of the seat when the link was made: it is void once there are more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SavedAction:
    """One entry of the log. `seat` is the one to move, -1 for a draw; `at` is in milliseconds since 1970.

    `event` is PLAYED; PAGE if a player's own page found the action for a bot; BACK if everything after the
    first `action` actions was taken back; TIME_UP if the time of the seat ran out, which ended the game;
    HINT if step `action` of a hint was taken for the next turn; COACH if the coach called the turn that
    began after `action` actions a mistake; NUMBERS, before the first draw, if players have added numbers to
    the seed: `move` holds one for each seat, or "-".

    `move` is the text of the action, which decides if a release numbers the actions differently. The first
    edition stored numbers only.
    """

    action: int
    seat: int
    at: int
    move: str = ""
    event: str = PLAYED


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
    at_zero: str = REMIND
    """One of AT_ZERO."""
    replace_after: int = REPLACE_AFTER
    """Seconds after which a player who has left may be replaced."""
    chat: str = PHRASES
    """One of CHATS."""
    start_position: str = ""
    """The text of the first position, if it is not the beginning of a game."""
    contest: str = ""
    """The page of the daily deal or duplicate that this game belongs to, such as "daily/2026-11-17"; empty:
    none. Others may still play the same deal, so the seed stays secret."""
    ranked: bool = False
    """Whether the result is compared with others: nothing is taken back, nobody helps or plays for
    somebody else."""
    mixed: bool = False
    """Whether the players' numbers join the seed before the first draw."""
    nodes: int = 0
    """Positions that bots search for an action, so that they answer alike on every machine; 0: as many as
    their time allows."""
    days: int = 0
    """Days for each turn; 0: everybody plays at once."""
    takes_back: bool = True
    """Whether turns may be taken back."""
    helps: bool = True
    """Whether somebody who plays alone may get hints."""
    rated: bool = False
    """Whether the result changes the ratings of its people: everybody who sits down agrees to that."""
    programs: bool = False
    """Whether programs may sit down."""
    circle: str = ""
    """The circle whose table it is; empty: nobody's."""
    seats: tuple[SavedSeat, ...] = ()
    actions: tuple[SavedAction, ...] = field(default=(), repr=False)
    damage: Message | None = None
    """What is wrong with the rows of this table in the database."""

    @property
    def size(self) -> int:
        """About how many bytes of the database it takes (measured after a checkpoint: 4.8 kB without any
        move, with its seats, keys and indexes)."""
        return 5000 + 100 * len(self.actions) + 2 * len(self.start_position)

    @property
    def numbers(self) -> tuple[str, ...]:
        """What the players have added to the seed, by seat."""
        first = self.actions[0] if self.actions else None
        return tuple(first.move.split()) if first is not None and first.event == NUMBERS else ()

    @property
    def shows_seed(self) -> bool:
        return self.state == FINISHED and not self.contest

    def start(self) -> Position:
        if self.start_position:
            return Position.from_text(self.start_position)
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
    for number, entry in enumerate(table.actions):
        time_limit.check()
        if entry.event in PLAYS:
            action = _play(table, number, entry, position)
            entry = replace(entry, action=action, move=position.game.moves.text(action))
        elif entry.event == BACK:
            take_back(position, entry.action)
        entries.append(entry)
    renumbered = sum(new.action != old.action for new, old in zip(entries, table.actions, strict=True))
    if renumbered:
        log.warning("table %s: %d actions have other numbers now; their texts decide", table.id, renumbered)
    return Replayed(position=position, entries=tuple(entries), renumbered=renumbered)


def take_back(position: Position, ply: int) -> None:
    """Undo everything after the first `ply` actions."""
    while position.ply > ply:
        position.undo()


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
        "seed": table.seed if table.shows_seed else None, "numbers": table.numbers,
        "dealt_from": table.dealt_from,
        "state": table.state, "minutes": table.minutes, "created": table.created,
        "changed": table.changed, "branch_of": table.branch_of, "rematch": table.rematch,
        "damage": None if table.damage is None else str(table.damage),
        "seats": [{"kind": seat.kind, "name": seat.name, "bot": seat.bot} for seat in table.seats],
        "actions": [asdict(entry) for entry in table.actions],
    }


_STARTED: Final = time.time_ns() - time.monotonic_ns()


_ahead = 0


def now() -> int:
    """Milliseconds since 1970. While the program runs it never goes back, whatever the system's clock does:
    a clock set back must not give anybody time."""
    return (_STARTED + time.monotonic_ns()) // 1_000_000 + _ahead


def pass_time(*, seconds: float) -> None:
    """Let time pass at once, for everything that reads `now`: tests live through a week."""
    global _ahead
    _ahead += round(1000 * seconds)


def new_id() -> str:
    """72 random bits: a table is found by its link, not by guessing."""
    return secrets.token_urlsafe(9)
