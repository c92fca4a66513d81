"""What networks, or the terms of an evaluation, expect of many states: margin and chance to win of every
seat."""

from __future__ import annotations

from typing import Final

from azulejos.core.elementary import exp
from azulejos.core.jit import loop, rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import OVER, STATE, State, evaluate, network_for, standing, viewpoint
from azulejos.engine.network import HEADS, MARGIN, UNITS, WIN, Network, is_ready, write_units

FARTHEST: Final = 30.0
"""The logarithm of the odds to win stays within these bounds."""


@loop
def expect(
    rows: Cells, n: Network, weights: Cells, swing: int, terms: Cells, values: Cells, units: Cells,
    margins: Cells, wins: Cells,
) -> None:
    """Write margins[i, seat] and wins[i, seat] of the states in `rows`."""
    for i in range(len(rows)):
        s = rows[i].view(STATE)[0]
        if s.to_move == OVER:
            tell_result(s, margins[i], wins[i])
            continue
        which = network_for(s)
        if is_ready(n, which) and has_heads(n, which):
            ask_network(s, n, which, units, margins[i], wins[i])
        else:
            ask_terms(s, weights, swing, terms, values, margins[i], wins[i])


@rule
def has_heads(n: Network, which: int) -> bool:
    for head in range(HEADS):
        for unit in range(UNITS):
            if n.heads[which, head, unit] != 0:
                return True
    return False


@rule
def tell_result(s: State, margins: Cells, wins: Cells) -> None:
    """The game is over: how it ended."""
    best = standing(s, 0)
    for seat in range(1, s.players):
        best = max(best, standing(s, seat))
    winners = 0
    for seat in range(s.players):
        winners += int(standing(s, seat) == best)
    for seat in range(s.players):
        wins[seat] = 1 / winners if standing(s, seat) == best else 0.0
        other = -(1 << 30)
        for rival in range(s.players):
            if rival != seat:
                other = max(other, int(s.score[rival]))
        margins[seat] = int(s.score[seat]) - other


@rule
def ask_network(s: State, n: Network, which: int, units: Cells, margins: Cells, wins: Cells) -> None:
    """With two seats the network sees the one that moves first; the other expects the opposite."""
    first = viewpoint(s)
    total = 0.0
    for seat in range(s.players):
        if s.players > 2 or seat == first:
            write_units(s, n, which, seat, units)
            margins[seat] = output(n, which, MARGIN, units)
            wins[seat] = chance(output(n, which, WIN, units))
            total += wins[seat]
    if s.players == 2:
        margins[1 - first] = -margins[first]
        wins[1 - first] = 1 - wins[first]
    else:
        for seat in range(s.players):
            wins[seat] /= total


@rule
def output(n: Network, which: int, head: int, units: Cells) -> float:
    found = 0.0
    for unit in range(UNITS):
        found += n.heads[which, head, unit] * units[unit]
    return found


@rule
def chance(odds: float) -> float:
    """From the logarithm of the odds."""
    return 1 / (1 + exp(-min(max(odds, -FARTHEST), FARTHEST)))


@rule
def ask_terms(
    s: State, weights: Cells, swing: int, terms: Cells, values: Cells, margins: Cells, wins: Cells
) -> None:
    """Without a network: the terms of the evaluation, and the chance to win that such a lead has."""
    evaluate(s, weights, terms, values)
    total = 0.0
    for seat in range(s.players):
        margins[seat] = values[seat] / 100
        wins[seat] = exp(min(max(values[seat] / swing, -FARTHEST), FARTHEST) / 2)
        total += wins[seat]
    for seat in range(s.players):
        wins[seat] /= total
