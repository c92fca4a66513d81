"""How fast the tree grows: ``python -m bench.tree SIMULATIONS DECISIONS GAME:SEATS...``.

Plays each game against itself with SIMULATIONS simulations per turn; measures CPU time.
"""

from __future__ import annotations

import random
import sys
import time

import azulejos
from azulejos.bots import Limit
from azulejos.bots import open as open_bot

DEFAULTS = ("azul:4", "garden:2", "garden:4")


def rate(name: str, seats: int, simulations: int, decisions: int) -> str:
    """Play to the end of the game or for `decisions` decisions, and report the rate."""
    position, rng, bot = azulejos.new(name, players=seats), random.Random(1), open_bot("search")
    position.deal(rng)
    bot.play(position, Limit(nodes=1))
    made, spent, counted, depth = 0, 0.0, 0, 0
    while not position.is_over and counted < decisions:
        began = time.process_time()
        choice = bot.play(position, Limit(nodes=simulations))
        spent += time.process_time() - began
        made, counted, depth = made + choice.nodes, counted + 1, depth + choice.depth
        position.play(choice.move)
        position.deal(rng)
    return f"{made / spent:,.0f} simulations/s, mean depth {depth / counted:.1f} turns"


def main(simulations: str = "1000", decisions: str = "100", *games: str) -> None:
    for game in games or DEFAULTS:
        name, seats = game.split(":")
        found = rate(name, int(seats), int(simulations), int(decisions))
        print(f"{name}, {seats} seats: {found}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
