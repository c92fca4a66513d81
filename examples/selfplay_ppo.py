"""From nothing, in ten minutes, towards `greedy`: PPO in self-play, in one file (docs/benchmark.md).

    pip install 'azulejos[rl,train,plot]'
    python examples/selfplay_ppo.py --out azul.pt --plot azul.svg

One network plays both seats of some hundred games at once. After every STEPS of them it learns from what
it did (PPO with generalised advantages): the reward is the change of the difference of points, and what is
good for one seat is bad for the other, so values change their sign whenever the turn passes. Every seed is
fixed; `--seconds` count processor time, divided by the number of threads, so that other load on the machine
changes nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import log_softmax

import azulejos
from azulejos.core.observation import sliced
from azulejos.engine.batch import Batch
from azulejos.envs.vector import SeatVectorEnv, SelfPlayEnv

GAMES = 512
STEPS = 32
"""Of every game between two lessons."""
PLACES, COLOURS, LINES = 6, 5, 6
"""Of two seats: the centre and five factories; the sixth line is the floor."""
ACTIONS = PLACES * COLOURS * LINES
MOST = 5
"""Tiles from which on more of them are worth the same."""
EVERY = 50
"""Lessons between two matches."""
EPOCHS = 2
BATCH = 2048
CLIP = 0.2
TRACE = 0.95
"""The lambda of generalised advantages."""
POINTS = 10.0
"""A reward of 1."""
NEVER = -1e9

parts = {plane.name: part for plane, part in sliced(Batch("azul").planes)}
CENTRE, FACTORIES = parts["centre"], parts["factories"]


class Player(nn.Module):  # type: ignore[misc]  # a base class without types, if it is installed at all
    """Chances of the actions, and the points that the mover will be ahead by from here on.

    What a move is worth has two parts: so many tiles of a colour on a line, from wherever they are, and
    what their taking does to the place. So six places share what is learned of one.
    """

    def __init__(self, features: int, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
        )
        self.tiles = nn.Linear(width, MOST * COLOURS * LINES)
        self.taking = nn.Linear(width, PLACES * COLOURS)
        self.value = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1))
        nn.init.zeros_(self.tiles.weight)
        nn.init.zeros_(self.taking.weight)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logarithms of chances, very low for what is not legal; values."""
        inner = self.body(seen)
        lying = torch.cat((seen[:, CENTRE], seen[:, FACTORIES]), 1) * 4
        number = lying.round().long().clamp(1, MOST).view(-1, PLACES, COLOURS, 1).expand(-1, -1, -1, LINES)
        worth = self.tiles(inner).view(-1, MOST, COLOURS, LINES).gather(1, number - 1)
        worth = worth + self.taking(inner).view(-1, PLACES, COLOURS, 1)
        return log_softmax(worth.flatten(1).masked_fill(~mask, NEVER), 1), self.value(inner)[:, 0]


@dataclass
class Rollout:
    """Tensors [step, game]."""

    seen: Tensor
    mask: Tensor
    action: Tensor
    chance: Tensor
    """Logarithm of the chance that the action had."""
    value: Tensor
    reward: Tensor
    sign: Tensor
    """Of the value after it: 1 if the same seat moves on, -1 if the other does, 0 if the game is over."""


def legal(infos: dict[str, Any]) -> Tensor:
    return torch.tensor(infos["action_mask"][:, :ACTIONS])


def drawn(chances: Tensor) -> Tensor:
    """An action for every game: where the sum of the chances passes a random number."""
    sums = chances.exp().cumsum(1)
    return (sums <= torch.rand(len(sums), 1) * (1 - 1e-6) * sums[:, -1:]).sum(1)


class Collector:
    """Plays the games."""

    def __init__(self, seed: int) -> None:
        self.envs = SelfPlayEnv(GAMES, "azul", reward="points", threads=1, copy=False)
        self.seen, self.infos = self.envs.reset(seed=seed)
        self.ended = 0

    def play(self, player: Player) -> tuple[Rollout, Tensor]:
        """The steps, and the values after the last."""
        rows: list[tuple[Tensor, ...]] = []
        with torch.no_grad():
            for _ in range(STEPS):
                seen, mask = torch.tensor(self.seen), legal(self.infos)
                chances, value = player(seen, mask)
                action = drawn(chances)
                chance = chances.gather(1, action[:, None])[:, 0]
                rows.append((seen, mask, action, chance, value, *self._step(action)))
            _, last = player(torch.tensor(self.seen), legal(self.infos))
        return Rollout(*(torch.stack(column) for column in zip(*rows, strict=True))), last

    def _step(self, action: Tensor) -> tuple[Tensor, Tensor]:
        mover = self.infos["to_play"].astype(np.int64)
        self.seen, _, over, _, self.infos = self.envs.step(action.numpy())
        points, games = self.infos["seat_rewards"], np.arange(GAMES)
        ahead = (points[games, mover] - points[games, 1 - mover]) / POINTS
        sign = np.where(over, 0, np.where(self.infos["to_play"] == mover, 1, -1))
        self.ended += int(over.sum())
        return torch.tensor(ahead, dtype=torch.float32), torch.tensor(sign, dtype=torch.float32)


