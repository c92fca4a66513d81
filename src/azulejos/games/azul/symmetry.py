"""Positions of Azul that are alike: factories in another order, and mirrored grey walls."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Symmetry
from azulejos.core.late import np
from azulejos.games.azul.evaluate import tidy
from azulejos.games.azul.layout import DIVIDING, PLAIN, SPLIT, STAY, ZERO, State

LASTING: Final = (STAY, SPLIT, ZERO)
"""Effects that still matter once tiles are on offer."""


def canonical(s: State) -> None:
    """Sort floor lines, factories and mirrored walls."""
    for seat in range(s.players):
        tidy(s, seat)
        if s.grey:
            _mirror_wall(s, seat)
    _forget_used_effects(s)
    if s.stage != DIVIDING and not (s.effects == SPLIT).any():  # a SPLIT disc has neighbours
        s.gone = -1
        _sort_factories(s)


def _mirror_wall(s: State, seat: int) -> None:
    """Any column takes any colour, so a wall and its mirror image play alike."""
    mirrored = s.wall[seat, :, ::-1].copy()
    if mirrored.tobytes() < s.wall[seat].tobytes():
        s.wall[seat] = mirrored


def _forget_used_effects(s: State) -> None:
    """An effect matters only while tiles are on its disc."""
    if s.effects.any():
        s.effects[~(np.isin(s.effects, LASTING) & s.factories.any(axis=1))] = PLAIN


def _sort_factories(s: State) -> None:
    order = np.lexsort((*s.factories.T, s.effects))
    s.factories[:] = s.factories[order]
    s.effects[:] = s.effects[order]


SYMMETRY: Final = Symmetry[State](canonical=canonical)
