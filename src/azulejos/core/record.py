"""A played or studied game as a tree of actions: only what cannot be recomputed (docs/records.md).

A `Record` holds the box, its options, the seats and the actions, chance included; every position of the
game follows from them. It is written as text similar to PGN (`record_text`) or as JSON Lines
(`record_json`), with the same content.
"""

from __future__ import annotations

import importlib
import itertools
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from azulejos.core import time_limit
from azulejos.core.message import Message, Problem, msg
from azulejos.core.position import Position, new
from azulejos.core.writing import header

MOST_ACTIONS: Final = 30_000
"""Of a record that is read, variations and all: forty times the longest game."""
DEEPEST: Final = 50
"""Most levels of nested variations of a record that is read."""


class RecordError(ValueError):
    """A record that cannot be read or does not replay. Lines and columns count from 1."""

    def __init__(self, reason: Message, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.reason = reason
        self.line = line
        self.column = column


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat at a seat; for a bot also its build, so that the game can be understood later."""

    name: str
    bot: str = ""


# --- the tree ------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class GameNode:
    """One action (chance included) with the notes of people and programs, and what followed it.

    The root of a tree has no action: its children are the first ones, its comment comes before them. The
    first child continues the line, unless it was taken back; all others are variations of it.
    """

    action: int = -1
    parent: GameNode | None = field(default=None, repr=False)
    children: list[GameNode] = field(default_factory=list, repr=False)
    comment: str = ""
    introduction: str = ""
    """Of a variation, on its first action: a comment before it."""
    clock: int | None = None
    """Milliseconds that the seat had left."""
    eval: float | None = None
    """A program's evaluation of the position, in points for the seat that moved."""
    at: int | None = None
    """When it was played, in milliseconds since 1970. None: together with the action before, or unknown."""
    back: int | None = None
    """Of a variation that was played and taken back, on its first action: when it was taken back."""
    hint: int | None = None
    """How far a hint was taken before it: 1 where to look, 2 what it is about, 3 the turn itself."""
    coach: bool = False
    """Whether a coach said that it was a mistake."""
    page: bool = False
    """Whether a player's own page found it for a bot, which the server could not check."""

    def add(self, action: int) -> GameNode:
        """A new last child."""
        child = GameNode(action, self)
        self.children.append(child)
        return child

    @property
    def next(self) -> GameNode | None:
        """What continues the line; None: nothing yet."""
        return self.children[0] if self.children and self.children[0].back is None else None

    @property
    def variations(self) -> list[GameNode]:
        """The beginnings of the lines that were taken back or suggested instead of `next`."""
        return self.children if self.next is None else self.children[1:]

    def line(self) -> Iterator[GameNode]:
        """What follows, without variations."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def path(self) -> list[GameNode]:
        """From the first action to this one."""
        nodes, node = [], self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def walk(self) -> Iterator[GameNode]:
        """This node and everything after it, without recursion: lines may be long."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def copy(self) -> GameNode:
        """A tree of its own with this node as its root."""
        twins: dict[GameNode, GameNode] = {}
        for node in self.walk():
            twin = twins[node] = GameNode(*_fields(node))
            twin.children = []
            twin.parent = None if node is self or node.parent is None else twins[node.parent]
            if twin.parent is not None:
                twin.parent.children.append(twin)
        return twins[self]

    @property
    def helped(self) -> bool:
        """Whether the player had help: a hint, or the coach's word on a turn that was taken back."""
        others = () if self.parent is None else (line for line in self.parent.children if line is not self)
        return self.hint is not None or any(
            node.coach for line in others for node in (line, *line.line())
        )


_NOTES = ("comment", "introduction", "clock", "eval", "at", "back", "hint", "coach", "page")
_fields = operator.attrgetter("action", "parent", "children", *_NOTES)
_outline = operator.attrgetter("action", *_NOTES)


# --- the record ----------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Record:
    """One game, or a part of one that began at a given position, with its variations."""

    start: Position
    """The position before the first action."""
    seats: tuple[Player, ...]
    root: GameNode = field(default_factory=GameNode, repr=False)
    tags: dict[str, str] = field(default_factory=dict)
    """Other information: an event, a date, facts about a table. Names consist of letters, digits and
    underscores."""

    def __post_init__(self) -> None:
        if len(self.seats) != self.start.players:
            raise ValueError(f"{self.start.players} players need as many seats, not {len(self.seats)}")

    @classmethod
    def of_actions(
        cls, start: Position, actions: Iterable[int], *, seats: Sequence[Player | str] = (),
        tags: dict[str, str] | None = None,
    ) -> Record:
        """The game with these actions."""
        players = [Player(seat) if isinstance(seat, str) else seat for seat in seats]
        players += [Player(f"Seat {seat + 1}") for seat in range(len(players), start.players)]
        record = cls(start, tuple(players), tags=dict(tags or {}))
        node = record.root
        for action in actions:
            node = node.add(action)
        return record

    @classmethod
    def from_position(
        cls, position: Position, *, seats: Sequence[Player | str] = (), tags: dict[str, str] | None = None
    ) -> Record:
        """The game that was played on this object, from the position it was created with."""
        return cls.of_actions(position.at(0), position.history.actions, seats=seats, tags=tags)

    @property
    def line(self) -> list[GameNode]:
        """The game itself, without variations."""
        return [*self.root.line()]

    @property
    def actions(self) -> list[int]:
        """The actions of the game itself, chance included."""
        return [node.action for node in self.root.line()]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        heads = [(each.start, each.seats, each.tags) for each in (self, other)]
        return heads[0] == heads[1] and self._outline() == other._outline()

    __hash__ = None  # type: ignore[assignment]  # records can be changed

    def _outline(self) -> list[tuple[Any, int]]:
        return [(_outline(node), len(node.children)) for node in self.root.walk()]

    def _repr_html_(self) -> str:
        """The game to step through, for notebooks. Imported late by name: core may not import render."""
        return str(importlib.import_module("azulejos.replay").Replay(self)._repr_html_())

    def __reduce__(self) -> tuple[Any, ...]:
        """As text: the nodes of a long game would be nested too deeply."""
        return Record.read, (self.write_json(),)

    def replay(self, plies: int | None = None) -> Position:
        """The position after all or the first `plies` actions; an IllegalMove if they cannot be
        played."""
        return self.start.after(self.actions[:plies])

    def result(self) -> tuple[int, ...] | None:
        """The final scores; None if the game was not finished."""
        return result_of(self.replay())

    def from_beginning(self) -> bool:
        """Whether the record begins at the start of the game."""
        return self.start == fresh(self.start)

    # --- in writing ------------------------------------------------------------------------------------

    def write(self) -> str:
        """The text form, similar to PGN."""
        from azulejos.core import record_text

        return record_text.write(self)

    def write_json(self) -> str:
        """JSON Lines: the headers, then one object per action."""
        from azulejos.core import record_json

        return record_json.write(self)

    @classmethod
    def read(cls, text: str, *, most: int = MOST_ACTIONS) -> Record:
        """The one record in a text of either form, with at most so many actions, variations included. A
        RecordError names the place of a mistake."""
        records = list(cls.read_each(text.split("\n"), most=most))
        if len(records) != 1:
            raise RecordError(msg("Expected one record, but found {count}.", count=len(records)))
        return records[0]

    @classmethod
    def read_all(cls, text: str) -> list[Record]:
        """All records of a text, in either form."""
        return list(cls.read_each(text.split("\n")))

    @staticmethod
    def read_each(lines: Iterable[str], *, most: int = MOST_ACTIONS) -> Iterator[Record]:
        """The records of a text (such as an open file) one after the other, in either form.

        JSON Lines are read as they are needed, so that a file may be larger than the memory.
        """
        from azulejos.core import record_json, record_text

        numbered = ((number, line.rstrip("\n")) for number, line in enumerate(lines, start=1))
        blank = []
        for number, line in numbered:
            if line.lstrip().startswith("{"):
                return record_json.read_each(itertools.chain([(number, line)], numbered), most)
            blank.append(line)
            if line.strip():
                break
        return iter(record_text.read_all("\n".join([*blank, *(line for _, line in numbered)]), most))


def fresh(position: Position) -> Position:
    """A new game of the same box, options and players."""
    return new(position.preset.name, players=position.players, **position.options)


# --- what both forms share -----------------------------------------------------------------------------


def headers(record: Record, end: Position) -> dict[str, Any]:
    """Everything that comes before the actions; `end` is the position after them."""
    head = header(record.start)
    given = {} if record.from_beginning() else {"position": record.start.text()}
    return {**head, "rules": record.start.game.version, **given, "seats": record.seats,
            "result": result_of(end), "tags": record.tags}


def begin(name: str, players: int, options: dict[str, str], rules: int, position: str | None) -> Position:
    """The position that the headers describe; a ValueError says what is wrong with them."""
    start = new(name, players=players, **options)
    if rules != start.game.version:
        raise ValueError(
            f"this record needs version {rules} of the rules of {name}, here is {start.game.version}"
        )
    if position is None:
        return start
    given = Position.from_text(position)
    if header(given) != header(start):
        raise ValueError("the position belongs to another game than the headers")
    return given


class Growing:
    """A tree that is being read: actions are played as they come, within the bounds of a record."""

    def __init__(self, most: int) -> None:
        time_limit.check()
        self.root = GameNode()
        self._most, self._count = most, 0

    def play(self, parent: GameNode, position: Position, text: str) -> GameNode:
        """The node of a move that follows `parent`; it is played on the position there."""
        time_limit.check()
        self._count += 1
        if self._count > self._most:
            raise Problem(msg("A record holds at most {n} actions, variations included.", n=self._most))
        action = position.game.moves.parse(text)
        position.play(action)
        return parent.add(action)


def check_depth(depth: int) -> None:
    """A Problem if variations are nested in so many others."""
    if depth > DEEPEST:
        raise Problem(msg("Variations are nested too deeply."))


def result_of(end: Position) -> tuple[int, ...] | None:
    outcome = end.outcome()
    return outcome.scores if outcome else None


def check_result(end: Position, claimed: Sequence[int] | None) -> None:
    result = result_of(end)
    if result != (None if claimed is None else tuple(claimed)):
        raise ValueError(f"the result is {scores_text(result)}, not {scores_text(claimed)}")


def scores_text(scores: Iterable[int] | None) -> str:
    return "*" if scores is None else " ".join(str(score) for score in scores)


# --- times ---------------------------------------------------------------------------------------------

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

LATEST: Final = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(milliseconds=1)
"""The last millisecond since 1970 that can be written: in the year 9999."""


def time_text(seconds: float) -> str:
    """Seconds since 1970 as a date and time in UTC, to the microsecond."""
    return _iso(_EPOCH + timedelta(seconds=seconds), "microseconds")


def read_time(text: str) -> float:
    """Seconds since 1970; a ValueError if the text is no time."""
    return _since_1970(text) / timedelta(seconds=1)


def millisecond_text(at: int) -> str:
    """Milliseconds since 1970 as a date and time in UTC."""
    return _iso(_EPOCH + timedelta(milliseconds=at), "milliseconds")


def read_milliseconds(text: str) -> int:
    """Milliseconds since 1970; a ValueError if the text is no time."""
    return _since_1970(text) // timedelta(milliseconds=1)


def _iso(moment: datetime, precision: str) -> str:
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


def _since_1970(text: str) -> timedelta:
    moment = datetime.fromisoformat(text)
    if not text.endswith("Z") or moment < _EPOCH:
        raise ValueError(f"a time reads like 2026-11-16T18:30:00.000Z, not {text!r}")
    return moment - _EPOCH
