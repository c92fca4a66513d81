"""Legal actions found by testing each number of a range, for states with few actions."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.legality import is_legal
from azulejos.core.verbs import State


@rule
def choices(s: State, first: int, end: int, n: int, actions: Cells) -> int:
    """Append the legal actions of a range after the first `n`; returns the new number of actions."""
    for action in range(first, end):
        if is_legal(s, action):
            actions[n] = action
            n += 1
    return n
