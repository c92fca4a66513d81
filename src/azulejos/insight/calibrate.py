"""What values turned out to mean: games of self-play with their results, and the scale fitted to them."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from azulejos.bots.evaluation import evaluation_of
from azulejos.bots.search import SearchBot
from azulejos.bots.workspaces import is_solvable
from azulejos.core.layout import Cells
from azulejos.core.position import Position, new
from azulejos.insight.judge import Effort, Judge, final_outlook, judge_for
from azulejos.insight.ledger import stretches_of
from azulejos.insight.results import JudgedTurn, Kind
from azulejos.insight.review import findings
from azulejos.insight.scale import (
    BASE, BONUS, CHANCE_TO_WIN, COLUMNS, FEW_ROUNDS, MARGIN, PHASES, SHIFT, SLOPE, SWING, WITHIN,
    ValueScale, phase_of, plain_scale,
)
from azulejos.protocol.bot import Limit

# --- checked again ------------------------------------------------------------------------------------


def lost_again(judge: Judge, game: Position, turn: JudgedTurn, effort: Effort, *, seed: int) -> Cells:
    """float [seat, 2]: what a turn with a better one lost. Lines that are proved are followed to their
    end; after others, both positions are searched afresh."""
    if turn.better is None:
        raise ValueError("nothing better was found, so there is nothing to compare")
    estimated = turn.verdict.kind is Kind.ESTIMATE
    ends = [game.at(turn.ply).after(line.turn if estimated else line.actions)
            for line in (turn.better, turn.played)]
    nodes = effort.deal_nodes if any(end.is_chance for end in ends) else effort.nodes
    better, played = (judge.over_deals(end, deals=effort.deals, nodes=nodes, seed=seed) for end in ends)
    lost: Cells = (better - played).mean(0)
    return lost


# ------------------------------------------------------------------------------------------------------


# Columns of an observation.
PHASE: Final = 0
ROUND: Final = 1
VALUE: Final = 2
FINAL_MARGIN: Final = 3
SHARE: Final = 4
OBSERVED: Final = 5

WITHIN_PERCENT: Final = 10
"""Share of the decisions within a round whose value is observed, ..."""
DRAWN_PERCENT: Final = 25
"""... and of those after a draw within a round; decisions after the deal of a round all count."""
CAUTION: Final = 20.0
"""Observations that the plain scale is worth in a fit: rounds that hardly occur keep it."""
LEAST_SLOPE: Final = 0.1
"""Points of margin for a point of value: few games of a round in which values say little may suggest
less than nothing."""
MOST_SWING: Final = 4.0
"""Times the plain one, for the same reason."""
MOST_BONUS: Final = 1.8
"""With twice slope times swing, more value would mean no more margin where the game is even."""
STEPS: Final = 30
BINS: Final = 10
TRIALS: Final = 20
FOLDS: Final = 5
"""Parts of the games, each of which checks a scale that the others gave."""
STRENGTHS: Final = (1.0, 4.0)
"""Powers of ten of the nodes of a turn in games that are judged twice, ..."""
TREE_STRENGTHS: Final = (1.0, 2.5)
"""... where a tree is searched, of the simulations."""


@dataclass(frozen=True, kw_only=True)
class CalibrationPlan:
    """Games of self-play to observe."""

    start: Position
    play_nodes: int
    judge_nodes: int


def observed(plan: CalibrationPlan, seed: int) -> Cells:
    """[observation, column]: values met in one game, with its result; one row for each seat."""
    position, rng = plan.start.copy(), random.Random(seed)
    judge, seen = _judge(position.preset.name, position.players), []
    position.deal(rng)
    while not position.is_over:
        if rng.randrange(100) < _percent(position):
            seen.append(_observation(judge, position, plan.judge_nodes))
        position.play(_player().play(position, Limit(nodes=plan.play_nodes), rng=rng).move)
        position.deal(rng)
    result = final_outlook(position)
    rows = np.concatenate(seen or [np.zeros((0, OBSERVED))])
    rows[:, FINAL_MARGIN] = np.tile(result[:, MARGIN], len(seen))
    rows[:, SHARE] = np.tile(result[:, CHANCE_TO_WIN], len(seen))
    return rows


def _percent(position: Position) -> int:
    """How often the value of such a position is observed."""
    if phase_of(position) == WITHIN:
        return WITHIN_PERCENT
    return 100 if evaluation_of(position.game).chance_free_rounds else DRAWN_PERCENT


@functools.lru_cache(maxsize=1)
def _judge(box: str, players: int) -> Judge:
    return judge_for(new(box, players=players))


@functools.cache
def _player() -> SearchBot:
    return SearchBot()


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
    row[SLOPE] = max(row[SLOPE], LEAST_SLOPE)
    row[BONUS] = float(np.clip(row[BONUS], 0.0, MOST_BONUS * row[SLOPE] * row[SWING]))
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
        slope = max(slope, 1 / (MOST_SWING * swing))
    return -intercept / slope, 1 / slope


# --- how far estimates are wrong -------------------------------------------------------------------------


def disagreements(start: Position, effort: Effort, deeper: Effort, seed: int) -> Cells:
    """[estimate, 2]: how much estimated losses of one stretch of a game change in a deeper search.

    The game is played by quick searches, so that it has turns of all sorts.
    """
    rng, judge = random.Random(seed), _judge(start.preset.name, start.players)
    game = played_at_random_strength(start, rng)
    found = findings(judge, game, rng.choice(stretches_of(game)), effort)
    estimates = [
        step for step in found.judgements
        if step.turn.better is not None and step.turn.verdict.kind is Kind.ESTIMATE
    ]
    apart = [
        (step.lost - lost_again(judge, game, step.turn, deeper, seed=seed))[step.turn.seat]
        for step in estimates
    ]
    return np.array(apart).reshape(len(apart), 2)


def played_at_random_strength(start: Position, rng: random.Random) -> Position:
    """A finished game; every turn gets another number of nodes."""
    position, strengths = start.copy(), STRENGTHS if is_solvable(start) else TREE_STRENGTHS
    position.deal(rng)
    while not position.is_over:
        nodes = int(10 ** rng.uniform(*strengths))
        position.play(_player().play(position, Limit(nodes=nodes), rng=rng).move)
        position.deal(rng)
    return position


def doubt_row(effort: Effort, apart: Cells) -> Cells:
    """A row of a scale's doubt from disagreements."""
    return np.array([effort.nodes, *np.sqrt((apart**2).mean(0))])


