"""The record of a played game: only what cannot be recomputed (docs/records.md).

A `Record` holds the box, its options, the seats and the actions, chance included; every position of the
game follows from them. It is written as text similar to PGN or as JSON Lines, with the same content.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
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
class Step:
    """One action (chance included) with the comments of people and programs."""

    action: int
    comment: str = ""
    clock: int | None = None
    """Milliseconds that the seat had left."""
    eval: float | None = None
    """A program's evaluation of the position, in points for the seat that moved."""
    at: int | None = None
    """When it was played, in milliseconds since 1970. None: together with the step before, or unknown."""
    variations: list[Variation] = field(default_factory=list)
    """Alternatives to this action."""
    hint: int | None = None
    """How far a hint was taken before it: 1 where to look, 2 what it is about, 3 the turn itself."""
    coach: bool = False
    """Whether a coach said that it was a mistake."""

    @property
    def helped(self) -> bool:
        """Whether the player had help: a hint, or the coach's word on a turn that was taken back."""
        retried = any(step.coach for line in self.variations for step in line.steps)
        return self.hint is not None or retried


@dataclass(slots=True)
class Variation:
    """Alternative actions: suggested, or played and taken back. `comment` comes before them."""

    steps: list[Step] = field(default_factory=list)
    comment: str = ""
    back: int | None = None
    """When it was taken back, in milliseconds since 1970. None: it was only suggested."""
    unplayed: list[Variation] = field(default_factory=list)
    """Alternatives to the action after its last one, which nobody has played."""


@dataclass(slots=True)
class Record:
    """One game, or a part of one that began at a given position."""

    start: Position
    """The position before the first action."""
    seats: tuple[Player, ...]
    steps: list[Step] = field(default_factory=list)
    comment: str = ""
    """A comment before the first action."""
    tags: dict[str, str] = field(default_factory=dict)
    """Other information: an event, a date, facts about a table (`record_tags`). Names consist of letters,
    digits and underscores."""
    unplayed: list[Variation] = field(default_factory=list)
    """Alternatives to the next action, which has not been played yet: the players took them back."""

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
        return cls(position.at(0), tuple(players), steps, tags=dict(tags or {}))

    @property
    def actions(self) -> list[int]:
        """The actions of the game itself, chance included."""
        return [step.action for step in self.steps]

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

    def write(self) -> str:
        """The text form, similar to PGN."""
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
            raise RecordError(msg("Expected one record, but found {count}.", count=len(records)))
        return records[0]

    @classmethod
    def read_all(cls, text: str) -> list[Record]:
        """All records of a text, in either form."""
        return list(cls.read_each(text.split("\n")))

    @staticmethod
    def read_each(lines: Iterable[str]) -> Iterator[Record]:
        """The records of a text (such as an open file) one after the other, in either form.

        JSON Lines are read as they are needed, so that a file may be larger than the memory.
        """
        from azulejos.core import record_json, record_reader

        numbered = ((number, line.rstrip("\n")) for number, line in enumerate(lines, start=1))
        blank = []
        for number, line in numbered:
            if line.lstrip().startswith("{"):
                return record_json.read_each(itertools.chain([(number, line)], numbered))
            blank.append(line)
            if line.strip():
                break
        return iter(record_reader.read_all("\n".join([*blank, *(line for _, line in numbered)])))


def fresh(position: Position) -> Position:
    """A new game of the same box, options and players."""
    return new(position.preset.name, players=position.players, **position.options)


# --- the headers of both forms -------------------------------------------------------------------------


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


def result_of(end: Position) -> tuple[int, ...] | None:
    outcome = end.outcome()
    return outcome.scores if outcome else None


def check_result(end: Position, claimed: Sequence[int] | None) -> None:
    found = result_of(end)
    if found != (None if claimed is None else tuple(claimed)):
        raise ValueError(f"the result is {scores_text(found)}, not {scores_text(claimed)}")


def scores_text(scores: Iterable[int] | None) -> str:
    return "*" if scores is None else " ".join(str(score) for score in scores)
