"""Gymnasium's checker on every box; the vector environment against the batch engine."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium as library
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from azulejos.envs.gymnasium import SeatEnv
from boxes import BOXES


def play(env: SeatEnv, seed: int, *, limit: int = 10_000) -> tuple[float, tuple[int, ...]]:
    """Play a random game to its end; return the reward and the scores."""
    rng = np.random.default_rng(seed)
    total, info = 0.0, {"scores": ()}
    for _ in range(limit):
        _, reward, over, _, info = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        total += reward
        if over:
            break
    return total, info["scores"]


@pytest.mark.parametrize(("name", "players"), BOXES)
def test_the_checker_is_content(name: str, players: int) -> None:
    check_env(library.make(f"azulejos/{name}-v1", players=players).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_game_against_bots_ends_with_a_reward(seat: int | None) -> None:
    env = SeatEnv("azul", players=3, seat=seat)
    for seed in range(2):
        env.reset(seed=seed)
        assert seat in (None, env.seat)
        total, scores = play(env, seed)
        assert total in (1.0, -0.5) or total == pytest.approx(0.25)
        assert env.table.position.is_over
        assert scores == env.table.position.scores
        assert not env.action_masks().any()


def test_points_as_rewards_add_up_to_the_score() -> None:
    env = SeatEnv("azul", reward="points", seat=1)
    env.reset(seed=2)
    total, scores = play(env, 1)
    assert total == scores[1]


def test_the_agent_is_always_to_move() -> None:
    env = SeatEnv("azul", players=4)
    env.reset(seed=3)
    for _ in range(15):
        assert env.table.position.to_move == env.seat
        play(env, 1, limit=1)


def test_seeds_decide_everything() -> None:
    games = []
    for _ in range(2):
        env = SeatEnv("azul", players=2)
        env.reset(seed=11)
        games.append((play(env, 1), env.table.position.text()))
    assert games[0] == games[1]


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_mid_game_goes_on_alone(twin_of: Any) -> None:
    env = SeatEnv("azul")
    env.reset(seed=1)
    play(env, 1, limit=10)
    twin = twin_of(env)
    assert play(twin, 2) == play(env, 2)


def test_an_illegal_action_loses_and_says_why() -> None:
    env = SeatEnv("azul")
    env.reset(seed=1)
    _, reward, over, _, info = env.step(int(np.flatnonzero(~env.action_masks())[0]))
    assert (reward, over) == (-1.0, True)
    assert info["illegal"]


def test_seats_outside_the_table_are_refused() -> None:
    with pytest.raises(ValueError, match="seat must be"):
        SeatEnv("azul", seat=2)


@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_pictures(mode: str) -> None:
    env = SeatEnv("azul", render_mode=mode)
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape[2] == 3 if mode == "rgb_array" else isinstance(picture, str)


def test_a_step_needs_a_reset() -> None:
    with pytest.raises(ResetNeeded):
        SeatEnv("azul").step(0)


def test_self_play_is_no_single_game() -> None:
    with pytest.raises(ValueError, match="make_vec"):
        library.make("azulejos/azul-selfplay-v1")
