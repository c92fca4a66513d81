"""Train MaskablePPO of sb3-contrib against a bot, in hundreds of games at once.

    pip install 'azulejos[rl,sb3]' sb3-contrib
    python examples/maskable_ppo.py --box azul --opponent random --steps 200000
"""

from __future__ import annotations

import argparse

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor

from azulejos.envs.stable_baselines import Games


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--box", default="azul")
    options.add_argument("--opponent", default="random", choices=["random", "greedy"])
    options.add_argument("--games", type=int, default=256, help="games at once")
    options.add_argument("--steps", type=int, default=200_000, help="moves of the learner in training")
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()

    games = VecMonitor(Games(asked.games, asked.box, opponent=asked.opponent))
    model = MaskablePPO("MlpPolicy", games, n_steps=64, batch_size=2048, seed=asked.seed, verbose=1)
    for moment in ("before", "after"):
        reward, error = evaluate_policy(model, games, n_eval_episodes=500, deterministic=False)
        print(f"{moment} training: mean reward {reward:+.3f} ± {error:.2f}; a win is 1, a loss -1")
        if moment == "before":
            model.learn(asked.steps)


if __name__ == "__main__":
    main()
