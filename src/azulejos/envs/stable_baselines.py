"""Stable-Baselines3: many games at once as its `VecEnv`, with the masks that MaskablePPO asks for.

    model = MaskablePPO("MlpPolicy", Games(256, "azul", opponent="greedy"))

It converts no data and plays nothing itself: the games are those of `SeatVectorEnv`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azulejos.core.extras import explained
from azulejos.core.layout import Cells
from azulejos.envs.vector import BatchEnv, SeatVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    raise explained(error) from error


class Games(VecEnv):  # type: ignore[misc]  # a base class without types, if it is installed at all
    """One seat in many games; settings are those of `SeatVectorEnv`."""

    def __init__(self, count: int, box: str = "azul", **settings: Any) -> None:
        self.games: BatchEnv = SeatVectorEnv(count, box, **settings)
        self.render_mode = self.games.render_mode
        super().__init__(count, self.games.single_observation_space, self.games.single_action_space)

    def reset(self) -> Cells:
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        observation, _ = self.games.reset(seed=seeds)
        self._reset_seeds()
        return observation

    def step_async(self, actions: Cells) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[Cells, Cells, Cells, list[dict[str, Any]]]:
        observation, reward, done, _, infos = self.games.step(self.actions)
        notes: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(done):
            notes[game] = {"terminal_observation": infos["final_obs"][game], "TimeLimit.truncated": False}
        return observation, reward, done, notes

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **settings: Any) -> list[Any]:
        found = getattr(self.games, method_name)(*args, **settings)
        return [found[game] for game in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self.games, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.games, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self.games, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))

    def get_images(self) -> list[Any]:
        return list(self.games.render() or ())

    def close(self) -> None:
        self.games.close()
