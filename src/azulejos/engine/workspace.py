"""The memory of a search: the plies as records, the transposition table, counters, the flag to stop."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from azulejos.core import layout
from azulejos.core.jit import Binding, by_reference, rule, wrapping
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.verbs import MAX_SEATS, MAX_TERMS, OVER, apply, network_for, tidy
from azulejos.engine.clock import is_late, make_clock
from azulejos.engine.network import Network, is_ready, no_network, quick_value, quick_values, with_own_notes
from azulejos.engine.transpositions import make_transpositions
from azulejos.engine.value import judge

MAX_PLIES: Final = 64
"""Most decisions in a row without chance; the search goes no deeper."""
# Counters.
NODES: Final = 0
LIMIT: Final = 1
STOP: Final = 2
CUTS: Final = 3
"""How often the depth limit cut the search short, directly or through the transpositions."""
DEPTH: Final = 4
VALUE: Final = 5
PROVED: Final = 6
CHOICES: Final = 7
"""The number of actions of ply 0."""
COUNTERS: Final = 8

CHECK: Final = 16
"""Nodes between two checks of the flag that stops the search."""
CLOCK_CHECK: Final = 64
"""Nodes between two checks of the clock."""


@by_reference
class Workspace(NamedTuple):
    """The memory of a search, allocated once."""

    stack: Cells
    """[ply]: records."""
    words: Cells
    """[ply, word]: the bytes of the same records, for hashing."""
    actions: Cells
    """[ply, i]: legal actions."""
    ranks: Cells
    """[ply, i]: the rank of each action; the highest is tried first."""
    lines: Cells
    """[ply, ply]: the expected play from each ply on."""
    killers: Cells
    """[ply, 2]: actions that caused cut-offs at this ply."""
    history: Cells
    """[seat, action]: how often an action caused a cut-off."""
    transpositions: Cells
    """The transposition table (`engine.transpositions`); several workspaces may share one."""
    counters: Cells
    flag: Cells
    """[0]: set from another thread to stop."""
    clock: Cells
    """The deadline (`engine.clock`)."""
    weights: Cells
    terms: Cells
    """Scratch memory of the evaluation."""
    values: Cells
    """[seat]: the last evaluation."""
    network: Network


def make_workspace(
    binding: Binding, weights: Cells, *, transposition_bits: int = 20, network: Network | None = None
) -> Workspace:
    """Memory for a search with these functions."""
    game = binding.game
    plies = MAX_PLIES + 2
    stack, words = make_stack(binding, plies)
    return binding.hold(Workspace(
        stack=stack,
        words=words,
        actions=np.zeros((plies, game.max_legal), np.int64),
        ranks=np.zeros((plies, game.max_legal), np.int32),
        lines=np.full((plies, plies), -1, np.int32),
        killers=np.full((plies, 2), -1, np.int32),
        history=np.zeros((2, game.num_actions), np.int32),
        transpositions=make_transpositions(transposition_bits),
        counters=np.zeros(COUNTERS, np.int64),
        flag=np.zeros(1, np.int64),
        clock=make_clock(binding),
        weights=weights,
        terms=np.zeros((MAX_SEATS, MAX_TERMS), np.int64),
        values=np.zeros(MAX_SEATS, np.int64),
        network=with_own_notes(network, game) if network else no_network(),
    ), empty=("transpositions", "notes"))


def make_stack(binding: Binding, plies: int) -> tuple[Cells, Cells]:
    """[ply]: records of the game, and [ply, word]: the same bytes, for copying and hashing."""
    words = np.zeros((plies, -(-binding.game.size // 8)), np.uint64)
    return np.ndarray((plies,), binding.record, words.data, strides=words.strides[:1]), words


def for_nodes(workspace: Workspace, nodes: int) -> Workspace:
    """The workspace with a table only as large as `nodes` nodes can fill, which is quick to clear."""
    entries = 1 << max(4, (2 * nodes).bit_length())
    return workspace._replace(transpositions=workspace.transpositions[:entries])


def put(workspace: Workspace, row: layout.Row, *, limit: int) -> None:
    """Set ply 0 and the limit of nodes; old history scores fade."""
    workspace.words[0].view(np.uint8)[: len(row)] = row
    workspace.counters[:] = 0
    workspace.counters[LIMIT] = limit
    np.right_shift(workspace.history, 3, out=workspace.history)


@wrapping
def key_of(words: Cells) -> Any:
    """A hash of a state's bytes; never 0, which marks an empty entry. Mixes words independently: 20
    ns."""
    key = np.uint64(0)
    salt = np.uint64(0x9E3779B97F4A7C15)
    for i in range(len(words)):
        x = (words[i] ^ salt) * np.uint64(0xBF58476D1CE4E5B9)
        salt += np.uint64(0x9E3779B97F4A7C16)
        key += (x ^ (x >> np.uint64(32))) * (salt | np.uint64(1))
    return (key ^ (key >> np.uint64(29))) | np.uint64(1)


@rule
def ply_value(d: Workspace, ply: int, seat: int) -> int:
    """The value of a ply for a seat: exact at the end, otherwise by a network or the game's `evaluate`."""
    if d.stack[ply].to_move != OVER:
        which = network_for(d.stack[ply])
        if is_ready(d.network, which):
            if d.stack[ply].players == 2:
                return quick_value(d.stack[ply], d.words[ply], d.network, which, seat)
            quick_values(d.stack[ply], d.words[ply], d.network, which, d.values)
            return int(d.values[seat])
    judge(d.stack[ply], d.weights, d.terms, d.values)
    return int(d.values[seat])


@rule
def out_of_budget(d: Workspace) -> bool:
    """Whether the search must end; counts a node if not."""
    if d.counters[STOP] == 0:
        nodes = d.counters[NODES]
        if nodes >= d.counters[LIMIT] or (nodes % CHECK == 0 and is_called_off(d, nodes)):
            d.counters[STOP] = 1
        else:
            d.counters[NODES] = nodes + 1
    return bool(d.counters[STOP] != 0)


@rule
def is_called_off(d: Workspace, nodes: int) -> bool:
    """Whether the flag was set, or the time is up."""
    return bool(d.flag[0] != 0) or (nodes % CLOCK_CHECK == 0 and is_late(d.clock))


@rule
def step(d: Workspace, ply: int, action: int) -> None:
    """The position after an action, on the next ply."""
    for word in range(d.words.shape[1]):
        d.words[ply + 1, word] = d.words[ply, word]
    apply(d.stack[ply + 1], action)
    tidy(d.stack[ply + 1], int(d.stack[ply].to_move))
    d.lines[ply + 1, ply + 1] = -1
