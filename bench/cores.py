"""What a second core brings: ``python -m bench.cores [POSITIONS]``.

How long it takes to prove positions of Azul to the end of the round, with one and two threads that share a
table: by the clock, which needs an idle machine, and by the nodes of the first thread, which only needs
that both threads get as much of it.
"""

from __future__ import annotations

import random
import sys

import numpy as np

import azulejos
from azulejos.bots import Budget
from azulejos.bots.search import SearchBot
from azulejos.bots.warmth import warm
from azulejos.core.position import Position
from azulejos.engine.desk import NODES

PLIES = (3, 4)
LIMIT = 30.0


def position_at(ply: int, seed: int) -> Position:
    """A round of a quick search, so many decisions after its deal."""
    rng, bot = random.Random(seed), SearchBot(ahead=False)
    position = azulejos.new("azul")
    for _ in range(1 + seed % 4):
        position.deal(rng)
        begun = position.ply
        while not position.is_chance and not position.is_over and position.ply < begun + ply:
            position.play(int(bot.choose(position, Budget(nodes=2000)).action))
        found = position.copy()
        while not position.is_chance and not position.is_over:
            position.play(int(bot.choose(position, Budget(nodes=300)).action))
    return found


def proof(position: Position, *, cores: int) -> tuple[float, int, int]:
    """Seconds, nodes of the first thread and of the others until it is proved, or LIMIT is reached."""
    bot, budget = SearchBot(ahead=False), Budget(seconds=LIMIT, cores=cores)
    choice = bot.choose(position, budget)
    first = int(bot._desks[position.game.name, True].counters[NODES])
    return choice.seconds, first, choice.nodes - first


def main(count: int = 30) -> None:
    warm(azulejos.new("azul").game)
    for ply in PLIES:
        positions = [position_at(ply, seed) for seed in range(count)]
        alone, helped, helper = np.zeros(2), np.zeros(2), 0
        for position in positions:
            alone += proof(position, cores=1)[:2]
            seconds, nodes, others = proof(position, cores=2)
            helped += seconds, nodes
            helper += others
        print(f"ply {ply}: {count} positions, 1 core {alone[0]:.2f} s, 2 cores {helped[0]:.2f} s, "
              f"{alone[0] / helped[0]:.2f} times as fast; {alone[1]:,.0f} nodes, {helped[1]:,.0f} nodes "
              f"with {helper:,} of the helper, {alone[1] / helped[1]:.2f} times as fast")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
