"""Observations of Pebbles for machine learning; `planes` gives the meaning of each number."""

from __future__ import annotations

from collections.abc import Mapping

from azulejos.core.contract import Observe
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.observation import Plane
from azulejos.parts.planes import score_plane, within_a_byte, write_counts

from .layout import COLOURS, PER_COLOUR, State


def planes(players: int, options: Mapping[str, str]) -> tuple[Plane, ...]:
    boards = [
        plane for turn in range(players) for plane in (
            Plane(f"taken.{turn}", (COLOURS,), "[colour] pebbles taken / 8", unit=PER_COLOUR),
            score_plane(turn),
        )
    ]
    return (
        *boards,
        Plane("bowl", (COLOURS,), "[colour] pebbles in the bowl / 8", unit=PER_COLOUR),
        Plane("bag", (COLOURS,), "[colour] pebbles in the bag / 8", unit=PER_COLOUR),
        Plane("to_move", (players,), "[turn] is to move; 0 the observer"),
    )


@rule
def observe(s: State, seat: int, out: Cells) -> None:
    out[:] = 0
    at = 0
    for turn in range(s.players):
        other = (seat + turn) % s.players
        at = write_counts(s.taken[other], out, at)
        out[at] = within_a_byte(s.score[other])
        at += 1
    at = write_counts(s.bowl, out, at)
    at = write_counts(s.bag, out, at)
    if s.to_move >= 0:
        out[at + (s.to_move - seat) % s.players] = 1


OBSERVE = Observe(planes=planes, observe=observe)
