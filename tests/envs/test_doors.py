"""Doors to other libraries, each with that library's own check, where it is installed (CI: `doors`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from azulejos.core.chance import seeded
from azulejos.engine.batch import Batch


@pytest.mark.parametrize("n", [1, 7, 256])
def test_arrays_begin_where_jax_takes_them(n: int) -> None:
    now = Batch("azul", observation="uint8").empty(n)
    arrays = (now.states, now.key, now.words, now.observation, now.reward, now.done, now.scores)
    assert [array.ctypes.data % 64 for array in arrays] == [0] * len(arrays)
    assert now.padded_mask.flags["C_CONTIGUOUS"]
    assert np.shares_memory(now.padded_mask, now.mask)


def test_padding_is_never_legal() -> None:
    batch = Batch("azul")
    now = batch.init(seed=1, n=32)
    key = seeded(2, 32)
    for _ in range(60):
        now = batch.step(now.states, batch.random_actions(now.mask, key), now.key)
        assert not now.padded_mask[:, batch.game.decisions :].any()


def test_jax_takes_observations_and_masks_without_a_copy() -> None:
    jax = pytest.importorskip("jax")
    now = Batch("azul", observation="uint8").init(seed=1, n=64)
    for array in (now.observation, now.padded_mask, now.states):
        taken: Any = jax.dlpack.from_dlpack(array)
        assert taken.unsafe_buffer_pointer() == array.ctypes.data
        assert (np.asarray(taken) == array).all()


def test_torch_shares_the_memory() -> None:
    torch = pytest.importorskip("torch")
    now = Batch("azul").init(seed=1, n=64)
    taken: Any = torch.from_numpy(now.observation)
    assert taken.data_ptr() == now.observation.ctypes.data


@pytest.mark.parametrize("opponent", [None, "greedy"])
@pytest.mark.parametrize("observation", ["float32", "uint8"])
def test_torchrl_is_content(opponent: str | None, observation: str) -> None:
    pytest.importorskip("torchrl")
    from torchrl.envs import TransformedEnv
    from torchrl.envs.transforms import ActionMask
    from torchrl.envs.utils import check_env_specs

    from azulejos.envs.torchrl import Games

    env = TransformedEnv(Games(8, "azul", opponent=opponent, observation=observation), ActionMask())
    check_env_specs(env, seed=1)
    env.set_seed(5)
    first = env.rollout(120, break_when_any_done=False)
    env.set_seed(5)
    assert first["next", "done"].sum() >= 8
    assert (first[:, 0]["observation"] == env.reset()["observation"]).all()


def test_stable_baselines_takes_the_games() -> None:
    pytest.importorskip("stable_baselines3")
    from azulejos.envs.stable_baselines import Games

    games = Games(8, "azul", opponent="greedy")
    observation = games.reset()
    for _ in range(60):
        masks = np.stack(games.env_method("action_masks"))
        observation, _, done, notes = games.step(masks.argmax(axis=1))
        assert games.observation_space.contains(observation[0])
        assert [bool(note) for note in notes] == done.tolist()
