"""Tree search with a value per seat: each seat maximises its own value, chance is sampled.

An edge of the tree is a whole turn (`engine.turns`). The value of a new position is that of its best turn,
and the values of all its turns determine which of them are tried first. A few are tried at the beginning,
more as visits increase, and finally also those that are not on the game's shortlist.

A draw has a few sampled outcomes, more as visits increase: outcome i of a position is drawn by a generator
seeded with the position and i, so it need not be stored. Positions are found by their hash: different lines
that lead to the same position share its data, and the tree of the last turn is used for the next one.

Several threads may grow one tree (`engine.tree_memory` has the locks). They list and evaluate turns without
locks. A visit counts as soon as a turn is chosen, as a loss until the result is known, so that threads
choose different turns.
"""

from __future__ import annotations

from typing import Final

from azulejos.core.chance import below
from azulejos.core.elementary import exp
from azulejos.core.jit import rule, wrapping
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, OVER, apply, deal
from azulejos.engine.tree_memory import (
    KEPT, LIMIT, LONGEST, MAX_PATH, SIMULATIONS, SWING, THROUGH_CHANCE, WHOLE, Tree, add_node, enter, find,
    leave, lock_of, return_edges, take_edges, wait_for_turns,
)
from azulejos.engine.turns import ROOM, judge_state, list_turns
from azulejos.engine.workspace import key_of

EXPLORATION: Final = 0.5
"""How much a promising but rarely tried turn is preferred (c of PUCT)."""
PRIOR_SCALE: Final = 300.0
"""Hundredths of a point that make a turn e times as likely to be tried."""
FIRST_WIDTH: Final = 4
WIDTH: Final = 2.0
"""Turns tried at a position with n visits: FIRST_WIDTH + WIDTH * sqrt(n)."""
OTHERS_WIDTH: Final = 0.25
"""With more than two seats, turns tried for the others: 1 + OTHERS_WIDTH * sqrt(n). All of them move before
the root's seat moves again: with many replies tried, a search never reached its own next turn."""
OUTCOMES: Final = 1.0
"""Outcomes of a draw after n visits: 1 + OUTCOMES * sqrt(n)."""

# --- turns of a position ----------------------------------------------------------------------------------


@rule
def utility(t: Tree, value: int) -> float:
    return 1.0 / (1.0 + exp(-value / t.counters[SWING]))


@rule
def expand(t: Tree, node: int) -> None:
    """List the turns of a new node; the value of the best one is the result of the simulation."""
    entry = t.nodes[node]
    first = int(entry.first)
    count = list_from(t, False)
    full = count == 0
    if full:
        count = list_from(t, True)
    count = min(count, KEPT)
    for rank in range(count):
        write_edge(t, first + rank, rank, entry.seat)
    weigh(t, first, count)
    for seat in range(t.stack[1].players):
        t.utilities[seat] = utility(t, t.turns.values[t.turns.order[0], seat])
    held = lock_of(entry.key)
    enter(t, held)
    entry.guess = t.edges[first].guess
    entry.full = 1 if full else 0
    entry.count = count
    leave(t, held)
    return_edges(t, first + count, first + KEPT)


@rule
def list_from(t: Tree, everything: bool) -> int:
    """List the turns of the simulation's position."""
    for word in range(t.words.shape[1]):
        t.turns.words[0, word] = t.words[1, word]
    return list_turns(t.turns, everything)


@rule
def write_edge(t: Tree, at: int, rank: int, seat: int) -> None:
    edge = t.edges[at]
    turn = t.turns.order[rank]
    edge.total = 0.0
    edge.visits = 0
    edge.guess = utility(t, t.turns.values[turn, seat])
    behind = t.turns.values[t.turns.order[0], seat] - t.turns.values[turn, seat]
    edge.prior = exp(-behind / PRIOR_SCALE)
    edge.length = t.turns.found[turn, 0]
    for i in range(edge.length):
        edge.actions[i] = t.turns.found[turn, 1 + i]


@rule
def weigh(t: Tree, first: int, count: int) -> None:
    """Normalise the priors of a node's turns, so that they add up to 1."""
    whole = 0.0
    for edge in range(first, first + count):
        whole += t.edges[edge].prior
    for edge in range(first, first + count):
        t.edges[edge].prior /= whole


@rule
def widen(t: Tree, node: int) -> None:
    """Add the turns that were left out, after those that are known, best first."""
    entry = t.nodes[node]
    known = int(entry.count)
    enter(t, WHOLE)
    first = take_edges(t, known + ROOM)
    leave(t, WHOLE)
    if first < 0:
        return
    count = list_from(t, True)
    entry.full = 1 if t.flag[0] == 0 else 0
    best = t.edges[entry.first].prior
    for i in range(known):
        t.edges[first + i] = t.edges[entry.first + i]
        t.edges[first + i].prior /= best
    end = first + known
    for rank in range(count):
        if not is_known(t, entry.first, known, rank):
            write_edge(t, end, rank, entry.seat)
            end += 1
    return_edges(t, end, first + known + ROOM)
    weigh(t, first, end - first)
    entry.first = first
    entry.count = end - first


@rule
def is_known(t: Tree, first: int, count: int, rank: int) -> bool:
    """Whether a listed turn is among some edges."""
    turn = t.turns.order[rank]
    for at in range(first, first + count):
        edge = t.edges[at]
        if edge.length == t.turns.found[turn, 0]:
            same = True
            for i in range(edge.length):
                same = same and edge.actions[i] == t.turns.found[turn, 1 + i]
            if same:
                return True
    return False


# --- simulations ----------------------------------------------------------------------------------------


