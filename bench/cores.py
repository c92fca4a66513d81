"""What a second core gains: ``python -m bench.cores [POSITIONS]``.

Azul for two, one thread compared with two that share a table: nodes of the first thread until a position
is solved to the end of the round, and nodes of all threads searching beyond the deal for SECONDS. Threads
count their own CPU time, so load on the machine does not matter as long as both get equal shares.
"""

from __future__ import annotations

import random
import sys

import numpy as np

import azulejos
from azulejos.arena.statistics import mean
from azulejos.bots import Limit, warm
from azulejos.bots.search import SearchBot
from azulejos.core.position import Position
from azulejos.engine.workspace import NODES

PLIES = (3, 4)
LIMIT = 6.0
SECONDS = 0.5
DEALT_PLY = 6


def position_at(ply: int, seed: int) -> Position:
    """A position of a game played by a quick search, `ply` decisions after a deal."""
    rng, bot = random.Random(seed), SearchBot(ahead=False)
    position = azulejos.new("azul")
    for _ in range(1 + seed % 4):
        position.deal(rng)
        begun = position.ply
        while not position.is_chance and not position.is_over and position.ply < begun + ply:
            position.play(bot.play(position, Limit(nodes=2000)).move)
        found = position.copy()
        while not position.is_chance and not position.is_over:
            position.play(bot.play(position, Limit(nodes=300)).move)
    return found


def nodes_to_proof(position: Position, *, cores: int) -> int | None:
    """Nodes of the first thread; None if the limit was reached first."""
    bot = SearchBot(ahead=False)
    choice = bot.play(position, Limit(seconds=LIMIT, cpu=True, cores=cores))
    (workspace,) = bot._workspaces.values()
    return int(workspace.counters[NODES]) if choice.proved else None


def prove(ply: int, count: int) -> None:
    found = []
    for seed in range(count):
        position = position_at(ply, seed)
        alone, helped = (nodes_to_proof(position, cores=cores) for cores in (1, 2))
        if alone and helped:
            found.append((alone, helped))
    nodes = np.array(found, float)
    times = mean(list(np.log(nodes[:, 0] / nodes[:, 1])))
    low, middle, high = (np.exp(x) for x in (times.low, times.middle, times.high))
    print(f"ply {ply}: {len(found)} of {count} positions proved, {nodes[:, 0].sum():,.0f} nodes alone, "
          f"{nodes[:, 1].sum():,.0f} with a helper, {nodes[:, 0].sum() / nodes[:, 1].sum():.2f} times; "
          f"mean of each {middle:.2f} ({low:.2f} to {high:.2f})", flush=True)


def deals(count: int) -> None:
    """Print the number of nodes, at positions that leave most of the time for searching beyond the deal."""
    totals = np.zeros(2)
    for seed in range(count):
        position = position_at(DEALT_PLY, seed)
        if position.is_chance or position.is_over or len(position.legal_actions()) == 1:
            continue
        alone, helped = (SearchBot().play(position, Limit(seconds=SECONDS, cpu=True, cores=cores)).nodes
                         for cores in (1, 2))
        totals += alone, helped
    print(f"beyond the deal: {totals[0]:,.0f} nodes alone, {totals[1]:,.0f} by both", flush=True)


def main(count: int = 20) -> None:
    warm(azulejos.new("azul").game)
    for ply in PLIES:
        prove(ply, count)
    deals(count)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
