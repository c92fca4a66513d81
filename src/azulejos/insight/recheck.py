"""Judge a judged turn again, deeper and with other deals: how far are verdicts to be trusted?"""

from __future__ import annotations

from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.insight.judge import Effort, Judge
from azulejos.insight.results import JudgedTurn, Kind, Line


def lost_again(judge: Judge, game: Position, turn: JudgedTurn, effort: Effort, *, seed: int) -> Cells:
    """float [seat, 2]: what a turn with a better one lost. Lines that are proved are followed to their
    end; after others, both positions are searched afresh."""
    if turn.better is None:
        raise ValueError("nothing better was found, so there is nothing to compare")
    ends = [_end(game.at(turn.ply), line, turn.verdict.kind) for line in (turn.better, turn.played)]
    nodes = effort.deal_nodes if any(end.is_chance for end in ends) else effort.nodes
    better, played = (judge.over_deals(end, deals=effort.deals, nodes=nodes, seed=seed) for end in ends)
    lost: Cells = (better - played).mean(0)
    return lost


def _end(before: Position, line: Line, kind: Kind) -> Position:
    return before.after(line.turn if kind is Kind.ESTIMATE else line.actions)
