"""Positions of Stained Glass of Sintra that are alike: factories in another order."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Symmetry
from azulejos.core.late import np
from azulejos.games.stained_glass.layout import State


def canonical(s: State) -> None:
    s.factories[:] = s.factories[np.lexsort(s.factories.T)]


SYMMETRY: Final = Symmetry[State](canonical=canonical)
