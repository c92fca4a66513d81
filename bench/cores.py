"""What a second core gains: ``python -m bench.cores [POSITIONS]``, or for trees
``python -m bench.cores trees BOX PLAYERS SECONDS DEALS``.

Azul for two, one thread compared with two that share a table: nodes of the first thread until a position
is solved to the end of the round, and nodes of all threads searching beyond the deal for SECONDS. Threads
count their own CPU time, so load on the machine does not matter as long as both get equal shares.

Trees: one seat that searches with two cores plays against others with one, each SECONDS by the wall clock,
every deal from each seat in turn. Both cores must be free.
"""

from __future__ import annotations

import random
import sys

import numpy as np

import azulejos
from azulejos.arena.statistics import mean, wilson
from azulejos.bots import Limit
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


def trees(box: str, players: int, seconds: float, deals: int) -> None:
    """Print how often the seat with two cores wins."""
    azulejos.compile(box)
    shares = [
        share_of(azulejos.new(box, players=players), seat, seconds, deal)
        for deal in range(deals) for seat in range(players)
    ]
    won = wilson(sum(shares), len(shares))
    print(f"{len(shares)} games: {won.middle:.1%} ({won.low:.0%} to {won.high:.0%}), "
          f"fair {1 / players:.1%}")


def share_of(position: Position, seat: int, seconds: float, deal: int) -> float:
    """Play one game; returns the share of the win of the seat with two cores."""
    rng, bots = random.Random(deal), [SearchBot() for _ in range(position.players)]
    position.deal(rng)
    while not position.is_over:
        mover = position.to_move
        limit = Limit(seconds=seconds, cores=2 if mover == seat else 1)
        position.play(bots[mover].play(position, limit).move)
        position.deal(rng)
    outcome = position.outcome()
    assert outcome is not None
    return (seat in outcome.winners) / len(outcome.winners)


def main(*arguments: str) -> None:
    if arguments and arguments[0] == "trees":
        _, box, players, seconds, deals_played = arguments
        trees(box, int(players), float(seconds), int(deals_played))
        return
    count = int(arguments[0]) if arguments else 20
    azulejos.compile("azul")
    for ply in PLIES:
        prove(ply, count)
    deals(count)


if __name__ == "__main__":
    main(*sys.argv[1:])
