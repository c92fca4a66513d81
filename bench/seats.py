"""Networks of three and four seats: ``python -m bench.seats BOX SEATS NODES OTHER_NODES DEALS SEED``.

One seat with the networks plays against others with the linear evaluation, every deal from each seat in
turn, each turn with a new tree of the given number of simulations. The last lines show the CPU time of
both: give the faster one more simulations until both take the same time. Further arguments name other
evaluations: ``python -m bench.seats azul 3 150 150 80 1 new.npz net``.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

import numpy as np

from azulejos.arena.statistics import mean, wilson
from azulejos.bots.evaluation import LINEAR, NETWORK, evaluation_of, network_of, weights_of
from azulejos.core.chance import seeded
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.position import Position, new
from azulejos.core.verbs import OVER, apply, deal, standing
from azulejos.engine.seatplay import Notebook, make_notebook, think
from azulejos.engine.selfplay import ROOM
from azulejos.engine.tree_memory import SWING, THROUGH_CHANCE, Tree, make_tree


@rule
def move(t: Tree, b: Notebook, simulations: int) -> int:
    """Search the root and play the best turn; returns who is to move then."""
    edge = think(t, b, simulations)
    for i in range(t.edges[edge].length):
        apply(t.stack[0], int(t.edges[edge].actions[i]))
    return int(t.stack[0].to_move)


@rule
def draw(t: Tree, b: Notebook) -> int:
    deal(t.stack[0], t.actions, b.chance, b.rng)
    return int(t.stack[0].to_move)


@rule
def read_end(t: Tree, end: Cells) -> int:
    """Write the standing and the score of each seat."""
    s = t.stack[0]
    for seat in range(s.players):
        end[0, seat] = standing(s, seat)
        end[1, seat] = s.score[seat]
    return int(s.players)


@dataclass
class Player:
    start: Position
    name: str
    nodes: int
    tree: Tree = field(init=False)
    turns: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        game = self.start.game
        network, weights = network_of(self.start, self.name), weights_of(game, self.name)
        bits = max(6, self.nodes.bit_length() + 1)
        self.tree = make_tree(game.compiled, weights, node_bits=bits, network=network)
        evaluation = evaluation_of(game)
        self.tree.counters[THROUGH_CHANCE] = not evaluation.chance_free_rounds
        self.tree.counters[SWING] = evaluation.swing


@dataclass
class Table:
    """One seat for the first player, the others for the second."""

    start: Position
    one: Player
    other: Player
    book: Notebook = field(init=False)

    def __post_init__(self) -> None:
        nodes = self.one.nodes
        self.book = make_notebook(self.start.game, self.one.tree, ROOM, nodes, nodes, 0, 0)
        self.play(0, 1, 1)  # compiles; not counted
        for player in (self.one, self.other):
            player.turns, player.seconds = 0, 0.0

    def play(self, seat: int, deals: int, search: int) -> tuple[float, float]:
        """Play one game; returns the seat's share of the win, and its points ahead of the others' mean.

        `deals` seeds the draws, `search` the trees.
        """
        game, tree = self.start.game, self.one.tree
        bind = game.compiled.bind
        self.book.rng[0] = seeded(deals, 1)[0]
        for player in (self.one, self.other):
            player.tree.rng[0] = seeded(search, 1)[0]
        tree.words[0].view(np.uint8)[: game.size] = self.start.row
        to_move = bind(draw)(tree, self.book)
        while to_move != OVER:
            if to_move < 0:
                to_move = bind(draw)(tree, self.book)
                continue
            player = self.one if to_move == seat else self.other
            player.tree.words[0][:] = tree.words[0]
            tree, began = player.tree, time.process_time()
            to_move = bind(move)(tree, self.book, player.nodes)
            player.seconds += time.process_time() - began
            player.turns += 1
        end = np.zeros((2, self.start.players), np.int64)
        bind(read_end)(tree, end)
        best = end[0] == end[0].max()
        return float(best[seat] / best.sum()), float(end[1, seat] - np.delete(end[1], seat).mean())


def main(
    box: str = "azul", seats: str = "3", nodes: str = "130", other_nodes: str = "380", deals: str = "80",
    seed: str = "1", name: str = NETWORK, other_name: str = LINEAR,
) -> None:
    start = new(box, players=int(seats))
    table = Table(start, Player(start, name, int(nodes)), Player(start, other_name, int(other_nodes)))
    ends = [
        table.play(seat, int(seed) * 100_003 + each, int(seed) * 7 + each * 11 + seat)
        for each in range(int(deals)) for seat in range(start.players)
    ]
    shares, margins = zip(*ends, strict=True)
    won, ahead = wilson(sum(shares), len(shares)), mean(margins)
    print(f"{len(shares)} games: {won.middle:.1%} ({won.low:.0%} to {won.high:.0%}; fair "
          f"{1 / start.players:.1%}), {ahead.middle:+.1f} points ({ahead.low:+.1f} to {ahead.high:+.1f})")
    for player in (table.one, table.other):
        each = 1000 * player.seconds / player.turns
        print(f"{player.name}: {player.nodes} simulations, {each:.2f} ms a turn")


if __name__ == "__main__":
    main(*sys.argv[1:])
