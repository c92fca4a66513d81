"""How Python calls compiled rules: states are rows of bytes, because passing a record is slow."""

from __future__ import annotations

from typing import Final

from azulejos.core.jit import door
from azulejos.core.layout import Cells
from azulejos.core.legality import is_legal
from azulejos.core.verbs import CHANCE, STATE, apply, census, in_turn, legal, odds, standing

DRAWN: Final = 1 << 20
"""A number greater than any action."""


@door
def legal_at(rows: Cells, i: int, actions: Cells) -> int:
    return legal(rows[i].view(STATE)[0], actions)


@door
def is_legal_at(rows: Cells, i: int, action: int) -> bool:
    return is_legal(rows[i].view(STATE)[0], action)


@door
def odds_at(rows: Cells, i: int, weights: Cells) -> int:
    return odds(rows[i].view(STATE)[0], weights)


@door
def apply_at(rows: Cells, i: int, action: int) -> None:
    apply(rows[i].view(STATE)[0], action)


@door
def play_at(rows: Cells, i: int, action: int) -> bool:
    """Play an action if it is legal; returns whether it was."""
    s = rows[i].view(STATE)[0]
    if not is_legal(s, action):
        return False
    apply(s, action)
    return True


@door
def draw_at(rows: Cells, i: int, ticket: int, buffers: Cells) -> int:
    """At CHANCE: play what a ticket draws; returns its action + DRAWN * the tickets for the next draw.

    A number, not a tuple: converting it to a Python object takes half the time. `buffers`: int32
    [2, MAX_LEGAL].
    """
    s = rows[i].view(STATE)[0]
    legal(s, buffers[0])
    odds(s, buffers[1])
    drawn = 0
    while ticket >= buffers[1, drawn]:
        ticket -= buffers[1, drawn]
        drawn += 1
    action = int(buffers[0, drawn])
    apply(s, action)
    if s.to_move != CHANCE:
        return action
    return action + DRAWN * odds(s, buffers[1])


@door
def standing_at(rows: Cells, i: int, seat: int) -> int:
    return standing(rows[i].view(STATE)[0], seat)


@door
def in_turn_at(rows: Cells, i: int) -> bool:
    return in_turn(rows[i].view(STATE)[0])


@door
def census_at(rows: Cells, i: int) -> bool:
    return census(rows[i].view(STATE)[0])
