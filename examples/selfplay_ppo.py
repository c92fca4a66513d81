"""From nothing, in ten minutes, to better than `greedy`: PPO in self-play, in one file (docs/benchmark.md).

    pip install 'azulejos[rl,train,plot]'
    python examples/selfplay_ppo.py --out azul.pt --plot azul.svg

One network plays both seats of some hundred games at once. After every STEPS of them it learns from what
it did (PPO with generalised advantages): the reward is the change of the difference of points, and what is
good for one seat is bad for the other, so values change their sign whenever the turn passes. It is told
what a move does to its own board (`board`, `moves`), and knows no other player's games or judgement. Every
seed is fixed; `--seconds` count processor time, divided by the number of threads, so that other load on the
machine changes nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import log_softmax, one_hot

import azulejos
from azulejos.core.observation import sliced
from azulejos.engine.batch import Batch
from azulejos.envs.vector import BatchEnv, SeatVectorEnv, SelfPlayEnv

GAMES = 512
STEPS = 32
"""Of every game between two lessons."""
TOGETHER = 4
"""Steps of all games in one batch."""
PLACES, COLOURS, LINES = 6, 5, 6
"""Of two seats: the centre and five factories; the sixth line is the floor."""
ACTIONS = PLACES * COLOURS * LINES
EVERY = 50
"""Lessons between two matches."""
EPOCHS = 2
CLIP = 0.2
TRACE = 0.95
"""The lambda of generalised advantages."""
SPEED = 1e-3
CURIOSITY = 0.02
POINTS = 10.0
"""A reward of 1."""
NEVER = -1e9

parts = {plane.name: part for plane, part in sliced(Batch("azul").planes)}
LOST = torch.tensor([0, 1, 2, 4, 6, 8, 11] + [14] * 20, dtype=torch.float32)
"""Points by tiles in the floor line."""
ROWS = torch.arange(5)
COLUMN = (ROWS[:, None] + ROWS) % 5
"""[row, colour] of the wall."""
COLOUR = (ROWS - ROWS[:, None]) % 5
"""[row, column]"""


# --- what a player sees at a glance ------------------------------------------------------------------


class Board(NamedTuple):
    """Of one seat; tensors [game, ...]."""

    cells: Tensor
    """[line, colour, 4]: points of a tile there, and how many are in its row, its column and its colour"""
    room: Tensor
    """[line, colour]: spaces that are left for the colour; no move fills what is not allowed"""
    fallen: Tensor
    """Tiles in the floor line."""
    promised: Tensor
    """Points of full lines, less those of the floor."""


def neighbours(wall: Tensor, axis: int) -> Tensor:
    """How many tiles lie next to each cell, in a row without a gap, on both sides along an axis."""
    def before(tiles: Tensor) -> Tensor:
        run, runs = torch.zeros_like(tiles.select(axis, 0)), []
        for i in range(5):
            runs.append(run)
            run = (run + 1) * tiles.select(axis, i)
        return torch.stack(runs, axis)

    return before(wall) + before(wall.flip(axis)).flip(axis)


def board(seen: Tensor, turn: int) -> Board:
    """Turn 0 is the player, 1 the opponent. Full lines count as tiled."""
    shape = (len(seen), 5, 5)
    by_colour, by_column = COLUMN.expand(shape), COLOUR.expand(shape)
    lines = seen[:, parts[f"lines.{turn}"]].view(shape)
    full = (lines > 0.99).float()
    wall = seen[:, parts[f"wall.{turn}"]].view(shape) + full.gather(2, by_column)
    across, down = neighbours(wall, 2), neighbours(wall, 1)
    points = (across + (across > 0) + down + (down > 0)).clamp(min=1).gather(2, by_colour)
    tiles = wall.gather(2, by_colour)
    cells = torch.stack((
        points,
        tiles.sum(2, keepdim=True).expand(shape),
        wall.sum(1, keepdim=True).expand(shape).gather(2, by_colour),
        tiles.sum(1, keepdim=True).expand(shape),
    ), 3)
    room = ((ROWS[:, None] + 1) * (1 - lines)).round()
    fallen = seen[:, parts[f"floor.{turn}"]].sum(1)
    return Board(cells, room, fallen, (points * full).sum((1, 2)) - LOST[fallen.long()])


class Sight(NamedTuple):
    """What the network gets of some games."""

    whole: Tensor
    """[game, feature]"""
    game: Tensor
    """[move]: the number of the game in which it is legal"""
    action: Tensor
    """[move]"""
    moves: Tensor
    """[move, feature]"""


def sight(observation: Any, mask: Any) -> Sight:
    seen = torch.tensor(observation)
    own, other = board(seen, 0), board(seen, 1)
    whole = torch.cat((
        seen, own.cells[..., 0].flatten(1) / 5, other.cells[..., 0].flatten(1) / 5,
        own.promised[:, None] / POINTS, other.promised[:, None] / POINTS,
    ), 1)
    game, action = torch.tensor(mask[:, :ACTIONS]).nonzero(as_tuple=True)
    return Sight(whole, game, action, moves(seen, own, game, action))


def moves(seen: Tensor, own: Board, game: Tensor, action: Tensor) -> Tensor:
    """What each move takes, what it fills and what falls."""
    place, colour, line = action // (COLOURS * LINES), action // LINES % COLOURS, action % LINES
    places = torch.cat((seen[:, parts["centre"]], seen[:, parts["factories"]]), 1) * 4
    lying = places.view(-1, PLACES, COLOURS)
    taken = lying[game, place, colour]
    on_a_line = (line < 5).float()
    row = line.clamp(max=4)
    room = own.room[game, row, colour] * on_a_line
    over = (taken - room).clamp(min=0)
    left = room - taken + over
    full = (left == 0) * on_a_line
    marker = seen[game, parts["marker.centre"].start] * (place == 0)
    fallen = own.fallen[game]
    lost = LOST[(fallen + over + marker).round().long()] - LOST[fallen.long()]
    cell = own.cells[game, row, colour] * on_a_line[:, None] / 4
    counts = torch.stack((
        taken, over, left, lost, (lying.sum(2)[game, place] - taken) * (place > 0),
        lying.sum(1)[game, colour] - taken, lying.sum((1, 2))[game] / 5,
    ), 1) / 4
    centre = (place == 0).float()
    shares = torch.stack((full, left / (row + 1), (taken - over) / (row + 1), marker, centre), 1)
    return torch.cat((counts, shares, cell, cell * full[:, None], one_hot(line, LINES)), 1)


# --- the player --------------------------------------------------------------------------------------


class Player(nn.Module):  # type: ignore[misc]  # a base class without types, if it is installed at all
    """Chances of the actions, and the points that the mover will be ahead by from here on."""

    def __init__(self, width: int = 256, inner: int = 48) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.LazyLinear(width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
        )
        self.context = nn.Linear(width, inner)
        self.move = nn.LazyLinear(inner, bias=False)
        self.worth = nn.Linear(inner, 1)
        self.wish = nn.Linear(width, COLOURS * LINES)
        self.value = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1))
        nn.init.zeros_(self.worth.weight)
        nn.init.zeros_(self.wish.weight)

    def forward(self, seen: Sight) -> tuple[Tensor, Tensor]:
        """Logarithms of chances [game, action], very low for what is not legal; values [game]."""
        inner = self.body(seen.whole)
        hidden = (self.move(seen.moves) + self.context(inner)[seen.game]).relu()
        worth = self.worth(hidden)[:, 0] + self.wish(inner)[seen.game, seen.action % (COLOURS * LINES)]
        chances = torch.full((len(inner), ACTIONS), NEVER).index_put((seen.game, seen.action), worth)
        return log_softmax(chances, 1), self.value(inner)[:, 0]


def drawn(chances: Tensor) -> Tensor:
    """An action for every game: where the sum of the chances passes a random number."""
    sums = chances.exp().cumsum(1)
    return (sums <= torch.rand(len(sums), 1) * (1 - 1e-6) * sums[:, -1:]).sum(1)


@dataclass
class Rollout:
    """Tensors [step, game]."""

    seen: list[Sight]
    """[step]"""
    action: Tensor
    chance: Tensor
    """Logarithm of the chance that the action had."""
    value: Tensor
    reward: Tensor
    sign: Tensor
    """Of the value after it: 1 if the same seat moves on, -1 if the other does, 0 if the game is over."""


class Collector:
    """Plays games: both seats, or one against the `opponent` of the environment."""

    def __init__(self, envs: BatchEnv, seed: int) -> None:
        self.envs = envs
        self.seen, self.infos = envs.reset(seed=seed)
        self.ended = 0

    def play(self, player: Player) -> tuple[Rollout, Tensor]:
        """The steps, and the values after the last."""
        sights: list[Sight] = []
        rows: list[tuple[Tensor, ...]] = []
        with torch.no_grad():
            for _ in range(STEPS):
                sights.append(sight(self.seen, self.infos["action_mask"]))
                chances, value = player(sights[-1])
                action = drawn(chances)
                chance = chances.gather(1, action[:, None])[:, 0]
                rows.append((action, chance, value, *self._step(action)))
            _, last = player(sight(self.seen, self.infos["action_mask"]))
        return Rollout(sights, *(torch.stack(column) for column in zip(*rows, strict=True))), last

    def _step(self, action: Tensor) -> tuple[Tensor, Tensor]:
        mover = self.infos["to_play"].astype(np.int64)
        self.seen, _, over, _, self.infos = self.envs.step(action.numpy())
        points, games = self.infos["seat_rewards"], np.arange(len(mover))
        ahead = (points[games, mover] - points[games, 1 - mover]) / POINTS
        sign = np.where(over, 0, np.where(self.infos["to_play"] == mover, 1, -1))
        self.ended += int(over.sum())
        return torch.tensor(ahead, dtype=torch.float32), torch.tensor(sign, dtype=torch.float32)


# --- learning ----------------------------------------------------------------------------------------


def advantages(rollout: Rollout, last: Tensor) -> Tensor:
    advantage, after, following = torch.zeros_like(rollout.value), torch.zeros_like(last), last
    for step in reversed(range(STEPS)):
        surprise = rollout.reward[step] + rollout.sign[step] * following - rollout.value[step]
        after = surprise + TRACE * rollout.sign[step] * after
        advantage[step], following = after, rollout.value[step]
    return advantage


def gathered(sights: list[Sight]) -> Sight:
    """Several steps of all games as one."""
    sizes = [len(each.whole) for each in sights]
    game = torch.cat([each.game + sum(sizes[:i]) for i, each in enumerate(sights)])
    whole, _, action, moves = (torch.cat(column) for column in zip(*sights, strict=True))
    return Sight(whole, game, action, moves)


def learn(player: Player, optimizer: torch.optim.Optimizer, rollout: Rollout, gain: Tensor,
          curiosity: float) -> None:
    target = gain + rollout.value
    gain = (gain - gain.mean()) / gain.std()
    for _ in range(EPOCHS):
        for steps in torch.randperm(STEPS).split(TOGETHER):
            chances, value = player(gathered([rollout.seen[step] for step in steps]))
            action, better = rollout.action[steps].flatten(), gain[steps].flatten()
            ratio = (chances.gather(1, action[:, None])[:, 0] - rollout.chance[steps].flatten()).exp()
            clipped = torch.min(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better).mean()
            entropy = -(chances.exp() * chances.clamp(min=-30)).sum(1).mean()
            error = nn.functional.smooth_l1_loss(value, target[steps].flatten())
            optimizer.zero_grad()
            (error - clipped - curiosity * entropy).backward()
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
                chances, _ = player(sight(seen, infos["action_mask"]))
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
    collector = Collector(SelfPlayEnv(GAMES, "azul", reward="points", threads=threads, copy=False), seed)
    player = Player()
    player(sight(collector.seen, collector.infos["action_mask"]))  # now its sizes are known
    optimizer = torch.optim.Adam(player.parameters(), lr=SPEED, eps=1e-5)
    told: list[dict[str, float]] = []
    began, lessons = time.process_time(), 0
    while (spent := (time.process_time() - began) / threads) < seconds:
        left = 1 - spent / seconds
        for group in optimizer.param_groups:
            group["lr"] = SPEED * max(left, 0.02)
        rollout, last = collector.play(player)
        learn(player, optimizer, rollout, advantages(rollout, last), CURIOSITY * left)
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
    if asked.out:
        torch.save(player.state_dict(), asked.out)
    if asked.curve:
        asked.curve.write_text(json.dumps(told), encoding="utf-8")
    if asked.plot:
        drawn_on: Any = azulejos.plot.curve(told).figure
        drawn_on.savefig(asked.plot)
    share, error = wins(player, asked.opponent, 10_240, asked.seed + 1)
    print(f"at the end: {100 * share:.1f} ± {100 * error:.1f} % of 10,240 games against {asked.opponent}")


if __name__ == "__main__":
    main()
