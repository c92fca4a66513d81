"""Two seats, no chance: iteratively deepening alpha-beta search to the end of the round.

The search stops before a draw and uses the game's `evaluate` for that position, so in a game whose rounds
have no chance the rest of a round is solved exactly. A value is *complete* if no depth limit cut it short,
neither in this search nor in an entry of the transposition table.
"""

from __future__ import annotations

from typing import Final

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import in_turn, legal, promise, tidy
from azulejos.engine.transpositions import (
    AT_LEAST, AT_MOST, COMPLETE, EXACT, decides, known_action, known_depth, known_value, recall, remember,
)
from azulejos.engine.value import INFINITE
from azulejos.engine.workspace import (
    CHOICES, COUNTERS, CUTS, DEPTH, LIMIT, MAX_PLIES, NODES, PROVED, STOP, VALUE, Workspace, key_of,
    out_of_budget, ply_value, step,
)

LATE: Final = 6
"""Actions from this index on, in the order of promise, are first searched one ply less deep."""


@rule
def rank_actions(d: Workspace, ply: int, count: int, remembered: int) -> None:
    s = d.stack[ply]
    for i in range(count):
        action = int(d.actions[ply, i])
        rank = 16 * promise(s, action) + min(int(d.history[s.to_move, action]), 4000)
        if action == remembered:
            rank += 1 << 24
        elif action == d.killers[ply, 0]:
            rank += 8000
        elif action == d.killers[ply, 1]:
            rank += 7000
        d.ranks[ply, i] = rank


@rule
def next_best(d: Workspace, ply: int, first: int, count: int) -> int:
    """Move the best ranked of the remaining actions to `first`."""
    best = first
    for i in range(first + 1, count):
        if d.ranks[ply, i] > d.ranks[ply, best]:
            best = i
    action = d.actions[ply, best]
    rank = d.ranks[ply, best]
    d.actions[ply, best] = d.actions[ply, first]
    d.ranks[ply, best] = d.ranks[ply, first]
    d.actions[ply, first] = action
    d.ranks[ply, first] = rank
    return int(action)


@rule
def note_line(d: Workspace, ply: int, action: int) -> None:
    """Store the expected play from this ply: the action, then the expected play after it."""
    d.lines[ply, ply] = action
    i = ply + 1
    while i <= MAX_PLIES and d.lines[ply + 1, i] >= 0:
        d.lines[ply, i] = d.lines[ply + 1, i]
        i += 1
    d.lines[ply, i] = -1


@rule
def note_refutation(d: Workspace, ply: int, seat: int, action: int, depth: int) -> None:
    d.history[seat, action] += depth * depth
    if d.killers[ply, 0] != action:
        d.killers[ply, 1] = d.killers[ply, 0]
        d.killers[ply, 0] = action


@rule
def search(d: Workspace, ply: int, depth: int, alpha: int, beta: int, seat: int) -> int:
    """The value of a ply for a seat; exact if between alpha and beta, otherwise a bound.

    A turn that has begun is searched to its end, because evaluations do not see what it will bring.
    The recursion is direct (no function in between) and has 64-bit integer arguments only: the compiler's
    cache breaks on other recursions.
    """
    if out_of_budget(d):
        return 0
    s = d.stack[ply]
    if s.to_move < 0:
        return ply_value(d, ply, seat)
    if (depth <= 0 and not in_turn(s)) or ply >= MAX_PLIES:
        d.counters[CUTS] += 1
        return ply_value(d, ply, seat)
    sign = 1
    if s.to_move != seat:
        seat = int(s.to_move)
        alpha, beta, sign = -beta, -alpha, -1
    key = key_of(d.words[ply])
    known = recall(d.transpositions, key)
    remembered = -1
    if known != 0:
        remembered = known_action(known)
        if known_depth(known) >= depth and decides(known, alpha, beta):
            if known_depth(known) != COMPLETE:
                d.counters[CUTS] += 1
            d.lines[ply, ply] = remembered
            d.lines[ply, ply + 1] = -1
            return sign * known_value(known)
    cuts = d.counters[CUTS]
    began = d.counters[NODES]
    count = legal(s, d.actions[ply])
    rank_actions(d, ply, count, remembered)
    low = alpha
    best = -INFINITE
    best_action = -1
    for i in range(count):
        action = next_best(d, ply, i, count)
        step(d, ply, action)
        if i == 0:
            value = search(d, ply + 1, depth - 1, low, beta, seat)
        else:
            less = 1 if i >= LATE and depth >= 3 else 0
            value = search(d, ply + 1, depth - 1 - less, low, low + 1, seat)
            if value > low and (less > 0 or value < beta):
                value = search(d, ply + 1, depth - 1, low, beta, seat)
        if d.counters[STOP] != 0:
            return 0
        if value > best:
            best = value
            best_action = action
            if value > low:
                low = value
                note_line(d, ply, action)
                if low >= beta:
                    note_refutation(d, ply, seat, action, depth)
                    break
    depth = COMPLETE if d.counters[CUTS] == cuts else depth
    bound = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
    remember(d.transpositions, key, best, best_action, depth, bound, int(d.counters[NODES] - began))
    return sign * best


@rule
def search_root(d: Workspace, count: int, depth: int) -> bool:
    """Search every action of ply 0 to a depth; True if a best one was found before the budget ended."""
    best = -INFINITE
    seat = int(d.stack[0].to_move)
    for i in range(count):
        action = int(d.actions[0, i])
        step(d, 0, action)
        if i == 0:
            value = search(d, 1, depth - 1, -INFINITE, INFINITE, seat)
        else:
            value = search(d, 1, depth - 1, best, best + 1, seat)
            if value > best and d.counters[STOP] == 0:
                value = search(d, 1, depth - 1, best, INFINITE, seat)
        if d.counters[STOP] != 0:
            return i > 0
        if value > best:
            best = value
            note_line(d, 0, action)
            d.counters[VALUE] = best
            bring_to_front(d.actions[0], i)
    return True


