"""How a level chooses, alike in every bit everywhere: mistakes of the weak, and the care of the strong.

A *skill* is counted in thousandths here. Below SEARCHES a player compares the turns of the shortlist and
errs (docs/bots.md); from there on it searches 10 ** skill positions, finds wins that are near, and plays no
nonsense.
"""

from __future__ import annotations

import math
from typing import Final

from azulejos.core.chance import advance
from azulejos.core.elementary import exp, log
from azulejos.core.jit import rule, wrapping
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, apply, legal, promise
from azulejos.engine.solver import solve
from azulejos.engine.turns import Turns, list_promising
from azulejos.engine.value import INFINITE, WIN, outcome_value
from azulejos.engine.workspace import PROVED, VALUE, Workspace, key_of

SEARCHES: Final = 1000
"""From this skill on, a bot searches; its only errors are those of a short search."""
ERROR: Final = 5.0
"""Standard deviation of the evaluation error at skill 0, in points."""
OVERLOOKS: Final = 0.6
"""Probability that an action without any promise is overlooked at skill 0."""
LIMIT: Final = 1000
"""The most hundredths of a point that a bot gives away compared with the best turn that it sees."""
EYE: Final = 12.0
"""Difference in promise that makes an action e times less conspicuous."""
WINNING: Final = 20_000
"""Any searching level finds a win in the last round that this number of positions can prove."""
PROVABLE: Final = 24
"""With more actions than this, WINNING positions hardly ever prove anything."""
NO_NONSENSE: Final = -INFINITE
"""Every action promises more."""

LN_10: Final = 2.302585092994046
ROUNDING: Final = 1 + 1e-12
"""A whole power of ten must not become one position less."""
FRACTION: Final = 2.0**-53


# --- real numbers from the generator ---------------------------------------------------------------------


@wrapping
def uniform(rng: Cells) -> float:
    """A number 0 <= x < 1; advances the generator rng[0]."""
    advance(rng)
    return int(np.int64(rng[0] >> np.uint64(11))) * FRACTION


@rule
def normal(rng: Cells) -> float:
    """A normally distributed number, by Marsaglia's polar method: its logarithm and root are the same on
    every machine."""
    square = 1.0
    x = 0.0
    while square >= 1.0 or square == 0.0:
        x = 2 * uniform(rng) - 1
        y = 2 * uniform(rng) - 1
        square = x * x + y * y
    return x * math.sqrt(-2 * log(square) / square)


@wrapping
def errors_of(words: Cells, skill: int, rng: Cells) -> None:
    """Set the generator for errors, which depend on the position and the skill alone."""
    x = key_of(words) + np.uint64(skill + 1) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    rng[0] = x ^ (x >> np.uint64(31)) | np.uint64(1)


# --- below SEARCHES --------------------------------------------------------------------------------------


@rule
def blend_weights(plain: Cells, best: Cells, share: int, weights: Cells) -> None:
    """Weights between those of a beginner (share 0) and the full evaluation (share 1000): [phase, term]."""
    for phase in range(weights.shape[0]):
        for term in range(weights.shape[1]):
            more = share * (int(best[phase, term]) - int(plain[phase, term]))
            weights[phase, term] = int(plain[phase, term]) + (2 * more + 1000) // 2000


@rule
def choose_turn(u: Turns, promises: Cells, rng: Cells, skill: int, nonsense: int) -> int:
    """The rank of the turn that a player of this skill plays, after listing them with their promises.

    `nonsense`: actions that promise less are not played if there are others.
    """
    count = list_promising(u, promises)
    least = least_promise(promises, count, nonsense)
    seat = int(u.stack[0].to_move)
    errors_of(u.words[0], skill, rng)
    return misjudged(u.values, u.order, promises, count, seat, least, SEARCHES - skill, rng)


@rule
def least_promise(promises: Cells, count: int, nonsense: int) -> int:
    """What a turn has to promise: no nonsense, unless nothing else is left."""
    for rank in range(count):
        if promises[rank] >= nonsense:
            return nonsense
    return NO_NONSENSE


@rule
def misjudged(
    values: Cells, order: Cells, promises: Cells, count: int, seat: int, least: int, missing: int,
    rng: Cells,
) -> int:
    """The rank of the turn that looks best to a player who lacks this much skill: conspicuous ones are
    seldom overlooked, and all are misjudged. `order`: which row of `values` comes first, second ..."""
    most = NO_NONSENSE
    best = NO_NONSENSE
    for rank in range(count):
        if promises[rank] >= least:
            most = max(most, int(promises[rank]))
            best = max(best, int(values[order[rank], seat]))
    chosen = -1
    noticed = False
    felt_best = 0.0
    for rank in range(count):
        value = int(values[order[rank], seat])
        if promises[rank] < least or value < best - LIMIT:
            continue
        felt = value / 100 + normal(rng) * (ERROR * missing / 1000)
        hidden = OVERLOOKS * missing / 1000 * (1 - exp((int(promises[rank]) - most) / EYE))
        seen = uniform(rng) >= hidden
        if chosen < 0 or (seen and not noticed) or (seen == noticed and felt > felt_best):
            chosen = rank
            felt_best = felt
            noticed = seen
    return chosen


# --- from SEARCHES on ------------------------------------------------------------------------------------


@rule
def nodes_of(skill: int) -> int:
    """How many positions a skill searches: 10 ** skill."""
    return math.floor(exp(skill * LN_10 / 1000) * ROUNDING)


@rule
def is_nonsense(u: Turns, action: int, nonsense: int) -> bool:
    """Whether a search chose what no level plays; ply 0 holds the position."""
    return bool(promise(u.stack[0], action) < nonsense)


@rule
def first_sensible(u: Turns, promises: Cells, nonsense: int) -> int:
    """The rank of the best turn without search that is no nonsense."""
    count = list_promising(u, promises)
    least = least_promise(promises, count, nonsense)
    rank = 0
    while promises[rank] < least:
        rank += 1
    return rank


@rule
def winning_line(d: Workspace, line: Cells, nodes: int) -> int:
    """Search for a certain win in this round, with so many nodes at each step; returns the value of the
    first step, whose expected play is written to `line`, or 0. Ply 0 is changed."""
    seat = int(d.stack[0].to_move)
    won = 0
    line[0] = -1
    while d.stack[0].to_move >= 0:
        if legal(d.stack[0], d.actions[0]) == 1:
            apply(d.stack[0], int(d.actions[0, 0]))
            continue
        solve(d, nodes)
        if d.counters[PROVED] == 0:
            return 0
        if won == 0:
            won = int(d.counters[VALUE])
            if won <= 0:
                return 0
            for ply in range(d.lines.shape[1]):
                line[ply] = d.lines[0, ply]
        ply = 0
        while d.lines[0, ply] >= 0:
            apply(d.stack[0], int(d.lines[0, ply]))
            ply += 1
    if d.stack[0].to_move == CHANCE or outcome_value(d.stack[0], seat) < WIN:
        return 0
    return won
