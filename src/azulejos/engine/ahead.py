"""Beyond the deal: actions that look nearly equal in this round are compared in sampled next rounds.

Each candidate is followed by best play to the end of the round. From there the same tiles are drawn for
all of them, by the search's own generator, and the next round is searched to the same depth for all; the
best average decides. This proves nothing: `proved` refers to the rest of this round.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from azulejos.core.game import Game
from azulejos.core.jit import by_reference, rule, wrapping
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, deal
from azulejos.engine.solver import search
from azulejos.engine.value import INFINITE
from azulejos.engine.workspace import (
    CHOICES, CUTS, LIMIT, MAX_PLIES, NODES, STOP, VALUE, Workspace, ply_value, step,
)

CANDIDATES: Final = 6
MARGIN: Final = 600
"""Actions that are worse by more than this at the end of the round are no candidates. Within 300, the value
there had no correlation (0.0) with the mean of 24 deals of the next round (71 positions of Azul)."""
STAGE: Final = 4
"""Deals after which the worse half of the candidates is dropped and the others are searched deeper."""
STAGES: Final = 10
"""As many as ten seconds can use; one second is used up in the seventh."""
CLEAR: Final = 800
"""Average lead of a candidate, in hundredths of a point, that ends the comparison early."""
FEWEST: Final = 300
"""Nodes for the first candidate of a deal: at least this many, ..."""
SHARE: Final = 48
"""... and at least this fraction (1/SHARE) of the remaining nodes, if nodes are limited, ..."""
ENOUGH: Final = 2000
"""... but at most this many; twice as many in each further stage."""

# Columns of `picks`.
ACTION: Final = 0
ROUND_VALUE: Final = 1
"""The value at the end of the round."""
TOTAL: Final = 2
"""The sum over all sampled deals; later stages, which search deeper, have more weight."""
LATEST: Final = 3
PLAN: Final = 4
"""The index of its plan and its boundary."""
COLUMNS: Final = 5


@by_reference
class Outlook(NamedTuple):
    """The candidates of the search beyond the deal."""

    picks: Cells
    """[candidate, column]: best first."""
    plans: Cells
    """[plan, ply]: best play to the end of the round, ended by -1."""
    boundaries: Cells
    """[plan, word]: the state at the end of the round."""
    odds: Cells
    rng: Cells
    """[0]: the generator; [1]: the seed of the deals."""


def make_outlook(game: Game) -> Outlook:
    return Outlook(
        picks=np.zeros((CANDIDATES, COLUMNS), np.int64),
        plans=np.full((CANDIDATES, MAX_PLIES + 2), -1, np.int32),
        boundaries=np.zeros((CANDIDATES, -(-game.size // 8)), np.uint64),
        odds=np.zeros(game.max_legal, np.int32),
        rng=np.ones(2, np.uint64),
    )


def copied(outlook: Outlook) -> Outlook:
    """The same candidates with empty totals, for another thread to compare."""
    copy = Outlook(*(cells.copy() for cells in outlook))
    copy.picks[:, TOTAL] = 0
    return copy


@rule
def decide(d: Workspace, o: Outlook) -> int:
    """After `deepen`: choose among nearly equal actions; returns the number of deals used.

    The stages below, one after the other; several threads divide the deals of each (bots/search.py).
    """
    count = candidates(d, o)
    deals = 0
    weight = 0
    for stage in range(STAGES if count > 0 else 0):
        sampled = compare(d, o, count, stage, 0, 1)
        deals += sampled
        weight += sampled * (1 + stage)
        if d.counters[STOP] != 0:
            break
        count = kept(o, count)
        if is_clear(o, weight):
            break
    if deals > 0:
        choose(d, o, count, weight)
    return deals


@rule
def is_clear(o: Outlook, weight: int) -> bool:
    """Whether the first candidate leads by so much that no more deals are needed."""
    return bool(o.picks[0, TOTAL] - o.picks[1, TOTAL] > CLEAR * weight)


@rule
def candidates(d: Workspace, o: Outlook) -> int:
    """After `deepen` has solved the round: the number of actions worth comparing.

    0 if there is only one, or if the game ends in this round.
    """
    count = shortlist(d, o)
    return count if count > 1 and follow(d, o, count) else 0


@rule
def compare(d: Workspace, o: Outlook, count: int, stage: int, first: int, every: int) -> int:
    """Add up the values of the candidates in the deals `first`, `first + every`, ... of a stage.

    Returns the number of deals; fewer than planned if the budget ended.
    """
    deals = 0
    for number in range(first, STAGE, every):
        if not sample(d, o, count, stage, number):
            break
        deals += 1
        for i in range(count):
            o.picks[i, TOTAL] += (1 + stage) * o.picks[i, LATEST]
    return deals


@rule
def kept(o: Outlook, count: int) -> int:
    """Sort the candidates by their totals and keep the better half, at least two."""
    for i in range(1, count):
        at = i
        while at > 0 and o.picks[at - 1, TOTAL] < o.picks[at, TOTAL]:
            swap(o, at - 1, at)
            at -= 1
    return max(2, (count + 1) // 2)


@rule
def swap(o: Outlook, a: int, b: int) -> None:
    for column in range(COLUMNS):
        o.picks[a, column], o.picks[b, column] = o.picks[b, column], o.picks[a, column]


@rule
def shortlist(d: Workspace, o: Outlook) -> int:
    """List the best actions of ply 0 with their values, using the order of ply 0; 0 if the budget ended."""
    seat = int(d.stack[0].to_move)
    worst = -INFINITE
    count = 0
    for i in range(d.counters[CHOICES]):
        action = int(d.actions[0, i])
        step(d, 0, action)
        value = search(d, 1, MAX_PLIES, worst, INFINITE, seat)
        if d.counters[STOP] != 0:
            return 0
        if value > worst:
            count = min(count + 1, CANDIDATES)
            insert(o, count, action, value)
            worst = int(o.picks[0, ROUND_VALUE]) - MARGIN - 1
            while o.picks[count - 1, ROUND_VALUE] <= worst:
                count -= 1
            if count == CANDIDATES:
                worst = int(o.picks[count - 1, ROUND_VALUE])
    return count


@rule
def insert(o: Outlook, count: int, action: int, value: int) -> None:
    """Insert an action into the list of candidates, best first; the last one is dropped if it is full."""
    at = count - 1
    while at > 0 and o.picks[at - 1, ROUND_VALUE] < value:
        o.picks[at, ACTION] = o.picks[at - 1, ACTION]
        o.picks[at, ROUND_VALUE] = o.picks[at - 1, ROUND_VALUE]
        at -= 1
    o.picks[at, ACTION] = action
    o.picks[at, ROUND_VALUE] = value
    o.picks[count - 1, TOTAL] = 0


@rule
def follow(d: Workspace, o: Outlook, count: int) -> bool:
    """Play every candidate to the end of the round; False if the game ends there, or the budget did."""
    goes_on = False
    for i in range(count):
        if follow_one(d, o, i):
            goes_on = True
        if d.counters[STOP] != 0:
            return False
    return goes_on


@rule
def follow_one(d: Workspace, o: Outlook, i: int) -> bool:
    """Play one candidate to the end of the round: best play is in the table, or a quick search finds it."""
    action = int(o.picks[i, ACTION])
    o.picks[i, PLAN] = i
    ply = 0
    while action >= 0 and ply < MAX_PLIES:
        o.plans[i, ply] = action
        step(d, ply, action)
        ply += 1
        seat = int(d.stack[ply].to_move)
        action = -1
        if seat >= 0:
            search(d, ply, MAX_PLIES, -INFINITE, INFINITE, seat)
            action = int(d.lines[ply, ply])
    o.plans[i, ply] = -1
    for word in range(d.words.shape[1]):
        o.boundaries[i, word] = d.words[ply, word]
    return bool(d.stack[ply].to_move == CHANCE)


@wrapping
def sample(d: Workspace, o: Outlook, count: int, stage: int, deal: int) -> bool:
    """Value every candidate in one deal, to the same depth; False if the budget ended first."""
    seat = int(d.stack[0].to_move)
    depth = 0
    for i in range(count):
        o.rng[0] = o.rng[1] + np.uint64(stage * STAGE + deal + 1) * np.uint64(0x9E3779B97F4A7C15)
        deal_next(d, o, i)
        if d.stack[1].to_move < 0:
            o.picks[i, LATEST] = ply_value(d, 1, seat)
        elif depth == 0:
            depth = deepen_next(d, o, i, seat, stage)
        else:
            o.picks[i, LATEST] = search(d, 1, depth, -INFINITE, INFINITE, seat)
        if d.counters[STOP] != 0:
            return False
    return True


@rule
def deal_next(d: Workspace, o: Outlook, i: int) -> None:
    """Deal the next round after a candidate, on ply 1. Bags are equal, so equal numbers draw equal
    tiles."""
    for word in range(d.words.shape[1]):
        d.words[1, word] = o.boundaries[o.picks[i, PLAN], word]
    deal(d.stack[1], d.actions[1], o.odds, o.rng)
    d.lines[1, 1] = -1


@rule
def deepen_next(d: Workspace, o: Outlook, i: int, seat: int, stage: int) -> int:
    """Value a candidate in its deal as deep as its nodes allow; returns the depth."""
    limit = d.counters[LIMIT]
    left = limit - d.counters[NODES]
    share = max(FEWEST, min(left // SHARE, ENOUGH << stage))
    d.counters[LIMIT] = d.counters[NODES] + min(left, share)
    reached = 0
    for depth in range(1, MAX_PLIES):
        d.counters[CUTS] = 0
        value = search(d, 1, depth, -INFINITE, INFINITE, seat)
        if d.counters[STOP] != 0:
            break
        reached = depth
        o.picks[i, LATEST] = value
        if d.counters[CUTS] == 0:
            break
    d.counters[LIMIT] = limit
    if reached > 0 and d.flag[0] == 0 and d.counters[NODES] < limit:
        d.counters[STOP] = 0
    return reached


@rule
def choose(d: Workspace, o: Outlook, count: int, weight: int) -> None:
    """Make the candidate with the best average the answer, with that average and its line."""
    best = 0
    for i in range(1, count):
        if o.picks[i, TOTAL] > o.picks[best, TOTAL]:
            best = i
    d.counters[VALUE] = o.picks[best, TOTAL] // weight
    for ply in range(d.lines.shape[1]):
        d.lines[0, ply] = o.plans[o.picks[best, PLAN], ply]
