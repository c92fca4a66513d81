"""What a second core brings: ``python -m bench.cores [POSITIONS]``, on an idle machine.

Seconds by the clock until positions of Azul are proved to the end of the round, with one and two threads
that share a table.
"""

from __future__ import annotations

import random
import sys

import azulejos
from azulejos.bots import Budget
from azulejos.bots.search import SearchBot
from azulejos.bots.warmth import warm
from azulejos.core.position import Position

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


def main(count: int = 30) -> None:
    warm(azulejos.new("azul").game)
    for ply in PLIES:
        positions = [position_at(ply, seed) for seed in range(count)]
        spent = {1: 0.0, 2: 0.0}
        for position in positions:
            for cores in spent:
                bot = SearchBot(ahead=False)
                spent[cores] += bot.choose(position, Budget(seconds=LIMIT, cores=cores)).seconds
        print(f"ply {ply}: {count} positions, 1 core {spent[1]:.2f} s, 2 cores {spent[2]:.2f} s, "
              f"{spent[1] / spent[2]:.2f} times as fast")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