# --- how good is it? -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Checked:
    """How well the scale of a round predicts games that it was not fitted to."""

    phase: int
    round: int
    games: int
    error: float
    """Mean distance between predicted and observed chance to win, in ten bins."""
    by_chance: float
    """The error that perfect predictions would have with so few games."""
    margin: float
    """Root mean square distance between predicted and final margin."""


def checked(start: Position, games: Sequence[Cells]) -> list[Checked]:
    """How well scales predict games that they were not fitted to: each of `FOLDS` parts of the games is
    predicted by a scale fitted to the others, so that every game counts."""
    parts = [np.concatenate(games[part::FOLDS]) for part in range(FOLDS)]
    predicted = []
    for part, rows in enumerate(parts):
        table = fitted(start, np.concatenate(parts[:part] + parts[part + 1 :]))
        predicted.append(_outlooks(ValueScale(table, plain_scale(start.game).doubt, measured=True), rows))
    return _compared(np.concatenate(predicted), np.concatenate(parts), start.players)


def _outlooks(scale: ValueScale, rows: Cells) -> Cells:
    """[observation, 2]: the outlook for each observed value."""
    return np.array([
        scale.outlook(row[VALUE], int(row[PHASE]), int(row[ROUND])) for row in rows
    ]).reshape(len(rows), 2)


def _compared(outlooks: Cells, rows: Cells, players: int) -> list[Checked]:
    rounds, rng, found = np.minimum(rows[:, ROUND], FEW_ROUNDS), random.Random(1), []
    for phase, round_ in itertools.product(range(PHASES), range(1, FEW_ROUNDS + 1)):
        chosen = (rows[:, PHASE] == phase) & (rounds == round_)
        if chosen.sum() >= BINS * players:
            found.append(_checked(outlooks[chosen], rows[chosen], phase, round_, players, rng))
    return found


def _checked(
    outlooks: Cells, rows: Cells, phase: int, round_: int, players: int, rng: random.Random
) -> Checked:
    wins, distance = outlooks[:, CHANCE_TO_WIN], outlooks[:, MARGIN] - rows[:, FINAL_MARGIN]
    by_chance = [calibration_error(wins, _imagined(wins, players, rng)) for _ in range(TRIALS)]
    return Checked(
        phase=phase, round=round_, games=len(rows) // players,
        error=calibration_error(wins, rows[:, SHARE]), by_chance=float(np.mean(by_chance)),
        margin=float(np.sqrt((distance**2).mean())),
    )


def _imagined(wins: Cells, players: int, rng: random.Random) -> Cells:
    """Results of games in which every prediction was right: one winner of each, drawn by its chance."""
    shares = np.zeros_like(wins)
    for first in range(0, len(wins), players):
        seats = range(first, first + players)
        shares[rng.choices(seats, wins[first : first + players].tolist())] = 1.0
    return shares


def calibration_error(wins: Cells, shares: Cells) -> float:
    """Mean distance between predicted and observed shares, in bins of equally many predictions."""
    parts = [part for part in np.array_split(np.argsort(wins), BINS) if len(part)]
    apart = [len(part) * abs(wins[part].mean() - shares[part].mean()) for part in parts]
    return float(sum(apart) / len(wins))
