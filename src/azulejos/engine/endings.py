"""Exact endings: the rest of a round of two seats, solved for its points or for the result of the game.

No evaluation enters. An ending is *settled* when the game is over or the next round has begun; a search
that meets a draw before that gives up, because nothing would be proved.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from azulejos.core import layout
from azulejos.core.jit import Binding, by_reference, rule
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.verbs import OVER, apply, legal, promise, standing, tidy
from azulejos.engine.transpositions import (
    AT_LEAST, AT_MOST, COMPLETE, EXACT, decides, known_action, known_value, make_transpositions, recall,
    remember,
)
from azulejos.engine.value import INFINITE
from azulejos.engine.workspace import key_of, make_stack

MAX_PLIES: Final = 160
"""Most actions of an ending; a longer one is given up."""
WON: Final = 10_000
"""What a won game adds to the margin if the result is searched: more than any margin."""

# What is searched.
MARGIN: Final = 0
RESULT: Final = 1

# Counters.
NODES: Final = 0
LIMIT: Final = 1
GIVEN_UP: Final = 2
ROUND: Final = 3
SOUGHT: Final = 4
COUNTERS: Final = 5


@by_reference
class Ending(NamedTuple):
    """The memory of a search."""

    stack: Cells
    """[ply]: records."""
    words: Cells
    """[ply, word]: the bytes of the same records."""
    actions: Cells
    """[ply, i]: legal actions."""
    ranks: Cells
    """[ply, i]: the highest is tried first."""
    transpositions: Cells
    counters: Cells


def make_ending(binding: Binding, *, transposition_bits: int = 16) -> Ending:
    stack, words = make_stack(binding, MAX_PLIES + 1)
    room = (MAX_PLIES + 1, binding.game.max_legal)
    return binding.hold(Ending(
        stack=stack, words=words, actions=np.zeros(room, np.int64), ranks=np.zeros(room, np.int32),
        transpositions=make_transpositions(transposition_bits), counters=np.zeros(COUNTERS, np.int64),
    ), empty=("transpositions",))


def begin(d: Ending, *, sought: int, round_: int) -> None:
    """Forget everything: values for different goals or rounds must not mix."""
    d.transpositions[:] = 0
    d.counters[SOUGHT], d.counters[ROUND] = sought, round_


def put(d: Ending, row: layout.Row, *, limit: int) -> None:
    """Set ply 0 and the limit of nodes."""
    d.words[0].view(np.uint8)[: len(row)] = row
    d.counters[NODES] = d.counters[GIVEN_UP] = 0
    d.counters[LIMIT] = limit


@rule
def settled(d: Ending, ply: int, seat: int) -> int:
    """The value of the end of a round for a seat: its margin, and the result of the game if sought."""
    s = d.stack[ply]
    margin = int(s.score[seat]) - int(s.score[1 - seat])
    if s.to_move != OVER:
        if s.round == d.counters[ROUND]:
            d.counters[GIVEN_UP] = 1
        return margin
    if d.counters[SOUGHT] == RESULT:
        lead = standing(s, seat) - standing(s, 1 - seat)
        if lead > 0:
            return margin + WON
        if lead < 0:
            return margin - WON
    return margin


@rule
def enter(d: Ending, ply: int) -> bool:
    """Count a node; False if the search is given up."""
    if d.counters[NODES] >= d.counters[LIMIT] or ply >= MAX_PLIES:
        d.counters[GIVEN_UP] = 1
    d.counters[NODES] += 1
    return bool(d.counters[GIVEN_UP] == 0)


@rule
def step(d: Ending, ply: int, action: int) -> None:
    for word in range(d.words.shape[1]):
        d.words[ply + 1, word] = d.words[ply, word]
    apply(d.stack[ply + 1], action)


@rule
def order_actions(d: Ending, ply: int, count: int, remembered: int) -> None:
    """Sort the actions of a ply: the remembered one first, then by promise."""
    s = d.stack[ply]
    for i in range(count):
        action = int(d.actions[ply, i])
        rank = 1 << 24 if action == remembered else promise(s, action)
        at = i
        while at > 0 and d.ranks[ply, at - 1] < rank:
            d.ranks[ply, at] = d.ranks[ply, at - 1]
            d.actions[ply, at] = d.actions[ply, at - 1]
            at -= 1
        d.ranks[ply, at] = rank
        d.actions[ply, at] = action


@rule
def best_value(d: Ending, ply: int, alpha: int, beta: int, seat: int) -> int:
    """The value of a ply for a seat; exact if between alpha and beta, otherwise a bound.

    The recursion is direct and has 64-bit integer arguments only, as in `engine.solver`.
    """
    if not enter(d, ply):
        return 0
    s = d.stack[ply]
    if s.to_move < 0:
        return settled(d, ply, seat)
    sign = 1
    if s.to_move != seat:
        seat = int(s.to_move)
        alpha, beta, sign = -beta, -alpha, -1
    key = key_of(d.words[ply])
    known = recall(d.transpositions, key)
    remembered = -1
    if known != 0:
        if decides(known, alpha, beta):
            return sign * known_value(known)
        remembered = known_action(known)
    began = d.counters[NODES]
    count = legal(s, d.actions[ply])
    order_actions(d, ply, count, remembered)
    low = alpha
    best = -INFINITE
    best_action = -1
    for i in range(count):
        action = int(d.actions[ply, i])
        step(d, ply, action)
        tidy(d.stack[ply + 1], seat)
        value = best_value(d, ply + 1, low, beta if i == 0 else low + 1, seat)
        if i > 0 and low < value < beta:
            value = best_value(d, ply + 1, low, beta, seat)
        if d.counters[GIVEN_UP] != 0:
            return 0
        if value > best:
            best = value
            best_action = action
            low = max(low, value)
            if low >= beta:
                break
    bound = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
    remember(d.transpositions, key, best, best_action, COMPLETE, bound, int(d.counters[NODES] - began))
    return sign * best


@rule
def solve(d: Ending, seat: int, low: int, high: int) -> int:
    """The value of ply 0 for a seat; exact if between low and high, otherwise a bound."""
    return best_value(d, 0, low, high, seat)


@rule
def best_line(d: Ending, line: Cells) -> int:
    """Write best play from ply 0 to its end; returns its length. The states are on the following plies."""
    ply = 0
    while d.stack[ply].to_move >= 0:
        seat = int(d.stack[ply].to_move)
        best_value(d, ply, -INFINITE, INFINITE, seat)
        if d.counters[GIVEN_UP] != 0:
            return 0
        line[ply] = known_action(recall(d.transpositions, key_of(d.words[ply])))
        step(d, ply, int(line[ply]))
        tidy(d.stack[ply + 1], seat)
        ply += 1
    return ply


# --- the same without a table, without an order and without reductions: the second proof ---------------


@rule
def plain_value(d: Ending, ply: int, alpha: int, beta: int, seat: int) -> int:
    """Alpha-beta in the order of the rules; the value for a seat, or a bound."""
    if not enter(d, ply):
        return 0
    s = d.stack[ply]
    if s.to_move < 0:
        return settled(d, ply, seat)
    own = s.to_move == seat
    count = legal(s, d.actions[ply])
    best = -INFINITE if own else INFINITE
    for i in range(count):
        step(d, ply, int(d.actions[ply, i]))
        if own:
            best = max(best, plain_value(d, ply + 1, max(alpha, best), beta, seat))
        else:
            best = min(best, plain_value(d, ply + 1, alpha, min(beta, best), seat))
        if d.counters[GIVEN_UP] != 0:
            return 0
        if (best >= beta) if own else (best <= alpha):
            break
    return best


@rule
def plain_reaches(d: Ending, seat: int, value: int) -> bool:
    """Whether a seat can reach at least this value from ply 0."""
    return plain_value(d, 0, value - 1, value, seat) >= value
