"""Fitting: the regression recovers known weights, and self-play records what happened."""

from __future__ import annotations

import numpy as np
import pytest

from azulejos.bots.evaluation import weights_of
from azulejos.core import layout, registry
from azulejos.engine.selfplay import self_play
from azulejos.learning.fit import fit_weights, ridge, settled


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
