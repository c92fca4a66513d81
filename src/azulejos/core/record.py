"""A played game written down: only what cannot be recomputed (docs/records.md).

A `Record` holds the box, its options, the seats and the actions, chance included; every position of the
game follows from them. It is written as text in the manner of PGN or as JSON Lines, with the same content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from azulejos.core.message import Message, msg
from azulejos.core.position import Position, new
from azulejos.core.writing import header


class RecordError(ValueError):
    """A record that cannot be read or does not replay. Lines and columns count from 1."""

    def __init__(self, reason: Message, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.reason = reason
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat at a seat; for a bot also its build, so that the game can be understood later."""

    name: str
    bot: str = ""


@dataclass(slots=True)
class Line:
    """Actions one after the other: the game itself, or a variation of it. `comment` stands before them."""

    steps: list[Step] = field(default_factory=list)
    comment: str = ""


@dataclass(slots=True)
class Step:
    """One action (chance included) with what people and programs noted about it."""

    action: int
    comment: str = ""
    clock: int | None = None
    """Milliseconds that the seat had left."""
    eval: float | None = None
    """What a program thought of the position, in points for the seat that moved."""
    variations: list[Line] = field(default_factory=list)
    """What might have been played instead of this action."""


@dataclass(slots=True)
class Record:
    """One game, or a part of one that began at a given position."""

    start: Position
    """The position before the first action."""
    seats: tuple[Player, ...]
    line: Line = field(default_factory=Line)
    tags: dict[str, str] = field(default_factory=dict)
    """Whatever else is known: an event, a date. Names are made of letters, digits and underscores."""

    def __post_init__(self) -> None:
        if len(self.seats) != self.start.players:
            raise ValueError(f"{self.start.players} players need as many seats, not {len(self.seats)}")

    @classmethod
    def from_position(
        cls, position: Position, *, seats: Sequence[Player | str] = (), tags: dict[str, str] | None = None
    ) -> Record:
        """The game that was played on this object, from the position it was created with."""
        players = [Player(seat) if isinstance(seat, str) else seat for seat in seats]
        players += [Player(f"Seat {seat + 1}") for seat in range(len(players), position.players)]
        steps = [Step(int(action)) for action in position.history.actions]
        return cls(position.at(0), tuple(players), Line(steps), dict(tags or {}))

    @property
    def actions(self) -> list[int]:
        """The actions of the game itself, chance included."""
        return [step.action for step in self.line.steps]

    def replay(self, plies: int | None = None) -> Position:
        """The position after all actions, or after so many; an IllegalMove if they cannot be played."""
        position = self.start.copy()
        for action in self.actions[:plies]:
            position.play(action)
        return position

    def result(self) -> tuple[int, ...] | None:
        """The final scores; None if the game was not finished."""
        outcome = self.replay().outcome()
        return outcome.scores if outcome else None

    def from_beginning(self) -> bool:
        """Whether the record begins where the game begins."""
        return self.start == fresh(self.start)

    def write(self) -> str:
        """The text form, in the manner of PGN."""
        from azulejos.core import record_writer

        return record_writer.write(self)

    def write_json(self) -> str:
        """JSON Lines: the headers, then one object per action."""
        from azulejos.core import record_json

        return record_json.write(self)

    @classmethod
    def read(cls, text: str) -> Record:
        """The one record in a text of either form. A RecordError names the place of a mistake."""
        records = cls.read_all(text)
        if len(records) != 1:
            raise RecordError(msg("One record was expected, but there are {count}.", count=len(records)))
        return records[0]

    @classmethod
    def read_all(cls, text: str) -> list[Record]:
        """All records of a text, in either form."""
        from azulejos.core import record_json, record_reader

        if text.lstrip()[:1] == "{":
            return record_json.read_all(text)
        return record_reader.read_all(text)


def fresh(position: Position) -> Position:
    """A new game of the same box, options and players."""
    return new(position.preset.name, players=position.players, **position.options)


# --- what both forms say at the top --------------------------------------------------------------------


def headers(record: Record) -> dict[str, Any]:
    """Everything that stands before the actions."""
    head = header(record.start)
    given = {} if record.from_beginning() else {"position": record.start.text()}
    return {**head, "rules": record.start.game.version, **given, "seats": record.seats,
            "result": record.result(), "tags": record.tags}


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


def check_result(record: Record, claimed: Sequence[int] | None) -> None:
    found = record.result()
    if found != (None if claimed is None else tuple(claimed)):
        raise ValueError(f"the result is {scores_text(found)}, not {scores_text(claimed)}")


def scores_text(scores: Iterable[int] | None) -> str:
    return "*" if scores is None else " ".join(str(score) for score in scores)
