"""Answers in Queen's Garden that are alike: the same piece in the same place, however it is paid for."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Symmetry
from azulejos.games.queens_garden.layout import EMPTY, State
from azulejos.games.queens_garden.storage import sort_slots


def canonical(s: State) -> None:
    for seat in range(s.players):
        sort_slots(s.slots[seat])


def answer(s: State) -> None:
    """Forget what the payment left in the storages and put into the tower."""
    s.stored[:] = 0
    s.jokers[:] = 0
    s.slots[:] = EMPTY
    s.tower[:] = 0


SYMMETRY: Final = Symmetry[State](canonical=canonical, answer=answer)
