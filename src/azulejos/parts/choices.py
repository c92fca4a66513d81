"""Asking action by action, where a state offers few."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import State, is_legal


@rule
def choices(s: State, first: int, end: int, n: int, actions: Cells) -> int:
    """The legal actions of a range, written after `n` others; how many there are now."""
    for action in range(first, end):
        if is_legal(s, action):
            actions[n] = action
            n += 1
    return n
