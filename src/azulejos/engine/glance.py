"""What each action is worth at a glance: one's own turn is finished as it looks best, and judged."""

from __future__ import annotations

from typing import Final

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import apply, in_turn, legal, promise
from azulejos.engine.desk import Desk, ply_value, step

MAX_TURN: Final = 16
"""Actions by which a turn is finished; turns of some games can go on for long."""


@rule
def glance(d: Desk, values: Cells, looks: Cells) -> int:
    """Value every action of ply 0, in hundredths, and say how it looks (`promise`); their number."""
    count = legal(d.stack[0], d.actions[0])
    seat = int(d.stack[0].to_move)
    for i in range(count):
        action = int(d.actions[0, i])
        looks[i] = promise(d.stack[0], action)
        step(d, 0, action)
        finish(d, seat)
        values[i] = ply_value(d, 1, seat)
    return count


@rule
def finish(d: Desk, seat: int) -> None:
    """Go on with the turn on ply 1 as it looks best, until it is over."""
    s = d.stack[1]
    for _ in range(MAX_TURN):
        if s.to_move != seat or not in_turn(s):
            return
        count = legal(s, d.actions[1])
        best = int(d.actions[1, 0])
        for i in range(1, count):
            if promise(s, int(d.actions[1, i])) > promise(s, best):
                best = int(d.actions[1, i])
        apply(s, best)
