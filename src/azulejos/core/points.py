"""All scoring goes through one function, so that every point can be explained.

`award` only adds. `Position.explain` runs an action again with an `award` that also records each call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from azulejos.core.jit import rule


@dataclass(frozen=True, slots=True)
class Points:
    """Points that an action scored: for whom, how many, the game's number of the reason, and where."""

    seat: int
    points: int
    reason: int
    place: int


@rule
def award(s: Any, seat: int, points: int, reason: int, place: int) -> None:
    """Add points to a seat's score. `place` locates the reason on the seat's board, or is -1."""
    s.score[seat] += points
