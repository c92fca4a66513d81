"""Running an action again, by interpreted rules, to see what the state alone does not tell."""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np

from azulejos.core import doors, layout
from azulejos.core.game import Game
from azulejos.core.points import Points
from azulejos.core.points import award as plain_award

_taking_notes = threading.Lock()


def points_of(game: Game, before: bytes, action: int) -> list[Points]:
    """What one action scored."""
    return apply_noting(game, np.frombuffer(before, np.uint8)[None].copy(), action)


def apply_noting(game: Game, rows: layout.Cells, action: int) -> list[Points]:
    """Play an action; what it scored."""
    binding, notes = _note_taker(game)
    with _taking_notes:
        notes.clear()
        binding.bind(doors.apply_at)(rows, 0, int(action))
        return list(notes)


@functools.cache
def _note_taker(game: Game) -> tuple[Any, list[Points]]:
    notes: list[Points] = []

    def award(s: Any, seat: int, points: int, reason: int, place: int) -> None:
        s.score[seat] += points
        if points:
            notes.append(Points(int(seat), int(points), int(reason), int(place)))

    return game.replacing({plain_award: award}), notes


def apply_without_round_end(game: Game, rows: layout.Cells, action: int) -> bool:
    """Play an action, but not the end of the round that it brings; whether there was one."""
    binding, ends = _round_stopper(game)
    with _taking_notes:
        ends.clear()
        binding.bind(doors.apply_at)(rows, 0, int(action))
        return bool(ends)


@functools.cache
def _round_stopper(game: Game) -> tuple[Any, list[Any]]:
    ends: list[Any] = []
    assert game.rules.round_end is not None
    return game.replacing({game.rules.round_end: lambda *args: ends.append(args)}), ends