@rule
def width_of(t: Tree, node: int) -> int:
    """How many turns of a node may be tried at its number of visits."""
    root = t.stack[0]
    grown = np.sqrt(float(t.nodes[node].visits))
    if root.players > 2 and t.nodes[node].seat != root.to_move:
        return 1 + int(OTHERS_WIDTH * grown)
    return FIRST_WIDTH + int(WIDTH * grown)


@rule
def select(t: Tree, node: int) -> int:
    """The edge to try next, by its value for the seat so far and its uncertainty (PUCT)."""
    parent = t.nodes[node]
    width = width_of(t, node)
    if width > parent.count and not parent.full:
        widen(t, node)
    mean = parent.total / max(1, parent.visits)
    unknown = EXPLORATION * np.sqrt(parent.visits + 1.0)
    best = -1
    best_score = -1e9
    for edge in range(parent.first, parent.first + min(width, parent.count)):
        e = t.edges[edge]
        worth = e.total / e.visits if e.visits > 0 else mean + e.guess - parent.guess
        score = worth + unknown * e.prior / (1.0 + e.visits)
        if score > best_score:
            best_score = score
            best = edge
    return best


@rule
def play(t: Tree, edge: int) -> None:
    """Play a turn at the simulation's position."""
    e = t.edges[edge]
    for i in range(e.length):
        apply(t.stack[1], int(e.actions[i]))


@wrapping
def draw(t: Tree, visits: int) -> None:
    """Draw one of the outcomes considered after `visits` visits, until a player is to move."""
    s = t.stack[1]
    outcome = below(t.rng, 1 + int(OUTCOMES * np.sqrt(float(visits))))
    x = key_of(t.words[1]) + np.uint64(outcome + 1) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    t.rng[1] = (x ^ (x >> np.uint64(27))) | np.uint64(1)
    deal(s, t.actions, t.odds, t.rng[1:])


@rule
def descend(t: Tree) -> int:
    """Play from the root to a new position, or to one where nobody moves; returns the number of turns."""
    s = t.stack[1]
    for word in range(t.words.shape[1]):
        t.words[1, word] = t.words[0, word]
    steps = 0
    visits = 0
    while steps < MAX_PATH:
        if s.to_move == CHANCE and t.counters[THROUGH_CHANCE] != 0:
            draw(t, visits)
        if s.to_move == OVER or s.to_move == CHANCE:
            break
        key = key_of(t.words[1])
        held = lock_of(key)
        enter(t, held)
        node = find(t, key)
        if node < 0:
            t.path[steps, 0] = add_node(t, key)
            leave(t, held)
            return steps
        wait_for_turns(t, node, held)
        edge = select(t, node)
        t.path[steps, 0] = node
        t.path[steps, 1] = edge - t.nodes[node].first
        steps += 1
        visits = int(t.edges[edge].visits)
        t.edges[edge].visits += 1
        t.nodes[node].visits += 1
        leave(t, held)
        play(t, edge)
    t.path[steps, 0] = -1
    return steps


@rule
def judge_leaf(t: Tree) -> None:
    """Evaluate the simulation's position without listing its turns."""
    s = t.stack[1]
    judge_state(t.turns, s, t.words[1])
    for seat in range(s.players):
        t.utilities[seat] = utility(t, t.turns.judged[seat])


@rule
def add_result(t: Tree, steps: int) -> None:
    """Add the result of a simulation to every decision on its path."""
    for step in range(steps):
        node = t.nodes[t.path[step, 0]]
        result = t.utilities[node.seat]
        held = lock_of(node.key)
        enter(t, held)
        node.total += result
        t.edges[node.first + t.path[step, 1]].total += result
        leave(t, held)
    enter(t, WHOLE)
    for seat in range(t.stack[0].players):
        t.worth[seat] += t.utilities[seat]
    t.counters[LONGEST] = max(t.counters[LONGEST], steps)
    leave(t, WHOLE)


@rule
def is_begun(t: Tree) -> bool:
    """Count one more simulation, unless the budget is used up."""
    enter(t, WHOLE)
    before = t.counters[SIMULATIONS]
    begun = before < 2 or (before < t.counters[LIMIT] and t.flag[0] == 0)
    if begun:
        t.counters[SIMULATIONS] = before + 1
    leave(t, WHOLE)
    return bool(begun)


@rule
def simulate(t: Tree) -> None:
    """One simulation: choose a path, evaluate its end, and add the result."""
    steps = descend(t)
    new = int(t.path[steps, 0])
    if new >= 0:
        expand(t, new)
    else:
        judge_leaf(t)
    add_result(t, steps)


@rule
def grow(t: Tree) -> None:
    """Simulate until the budget is used up."""
    while is_begun(t):
        simulate(t)


# --- results --------------------------------------------------------------------------------------------


@rule
def favourite(t: Tree) -> int:
    """The edge that was tried most at the simulation's position, or -1."""
    node = find(t, key_of(t.words[1]))
    if node < 0:
        return -1
    first = t.nodes[node].first
    best = first
    for edge in range(first + 1, first + t.nodes[node].count):
        more = t.edges[edge].visits - t.edges[best].visits
        if more > 0 or (more == 0 and t.edges[edge].total > t.edges[best].total):
            best = edge
    return int(best)


@rule
def best_line(t: Tree, line: Cells) -> int:
    """Write the edges of the expected play from the root to the next draw; returns how many."""
    s = t.stack[1]
    for word in range(t.words.shape[1]):
        t.words[1, word] = t.words[0, word]
    length = 0
    while s.to_move >= 0 and length < len(line):
        edge = favourite(t)
        if edge < 0 or t.edges[edge].visits == 0:
            break
        line[length] = edge
        length += 1
        play(t, edge)
    return length
