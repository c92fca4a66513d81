"""The best end of one's own turn, by the game's judgement: no reply is considered."""

from __future__ import annotations

from typing import Final

from azulejos.core.jit import rule
from azulejos.core.verbs import apply, in_turn, legal
from azulejos.engine.desk import LIMIT, MAX_PLIES, NODES, VALUE, Desk, ply_value
from azulejos.engine.value import INFINITE

TURN_NODES: Final = 4000
"""Ways to go on with a turn that are looked at; turns of some games have many thousands."""


@rule
def best_turn(d: Desk) -> int:
    """The first action of the turn that ends best for the seat to move on ply 0."""
    seat = int(d.stack[0].to_move)
    best = -INFINITE
    best_action = -1
    d.lines[0, 0] = 0
    d.lines[0, 1] = legal(d.stack[0], d.actions[0])
    ply = 0
    while ply >= 0:
        tried = d.lines[ply, 0]
        if tried == d.lines[ply, 1] or (best_action >= 0 and d.counters[NODES] >= d.counters[LIMIT]):
            ply -= 1
            continue
        d.lines[ply, 0] = tried + 1
        for word in range(d.words.shape[1]):
            d.words[ply + 1, word] = d.words[ply, word]
        s = d.stack[ply + 1]
        apply(s, int(d.actions[ply, tried]))
        d.counters[NODES] += 1
        if s.to_move == seat and in_turn(s) and ply + 1 < MAX_PLIES:
            ply += 1
            d.lines[ply, 0] = 0
            d.lines[ply, 1] = legal(s, d.actions[ply])
        else:
            value = ply_value(d, ply + 1, seat)
            if value > best:
                best = value
                best_action = int(d.actions[0, d.lines[0, 0] - 1])
    d.counters[VALUE] = best
    return best_action