@rule
def bring_to_front(actions: Cells, i: int) -> None:
    """Move action i to the front: the best so far is searched first at the next depth."""
    action = actions[i]
    while i > 0:
        actions[i] = actions[i - 1]
        i -= 1
    actions[0] = action


@rule
def list_root(d: Workspace) -> int:
    """List the actions of ply 0, after `tidy` as for all later plies; returns their number."""
    for seat in range(d.stack[0].players):
        tidy(d.stack[0], seat)
    return legal(d.stack[0], d.actions[0])


@rule
def deepen(d: Workspace) -> None:
    """Search the position of ply 0 with increasing depth, until it is solved or the budget is used up.

    The answer is in the counters and in lines[0]. A helper begins with a DEPTH greater than 0.
    """
    seat = int(d.stack[0].to_move)
    count = list_root(d)
    d.counters[CHOICES] = count
    rank_actions(d, 0, count, -1)
    for i in range(count):
        next_best(d, 0, i, count)
    d.lines[1, 1] = -1
    note_line(d, 0, int(d.actions[0, 0]))
    d.counters[VALUE] = ply_value(d, 0, seat)
    for depth in range(1 + d.counters[DEPTH], MAX_PLIES):
        d.counters[CUTS] = 0
        search_root(d, count, depth)
        if d.counters[STOP] != 0:
            return
        d.counters[DEPTH] = depth
        if d.counters[CUTS] == 0:
            d.counters[PROVED] = 1
            return


# Columns of a rating; the last two belong to a depth that is not finished yet.
ACTION: Final = 0
RATING: Final = 1
RATED_DEPTH: Final = 2
RATED_PROVED: Final = 3
NEXT: Final = 4
NEXT_PROVED: Final = 5
COLUMNS: Final = 6


@rule
def begin_ratings(d: Workspace, ratings: Cells, lines: Cells) -> int:
    """Rate every action of ply 0 without any search; returns the number of actions."""
    count = list_root(d)
    rate_at_once(d, count, ratings, lines)
    return count


@rule
def rate_to_depth(d: Workspace, count: int, depth: int, percent: int, ratings: Cells, lines: Cells) -> bool:
    """Rate every action of ply 0 exactly, to a depth; True if a greater depth may change the result.

    All values come from the same depth, or are proved; lines[i] is the expected play, ended by -1. Slower
    than `deepen`, which only has to know that other actions are not better. A helper begins after
    `percent` percent of the actions, so that no two threads begin with the same one.
    """
    if not rate_deeper(d, count, depth, count * percent // 100, ratings, lines):
        return False
    open_ends = 0
    for i in range(count):
        ratings[i, RATING] = ratings[i, NEXT]
        ratings[i, RATED_PROVED] = ratings[i, NEXT_PROVED]
        ratings[i, RATED_DEPTH] = depth
        open_ends += 1 - ratings[i, RATED_PROVED]
    d.counters[DEPTH] = depth
    d.counters[PROVED] = 1 if open_ends == 0 else 0
    return bool(open_ends > 0)


@rule
def rate_at_once(d: Workspace, count: int, ratings: Cells, lines: Cells) -> None:
    """Rate the actions of ply 0 by the evaluation alone."""
    seat = int(d.stack[0].to_move)
    for i in range(count):
        for column in range(COLUMNS):
            ratings[i, column] = 0
        action = int(d.actions[0, i])
        step(d, 0, action)
        ratings[i, ACTION] = action
        ratings[i, RATING] = ply_value(d, 1, seat)
        lines[i, 0] = action
        lines[i, 1] = -1


@rule
def rate_deeper(d: Workspace, count: int, depth: int, first: int, ratings: Cells, lines: Cells) -> bool:
    """Rate the actions that are not proved yet; False if the budget ended first."""
    seat = int(d.stack[0].to_move)
    for nth in range(count):
        i = (first + nth) % count
        if ratings[i, RATED_PROVED] == 0:
            d.counters[CUTS] = 0
            step(d, 0, int(ratings[i, ACTION]))
            ratings[i, NEXT] = search(d, 1, depth - 1, -INFINITE, INFINITE, seat)
            if d.counters[STOP] != 0:
                return False
            ratings[i, NEXT_PROVED] = 1 if d.counters[CUTS] == 0 else 0
            note_line(d, 0, int(ratings[i, ACTION]))
            for ply in range(d.lines.shape[1]):
                lines[i, ply] = d.lines[0, ply]
    return True


@rule
def forget(d: Workspace) -> None:
    """Clear the results of earlier searches, so that the next depends only on ply 0 and the budget."""
    for i in range(len(d.transpositions)):
        d.transpositions[i, 0] = 0
        d.transpositions[i, 1] = 0
    for ply in range(d.killers.shape[0]):
        d.killers[ply, 0] = -1
        d.killers[ply, 1] = -1
    for seat in range(2):
        for action in range(d.history.shape[1]):
            d.history[seat, action] = 0


@rule
def solve(d: Workspace, nodes: int) -> int:
    """The best action of ply 0 that a fresh search of `nodes` nodes finds."""
    forget(d)
    for i in range(COUNTERS):
        d.counters[i] = 0
    d.counters[LIMIT] = nodes
    deepen(d)
    return int(d.lines[0, 0])
