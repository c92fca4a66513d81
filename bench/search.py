"""Speed of the search, and how much it proves: ``python -m bench.search [NODES [GAMES [WORD]]]``.

Plays two-player Azul against itself with NODES nodes per action and no search beyond the round; measures
CPU time. ``search:linear,round`` instead of ``search:round`` searches without networks.
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict

import azulejos
from azulejos.bots import Limit, PlayResult
from azulejos.bots import open as open_bot

DEFAULTS = ("200000", "2", "search:round")


def main(*arguments: str) -> None:
    words = (*arguments, *DEFAULTS[len(arguments) :])
    nodes, games, bot = int(words[0]), int(words[1]), open_bot(words[2])
    azulejos.compile("azul")
    seen: dict[int, list[PlayResult]] = defaultdict(list)
    searched, spent = 0, 0.0
    for seed in range(games):
        position = azulejos.new("azul")
        rng = random.Random(seed)
        ply = 0
        while not position.is_over:
            if position.deal(rng):
                ply = 0
            if position.is_over:
                break
            began = time.process_time()
            choice = bot.play(position, Limit(nodes=nodes))
            spent += time.process_time() - began
            searched += choice.nodes
            seen[ply].append(choice)
            position.play(choice.move)
            ply += 1
    print(f"{nodes} nodes an action, {games} games: {searched / spent:,.0f} nodes/s")
    for ply, choices in sorted(seen.items()):
        proved = sum(choice.proved or choice.nodes == 0 for choice in choices) / len(choices)
        depth = sum(choice.depth for choice in choices) / len(choices)
        print(f"ply {ply}: {len(choices)} decisions, proved {proved:.0%}, mean depth {depth:.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
