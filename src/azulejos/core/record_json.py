"""A record as JSON Lines: one object with the headers, then one object per action."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Final

import msgspec

from azulejos.core.message import msg, raw
from azulejos.core.position import Position
from azulejos.core.record import (
    LATEST, GameNode, Growing, Player, Record, RecordError, begin, check_depth, check_result, headers,
)

FORMAT: Final = 1
"""The value of ``"record"`` in the first line."""

Time = Annotated[int, msgspec.Meta(ge=0, le=LATEST)]
"""Milliseconds since 1970."""


class Headers(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    record: int = FORMAT
    game: str
    players: int
    options: dict[str, str] = {}
    rules: int
    position: str | msgspec.UnsetType = msgspec.UNSET
    seats: tuple[Player, ...]
    result: tuple[int, ...] | None
    tags: dict[str, str] = {}
    comment: str = ""


class JsonAction(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One action: the names are those of `GameNode`."""

    move: str
    comment: str = ""
    clock: Annotated[int, msgspec.Meta(ge=0, le=LATEST)] | None = None
    eval: float | None = None
    at: Time | None = None
    hint: Annotated[int, msgspec.Meta(ge=1, le=3)] | None = None
    coach: bool = False
    page: bool = False
    variations: list[Variation] = []


class Variation(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    comment: str = ""
    back: Time | None = None
    moves: Annotated[list[JsonAction], msgspec.Meta(min_length=1)]
    unplayed: list[Variation] = []
    """What was taken back after its last action, if nothing was played instead."""


class Unplayed(msgspec.Struct, forbid_unknown_fields=True):
    """The last line, if the last actions were taken back and nothing was played instead."""

    unplayed: Annotated[list[Variation], msgspec.Meta(min_length=1)]


# --- writing -------------------------------------------------------------------------------------------


def write(record: Record) -> str:
    text, root = record.start.game.moves.text, record.root
    steps, unplayed = _steps(root.next, root.variations, text)
    lines: list[msgspec.Struct] = [
        Headers(**headers(record, record.replay()), comment=root.comment), *steps,
        *([Unplayed(unplayed)] if unplayed else []),
    ]
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def _steps(
    node: GameNode | None, others: Sequence[GameNode], text: Callable[[int], str]
) -> tuple[list[JsonAction], list[Variation]]:
    """A line from a node on, with the `others` that might replace it; what was taken back at its end."""
    steps = []
    while node is not None:
        steps.append(JsonAction(
            move=text(node.action), comment=node.comment, clock=node.clock, eval=node.eval, at=node.at,
            hint=node.hint, coach=node.coach, page=node.page,
            variations=[_variation(each, text) for each in others],
        ))
        others, node = node.variations, node.next
    return steps, [_variation(each, text) for each in others]


def _variation(first: GameNode, text: Callable[[int], str]) -> Variation:
    moves, unplayed = _steps(first, (), text)
    return Variation(comment=first.introduction, back=first.back, moves=moves, unplayed=unplayed)


# --- reading -------------------------------------------------------------------------------------------


_NOTHING = msgspec.Raw()


class _Kind(msgspec.Struct):
    """What tells the lines apart: what is left out here was left out there."""

    move: msgspec.Raw = _NOTHING
    unplayed: msgspec.Raw = _NOTHING


_read_kind = msgspec.json.Decoder(_Kind).decode
_read_headers = msgspec.json.Decoder(Headers).decode
_read_step = msgspec.json.Decoder(JsonAction).decode
_read_unplayed = msgspec.json.Decoder(Unplayed).decode


def read_each(lines: Iterable[tuple[int, str]], most: int) -> Iterator[Record]:
    """The records of numbered lines, each of at most so many actions; each begins with its headers."""
    reading: _Reading | None = None
    for number, line in lines:
        if not line.strip():
            continue
        with _located(number):
            kind = _read_kind(line)
            if kind.move is not _NOTHING or kind.unplayed is not _NOTHING:
                if reading is None:
                    raise ValueError("a record begins with its line of headers")
                reading.read(line, kind)
                continue
        if reading is not None:
            yield reading.finished()
        with _located(number):
            reading = _Reading(_read_headers(line), number, most)
    if reading is not None:
        yield reading.finished()


class _Reading:
    """A record whose headers were read, and the position after its line so far."""

    def __init__(self, head: Headers, number: int, most: int) -> None:
        if head.record != FORMAT:
            raise ValueError(f"the format is {FORMAT}, not {head.record}")
        position = None if head.position is msgspec.UNSET else head.position
        start = begin(head.game, head.players, head.options, head.rules, position)
        self.growing, self.end = Growing(most), start.copy()
        self.record = Record(start, head.seats, self.growing.root, head.tags)
        self.record.root.comment = head.comment
        self.result, self.number = head.result, number
        self.last = self.record.root

    def read(self, line: str, kind: _Kind) -> None:
        if self.last.children:
            raise ValueError("nothing follows what has not been played")
        if kind.move is not _NOTHING:
            self.last = self._step(_read_step(line), self.last, self.end, depth=0)
        else:
            self._unplayed(_read_unplayed(line).unplayed, self.last, self.end, depth=0)

    def finished(self) -> Record:
        with _located(self.number):
            check_result(self.end, self.result)
        return self.record

    def _step(self, step: JsonAction, parent: GameNode, position: Position, depth: int) -> GameNode:
        """The node of a step, which is played on the position."""
        before = position.copy() if step.variations else position
        node = self.growing.play(parent, position, step.move)
        if step.eval is not None and not math.isfinite(step.eval):
            raise ValueError("an evaluation is a finite number")
        node.comment, node.clock, node.eval, node.at = step.comment, step.clock, step.eval, step.at
        node.hint, node.coach, node.page = step.hint, step.coach, step.page
        for variation in step.variations:
            self._variation(variation, parent, before.copy(), depth)
        return node

    def _variation(self, line: Variation, parent: GameNode, position: Position, depth: int) -> None:
        check_depth(depth + 1)
        first, node = None, parent
        for step in line.moves:
            node = self._step(step, node, position, depth + 1)
            first = first or node
        assert first is not None
        first.introduction, first.back = line.comment, line.back
        self._unplayed(line.unplayed, node, position, depth + 1)

    def _unplayed(self, lines: list[Variation], node: GameNode, position: Position, depth: int) -> None:
        for line in lines:
            self._variation(line, node, position.copy(), depth)
        if lines and node.next is not None:
            raise ValueError("the first of the lines that are not played was taken back: 'back' is missing")


@contextmanager
def _located(number: int) -> Iterator[None]:
    """Turn every error into a RecordError for this line."""
    try:
        yield
    except RecordError:
        raise
    except msgspec.ValidationError as error:
        raise RecordError(raw(str(error)), number) from error
    except msgspec.DecodeError as error:
        text, _, byte = str(error).removesuffix(")").partition(" (byte ")
        column = int(byte) + 1 if byte.isdecimal() else 1
        raise RecordError(msg("This is not JSON: {reason}", reason=text), number, column) from error
    except RecursionError as error:
        raise RecordError(msg("Variations are nested too deeply."), number) from error
    except ValueError as error:
        raise RecordError(getattr(error, "reason", None) or raw(str(error)), number) from error
