"""Self-play of the tree search where rounds have chance: data with a value for each seat.

States are kept as a search evaluates them: at the end of a turn, before anything is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azulejos.core.chance import below, seeded
from azulejos.core.game import Game
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import OVER, apply, deal
from azulejos.engine.network import Network
from azulejos.engine.seatplay import (
    RESULT, SEARCHED, VALUE, Notebook, make_notebook, note, play_games, think,
)
from azulejos.engine.selfplay import NO_RESULT, NODES, STRAY_PERCENT, PlayedStates, copy_words
from azulejos.engine.tree_memory import SWING, THROUGH_CHANCE, Tree, find, make_tree
from azulejos.engine.value import outcome_value
from azulejos.engine.workspace import key_of

ROOM: Final = 512
"""Most states kept of one game; later ones are dropped."""
EXPLORED: Final = 1
"""In the marks of a state: the turn played there was random. (`SETTLED` has no use here.)"""
RANDOM_PERCENT: Final = 8
"""How often one of the FEW best turns is played at random."""
FEW: Final = 8
MANY: Final = 32
"""A stray state is one of so many turns away from the game."""
FEWEST_BITS: Final = 6
"""A smaller tree has no room for the turns of two positions."""
LATER: Final = 0.95
"""Weight of what later searches found in the value of a state; the rest is its own search. The searches
after a random turn do not count."""


@rule
def some_edge(t: Tree, b: Notebook, most: int) -> int:
    """One of the best turns of the root, which was searched."""
    node = t.nodes[find(t, key_of(t.words[0]))]
    return int(node.first + below(b.rng, min(int(node.count), most)))


@rule
def play_edge(t: Tree, edge: int) -> None:
    """Play a turn at the root."""
    for i in range(t.edges[edge].length):
        apply(t.stack[0], int(t.edges[edge].actions[i]))


@rule
def play_both(t: Tree, b: Notebook, edge: int) -> None:
    """Play a turn at the root, and write the state after another, random one into `spare[1]`."""
    copy_words(t.words[0], b.spare[0])
    other = some_edge(t, b, MANY)
    play_edge(t, other)
    copy_words(t.words[0], b.spare[1])
    copy_words(b.spare[0], t.words[0])
    play_edge(t, edge)


@rule
def stray(t: Tree, b: Notebook, noted: int) -> int:
    """Keep the state in `spare[1]` with its value; returns how many are kept. Restores the root."""
    copy_words(t.words[0], b.spare[0])
    copy_words(b.spare[1], t.words[0])
    if t.stack[0].to_move != OVER and noted < len(b.states):
        noted = note(t, b, 1, noted)
        deal(t.stack[0], t.actions, b.chance, b.rng)
        think(t, b, int(b.recipe[NODES]))
        copy_words(b.found, b.values[noted - 1, SEARCHED])
        copy_words(b.found, b.values[noted - 1, VALUE])
        b.values[noted - 1, RESULT, 0] = NO_RESULT
    copy_words(b.spare[0], t.words[0])
    return noted


@rule
def play_one(t: Tree, b: Notebook) -> int:
    """Play the game at the root to its end and keep states of it; returns how many."""
    s = t.stack[0]
    noted = 0
    while s.to_move != OVER:
        here = noted
        if s.round > 0:
            noted = note(t, b, 1, noted)
        deal(s, t.actions, b.chance, b.rng)
        edge = think(t, b, int(b.recipe[NODES]))
        if here < noted:
            copy_words(b.found, b.values[here, SEARCHED])
        if below(b.rng, 100) < RANDOM_PERCENT:
            edge = some_edge(t, b, FEW)
            if here < noted:
                b.marks[here, EXPLORED] = 1
        play_both(t, b, edge)
        if below(b.rng, 100) < b.recipe[STRAY_PERCENT]:
            noted = stray(t, b, noted)
    for seat in range(s.players):
        b.found[seat] = outcome_value(s, seat)
    set_values(b, noted, int(s.players))
    return noted


@rule
def set_values(b: Notebook, noted: int, players: int) -> None:
    """Set VALUE, backwards from the end of the game, whose values are in `found`, and RESULT."""
    for seat in range(players):
        later = float(b.found[seat])
        for i in range(noted - 1, -1, -1):
            if b.values[i, RESULT, 0] == NO_RESULT:
                continue
            own = float(b.values[i, SEARCHED, seat])
            later = own if b.marks[i, EXPLORED] == 1 else LATER * later + (1.0 - LATER) * own
            b.values[i, VALUE, seat] = int(later)
    for i in range(noted):
        if b.values[i, RESULT, 0] == NO_RESULT:
            for seat in range(players):
                b.values[i, RESULT, seat] = NO_RESULT
        else:
            copy_words(b.found, b.values[i, RESULT])


def search_turns(
    game: Game, options: Mapping[str, str], weights: Cells, *, players: int, nodes: int, seed: int,
    count: int, swing: int, strays: int = 0, network: Network | None = None,
) -> PlayedStates:
    """Play `count` games with `nodes` simulations a turn."""
    bits = max(FEWEST_BITS, nodes.bit_length() + 1)
    tree = make_tree(game.compiled, weights, node_bits=bits, network=network)
    tree.counters[THROUGH_CHANCE], tree.counters[SWING] = 1, swing
    book = make_notebook(game, tree, ROOM, nodes, nodes, 0, strays)
    return play_games(
        game, game.start(players, options), tree, book, game.compiled.bind(play_one), seeded(seed, count)
    )
