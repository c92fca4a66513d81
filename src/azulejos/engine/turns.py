"""Whole turns: every way to play a turn to its end, evaluated there, best first.

In some games a turn is a sequence of small actions, and an unfinished turn is hard to evaluate. If a game
says which actions are worth trying (`shortlist`), those are listed first; all others can be listed too.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from azulejos.core.jit import Binding, by_reference, rule
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.verbs import (
    MAX_SEATS, MAX_TERMS, OVER, State, apply, in_turn, legal, network_for, promise, shortlist,
)
from azulejos.engine.network import Network, is_ready, no_network, quick_values, with_own_notes
from azulejos.engine.value import INFINITE, judge
from azulejos.engine.workspace import key_of, make_stack

MAX_TURN: Final = 16
"""Most actions of a turn; a longer one is evaluated unfinished and continues as the next turn."""
ROOM: Final = 256
"""Most turns kept in one listing, the best ones."""
MOST: Final = 20_000
"""Most turns examined for one listing."""


@by_reference
class Turns(NamedTuple):
    """Memory to list turns, allocated once."""

    stack: Cells
    """[ply]: records; [0] is the position where the turn begins."""
    words: Cells
    """[ply, word]: their bytes."""
    actions: Cells
    """[ply, i]: the actions to try there."""
    lines: Cells
    """[ply, 2]: how many of these actions were tried, and how many there are."""
    order: Cells
    """[rank]: which of the turns below comes first, second, ..."""
    found: Cells
    """[turn, 1 + MAX_TURN]: number of actions, the actions."""
    values: Cells
    """[turn, seat]: the evaluation of its end."""
    keys: Cells
    """[turn]: the hash of its end."""
    flag: Cells
    """[0]: set from another thread to stop."""
    weights: Cells
    terms: Cells
    judged: Cells
    """[seat]: the last evaluation."""
    network: Network
    looks: Cells
    """[0]: how many turns of a listing the network evaluates, the best by `evaluate`; 0: all."""


def make_turns(binding: Binding, weights: Cells, *, network: Network | None = None) -> Turns:
    """Memory to list turns with these functions."""
    return binding.hold(turns_of(binding, weights, network=network), empty=("notes",))


def turns_of(binding: Binding, weights: Cells, *, network: Network | None = None) -> Turns:
    """The same, not yet where these functions can use it: as a part of a larger memory."""
    game = binding.game
    plies = MAX_TURN + 1
    stack, words = make_stack(binding, plies)
    return Turns(
        stack=stack,
        words=words,
        actions=np.zeros((plies, game.max_legal), np.int64),
        lines=np.zeros((plies, 2), np.int64),
        order=np.zeros(ROOM + 1, np.int64),
        found=np.zeros((ROOM + 1, 1 + MAX_TURN), np.int16),
        values=np.zeros((ROOM + 1, MAX_SEATS), np.int64),
        keys=np.zeros(ROOM + 1, np.uint64),
        flag=np.zeros(1, np.int64),
        weights=weights,
        terms=np.zeros((MAX_SEATS, MAX_TERMS), np.int64),
        judged=np.zeros(MAX_SEATS, np.int64),
        network=with_own_notes(network, game) if network else no_network(),
        looks=np.array([game.features.second_looks if network and game.features else 0], np.int64),
    )


@rule
def open_ply(u: Turns, ply: int, everything: bool) -> None:
    """List the actions to try on a ply."""
    u.lines[ply, 0] = 0
    if everything:
        u.lines[ply, 1] = legal(u.stack[ply], u.actions[ply])
    else:
        u.lines[ply, 1] = shortlist(u.stack[ply], u.actions[ply])


@rule
def list_turns(u: Turns, everything: bool) -> int:
    """Evaluate the turns from ply 0, best first in `order`; returns how many are kept."""
    seat = int(u.stack[0].to_move)
    kept = 0
    looked = 0
    open_ply(u, 0, everything)
    ply = 0
    while ply >= 0:
        tried = int(u.lines[ply, 0])
        if tried == u.lines[ply, 1] or (kept > 0 and (looked >= MOST or u.flag[0] != 0)):
            ply -= 1
            continue
        u.lines[ply, 0] = tried + 1
        for word in range(u.words.shape[1]):
            u.words[ply + 1, word] = u.words[ply, word]
        s = u.stack[ply + 1]
        apply(s, int(u.actions[ply, tried]))
        if s.to_move == seat and in_turn(s) and ply + 1 < MAX_TURN:
            ply += 1
            open_ply(u, ply, everything)
        else:
            looked += 1
            kept = keep_turn(u, ply + 1, seat, kept)
    if u.looks[0] > 0:
        look_again(u, seat, kept)
    return kept


@rule
def look_again(u: Turns, seat: int, kept: int) -> None:
    """Sort the best turns by what the network says; the others stay as far behind them as they were."""
    looks = min(int(u.looks[0]), kept)
    worst = INFINITE
    behind = 0
    for rank in range(looks):
        turn = int(u.order[rank])
        behind = int(u.values[turn, seat])
        judge_end(u, turn)
        value = u.values[turn, seat]
        worst = min(worst, int(value))
        at = rank
        while at > 0 and u.values[u.order[at - 1], seat] < value:
            u.order[at] = u.order[at - 1]
            at -= 1
        u.order[at] = turn
    for rank in range(looks, kept):
        u.values[u.order[rank], seat] += worst - behind


@rule
def judge_end(u: Turns, turn: int) -> None:
    """Evaluate the end of a listed turn by the network."""
    for word in range(u.words.shape[1]):
        u.words[1, word] = u.words[0, word]
    for i in range(u.found[turn, 0]):
        apply(u.stack[1], int(u.found[turn, 1 + i]))
    judge_state(u, u.stack[1], u.words[1])
    for each in range(u.stack[0].players):
        u.values[turn, each] = u.judged[each]


@rule
def list_promising(u: Turns, promises: Cells) -> int:
    """List the turns of the shortlist (all, if it is empty), with the promise of each first action."""
    kept = list_turns(u, False)
    if kept == 0:
        kept = list_turns(u, True)
    for i in range(kept):
        promises[i] = promise(u.stack[0], int(u.found[u.order[i], 1]))
    return kept


@rule
def keep_turn(u: Turns, ply: int, seat: int, kept: int) -> int:
    """Evaluate the end of a turn (quickly, if the network looks later) and insert it by rank, unless it is
    too bad or ends like another."""
    if u.looks[0] > 0:
        judge(u.stack[ply], u.weights, u.terms, u.judged)
    else:
        judge_state(u, u.stack[ply], u.words[ply])
    value = u.judged[seat]
    if kept == ROOM and u.values[u.order[ROOM - 1], seat] >= value:
        return kept
    key = key_of(u.words[ply])
    rank = kept
    while rank > 0 and u.values[u.order[rank - 1], seat] < value:
        rank -= 1
    before = rank - 1
    while before >= 0 and u.values[u.order[before], seat] == value:
        if u.keys[u.order[before]] == key:
            return kept
        before -= 1
    at = u.order[ROOM - 1] if kept == ROOM else kept
    for i in range(min(kept, ROOM - 1), rank, -1):
        u.order[i] = u.order[i - 1]
    u.order[rank] = at
    write_turn(u, at, ply)
    u.keys[at] = key
    return min(kept + 1, ROOM)


@rule
def judge_state(u: Turns, s: State, words: Cells) -> None:
    """Write the value of a position for every seat: exact at the end, else by a network or `evaluate`."""
    which = network_for(s) if s.to_move != OVER else -1
    if is_ready(u.network, which):
        quick_values(s, words, u.network, which, u.judged)
    else:
        judge(s, u.weights, u.terms, u.judged)


@rule
def write_turn(u: Turns, at: int, length: int) -> None:
    """Keep the actions that lead to a ply, and its evaluation."""
    u.found[at, 0] = length
    for i in range(length):
        u.found[at, 1 + i] = u.actions[i, u.lines[i, 0] - 1]
    for seat in range(u.stack[0].players):
        u.values[at, seat] = u.judged[seat]


@rule
def play_turn(u: Turns, rank: int) -> None:
    """Play a listed turn on ply 0."""
    turn = u.order[rank]
    for i in range(u.found[turn, 0]):
        apply(u.stack[0], int(u.found[turn, 1 + i]))
