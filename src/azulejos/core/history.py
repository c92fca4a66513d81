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

    It grows and shrinks with its position. Only the position calls `push` and `pop`.
    """

    __slots__ = ("_end", "_moves", "_steps")

    def __init__(self, moves: MoveTable) -> None:
        self._moves = moves
        self._steps: list[tuple[bytes, int, list[Points] | None]] = []
        self._end: int | None = None
        """How much of a shared list is ours; None: the list is ours alone."""

    def __len__(self) -> int:
        return len(self._steps) if self._end is None else self._end

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
        return tuple([Action(action) for _, action, _ in self._steps[: self._end]])

    def actions_from(self, ply: int) -> list[Action]:
        """The moves from a ply on, as actions."""
        return [Action(action) for _, action, _ in self._steps[ply : self._end]]

    def step(self, ply: int) -> Past:
        """The action played at `ply`, counted from 0 (-1: the last one)."""
        return _past(self._steps[range(len(self))[ply]])

    def until(self, ply: int) -> History:
        """The first `ply` moves, without copying them."""
        other = object.__new__(History)
        other._moves, other._steps, other._end = self._moves, self._steps, ply
        if self._end is None:
            self._end = len(self._steps)
        return other

    def push(self, before: bytes, action: int, points: list[Points] | None) -> None:
        if self._end is not None:
            self._own()
        self._steps.append((before, action, points))

    def pop(self) -> Past:
        if self._end is not None:
            self._own()
        if not self._steps:
            raise IndexError("nothing was played yet")
        return _past(self._steps.pop())

    def _own(self) -> None:
        self._steps, self._end = self._steps[: self._end], None
