"""PettingZoo's conformance tests on every box, and what they do not cover."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pettingzoo as library
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as state_conforms
from pettingzoo.test.state_test import test_state_space as state_space_conforms

import azulejos
from azulejos.envs import pettingzoo
from boxes import BOXES


@pytest.fixture(autouse=True)
def _strangers_may_warn() -> Any:
    """PettingZoo warns about dict observations except in a list of environments that lacks ours."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        yield


def play(env: Any, decisions: int, seed: int) -> list[tuple[Any, ...]]:
    """Make some random decisions; return the observations and rewards."""
    rng = np.random.default_rng(seed)
    seen: list[tuple[Any, ...]] = []
    for agent in env.agent_iter(decisions):
        observation, reward, terminated, truncated, _ = env.last()
        seen.append((agent, observation["observation"].tobytes(), reward, terminated, truncated))
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return seen


@pytest.mark.parametrize(("name", "players"), BOXES)
def test_the_api_is_that_of_the_library(name: str, players: int) -> None:
    api_test(pettingzoo.env(name, players=players), num_cycles=60)


@pytest.mark.parametrize(("name", "players"), BOXES)
def test_seeds_decide_everything(name: str, players: int) -> None:
    seed_test(lambda: pettingzoo.env(name, players=players), num_cycles=40)


@pytest.mark.parametrize(("name", "players"), BOXES)
def test_the_state_conforms(name: str, players: int) -> None:
    env = pettingzoo.raw_env(name, players=players)
    state_space_conforms(env)
    env.reset(seed=1)
    assert env.state_space.contains(env.state())


def test_a_state_is_whole_at_every_step() -> None:
    state_conforms(pettingzoo.env("azul"), 1)


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[] if name == "azul" else pytest.mark.slow) for name in azulejos.presets()
])
def test_every_render_mode_renders(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(
        lambda **mode: pettingzoo.env(name, **mode),
        custom_tests={"svg": lambda picture: picture.startswith("<svg")},
    )
    assert capsys.readouterr().out


def test_max_cycles_truncates() -> None:
    env = pettingzoo.env("azul", max_cycles=10)
    env.reset(seed=1)
    seen = play(env, 100, 1)
    assert len(seen) == 12
    assert seen[-1][4]


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("name", ["azul", "chocolatier-grey"])
def test_a_copy_in_mid_game_goes_on_alone(name: str, twin_of: Any) -> None:
    env = pettingzoo.env(name)
    env.reset(seed=3)
    play(env, 30, 1)
    twin = twin_of(env)
    after = play(twin, 300, 2)
    assert env.unwrapped.cycles == 30
    assert play(env, 300, 2) == after
    assert after[-1][3]


def test_rewards_add_up_to_nothing_and_to_the_score() -> None:
    for reward in ("outcome", "points"):
        env = pettingzoo.env("azul", players=3, reward=reward)
        env.reset(seed=5)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent, _, earned, terminated, _ in play(env, 1000, 4):
            total[agent] += earned if terminated or reward == "points" else 0.0
        scores = env.unwrapped.table.position.scores
        if reward == "points":
            assert tuple(total.values()) == scores
        else:
            assert sum(total.values()) == pytest.approx(0)
            assert max(total.values()) == 1.0


def test_boxes_are_in_the_registry() -> None:
    for name in azulejos.presets():
        env = library.make("aec", f"azulejos/{name}-v1", players=4)
        assert len(env.possible_agents) == 4


def test_an_illegal_action_ends_the_game_with_a_loss() -> None:
    env = pettingzoo.env("azul")
    env.reset(seed=1)
    observation, *_ = env.last()
    agent = env.agent_selection
    env.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert env.terminations[agent]
    assert env.rewards[agent] == -1


def test_unknown_modes_and_rewards_are_refused() -> None:
    with pytest.raises(ValueError, match="render_mode"):
        pettingzoo.env("azul", render_mode="hologram")
    with pytest.raises(ValueError, match="reward"):
        pettingzoo.env("azul", reward="glory")
