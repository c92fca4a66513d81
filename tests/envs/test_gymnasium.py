"""Gymnasium's checker on every box; the vector environment against the batch engine."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium as library
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from azulejos.core.chance import seeded
from azulejos.envs.gymnasium import SeatEnv, SeatVectorEnv, SelfPlayEnv
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


# --- many games --------------------------------------------------------------------------------------


def make_many(count: int, **options: Any) -> SelfPlayEnv:
    envs = library.make_vec(
        "azulejos/azul-selfplay-v1", num_envs=count, vectorization_mode="vector_entry_point", **options
    )
    assert isinstance(envs, SelfPlayEnv)
    return envs


def test_the_vector_environment_declares_what_it_does() -> None:
    envs = make_many(8, players=3)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observation, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observation)
    assert infos["action_mask"].shape == (8, envs.batch.game.decisions)


def test_self_play_gives_the_mover_its_reward() -> None:
    envs = make_many(64)
    _, infos = envs.reset(seed=1)
    key, ended = seeded(1, 64), 0
    for _ in range(150):
        movers = infos["to_play"].copy()
        actions = envs.batch.random_actions(envs.action_masks(), key)
        observation, reward, terminated, truncated, infos = envs.step(actions)
        assert envs.observation_space.contains(observation)
        assert (reward == infos["seat_rewards"][np.arange(64), movers]).all()
        assert (reward[~terminated] == 0).all()
        assert not truncated.any()
        assert infos["final_obs"][terminated].any(axis=1).all()
        ended += terminated.sum()
    assert ended > 64


def test_what_was_seen_stays_valid_for_one_more_step() -> None:
    envs = make_many(4)
    before, _ = envs.reset(seed=1)
    copied = before.copy()
    envs.step(envs.batch.random_actions(envs.action_masks(), seeded(1, 4)))
    assert (before == copied).all()


def test_one_seed_makes_all_games() -> None:
    first, second = make_many(4), make_many(4)
    assert (first.reset(seed=5)[0] == second.reset(seed=5)[0]).all()
    assert (first.reset()[0] == second.reset()[0]).all()
    with pytest.raises(ValueError, match="one seed"):
        first.reset(seed=[1, 2, 3, 4])


# --- one seat in many games --------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_many_games_of_one_seat_are_what_make_vec_makes(opponent: str) -> None:
    envs = library.make_vec("azulejos/azul-v1", num_envs=32, players=3, opponent=opponent, seat=1)
    assert isinstance(envs, SeatVectorEnv)
    observation, infos = envs.reset(seed=1)
    key, total = seeded(1, 32), np.zeros(32)
    for _ in range(40):
        assert envs.observation_space.contains(observation)
        assert (infos["to_play"] == 1).all()
        actions = envs.batch.random_actions(envs.action_masks(), key)
        observation, reward, _, _, infos = envs.step(actions)
        assert (reward == infos["seat_rewards"][:, 1]).all()
        total += reward
    assert (total != 0).any()


@pytest.mark.parametrize(("id", "settings", "complaint"), [
    ("azul-v1", {"opponent": "search"}, "gymnasium.make"),
    ("azul-v1", {"nodes": "5"}, "nodes"),
    ("azul-selfplay-v1", {"opponent": "greedy"}, "opponent"),
])
def test_make_vec_refuses_what_it_would_ignore(id: str, settings: dict[str, Any], complaint: str) -> None:  # noqa: A002
    with pytest.raises(ValueError, match=complaint):
        library.make_vec(f"azulejos/{id}", num_envs=2, **settings)
