"""A league: a learner that began in self-play meets `greedy` and its own past selves.

    python examples/selfplay_ppo.py --out azul.pt
    python examples/league.py azul.pt --lessons 100 --out league.pt

The environment plays the other seat: each game that begins draws one member of the list, and the list grows
while the learner learns. The learner is that of selfplay_ppo.py; only one seat is its own here, so nothing
changes its sign.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from selfplay_ppo import GAMES, Collector, Player, advantages, drawn, learn, sight, wins

from azulejos.core.layout import Cells
from azulejos.engine.policy_batch import OpponentsTurn
from azulejos.envs.vector import SeatVectorEnv

EVERY = 20
"""Lessons until the learner joins its opponents."""


def past(player: Player) -> Callable[[OpponentsTurn], Cells]:
    """The player as it is now, as an opponent: it chooses for all games that wait."""
    frozen = copy.deepcopy(player).eval()

    def policy(seen: OpponentsTurn) -> Cells:
        with torch.no_grad():
            chances, _ = frozen(sight(seen.observation, seen.mask))
        actions: Cells = drawn(chances).numpy()
        return actions

    return policy


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("player", type=Path, help="a network of selfplay_ppo.py")
    options.add_argument("--lessons", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path)
    asked = options.parse_args()

    torch.manual_seed(asked.seed)
    player = Player()
    player.load_state_dict(torch.load(asked.player))
    pool: list[Any] = ["greedy", past(player)]
    envs = SeatVectorEnv(GAMES, "azul", opponent=pool, reward="points", threads=1)
    collector = Collector(envs, asked.seed)
    optimizer = torch.optim.Adam(player.parameters(), lr=3e-4, eps=1e-5)
    for lesson in range(1, asked.lessons + 1):
        rollout, last = collector.play(player)
        learn(player, optimizer, rollout, advantages(rollout, last), 0.005)
        if lesson % EVERY == 0:
            pool.append(past(player))
            share, error = wins(player, "greedy", 1024, asked.seed)
            print(f"lesson {lesson}, {len(pool)} opponents: {100 * share:.1f} ± {100 * error:.1f} % "
                  "against greedy")
    if asked.out:
        torch.save(player.state_dict(), asked.out)


if __name__ == "__main__":
    main()
