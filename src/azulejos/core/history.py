"""The moves played on a position, and the states in between.

Positions share their steps: `Position.copy` and `Position.at` take as long after two hundred moves as after
two. A list that two histories share is never changed; the first of them to play another move copies it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, overload

from azulejos.core.game import Action
from azulejos.core.notation import Move, MoveTable
from azulejos.core.points import Points


class Past(NamedTuple):
    """One action that was played: the state before it, and its points if they were recorded."""

    before: bytes
    action: Action
    points: list[Points] | None


def _past(step: tuple[bytes, int, list[Points] | None]) -> Past:
    return Past._make(step)


class History(Sequence[Move]):
    """The moves played on a position, chance included: ``len``, ``history[-1]``, slices, iterate.

    It grows and shrinks with its position. Only the position calls `push`, `pop` and `extend`.
    """

    __slots__ = ("_length", "_moves", "_shared", "_steps")

    def __init__(self, moves: MoveTable, steps: list[Past] | None = None) -> None:
        self._moves = moves
        self._steps: list[tuple[bytes, int, list[Points] | None]] = [*(steps or ())]
        self._length = len(self._steps)
        self._shared = False

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, ply: int) -> Move: ...
    @overload
    def __getitem__(self, ply: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, ply: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(ply, slice):
            return tuple(self._moves[action] for action in self.actions[ply])
        return self._moves[self.step(ply).action]

    def __repr__(self) -> str:
        return f"<History: {' '.join(move.text for move in self)}>"

    @property
    def actions(self) -> tuple[Action, ...]:
        """The moves as actions."""
        return tuple([Action(action) for _, action, _ in self._steps[: self._length]])

    @property
    def steps(self) -> list[Past]:
        """A new list of all steps."""
        return [*map(_past, self._steps[: self._length])]

    def step(self, ply: int) -> Past:
        """The action played at `ply`, counted from 0 (-1: the last one)."""
        return _past(self._steps[range(self._length)[ply]])

    def until(self, ply: int) -> History:
        """The first `ply` moves, without copying them."""
        other = History(self._moves)
        other._steps, other._length = self._steps, range(self._length + 1)[ply]
        self._shared = other._shared = True
        return other

    def push(self, before: bytes, action: int, points: list[Points] | None) -> None:
        if self._shared:
            self._own()
        self._steps.append((before, action, points))
        self._length += 1

    def extend(self, steps: list[Past]) -> None:
        self._own()
        self._steps.extend(steps)
        self._length += len(steps)

    def pop(self) -> Past:
        self._own()
        if not self._steps:
            raise IndexError("nothing was played yet")
        self._length -= 1
        return _past(self._steps.pop())

    def _own(self) -> None:
        if self._shared:
            self._steps, self._shared = self._steps[: self._length], False
