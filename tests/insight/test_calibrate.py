"""The scale from values to margins and chances, and the games to which it is fitted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from azulejos.core.layout import Cells
from azulejos.core.position import new
from azulejos.core.registry import presets
from azulejos.insight.calibrate import (
    FINAL_MARGIN,
    OBSERVED,
    PHASE,
    ROUND,
    SHARE,
    VALUE,
    CalibrationPlan,
    calibration_error,
    checked,
    disagreements,
    fitted,
    observed,
)
from azulejos.insight.judge import Effort
from azulejos.insight.scale import (
    FEW_ROUNDS,
    OPENING,
    PHASES,
    ValueScale,
    plain_scale,
    scale_of,
    write_scale,
)
from boxes import BOXES
from insight.games import LITTLE, LITTLE_TREE

WIDE = np.linspace(-80, 80, 161)


def imagined(games: int, *, swing: float, slope: float) -> Cells:
    """Observations of games of two seats whose results follow a known scale."""
    rng = np.random.default_rng(1)
    values = np.repeat(rng.normal(0, 12, games), 2) * np.tile([1, -1], games)
    won = np.repeat(rng.random(games) < 1 / (1 + np.exp(-values[::2] / swing)), 2) ^ np.tile([0, 1], games)
    rows = np.zeros((2 * games, OBSERVED))
    rows[:, PHASE], rows[:, ROUND], rows[:, VALUE], rows[:, SHARE] = OPENING, 3, values, won
    rows[:, FINAL_MARGIN] = slope * values
    return rows


def test_a_fit_finds_the_scale_that_made_the_results() -> None:
    start = new("azul")
    table = fitted(start, imagined(20_000, swing=5.0, slope=0.6))
    scale = ValueScale(table, plain_scale(start.game).doubt, measured=True)
    for value in (-10.0, 0.0, 4.0, 20.0):
        margin, win = scale.outlook(value, OPENING, 3)
        assert win == pytest.approx(1 / (1 + np.exp(-value / 5.0)), abs=0.01)
        assert margin == pytest.approx(0.6 * value, abs=0.5)


def test_values_that_say_nothing_still_mean_no_less_than_nothing() -> None:
    """Results that go against the values: more value must not mean less margin or a smaller chance."""
    rows = imagined(300, swing=5.0, slope=0.6)
    rows[:, VALUE] = -rows[:, VALUE]
    scale = ValueScale(fitted(new("azul"), rows), plain_scale(new("azul").game).doubt, measured=True)
    margins, wins = np.array([scale.outlook(value, OPENING, 3) for value in WIDE]).T
    assert (np.diff(wins) >= 0).all()
    assert (np.diff(margins) >= 0).all()


def test_rounds_that_were_not_observed_keep_the_plain_scale() -> None:
    start = new("azul")
    table = fitted(start, imagined(500, swing=5.0, slope=0.6))
    assert table[OPENING, 6] == pytest.approx(plain_scale(start.game).table[OPENING, 6], abs=1e-6)


def test_a_right_scale_is_wrong_only_by_chance() -> None:
    right, = checked(new("azul"), np.split(imagined(8000, swing=5.0, slope=0.6), 100))
    assert right.games == 8000
    assert right.error < 3 * right.by_chance


def test_games_that_follow_another_scale_are_found_out() -> None:
    """Every fifth game follows a curve that no other game follows, and is predicted by the others."""
    swings = (5.0, 80.0, 80.0, 80.0, 80.0)
    parts = [np.split(imagined(2000, swing=swing, slope=0.6), 20) for swing in swings]
    wrong, = checked(new("azul"), [game for games in zip(*parts, strict=True) for game in games])
    assert wrong.error > 3 * wrong.by_chance


def test_calibration_error_of_certain_predictions() -> None:
    certain = np.repeat([0.0, 1.0], 50)
    assert calibration_error(certain, certain) == 0.0
    assert calibration_error(certain, 1 - certain) == 1.0


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("box", list(presets()))
def test_more_value_never_means_less_margin_or_less_chance(box: str, players: int) -> None:
    scale = scale_of(new(box, players=players))
    for phase in range(PHASES):
        for round_ in range(1, FEW_ROUNDS + 2):
            margins, wins = np.array([scale.outlook(value, phase, round_) for value in WIDE]).T
            assert (np.diff(wins) >= 0).all()
            assert (np.diff(margins) >= 0).all(), f"phase {phase}, round {round_}"


def test_two_seats_see_the_same_game_from_both_sides() -> None:
    scale = scale_of(new("azul"))
    for value in (3.0, 17.0):
        (margin, win), (other, lose) = (scale.outlook(v, OPENING, 4) for v in (value, -value))
        assert margin == pytest.approx(-other)
        assert win == pytest.approx(1 - lose)


def test_more_nodes_leave_less_doubt() -> None:
    doubt = scale_of(new("azul")).doubt
    assert (np.diff(doubt[:, 0]) > 0).all()
    assert (np.diff(doubt[:, 1]) < 0).all()


def test_a_scale_is_added_to_a_file(tmp_path: Path) -> None:
    file, scale = tmp_path / "judge.npz", plain_scale(new("azul").game)
    write_scale(file, "azul", 2, scale)
    write_scale(file, "azul", 3, scale)
    with np.load(file) as written:
        assert sorted(written) == ["azul.2.doubt", "azul.2.scale", "azul.3.doubt", "azul.3.scale"]


@pytest.mark.parametrize(("box", "players"), BOXES)
def test_a_game_is_observed_from_every_seat(box: str, players: int) -> None:
    rows = observed(CalibrationPlan(start=new(box, players=players), play_nodes=10, judge_nodes=10), seed=1)
    assert len(rows) % players == 0
    assert rows[:, SHARE].reshape(-1, players).sum(1) == pytest.approx(1.0)
    assert set(rows[:, PHASE]) <= set(range(PHASES))


@pytest.mark.parametrize(("box", "effort"), [("azul", LITTLE), ("garden", LITTLE_TREE)])
def test_estimates_are_compared_with_deeper_searches(box: str, effort: Effort) -> None:
    start = new(box)
    apart = np.concatenate([disagreements(start, effort, effort.times(4), seed) for seed in range(2)])
    assert apart.shape[1] == 2
    assert np.isfinite(apart).all()
