"""What values turned out to mean: games of self-play with their results, and the scale fitted to them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import numpy as np

from azulejos.bots.search import SearchBot
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.insight.judge import Judge, final_outlook, judge_for, phase_of
from azulejos.insight.scale import (
    BASE,
    BONUS,
    CHANCE_TO_WIN,
    COLUMNS,
    FEW_ROUNDS,
    MARGIN,
    OPENING,
    PHASES,
    SHIFT,
    SLOPE,
    SWING,
    plain_scale,
)
from azulejos.protocol.bot import Limit

# Columns of an observation.
PHASE: Final = 0
ROUND: Final = 1
VALUE: Final = 2
FINAL_MARGIN: Final = 3
SHARE: Final = 4
OBSERVED: Final = 5

WITHIN_PERCENT: Final = 10
"""Share of the decisions within a round whose value is observed."""
CAUTION: Final = 20.0
"""Observations that the plain scale is worth in a fit: rounds that hardly occur keep it."""
STEPS: Final = 30


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Games of self-play to observe."""

    start: Position
    play_nodes: int
    judge_nodes: int


def observed(plan: Plan, seed: int) -> Cells:
    """[observation, column]: values met in one game, with its result; one row for each seat."""
    rng, position, judge = random.Random(seed), plan.start.copy(), judge_for(plan.start)
    bot, seen = SearchBot(), []
    position.deal(rng)
    while not position.is_over:
        if phase_of(position) == OPENING or rng.randrange(100) < WITHIN_PERCENT:
            seen.append(_observation(judge, position, plan.judge_nodes))
        position.play(bot.play(position, Limit(nodes=plan.play_nodes), rng=rng).move)
        position.deal(rng)
    result = final_outlook(position)
    rows = np.concatenate(seen)
    rows[:, FINAL_MARGIN] = np.tile(result[:, MARGIN], len(seen))
    rows[:, SHARE] = np.tile(result[:, CHANCE_TO_WIN], len(seen))
    return rows


def _observation(judge: Judge, position: Position, nodes: int) -> Cells:
    rows = np.zeros((position.players, OBSERVED))
    rows[:, PHASE], rows[:, ROUND] = phase_of(position), position.state.round
    rows[:, VALUE] = judge.values(position, nodes)
    return rows


def fitted(start: Position, rows: Cells) -> Cells:
    """The table of a scale, float [phase, round, column], from observations."""
    table = plain_scale(start.game).table.copy()
    for phase in range(PHASES):
        for round_ in range(1, FEW_ROUNDS + 1):
            rounds = np.minimum(rows[:, ROUND], FEW_ROUNDS)
            chosen = rows[(rows[:, PHASE] == phase) & (rounds == round_)]
            table[phase, round_ - 1] = _row(chosen, table[phase, round_ - 1], start.players)
    return table


def _row(rows: Cells, plain: Cells, players: int) -> Cells:
    """One row of a scale. With two seats what one wins the other loses, so nothing is shifted."""
    row = np.zeros(COLUMNS)
    values = rows[:, VALUE]
    shift = 0.0 if players == 2 else None
    row[SHIFT], row[SWING] = _logistic(values, rows[:, SHARE], plain[SWING], shift)
    lead = np.tanh((values - row[SHIFT]) / (2 * row[SWING]))
    inputs = np.stack([np.full(len(rows), float(players > 2)), values, -lead], axis=1)
    known = np.array([0.0, plain[SLOPE], plain[BONUS]])
    scales = np.array([1.0, 10.0, 1.0]) * np.sqrt(CAUTION)
    left = np.concatenate([inputs, np.diag(scales)])
    right = np.concatenate([rows[:, FINAL_MARGIN], scales * known])
    row[BASE], row[SLOPE], row[BONUS] = np.linalg.lstsq(left, right, rcond=None)[0]
    return row


def _logistic(values: Cells, shares: Cells, swing: float, shift: float | None) -> tuple[float, float]:
    """Shift and swing of the curve that fits shares best, by Newton's method on slope and intercept."""
    slope, intercept = 1 / swing, 0.0
    prior = CAUTION / slope**2
    for _ in range(STEPS):
        win = 1 / (1 + np.exp(-np.clip(slope * values + intercept, -30, 30)))
        rest, weight = shares - win, win * (1 - win)
        gradient = np.array([rest @ values - prior * (slope - 1 / swing), rest.sum() - CAUTION * intercept])
        curve = np.array([
            [weight @ values**2 + prior, weight @ values], [weight @ values, weight.sum() + CAUTION],
        ])
        if shift is not None:
            slope += gradient[0] / curve[0, 0]
        else:
            step = np.linalg.solve(curve, gradient)
            slope, intercept = slope + step[0], intercept + step[1]
    return -intercept / slope, 1 / slope


# --- how good is it? -----------------------------------------------------------------------------------


def calibration_error(wins: Cells, shares: Cells, bins: int = 10) -> float:
    """Mean distance between predicted and observed shares, in bins of equally many predictions."""
    order = np.argsort(wins)
    parts = [part for part in np.array_split(order, bins) if len(part)]
    apart = [len(part) * abs(wins[part].mean() - shares[part].mean()) for part in parts]
    return float(sum(apart) / len(wins))
