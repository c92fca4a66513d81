"""The threat in a position: what the next player would do if the seat to move could pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from azulejos.core.game import Seat
from azulejos.core.position import Position
from azulejos.core.tell import changed
from azulejos.insight.judge import Grower, Judge, Solver
from azulejos.insight.results import MISTAKE_POINTS, Threat
from azulejos.insight.scale import MARGIN

SOLVER_NODES: Final = 30_000
TREE_NODES: Final = 300


def threat_to(judge: Judge, position: Position, best: Sequence[int]) -> Threat | None:
    """The threat against the seat to move, whose best turn is known; None: there is none worth naming, or
    passing would not be a position of this game."""
    after = position.after(best)
    if position.in_turn or after.to_move < 0 or after.to_move == position.to_move:
        return None
    passed = passed_to(position, after.to_move)
    if passed is None:
        return None
    nodes = SOLVER_NODES if isinstance(judge, Solver) else TREE_NODES
    line = _line(judge, passed, nodes)
    seat = position.to_move
    ended = passed.after(passed.first_turn(line))
    if ended.to_move < 0:
        return None
    margin = judge.outlook(after, nodes)[seat, MARGIN] - judge.outlook(ended, nodes)[seat, MARGIN]
    if margin < MISTAKE_POINTS:
        return None
    return Threat(seat=Seat(passed.to_move), actions=passed.first_turn(line), points=float(margin))


def passed_to(position: Position, seat: int) -> Position | None:
    """The same position with another seat to move, if the rules' own check accepts it."""

    def give(state: Any) -> None:
        state.to_move = seat

    passed = changed(position, give)
    try:
        Position.from_text(passed.text())
    except ValueError:
        return None
    return passed if passed.legal_actions() else None


def _line(judge: Judge, position: Position, nodes: int) -> tuple[int, ...]:
    if isinstance(judge, Solver):
        judge.forget()
        return judge.search(position, nodes).line
    assert isinstance(judge, Grower)
    return judge.grown(position, nodes)[1]
