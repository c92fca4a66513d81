"""What the page of a study finds out about a position, and what that means: the page searches, the server
says how sure it is and words it."""

from __future__ import annotations

import math

from azulejos.bots.workspaces import is_solvable
from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.insight.judge import Findings, FoundTurn
from azulejos.insight.results import PositionValue
from azulejos.insight.solver_judge import RATING_SHARE
from azulejos.insight.study import outlook_from
from azulejos.web.refused import Refused
from azulejos.web.wire.messages import FoundTurns, SearchedTurn
from azulejos.web.work.judge import LONGEST

SECONDS = RATING_SHARE * LONGEST
"""For rating every turn; the server looks for the rest."""
PATIENCE = 3.0
"""Seconds until the first answer; then the server judges."""
MOST = 10**12
"""Nodes, and hundredths of points, that a page may name."""


def findings_of(said: FoundTurns) -> Findings:
    return Findings(max(1, min(said.nodes, MOST)), tuple(map(_turn, said.turns)), tuple(said.means))


def _turn(said: SearchedTurn) -> FoundTurn:
    return FoundTurn(tuple(said.line), said.value, visits=said.visits, proved=said.proved)


def outlook_in_page(position: Position, found: Findings) -> PositionValue:
    """What a page's findings mean; refused if they cannot be about this position."""
    solved = is_solvable(position)
    fits = found.turns and len(found.means) == (0 if solved else position.players) and all(
        math.isfinite(turn.value) and abs(turn.value) < MOST and (solved or 0 < turn.visits < MOST)
        and turn.line and _leads(position, turn.line) for turn in found.turns
    ) and all(0 <= mean <= 1 for mean in found.means)
    if not fits:
        raise Refused(msg("This message cannot be read."))
    return outlook_from(position, found)


def _leads(position: Position, line: tuple[int, ...]) -> bool:
    """Whether all actions of a line are legal."""
    here = position.copy()
    for action in line:
        if action not in here.legal_actions():
            return False
        here.play(action)
    return True
