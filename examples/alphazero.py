"""AlphaZero in small: a tree search on what `bots.evaluate` expects, and a policy that learns from it.

    pip install 'azulejos[fast,train]'
    python examples/alphazero.py --generations 4 --games 16

A search looks at positions one after the other, where a good value and few visits meet (PUCT). It asks
`azulejos.bots.Evaluator` what each seat can expect after every move of a position, all of them at once. A
small network learns which moves the searches visited, and tells the next searches where to look first. To
begin without any knowledge, give the evaluator weights of your own.
"""

from __future__ import annotations

import argparse
import random
import time

import numpy as np
import torch
from torch import nn

import azulejos
from azulejos.bots import Evaluator
from azulejos.core.chance import seeded
from azulejos.core.layout import Cells
from azulejos.engine.batch import Batch, Step

PULL = 1.5
"""How far the policy and few visits count against values, which are chances to win."""
BATCH = 256
EPOCHS = 8


class World:
    """The rules and what is expected of positions, for whole arrays of them."""

    def __init__(self, box: str) -> None:
        self.batch = Batch(box, autoreset="disabled", threads=1)
        self.expect = Evaluator(box)

    def begin(self, seed: int) -> Step:
        return self.batch.init(seed=seed, n=1)

    def after(self, now: Step, actions: Cells, key: Cells) -> Step:
        """What each of some moves leads to; chance is drawn from `key`, not from the game's generator."""
        many = len(actions)
        return self.batch.step(np.repeat(now.states, many, 0), actions, np.resize(key, many))


def row(now: Step, i: int) -> Step:
    """One game of many."""
    arrays = {name: value[i : i + 1] for name, value in vars(now).items() if name != "decisions"}
    return Step(**arrays, decisions=now.decisions)


class Policy(nn.Module):  # type: ignore[misc]  # a base class without types, if it is installed at all
    def __init__(self, batch: Batch, width: int = 128) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(batch.features, width), nn.ReLU(), nn.Linear(width, batch.game.decisions),
        )
        nn.init.zeros_(self.layers[-1].weight)
        nn.init.zeros_(self.layers[-1].bias)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Logarithms of chances."""
        return torch.log_softmax(self.layers(seen).masked_fill(~mask, -1e9), 1)


class Node:
    """A position with what is known of its moves; arrays [move, ...]."""

    def __init__(self, world: World, policy: Policy, now: Step, key: Cells) -> None:
        self.mover = int(now.to_play[0])
        self.actions = now.mask[0].nonzero()[0]
        with torch.no_grad():
            chances = policy(torch.tensor(now.observation), torch.tensor(now.mask))[0].exp().numpy()
        self.prior = chances[self.actions]
        self.after = world.after(now, self.actions, key)
        self.expected = world.expect(self.after.states).win
        self.visits = np.zeros(len(self.actions))
        self.total = np.zeros_like(self.expected)
        self.children: dict[int, Node] = {}

    def choose(self) -> int:
        """The move where value and curiosity are largest; one without a visit is worth what is expected."""
        mean = (self.expected + self.total)[:, self.mover] / (1 + self.visits)
        curiosity = PULL * self.prior * (1 + self.visits.sum()) ** 0.5 / (1 + self.visits)
        return int((mean + curiosity).argmax())


def search(world: World, policy: Policy, now: Step, simulations: int, key: Cells) -> Node:
    root = Node(world, policy, now, key)
    for _ in range(simulations):
        path, node, move = [], root, root.choose()
        path.append((node, move))
        while move in node.children:
            node = node.children[move]
            move = node.choose()
            path.append((node, move))
        value = node.expected[move]
        if not node.after.done[move]:
            node.children[move] = Node(world, policy, row(node.after, move), key)
        for parent, taken in path:
            parent.visits[taken] += 1
            parent.total[taken] += value
    return root


Example = tuple[Cells, Cells, Cells]
"""What was seen, the mask, and the share of visits [action]."""


def self_play(world: World, policy: Policy, simulations: int, seed: int) -> list[Example]:
    """A game of the search against itself, some of its moves drawn by their visits."""
    rng, now = np.random.default_rng(seed), world.begin(seed)
    examples: list[Example] = []
    while not now.done[0]:
        found = search(world, policy, now, simulations, seeded(int(rng.integers(2**62))))
        share = np.zeros(now.decisions, np.float32)
        share[found.actions] = found.visits / found.visits.sum()
        examples.append((now.observation[0].copy(), now.mask[0].copy(), share))
        action = rng.choice(now.decisions, p=share / share.sum()) if rng.random() < 0.3 else share.argmax()
        now = world.batch.step(now.states, np.array([action]), now.key)
    return examples


def learn(policy: Policy, examples: list[Example]) -> float:
    """The last error, in bits of surprise."""
    seen, mask, share = (torch.tensor(np.stack(column)) for column in zip(*examples, strict=True))
    optimizer = torch.optim.Adam(policy.parameters(), lr=2e-3)
    error = torch.zeros(())
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(seen)).split(BATCH):
            error = -(share[rows] * policy(seen[rows], mask[rows])).sum(1).mean()
            optimizer.zero_grad()
            error.backward()
            optimizer.step()
    return float(error.detach()) / float(np.log(2))


def wins(world: World, policy: Policy, opponent: str, games: int, simulations: int) -> float:
    """Share of wins against a bot, each deal from both seats; a tie is half a win."""
    won = 0.0
    with azulejos.bots.open(opponent) as bot:
        for game in range(games):
            now, rng, own = world.begin(1000 + game // 2), random.Random(game), game % 2
            while not now.done[0]:
                if now.to_play[0] == own:
                    found = search(world, policy, now, simulations, seeded(rng.getrandbits(62)))
                    action = int(found.actions[found.visits.argmax()])
                else:
                    played = bot.play(world.batch.position(now.states[0]), rng=rng)
                    action = world.batch.game.moves.number(played.move)
                now = world.batch.step(now.states, np.array([action]), now.key)
            won += (float(now.reward[0, own]) + 1) / 2
    return won / games


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--box", default="azul")
    options.add_argument("--generations", type=int, default=4)
    options.add_argument("--games", type=int, default=16, help="of self-play in a generation")
    options.add_argument("--simulations", type=int, default=24, help="a move")
    options.add_argument("--against", default="greedy", help="the word of a bot")
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()

    torch.manual_seed(asked.seed)
    torch.set_num_threads(1)
    world = World(asked.box)
    policy = Policy(world.batch)
    examples: list[Example] = []
    for generation in range(asked.generations + 1):
        share = wins(world, policy, asked.against, asked.games, asked.simulations)
        print(f"generation {generation}: {100 * share:.0f} % of {asked.games} games "
              f"against {asked.against}, {time.process_time():.0f} s", flush=True)
        if generation < asked.generations:
            for game in range(asked.games):
                seed = asked.seed + generation * asked.games + game
                examples += self_play(world, policy, asked.simulations, seed)
            print(f"  {len(examples):,} positions, {learn(policy, examples):.2f} bits a move", flush=True)


if __name__ == "__main__":
    main()
