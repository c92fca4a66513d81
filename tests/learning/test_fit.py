"""Fitting: the regression recovers known weights, and self-play records what happened."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from azulejos.bots.evaluation import weights_of
from azulejos.core import layout, registry
from azulejos.core.position import Position, new
from azulejos.core.verbs import MAX_SEATS, MAX_TERMS, OVER, evaluate
from azulejos.engine.selfplay import PlayedStates, self_play
from azulejos.engine.turnplay import note_results
from azulejos.engine.value import WIN
from azulejos.games.queens_garden.evaluate import PHASES
from azulejos.learning.fit import fit_weights, ridge, seen_by_seats, settled


def test_ridge_finds_planted_weights() -> None:
    rng = np.random.default_rng(1)
    planted = np.array([100.0, -50.0, 0.0, 7.0])
    x = rng.integers(-3, 4, (2000, 4)).astype(float)
    y = x @ planted + rng.normal(0, 20, 2000)
    assert np.abs(ridge(x, y, 1.0, np.zeros(4)) - planted).max() < 3


def test_a_strong_penalty_keeps_the_centre() -> None:
    centre = np.array([5.0, -5.0])
    x = np.ones((10, 2))
    assert np.allclose(ridge(x, np.full(10, 99.0), 1e9, centre), centre, atol=1e-3)


@pytest.fixture
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some games take a second interpreted, but a minute to compile."""
    monkeypatch.setenv("AZULEJOS_JIT", "0")


@pytest.mark.usefixtures("_interpreted")
def test_self_play_notes_states_of_both_kinds() -> None:
    game, _ = registry.find("azul")
    data = self_play(game, {}, weights_of(game, "hand"), nodes=2, seed=1, count=2)
    stages = {int(layout.view(game.state, row).to_move) for row in data.rows}
    assert len(data.rows) == len(data.values) > 8
    assert -1 in stages
    assert stages & {0, 1}


@pytest.mark.usefixtures("_interpreted")
def test_self_play_strays_from_the_game() -> None:
    game, _ = registry.find("azul")
    hand = weights_of(game, "hand")
    plain, strayed = (
        self_play(game, {}, hand, nodes=2, seed=1, count=1, deals=1, strays=percent) for percent in (0, 100)
    )
    between = strayed.within == 0
    assert len(strayed.rows) > 1.5 * len(plain.rows)
    assert len(set(strayed.values[between, 0].tolist())) > 1, "strayed states know no result of the game"
    assert (strayed.values == strayed.searched).all(axis=1).sum() >= len(strayed.rows) // 3


@pytest.mark.usefixtures("_interpreted")
def test_a_fit_changes_only_phases_that_it_saw() -> None:
    game, _ = registry.find("azul")
    start = weights_of(game, "hand")
    data = self_play(game, {}, start, nodes=2, seed=2, count=2)
    fitted = fit_weights(game, data, start)
    unseen = fitted.states == 0
    assert fitted.weights.shape == start.shape
    assert unseen.any()
    assert (fitted.weights[unseen] == start[unseen]).all()


def test_rounds_of_fitting_are_averaged() -> None:
    start, rounds = np.array([[9]], np.int32), [np.array([[n]], np.int32) for n in (10, 20, 60)]
    for number, found in enumerate(rounds, 1):
        start = settled(start, found, number)
    assert start.tolist() == [[30]]


def garden_of_three(seed: int) -> Position:
    """Queen's Garden with three seats, some random turns after its beginning."""
    position, rng = new("garden", players=3), random.Random(seed)
    for _ in range(30 + 4 * seed):
        if position.is_chance:
            position.deal(rng)
        else:
            position.play(rng.choice(position.legal_actions()))
    return position


@pytest.mark.usefixtures("_interpreted")
def test_the_fit_of_three_seats_finds_what_puts_a_seat_ahead_of_the_others() -> None:
    game, _ = registry.find("garden")
    start, rows = weights_of(game, ""), np.stack([garden_of_three(seed).row for seed in range(12)])
    planted = np.arange(start.shape[1]) % 7 * 10
    nothing = np.zeros((len(rows), 3), np.int64)
    data = PlayedStates(rows, nothing, nothing, nothing, np.ones(len(rows), np.int64))
    ahead, phases, _ = seen_by_seats(game, data, start.shape[1])
    worth = np.rint(ahead @ planted).astype(np.int64).reshape(-1, 3)
    assert len(ahead) == 3 * len(rows)
    assert (phases >= 2 * PHASES).all()
    assert np.abs(worth.sum(axis=1)).max() <= 2, "what one seat is ahead, the others are behind"
    fitted = fit_weights(game, replace(data, values=worth), start, penalty=1e-3)
    found = np.einsum("it,it->i", ahead, fitted.weights[phases])
    assert np.abs(found - worth.reshape(-1)).max() < 0.05 * np.abs(worth).max()


@pytest.mark.usefixtures("_interpreted")
def test_what_a_fit_sees_is_what_a_search_evaluates() -> None:
    game, _ = registry.find("garden")
    weights, position = weights_of(game, ""), garden_of_three(5)
    terms, values = np.zeros((MAX_SEATS, MAX_TERMS), np.int64), np.zeros(3, np.int64)
    game.interpreted.bind(evaluate)(layout.view(game.state, position.row), weights, terms, values)
    nothing = np.zeros((1, 3), np.int64)
    data = PlayedStates(position.row[None], nothing, nothing, nothing, np.ones(1, np.int64))
    ahead, phases, _ = seen_by_seats(game, data, weights.shape[1])
    worth, best = ahead @ weights[phases[0]], int(values.argmax())
    behind = [seat for seat in range(3) if seat != best]
    assert np.allclose((worth[behind] - worth[best]) * 2 / 3, values[behind])


@pytest.mark.usefixtures("_interpreted")
def test_a_result_is_the_score_and_a_share_of_the_win() -> None:
    game, _ = registry.find("garden")
    state = layout.view(game.state, garden_of_three(1).row.copy())
    state.to_move = OVER
    state.score[:3] = (70, 90, 90)
    results = np.zeros(3, np.int64)
    game.interpreted.bind(note_results)(state, results)
    assert results.tolist() == [7000, 9000 + WIN // 2, 9000 + WIN // 2]
