"""One scale for all values: hundredths of a point, with the win itself counted as points."""

from __future__ import annotations

import math
from typing import Final

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import OVER, State, evaluate, standing

WIN: Final = 1200
"""What winning adds to the margin: 12 points, as in the fitting of weights (docs/thinking.md)."""
BIG_MARGIN: Final = 4000
"""Beyond a margin of 40 points each further point counts a tenth: worth having, but not worth a risk."""
INFINITE: Final = 1_000_000


@rule
def outcome_value(s: State, seat: int) -> int:
    """At OVER: the margin over the best other seat, plus the win (nothing for a shared win)."""
    best_score = -INFINITE
    best_standing = -INFINITE
    for other in range(s.players):
        if other != seat:
            best_score = max(best_score, int(s.score[other]))
            best_standing = max(best_standing, standing(s, other))
    margin = 100 * (int(s.score[seat]) - best_score)
    if margin > BIG_MARGIN:
        margin = BIG_MARGIN + (margin - BIG_MARGIN) // 10
    elif margin < -BIG_MARGIN:
        margin = -BIG_MARGIN - (-BIG_MARGIN - margin) // 10
    own = standing(s, seat)
    if own > best_standing:
        return margin + WIN
    if own < best_standing:
        return margin - WIN
    return margin


@rule
def judge(s: State, weights: Cells, terms: Cells, values: Cells) -> None:
    """The value of a position for each seat: exact at the end of the game, the game's estimate before."""
    if s.to_move == OVER:
        for seat in range(s.players):
            values[seat] = outcome_value(s, seat)
    else:
        evaluate(s, weights, terms, values)


def win_chance(value: float, swing: int) -> float:
    """The chance to win that corresponds to a value."""
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, value / swing))))


def points_of(chance: float, swing: int) -> float:
    """The value, in points, that corresponds to a chance to win."""
    bounded = min(max(chance, 1e-6), 1 - 1e-6)
    return round(swing / 100 * math.log(bounded / (1 - bounded)), 2)