def advantages(rollout: Rollout, last: Tensor) -> Tensor:
    advantage, after = torch.zeros_like(rollout.value), torch.zeros(GAMES)
    following = last
    for step in reversed(range(STEPS)):
        surprise = rollout.reward[step] + rollout.sign[step] * following - rollout.value[step]
        after = surprise + TRACE * rollout.sign[step] * after
        advantage[step], following = after, rollout.value[step]
    return advantage


def learn(player: Player, optimizer: torch.optim.Optimizer, rollout: Rollout, gain: Tensor,
          curiosity: float) -> None:
    target = (gain + rollout.value).flatten()
    gain = ((gain - gain.mean()) / gain.std()).flatten()
    seen, mask = rollout.seen.flatten(0, 1), rollout.mask.flatten(0, 1)
    action, before = rollout.action.flatten(), rollout.chance.flatten()
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(target)).split(BATCH):
            chances, value = player(seen[rows], mask[rows])
            ratio = (chances.gather(1, action[rows, None])[:, 0] - before[rows]).exp()
            better = torch.min(ratio * gain[rows], ratio.clamp(1 - CLIP, 1 + CLIP) * gain[rows]).mean()
            entropy = -(chances.exp() * chances.clamp(min=-30)).sum(1).mean()
            error = nn.functional.smooth_l1_loss(value, target[rows])
            optimizer.zero_grad()
            (error - better - curiosity * entropy).backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimizer.step()


def wins(player: Player, opponent: str, games: int, seed: int) -> tuple[float, float]:
    """The share of wins (a tie is half a win) in whole games, with the half-width of its 95 % interval."""
    results: list[float] = []
    for seat in (0, 1):
        envs = SeatVectorEnv(256, "azul", opponent=opponent, seat=seat, copy=False)
        seen, infos = envs.reset(seed=seed)
        left = np.full(256, games // 512)
        while left.any():
            with torch.no_grad():
                chances, _ = player(torch.tensor(seen), legal(infos))
            seen, reward, over, _, infos = envs.step(chances.argmax(1).numpy())
            results += ((reward[over & (left > 0)] + 1) / 2).tolist()
            left -= over & (left > 0)
    share = float(np.mean(results))
    return share, 1.96 * float(np.std(results)) / len(results) ** 0.5


def train(
    seconds: float, threads: int, seed: int, opponent: str, tell: Any = print
) -> tuple[Player, list[dict[str, float]]]:
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    collector = Collector(seed)
    player = Player(collector.seen.shape[1])
    optimizer = torch.optim.Adam(player.parameters(), lr=1e-3, eps=1e-5)
    told: list[dict[str, float]] = []
    began, lessons = time.process_time(), 0
    while (spent := (time.process_time() - began) / threads) < seconds:
        left = 1 - spent / seconds
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * max(left, 0.02)
        rollout, last = collector.play(player)
        learn(player, optimizer, rollout, advantages(rollout, last), 0.02 * left)
        lessons += 1
        if lessons % EVERY == 0:
            share, error = wins(player, opponent, 1024, seed)
            told.append({"seconds": spent, "steps": lessons * GAMES * STEPS, "games": collector.ended,
                         "wins": share, "error": error})
            tell(f"{spent:5.0f} s, {collector.ended:7,} games: {100 * share:5.1f} ± {100 * error:.1f} % "
                 f"against {opponent}", flush=True)
    return player, told


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--seconds", type=float, default=600.0, help="of all threads together")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--opponent", default="greedy", choices=["random", "greedy"])
    options.add_argument("--out", type=Path, help="file for the network (.pt)")
    options.add_argument("--curve", type=Path, help="file for the curve (.json)")
    options.add_argument("--plot", type=Path, help="file for a picture of it (.svg, .png)")
    asked = options.parse_args()

    player, told = train(asked.seconds, asked.threads, asked.seed, asked.opponent)
    share, error = wins(player, asked.opponent, 10_240, asked.seed + 1)
    print(f"at the end: {100 * share:.1f} ± {100 * error:.1f} % of 10,240 games against {asked.opponent}")
    if asked.out:
        torch.save(player.state_dict(), asked.out)
    if asked.curve:
        asked.curve.write_text(json.dumps(told), encoding="utf-8")
    if asked.plot:
        drawn_on: Any = azulejos.plot.curve(told).figure
        drawn_on.savefig(asked.plot)


if __name__ == "__main__":
    main()
