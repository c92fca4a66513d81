"""Fitting the weights of an evaluation to games: ridge regression, one set of weights for each phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from azulejos.bots.evaluation import evaluation_of
from azulejos.core.game import Game
from azulejos.core.jit import loop
from azulejos.core.layout import Cells
from azulejos.core.verbs import MAX_SEATS, MAX_TERMS, STATE, terms_of
from azulejos.engine.selfplay import PlayedStates, self_play
from azulejos.engine.turnplay import turn_play


@dataclass(frozen=True, kw_only=True)
class Fit:
    """Weights and, for each phase, the number of states and the share of the variance that is explained."""

    weights: Cells
    states: Cells
    explained: Cells


@loop
def terms_ahead(rows: Cells, ahead: Cells, phases: Cells) -> None:
    """The terms of each seat minus the mean of the others: ahead[state, seat, term]."""
    terms = np.zeros((MAX_SEATS, MAX_TERMS), np.int64)
    seats = ahead.shape[1]
    for i in range(len(rows)):
        phases[i] = terms_of(rows[i].view(STATE)[0], terms)
        for term in range(ahead.shape[2]):
            total = 0
            for seat in range(seats):
                total += terms[seat, term]
            for seat in range(seats):
                ahead[i, seat, term] = terms[seat, term] - (total - terms[seat, term]) / (seats - 1)


def seen_by_seats(game: Game, data: PlayedStates, terms: int) -> tuple[Cells, Cells, Cells]:
    """The terms, the phase and the value of every state for each seat; with two seats for the first alone,
    because the second sees the opposite."""
    states, seats = data.values.shape
    ahead, phases = np.zeros((states, seats, terms)), np.zeros(states, np.int64)
    game.compiled.bind(terms_ahead)(data.rows, ahead, phases)
    views = seats if seats > 2 else 1
    x, y = ahead[:, :views].reshape(-1, terms), data.values[:, :views].reshape(-1).astype(float)
    return x, np.repeat(phases, views), y


def ridge(x: Cells, y: Cells, penalty: float, centre: Cells) -> Cells:
    """Least squares with weights pulled towards `centre`; each term is scaled by its spread."""
    spread = np.maximum(np.sqrt((x**2).mean(axis=0)), 1e-3)
    scaled = x / spread
    gram = scaled.T @ scaled + penalty * np.eye(x.shape[1])
    solution: Cells = centre + np.linalg.solve(gram, scaled.T @ (y - x @ centre)) / spread
    return solution


def fit_weights(game: Game, data: PlayedStates, start: Cells, *, penalty: float = 300.0) -> Fit:
    """Fit weights for the phases that occur in the data; the others stay as in `start`."""
    x, phases, y = seen_by_seats(game, data, start.shape[1])
    pooled = ridge(x, y, penalty, np.zeros(x.shape[1]))
    weights, states = start.astype(float), np.bincount(phases, minlength=len(start))
    explained = np.zeros(len(start))
    for phase in np.flatnonzero(states):
        seen = phases == phase
        weights[phase] = ridge(x[seen], y[seen], 3 * penalty, pooled)
        explained[phase] = 1 - np.var(y[seen] - x[seen] @ weights[phase]) / max(np.var(y[seen]), 1e-9)
    return Fit(weights=np.rint(weights).astype(np.int32), states=states, explained=explained)


def settled(before: Cells, found: Cells, rounds: int) -> Cells:
    """The mean of the weights of `rounds` rounds: each alone follows the luck of its games too closely.

    For Azul the mean of two rounds won 58 % against the first, the second alone 42 % (docs/lab/search.md).
    """
    mean: Cells = np.rint(before + (found - before.astype(float)) / rounds).astype(np.int32)
    return mean


def improve(
    game: Game, options: Mapping[str, str], weights: Cells, *, nodes: int, seed: int, count: int,
    players: int = 2,
) -> Fit:
    """Play games with these weights, and return the weights that explain the results best.

    Where rounds cannot be solved, whole turns are evaluated and `nodes` has no effect. Only there may
    be more than two `players`.
    """
    if evaluation_of(game).chance_free_rounds:
        data = self_play(game, options, weights, nodes=nodes, seed=seed, count=count)
    else:
        data = turn_play(game, options, weights, seed=seed, count=count, players=players)
    return fit_weights(game, data, weights)
