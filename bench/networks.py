"""Networks against the linear evaluation: ``python -m bench.networks BOX NODES OTHER_NODES DEALS SEED``.

Every deal is played from both seats, each move with a new search of the given number of nodes. The last
lines show the CPU time of each side: give the faster one more nodes until both take the same time. Further
arguments name other evaluations: ``python -m bench.networks azul 4000 4000 200 1 new.npz net``.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass, field

from azulejos.arena.statistics import mean, wilson
from azulejos.bots.evaluation import LINEAR, NETWORK, network_of, weights_of
from azulejos.core.position import Position, new
from azulejos.engine.solver import solve
from azulejos.engine.workspace import NODES, Workspace, for_nodes, make_workspace, put


def dealt(box: str) -> Position:
    position = new(box)
    position.deal(random.Random(0))
    return position


@dataclass
class Player:
    box: str
    name: str
    nodes: int
    workspace: Workspace = field(init=False)
    searched: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        position = dealt(self.box)
        network, weights = network_of(position, self.name), weights_of(position.game, self.name)
        self.workspace = for_nodes(
            make_workspace(position.game.compiled, weights, network=network), self.nodes
        )
        self.choose(position)  # compiles; not counted
        self.searched, self.seconds = 0, 0.0

    def choose(self, position: Position) -> int:
        put(self.workspace, position.row, limit=0)
        began = time.process_time()
        action = int(position.game.compiled.bind(solve)(self.workspace, self.nodes))
        self.seconds += time.process_time() - began
        self.searched += int(self.workspace.counters[NODES])
        return action


def play(players: tuple[Player, Player], seed: int) -> tuple[float, int]:
    """Play one game with the first player in seat 1; returns its share of the win and its margin."""
    position, rng = new(players[0].box), random.Random(seed)
    while not position.is_over:
        if position.is_chance:
            position.deal(rng)
        else:
            position.play(players[position.to_move].choose(position))
    outcome = position.outcome()
    assert outcome is not None
    return outcome.shares()[0], outcome.scores[0] - outcome.scores[1]


def main(
    box: str = "azul", nodes: str = "1000", other_nodes: str = "1700", deals: str = "100", seed: str = "1",
    name: str = NETWORK, other_name: str = LINEAR,
) -> None:
    one, other = Player(box, name, int(nodes)), Player(box, other_name, int(other_nodes))
    shares, margins = [], []
    for deal in range(int(deals)):
        for first, second in ((one, other), (other, one)):
            share, margin = play((first, second), int(seed) * 100_000 + deal)
            shares.append(share if first is one else 1 - share)
            margins.append(margin if first is one else -margin)
    won, ahead = wilson(sum(shares), len(shares)), mean(margins)
    print(f"{len(shares)} games: {won.middle:.1%} ({won.low:.0%} to {won.high:.0%}), "
          f"{ahead.middle:+.1f} points ({ahead.low:+.1f} to {ahead.high:+.1f})")
    for player in (one, other):
        rate = player.searched / player.seconds
        print(f"{player.name}: {player.nodes} nodes, {player.seconds:.1f} s, {rate:,.0f} nodes/s")


if __name__ == "__main__":
    main(*sys.argv[1:])
