"""Train MaskablePPO of sb3-contrib against a bot, in hundreds of games at once.

    pip install 'azulejos[rl]' sb3-contrib
    python examples/maskable_ppo.py --box azul --opponent random --steps 200000

`Games` makes the vector environment of azulejos one of Stable-Baselines3: it converts no data and plays
nothing itself.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

from azulejos.envs.gymnasium import SeatVectorEnv


class Games(VecEnv):  # type: ignore[misc]  # a base class without types, if it is installed at all
    """One seat in many games; the masks are those that MaskablePPO asks for."""

    def __init__(self, count: int, box: str, opponent: str) -> None:
        self.games = SeatVectorEnv(count, box, opponent=opponent)
        super().__init__(count, self.games.single_observation_space, self.games.single_action_space)

    def reset(self) -> Any:
        observation, _ = self.games.reset(seed=self._seeds[0])
        self._reset_seeds()
        return observation.copy()

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observation, reward, done, _, infos = self.games.step(self.actions)
        notes: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(done):
            notes[game]["terminal_observation"] = infos["final_obs"][game].copy()
        return observation.copy(), reward.copy(), done.copy(), notes

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **settings: Any) -> list[Any]:
        return list(getattr(self.games, method_name)(*args, **settings))

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self.games, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.games, attr_name, None)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self.games, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.games.close()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--box", default="azul")
    options.add_argument("--opponent", default="random", choices=["random", "greedy"])
    options.add_argument("--games", type=int, default=256, help="games at once")
    options.add_argument("--steps", type=int, default=200_000, help="moves of the learner in training")
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()

    games = VecMonitor(Games(asked.games, asked.box, asked.opponent))
    model = MaskablePPO("MlpPolicy", games, n_steps=64, batch_size=2048, seed=asked.seed, verbose=1)
    for moment in ("before", "after"):
        reward, error = evaluate_policy(model, games, n_eval_episodes=500, deterministic=False)
        print(f"{moment} training: mean reward {reward:+.3f} ± {error:.2f}; a win is 1, a loss -1")
        if moment == "before":
            model.learn(asked.steps)


if __name__ == "__main__":
    main()
