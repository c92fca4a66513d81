"""Margin and chance to win apart: two outputs of a trained network that searches do not use.

The value of a network mixes both, which is what a search needs. These outputs are fitted afterwards to the
results of games, from the units of the second layer, so that evaluations in a search cost nothing more.
`bots.outlook` reads them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from azulejos.core.game import Game
from azulejos.core.jit import loop
from azulejos.core.layout import Cells
from azulejos.core.verbs import STATE, network_for, viewpoint
from azulejos.engine.network import HEADS, MARGIN, UNITS, WIN, Network, with_own_notes, write_units
from azulejos.engine.selfplay import NO_RESULT, PlayedStates
from azulejos.engine.value import BIG_MARGIN, WIN as BONUS

PENALTY: Final = 3.0
"""Ridge penalty of both fits, in states."""
STEPS: Final = 12
"""Newton steps of the logistic fit."""


@loop
def units_of_states(rows: Cells, n: Network, units: Cells, which: Cells, seats: Cells) -> None:
    """Write the units of every state; with two seats for the one that moves first, given in `seats`."""
    for i in range(len(rows)):
        s = rows[i].view(STATE)[0]
        which[i] = network_for(s)
        if which[i] >= 0:
            if s.players == 2:
                seats[i] = viewpoint(s)
            write_units(s, n, which[i], seats[i], units[i])


def with_heads(game: Game, network: Network, games: Iterable[PlayedStates]) -> Network:
    """The same networks with outputs for the margin and the win."""
    found = [_units(game, network, data) for data in games]
    units, which, results = (np.concatenate(parts) for parts in zip(*found, strict=True))
    heads = np.zeros((len(network.ready), HEADS, UNITS))
    for each in np.flatnonzero(network.ready):
        seen = which == each
        if seen.any():
            heads[each, MARGIN] = least_squares(units[seen], margins(results[seen]))
            heads[each, WIN] = logistic(units[seen], (1 + np.sign(results[seen])) / 2)
    return network._replace(heads=heads.astype(np.float32))


def _units(game: Game, network: Network, data: PlayedStates) -> tuple[Cells, Cells, Cells]:
    """The units, networks and results of the states from which a game was played."""
    own, spread = with_own_notes(network, game), game.compiled.bind(units_of_states)
    players, found = data.values.shape[1], []
    for seat in range(players if players > 2 else 1):
        units, which = np.zeros((len(data.rows), UNITS)), np.zeros(len(data.rows), np.int64)
        seats = np.full(len(data.rows), seat)
        spread(data.rows, own, units, which, seats)
        results = data.results[np.arange(len(seats)), seats]
        kept = (which >= 0) & (results != NO_RESULT)
        found.append((units[kept], which[kept], results[kept]))
    units, which, results = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return units, which, results


def margins(results: Cells) -> Cells:
    """Points, from `outcome_value`."""
    margin = results - BONUS * np.sign(results)
    beyond = np.maximum(np.abs(margin) - BIG_MARGIN, 0)
    points: Cells = (margin + 9 * beyond * np.sign(margin)) / 100
    return points


def least_squares(x: Cells, y: Cells) -> Cells:
    found: Cells = np.linalg.solve(x.T @ x + PENALTY * np.eye(x.shape[1]), x.T @ y)
    return found


def logistic(x: Cells, y: Cells) -> Cells:
    """The weights for which 1 / (1 + exp(-x @ weights)) is closest to y."""
    weights: Cells = np.zeros(x.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - chance) - PENALTY * weights
        bend = (x * (chance * (1 - chance))[:, None]).T @ x + PENALTY * np.eye(x.shape[1])
        weights = weights + np.linalg.solve(bend, slope)
    return weights
